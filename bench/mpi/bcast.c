/* SPDX-License-Identifier: BSD-3-Clause */
/* The broadcasts of weft-bench: from each rank in turn. */
#include "coll.h"

static void call(const struct coll_turn *t)
{
	MPI_Bcast(t->in, t->count, MPI_BYTE, t->root, MPI_COMM_WORLD);
}

static void start(const struct coll_turn *t, MPI_Request *request)
{
	MPI_Ibcast(t->in, t->count, MPI_BYTE, t->root, MPI_COMM_WORLD, request);
}

#if MPI_VERSION >= 4
static void prepare(const struct coll_turn *t, MPI_Request *request)
{
	MPI_Bcast_init(t->in, t->count, MPI_BYTE, t->root, MPI_COMM_WORLD,
		       MPI_INFO_NULL, request);
}
#else
#define prepare NULL
#endif

int main(int argc, char **argv)
{
	static const struct coll coll = {
		"bcast", COLL_ROOTED, 1, call, start, prepare
	};

	return coll_main(argc, argv, &coll);
}
