/* SPDX-License-Identifier: BSD-3-Clause */
/* Distributed graphs, and what goes along their edges. */
#include "tests/mpi/check.h"

#define LEFT ((rank + size - 1) % size)
#define RIGHT ((rank + 1) % size)

static MPI_Comm ring(int reorder)
{
	int sources[2] = { LEFT, RIGHT }, dests[2] = { RIGHT, LEFT };
	MPI_Comm graph;

	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources,
				       MPI_UNWEIGHTED, 2, dests,
				       MPI_UNWEIGHTED, MPI_INFO_NULL, reorder,
				       &graph);
	return graph;
}

static void adjacent(void)
{
	MPI_Comm graph = ring(0);
	int in[2], out[2], nin = -1, nout = -1, weighted = -1;

	MPI_Dist_graph_neighbors_count(graph, &nin, &nout, &weighted);
	CHECK(nin == 2 && nout == 2 && !weighted);
	MPI_Dist_graph_neighbors(graph, 2, in, MPI_UNWEIGHTED, 2, out,
				 MPI_UNWEIGHTED);
	CHECK(in[0] == LEFT && in[1] == RIGHT);
	CHECK(out[0] == RIGHT && out[1] == LEFT);
	MPI_Comm_free(&graph);
}

/* Each rank gives the edges of its right neighbour. */
static void by_others(void)
{
	int source = RIGHT, degree = 1, dest = (RIGHT + 1) % size, weight = 7;
	int in = -1, out = -1, win = 0, wout = 0, x = rank, y = -1;
	MPI_Comm graph;

	MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &source, &degree, &dest,
			      &weight, MPI_INFO_NULL, 0, &graph);
	MPI_Dist_graph_neighbors(graph, 1, &in, &win, 1, &out, &wout);
	CHECK(in == LEFT && out == RIGHT && win == 7 && wout == 7);
	MPI_Neighbor_alltoall(&x, 1, MPI_INT, &y, 1, MPI_INT, graph);
	CHECK(y == LEFT);
	MPI_Comm_free(&graph);
}

static void exchanges(void)
{
	MPI_Comm graph = ring(1);
	int r, left, right, in[2], out[2], ones[2] = { 1, 1 };
	int displs[2] = { 0, 1 };
	MPI_Aint bytes[2] = { 0, sizeof(int) };
	MPI_Datatype types[2] = { MPI_INT, MPI_INT };
	MPI_Request request;

	MPI_Comm_rank(graph, &r);
	left = (r + size - 1) % size;
	right = (r + 1) % size;
	out[0] = 2 * r;
	out[1] = 2 * r + 1;
	MPI_Neighbor_alltoallv(out, ones, displs, MPI_INT, in, ones, displs,
			       MPI_INT, graph);
	if (size > 2)
		CHECK(in[0] == 2 * left && in[1] == 2 * right + 1);
	memset(in, -1, sizeof(in));
	MPI_Ineighbor_alltoallw(out, ones, bytes, types, in, ones, bytes,
				types, graph, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	if (size > 2)
		CHECK(in[0] == 2 * left && in[1] == 2 * right + 1);
	MPI_Neighbor_allgather(&r, 1, MPI_INT, in, 1, MPI_INT, graph);
	CHECK(in[0] == left && in[1] == right);
	MPI_Comm_free(&graph);
}

static void without_edges(void)
{
	MPI_Comm graph;
	int none = 0, nin = -1, nout = -1, weighted = -1;

	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, &none,
				       MPI_WEIGHTS_EMPTY, 0, &none,
				       MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0,
				       &graph);
	MPI_Dist_graph_neighbors_count(graph, &nin, &nout, &weighted);
	CHECK(nin == 0 && nout == 0 && weighted);
	MPI_Neighbor_alltoall(NULL, 0, MPI_INT, NULL, 0, MPI_INT, graph);
	MPI_Comm_free(&graph);
}

int main(int argc, char **argv)
{
	static const struct check_case cases[] = {
		{ "adjacent edges", adjacent },
		{ "edges that other ranks give", by_others },
		{ "exchanges", exchanges },
		{ "no edges, with weights", without_edges }
	};

	return check_run(&argc, &argv, cases, CHECK_COUNT(cases));
}
