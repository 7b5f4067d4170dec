/* SPDX-License-Identifier: BSD-3-Clause */
/* The reduce_scatter_block of weft-bench: a sum of doubles. */
#include "coll.h"

static void call(const struct coll_turn *t)
{
	MPI_Reduce_scatter_block(t->out, t->in, t->count, MPI_DOUBLE, MPI_SUM,
				 MPI_COMM_WORLD);
}

static void start(const struct coll_turn *t, MPI_Request *request)
{
	MPI_Ireduce_scatter_block(t->out, t->in, t->count, MPI_DOUBLE, MPI_SUM,
				  MPI_COMM_WORLD, request);
}

#if MPI_VERSION >= 4
static void prepare(const struct coll_turn *t, MPI_Request *request)
{
	MPI_Reduce_scatter_block_init(t->out, t->in, t->count, MPI_DOUBLE,
				      MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
				      request);
}
#else
#define prepare NULL
#endif

int main(int argc, char **argv)
{
	static const struct coll coll = {
		"reduce_scatter_block", COLL_GIVES_ALL, sizeof(double),
		call, start, prepare
	};

	return coll_main(argc, argv, &coll);
}
