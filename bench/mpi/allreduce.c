/* SPDX-License-Identifier: BSD-3-Clause */
/* The allreduce of weft-bench: a sum of doubles. */
#include "loop.h"

#include <stdlib.h>

static char *out, *in;
static int count;

static void set_up(size_t bytes)
{
	count = (int)(bytes / sizeof(double));
	out = loop_memory(bytes);
	in = loop_memory(bytes);
}

static void one(void)
{
	MPI_Allreduce(out, in, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void take_down(void)
{
	free(out);
	free(in);
}

int main(int argc, char **argv)
{
	static const struct loop loop = { "allreduce", set_up, one,
					  take_down };

	return loop_main(argc, argv, &loop);
}
