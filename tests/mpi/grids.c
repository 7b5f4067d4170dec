/* SPDX-License-Identifier: BSD-3-Clause */
/* Cartesian and graph topologies, and what goes along them. */
#include "tests/mpi/check.h"

static MPI_Comm grid(int ndims, int dims[], int periodic)
{
	int periods[3] = { periodic, periodic, periodic };
	MPI_Comm cart;

	MPI_Cart_create(MPI_COMM_WORLD, ndims, dims, periods, 0, &cart);
	return cart;
}

static void coordinates(void)
{
	int dims[2] = { 0, 0 }, got[2], periods[2], coords[2], r = -1, n = -1;
	int kind = -1;
	MPI_Comm cart;

	MPI_Dims_create(size, 2, dims);
	CHECK(dims[0] * dims[1] == size && dims[0] >= dims[1]);
	cart = grid(2, dims, 1);
	MPI_Topo_test(cart, &kind);
	CHECK(kind == MPI_CART);
	MPI_Cartdim_get(cart, &n);
	CHECK(n == 2);
	MPI_Cart_get(cart, 2, got, periods, coords);
	CHECK(got[0] == dims[0] && got[1] == dims[1] && periods[1]);
	CHECK(coords[0] == rank / dims[1] && coords[1] == rank % dims[1]);
	MPI_Cart_rank(cart, coords, &r);
	CHECK(r == rank);
	coords[0] += 3 * dims[0];
	MPI_Cart_rank(cart, coords, &r);
	CHECK(r == rank);
	MPI_Cart_coords(cart, size - 1, 2, coords);
	CHECK(coords[0] == dims[0] - 1 && coords[1] == dims[1] - 1);
	MPI_Comm_free(&cart);
}

static void shifts(void)
{
	int source = -1, dest = -1;
	MPI_Comm line = grid(1, &size, 0), ring = grid(1, &size, 1);

	MPI_Cart_shift(line, 0, 1, &source, &dest);
	CHECK(source == (rank ? rank - 1 : MPI_PROC_NULL));
	CHECK(dest == (rank + 1 < size ? rank + 1 : MPI_PROC_NULL));
	MPI_Cart_shift(ring, 0, -1, &source, &dest);
	CHECK(source == (rank + 1) % size);
	CHECK(dest == (rank + size - 1) % size);
	MPI_Comm_free(&line);
	MPI_Comm_free(&ring);
}

static void parts(void)
{
	int dims[2] = { 0, 0 }, keep[2] = { 0, 1 }, n = -1, r = -1;
	MPI_Comm cart, row;

	MPI_Dims_create(size, 2, dims);
	cart = grid(2, dims, 0);
	MPI_Cart_sub(cart, keep, &row);
	MPI_Comm_size(row, &n);
	MPI_Comm_rank(row, &r);
	CHECK(n == dims[1] && r == rank % dims[1]);
	MPI_Comm_free(&row);
	MPI_Comm_free(&cart);
}

/* What goes to the minus neighbour comes there from the plus one. */
static void exchanges(int periodic)
{
	MPI_Comm line = grid(1, &size, periodic);
	int out[2] = { 2 * rank, 2 * rank + 1 }, in[2] = { -7, -7 };
	int left = (rank + size - 1) % size, right = (rank + 1) % size;
	int first = !periodic && rank == 0;
	int last = !periodic && rank == size - 1;

	MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, line);
	CHECK(in[0] == (first ? -7 : 2 * left + 1));
	CHECK(in[1] == (last ? -7 : 2 * right));
	in[0] = in[1] = -7;
	MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, line);
	CHECK(in[0] == (first ? -7 : left) && in[1] == (last ? -7 : right));
	MPI_Comm_free(&line);
}

static void lines(void)
{
	exchanges(0);
}

static void rings(void)
{
	exchanges(1);
}

/* Ranks that have no place in it. */
static void left_out(void)
{
	int dims[1] = { (size + 1) / 2 };
	MPI_Comm cart = grid(1, dims, 0);

	CHECK((cart == MPI_COMM_NULL) == (rank >= dims[0]));
	if (cart != MPI_COMM_NULL)
		MPI_Comm_free(&cart);
}

static void no_dimension(void)
{
	MPI_Comm cart = grid(0, NULL, 0);
	int n = -1;

	CHECK((cart == MPI_COMM_NULL) == (rank > 0));
	if (cart == MPI_COMM_NULL)
		return;
	MPI_Cartdim_get(cart, &n);
	CHECK(n == 0);
	MPI_Comm_free(&cart);
}

/* A ring whose ranks all know it. */
static void graph(void)
{
	int index[8], edges[16], got[2] = { -1, -1 }, in[2] = { -1, -1 };
	int n = -1, nedges = -1, kind = -1;
	int left = (rank + size - 1) % size, right = (rank + 1) % size;
	MPI_Comm ring;

	for (int i = 0; i < size; i++) {
		index[i] = 2 * i + 2;
		edges[2 * i] = (i + size - 1) % size;
		edges[2 * i + 1] = (i + 1) % size;
	}
	MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &ring);
	MPI_Topo_test(ring, &kind);
	CHECK(kind == MPI_GRAPH);
	MPI_Graphdims_get(ring, &n, &nedges);
	CHECK(n == size && nedges == 2 * size);
	MPI_Graph_neighbors_count(ring, rank, &n);
	CHECK(n == 2);
	MPI_Graph_neighbors(ring, rank, 2, got);
	CHECK(got[0] == left && got[1] == right);
	MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, ring);
	CHECK(in[0] == left && in[1] == right);
	MPI_Comm_free(&ring);
}

int main(int argc, char **argv)
{
	static const struct check_case cases[] = {
		{ "coordinates", coordinates },
		{ "shifts", shifts },
		{ "parts of a grid", parts },
		{ "exchanges in a line", lines },
		{ "exchanges in a ring", rings },
		{ "ranks without a place", left_out },
		{ "a grid without dimensions", no_dimension },
		{ "a graph that all ranks know", graph }
	};

	return check_run(&argc, &argv, cases, CHECK_COUNT(cases));
}
