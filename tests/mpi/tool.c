/* SPDX-License-Identifier: BSD-3-Clause */
/* A tool between a program and the library: counts calls and bytes. */
#include <mpi.h>
#include <stdio.h>

static int sends, reductions, dups, bytes;

int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest,
	     int tag, MPI_Comm comm)
{
	int size = 0;

	PMPI_Type_size(datatype, &size);
	sends++;
	bytes += count * size;
	return PMPI_Send(buf, count, datatype, dest, tag, comm);
}

int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count,
		  MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
	reductions++;
	return PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm)
{
	dups++;
	return PMPI_Comm_dup(comm, newcomm);
}

int MPI_Finalize(void)
{
	int rank = -1;

	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	printf("tool %d: %d sends of %d bytes, %d allreduces, %d dups\n", rank,
	       sends, bytes, reductions, dups);
	fflush(stdout);
	return PMPI_Finalize();
}
