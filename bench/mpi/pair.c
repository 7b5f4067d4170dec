/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages by turns: see pair.h. */
#include "pair.h"

#include "loop.h"

static const struct pair *what;
static char *out, *in;
static int rank, other, count;
static MPI_Datatype type;

static void set_up(size_t bytes)
{
	int size;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	other = (rank ^ 1) < size ? rank ^ 1 : MPI_PROC_NULL;
	count = what->make(bytes, &type);
	out = loop_memory(bytes * what->span);
	in = loop_memory(bytes * what->span);
}

static void one(void)
{
	if (!(rank & 1))
		MPI_Send(out, count, type, other, 0, MPI_COMM_WORLD);
	MPI_Recv(in, count, type, other, 0, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
	if (rank & 1)
		MPI_Send(out, count, type, other, 0, MPI_COMM_WORLD);
}

static void take_down(void)
{
	if (type != MPI_BYTE)
		MPI_Type_free(&type);
	loop_memory_free(out);
	loop_memory_free(in);
}

int pair_main(int argc, char **argv, const struct pair *pair)
{
	const struct loop loop = { pair->name, set_up, one, take_down, 2 };

	what = pair;
	return loop_main(argc, argv, &loop);
}
