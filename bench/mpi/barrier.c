/* SPDX-License-Identifier: BSD-3-Clause */
/* The barrier of weft-bench; the bytes say nothing. */
#include "loop.h"

static void one(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	static const struct loop loop = { .name = "barrier", .one = one };

	return loop_main(argc, argv, &loop);
}
