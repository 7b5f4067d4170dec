/* SPDX-License-Identifier: BSD-3-Clause */
/* The broadcasts of weft-bench: from each rank in turn. */
#include "loop.h"

#include <stdlib.h>

static char *memory;
static int count, root, ranks;

static void set_up(size_t bytes)
{
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	count = (int)bytes;
	root = 0;
	memory = loop_memory(bytes);
}

static void one(void)
{
	MPI_Bcast(memory, count, MPI_BYTE, root, MPI_COMM_WORLD);
	root = (root + 1) % ranks;
}

static void take_down(void)
{
	free(memory);
}

int main(int argc, char **argv)
{
	static const struct loop loop = { "bcast", set_up, one, take_down };

	return loop_main(argc, argv, &loop);
}
