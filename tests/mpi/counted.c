/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counted exchange|allgather|alltoall|allreduce|message|dup: as
 * tests/mp/counted.c, by mpi.h.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { TIMES = 1000 };

static MPI_Comm graph;
static double given = 1, got;

void counted_exchange(void) __attribute__((noinline));
void counted_allgather(void) __attribute__((noinline));
void counted_alltoall(void) __attribute__((noinline));
void counted_allreduce(void) __attribute__((noinline));
void counted_message(void) __attribute__((noinline));
void counted_dup(void) __attribute__((noinline));

void counted_exchange(void)
{
	static const MPI_Count one = 1;
	static const MPI_Aint start;

	for (int i = 0; i < TIMES; i++)
		MPI_Neighbor_alltoallv_c(&given, &one, &start, MPI_DOUBLE, &got,
					 &one, &start, MPI_DOUBLE, graph);
}

void counted_allgather(void)
{
	for (int i = 0; i < TIMES; i++)
		MPI_Neighbor_allgather(&given, 1, MPI_DOUBLE, &got, 1,
				       MPI_DOUBLE, graph);
}

void counted_alltoall(void)
{
	for (int i = 0; i < TIMES; i++)
		MPI_Neighbor_alltoall(&given, 1, MPI_DOUBLE, &got, 1,
				      MPI_DOUBLE, graph);
}

void counted_allreduce(void)
{
	for (int i = 0; i < TIMES; i++)
		MPI_Allreduce(&given, &got, 1, MPI_DOUBLE, MPI_SUM,
			      MPI_COMM_WORLD);
}

void counted_message(void)
{
	MPI_Request req;

	for (int i = 0; i < TIMES; i++) {
		MPI_Irecv(&got, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &req);
		MPI_Send(&given, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
		MPI_Wait(&req, MPI_STATUS_IGNORE);
	}
}

void counted_dup(void)
{
	MPI_Comm made;

	for (int i = 0; i < TIMES; i++) {
		MPI_Comm_dup(MPI_COMM_WORLD, &made);
		MPI_Comm_free(&made);
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} all[] = {
		{ "exchange", counted_exchange },
		{ "allgather", counted_allgather },
		{ "alltoall", counted_alltoall },
		{ "allreduce", counted_allreduce },
		{ "message", counted_message }, { "dup", counted_dup }
	};
	const int self[1] = { 0 };

	MPI_Init(&argc, &argv);
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, self, MPI_UNWEIGHTED,
				       1, self, MPI_UNWEIGHTED, MPI_INFO_NULL,
				       0, &graph);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (argc < 2 || strcmp(argv[1], all[i].name))
			continue;
		all[i].run();
		all[i].run();
	}
	MPI_Comm_free(&graph);
	MPI_Finalize();
	return 0;
}
