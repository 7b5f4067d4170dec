/* SPDX-License-Identifier: BSD-3-Clause */
/* The gatherv of weft-bench: as many bytes of each rank, to each in turn. */
#include "coll.h"

static void call(const struct coll_turn *t)
{
	MPI_Gatherv(t->out, t->count, MPI_BYTE, t->in, t->counts, t->displs,
		    MPI_BYTE, t->root, MPI_COMM_WORLD);
}

static void start(const struct coll_turn *t, MPI_Request *request)
{
	MPI_Igatherv(t->out, t->count, MPI_BYTE, t->in, t->counts, t->displs,
		     MPI_BYTE, t->root, MPI_COMM_WORLD, request);
}

#if MPI_VERSION >= 4
static void prepare(const struct coll_turn *t, MPI_Request *request)
{
	MPI_Gatherv_init(t->out, t->count, MPI_BYTE, t->in, t->counts,
			 t->displs, MPI_BYTE, t->root, MPI_COMM_WORLD,
			 MPI_INFO_NULL, request);
}
#else
#define prepare NULL
#endif

int main(int argc, char **argv)
{
	static const struct coll coll = {
		"gatherv", COLL_ROOTED | COLL_GETS_ALL, 1, call, start, prepare
	};

	return coll_main(argc, argv, &coll);
}
