/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pingpong of weft-bench: half of a round trip between the ranks 2k and
 * 2k + 1.
 */
#include "loop.h"

#include <stdlib.h>

static char *out, *in;
static int rank, other, count;

static void set_up(size_t bytes)
{
	int size;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	other = (rank ^ 1) < size ? rank ^ 1 : MPI_PROC_NULL;
	count = (int)bytes;
	out = loop_memory(bytes);
	in = loop_memory(bytes);
}

static void one(void)
{
	if (!(rank & 1))
		MPI_Send(out, count, MPI_BYTE, other, 0, MPI_COMM_WORLD);
	MPI_Recv(in, count, MPI_BYTE, other, 0, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
	if (rank & 1)
		MPI_Send(out, count, MPI_BYTE, other, 0, MPI_COMM_WORLD);
}

static void take_down(void)
{
	free(out);
	free(in);
}

int main(int argc, char **argv)
{
	static const struct loop loop = {
		"pingpong", set_up, one, take_down, 2
	};

	return loop_main(argc, argv, &loop);
}
