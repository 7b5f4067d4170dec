/* SPDX-License-Identifier: BSD-3-Clause */
/* The alltoallv of weft-bench: as many bytes of each rank for each. */
#include "coll.h"

static void call(const struct coll_turn *t)
{
	MPI_Alltoallv(t->out, t->counts, t->displs, MPI_BYTE, t->in, t->counts,
		      t->displs, MPI_BYTE, MPI_COMM_WORLD);
}

static void start(const struct coll_turn *t, MPI_Request *request)
{
	MPI_Ialltoallv(t->out, t->counts, t->displs, MPI_BYTE, t->in, t->counts,
		       t->displs, MPI_BYTE, MPI_COMM_WORLD, request);
}

#if MPI_VERSION >= 4
static void prepare(const struct coll_turn *t, MPI_Request *request)
{
	MPI_Alltoallv_init(t->out, t->counts, t->displs, MPI_BYTE, t->in,
			   t->counts, t->displs, MPI_BYTE, MPI_COMM_WORLD,
			   MPI_INFO_NULL, request);
}
#else
#define prepare NULL
#endif

int main(int argc, char **argv)
{
	static const struct coll coll = {
		"alltoallv", COLL_GIVES_ALL | COLL_GETS_ALL, 1,
		call, start, prepare
	};

	return coll_main(argc, argv, &coll);
}
