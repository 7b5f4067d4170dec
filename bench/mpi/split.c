/* SPDX-License-Identifier: BSD-3-Clause */
/* The split of weft-bench, of one colour, with free; the bytes say nothing. */
#include "loop.h"

static void one(void)
{
	MPI_Comm made;
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &made);
	MPI_Comm_free(&made);
}

int main(int argc, char **argv)
{
	static const struct loop loop = { .name = "split", .one = one };

	return loop_main(argc, argv, &loop);
}
