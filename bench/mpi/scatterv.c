/* SPDX-License-Identifier: BSD-3-Clause */
/* The scatterv of weft-bench: as many bytes for each, from each in turn. */
#include "coll.h"

static void call(const struct coll_turn *t)
{
	MPI_Scatterv(t->out, t->counts, t->displs, MPI_BYTE, t->in, t->count,
		     MPI_BYTE, t->root, MPI_COMM_WORLD);
}

static void start(const struct coll_turn *t, MPI_Request *request)
{
	MPI_Iscatterv(t->out, t->counts, t->displs, MPI_BYTE, t->in, t->count,
		      MPI_BYTE, t->root, MPI_COMM_WORLD, request);
}

#if MPI_VERSION >= 4
static void prepare(const struct coll_turn *t, MPI_Request *request)
{
	MPI_Scatterv_init(t->out, t->counts, t->displs, MPI_BYTE, t->in,
			  t->count, MPI_BYTE, t->root, MPI_COMM_WORLD,
			  MPI_INFO_NULL, request);
}
#else
#define prepare NULL
#endif

int main(int argc, char **argv)
{
	static const struct coll coll = {
		"scatterv", COLL_ROOTED | COLL_GIVES_ALL, 1,
		call, start, prepare
	};

	return coll_main(argc, argv, &coll);
}
