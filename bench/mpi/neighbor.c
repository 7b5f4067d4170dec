/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbour exchanges, blocking or persistent: see neighbor.h. */
#include "neighbor.h"

#include <string.h>

enum { WORD = 8 };

static const struct neighbor *neighbor;
static struct neighbor_edges edges;
static MPI_Request request;

static void make_graph(void)
{
	int rank, size, peer[NEIGHBOR_EDGES], weight[] = { 1, 1 };

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	peer[0] = (rank + 1) % size;
	peer[1] = (rank + size - 1) % size;
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, NEIGHBOR_EDGES, peer,
				       weight, NEIGHBOR_EDGES, peer, weight,
				       MPI_INFO_NULL, 0, &edges.graph);
}

static void set_up(size_t bytes)
{
	make_graph();
	edges.bytes = (int)bytes;
	for (int i = 0; i < NEIGHBOR_EDGES; i++) {
		edges.counts[i] = (int)bytes;
		edges.displs[i] = i * (int)bytes;
		edges.ones[i] = 1;
		edges.apart[i] = (MPI_Aint)(2 * bytes) * i;
		MPI_Type_vector((int)bytes / WORD, 1, 2, MPI_DOUBLE,
				&edges.types[i]);
		MPI_Type_commit(&edges.types[i]);
	}
	edges.out = loop_memory(2 * NEIGHBOR_EDGES * bytes);
	edges.in = loop_memory(2 * NEIGHBOR_EDGES * bytes);
}

static void take_down(void)
{
	for (int i = 0; i < NEIGHBOR_EDGES; i++)
		MPI_Type_free(&edges.types[i]);
	MPI_Comm_free(&edges.graph);
	loop_memory_free(edges.out);
	loop_memory_free(edges.in);
}

static void prepare(size_t bytes)
{
	set_up(bytes);
	neighbor->prepare(&edges, &request);
}

static void free_prepared(void)
{
	MPI_Request_free(&request);
	take_down();
}

static void blocking(void)
{
	neighbor->call(&edges);
}

static void persistent(void)
{
	MPI_Start(&request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int neighbor_main(int argc, char **argv, const struct neighbor *which)
{
	struct loop loop = { which->name, set_up, blocking, take_down, 1 };

	neighbor = which;
	if (argc > 1 && !strcmp(argv[1], "-b")) {
		argv[1] = argv[0];
		return loop_main(argc - 1, argv + 1, &loop);
	}
	if (neighbor->prepare) {
		loop.set_up = prepare;
		loop.one = persistent;
		loop.take_down = free_prepared;
	}
	return loop_main(argc, argv, &loop);
}
