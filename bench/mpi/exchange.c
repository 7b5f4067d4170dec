/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The exchange of weft-bench: one message along each edge of a ring, in both
 * directions; 2 ranks have two edges to each other.  A library without
 * persistent neighbour exchanges (before MPI 4) is timed with the blocking one.
 */
#include "loop.h"

#include <stdlib.h>

enum { EDGES = 2 };

static MPI_Comm graph;
static char *out, *in;
static int counts[EDGES], displs[EDGES];
#if MPI_VERSION >= 4
static MPI_Request request;
#endif

static void set_up(size_t bytes)
{
	int rank, size, peer[EDGES], weight[EDGES] = { 1, 1 };

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	peer[0] = (rank + 1) % size;
	peer[1] = (rank + size - 1) % size;
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, EDGES, peer, weight,
				       EDGES, peer, weight, MPI_INFO_NULL, 0,
				       &graph);
	for (int i = 0; i < EDGES; i++) {
		counts[i] = (int)bytes;
		displs[i] = i * (int)bytes;
	}
	out = loop_memory(EDGES * bytes);
	in = loop_memory(EDGES * bytes);
#if MPI_VERSION >= 4
	MPI_Neighbor_alltoallv_init(out, counts, displs, MPI_BYTE, in, counts,
				    displs, MPI_BYTE, graph, MPI_INFO_NULL,
				    &request);
#endif
}

static void one(void)
{
#if MPI_VERSION >= 4
	MPI_Start(&request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
#else
	MPI_Neighbor_alltoallv(out, counts, displs, MPI_BYTE, in, counts,
			       displs, MPI_BYTE, graph);
#endif
}

static void take_down(void)
{
#if MPI_VERSION >= 4
	MPI_Request_free(&request);
#endif
	MPI_Comm_free(&graph);
	free(out);
	free(in);
}

int main(int argc, char **argv)
{
	static const struct loop loop = { "exchange", set_up, one, take_down };

	return loop_main(argc, argv, &loop);
}
