/* SPDX-License-Identifier: BSD-3-Clause */
/* The barrier of weft-bench; the bytes say nothing. */
#include "coll.h"

static void call(const struct coll_turn *t)
{
	(void)t;
	MPI_Barrier(MPI_COMM_WORLD);
}

static void start(const struct coll_turn *t, MPI_Request *request)
{
	(void)t;
	MPI_Ibarrier(MPI_COMM_WORLD, request);
}

#if MPI_VERSION >= 4
static void prepare(const struct coll_turn *t, MPI_Request *request)
{
	(void)t;
	MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, request);
}
#else
#define prepare NULL
#endif

int main(int argc, char **argv)
{
	static const struct coll coll = {
		"barrier", 0, 1, call, start, prepare
	};

	return coll_main(argc, argv, &coll);
}
