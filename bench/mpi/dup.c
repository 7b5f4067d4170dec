/* SPDX-License-Identifier: BSD-3-Clause */
/* The dup of weft-bench, with free; the bytes say nothing. */
#include "loop.h"

static void one(void)
{
	MPI_Comm made;

	MPI_Comm_dup(MPI_COMM_WORLD, &made);
	MPI_Comm_free(&made);
}

int main(int argc, char **argv)
{
	static const struct loop loop = { .name = "dup", .one = one };

	return loop_main(argc, argv, &loop);
}
