/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rate of weft-bench: 64 messages from rank 2k to rank 2k + 1, for which
 * receives wait, and an empty one back; the time of one message.
 */
#include "loop.h"

enum { WINDOW = 64 };

static char *memory;
static int rank, other, count;

static void set_up(size_t bytes)
{
	int size;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	other = (rank ^ 1) < size ? rank ^ 1 : MPI_PROC_NULL;
	count = (int)bytes;
	memory = loop_memory(bytes);
}

static void one(void)
{
	MPI_Request request[WINDOW];

	for (int i = 0; i < WINDOW; i++)
		if (rank & 1)
			MPI_Irecv(memory, count, MPI_BYTE, other, 0,
				  MPI_COMM_WORLD, &request[i]);
		else
			MPI_Isend(memory, count, MPI_BYTE, other, 0,
				  MPI_COMM_WORLD, &request[i]);
	MPI_Waitall(WINDOW, request, MPI_STATUSES_IGNORE);
	if (rank & 1)
		MPI_Send(memory, 0, MPI_BYTE, other, 0, MPI_COMM_WORLD);
	else
		MPI_Recv(memory, 0, MPI_BYTE, other, 0, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
}

static void take_down(void)
{
	loop_memory_free(memory);
}

int main(int argc, char **argv)
{
	static const struct loop loop = {
		"rate", set_up, one, take_down, WINDOW
	};

	return loop_main(argc, argv, &loop);
}
