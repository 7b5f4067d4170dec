/* SPDX-License-Identifier: BSD-3-Clause */
/* The alltoall of weft-bench. */
#include "coll.h"

static void call(const struct coll_turn *t)
{
	MPI_Alltoall(t->out, t->count, MPI_BYTE, t->in, t->count, MPI_BYTE,
		     MPI_COMM_WORLD);
}

static void start(const struct coll_turn *t, MPI_Request *request)
{
	MPI_Ialltoall(t->out, t->count, MPI_BYTE, t->in, t->count, MPI_BYTE,
		      MPI_COMM_WORLD, request);
}

#if MPI_VERSION >= 4
static void prepare(const struct coll_turn *t, MPI_Request *request)
{
	MPI_Alltoall_init(t->out, t->count, MPI_BYTE, t->in, t->count, MPI_BYTE,
			  MPI_COMM_WORLD, MPI_INFO_NULL, request);
}
#else
#define prepare NULL
#endif

int main(int argc, char **argv)
{
	static const struct coll coll = {
		"alltoall", COLL_GIVES_ALL | COLL_GETS_ALL, 1,
		call, start, prepare
	};

	return coll_main(argc, argv, &coll);
}
