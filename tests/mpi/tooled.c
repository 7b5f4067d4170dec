/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that a tool counts: three sends round a ring, two allreduces, a dup. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	int rank, size, x, sum = 0;
	MPI_Request request;
	MPI_Comm comm;

	MPI_Init(&argc, &argv);
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	for (int i = 0; i < 3; i++) {
		MPI_Irecv(&x, 1, MPI_INT, (rank + size - 1) % size, 0, comm,
			  &request);
		MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 0, comm);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	for (int i = 0; i < 2; i++)
		MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, comm);
	printf("sum %d\n", sum);
	MPI_Comm_free(&comm);
	MPI_Finalize();
	return 0;
}
