/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives, against arithmetic, in their three forms. */
#include "tests/mpi/check.h"

#define N 3			/* elements of each rank */
#define SUM(n) ((n) * ((n) - 1) / 2)	/* of 0 up to below n */


static MPI_Request request;

static void finish(int form)
{
	if (form == 1)
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(form != 1 || request == MPI_REQUEST_NULL);
}

static void reductions(void)
{
	int in[N], out[N];

	for (int form = 0; form < 2; form++) {
		for (int i = 0; i < N; i++) {
			in[i] = rank + i;
			out[i] = -1;
		}
		if (form)
			MPI_Iallreduce(in, out, N, MPI_INT, MPI_SUM,
				       MPI_COMM_WORLD, &request);
		else
			MPI_Allreduce(in, out, N, MPI_INT, MPI_SUM,
				      MPI_COMM_WORLD);
		finish(form);
		for (int i = 0; i < N; i++)
			CHECK(out[i] == SUM(size) + i * size);
		if (form)
			MPI_Iscan(in, out, N, MPI_INT, MPI_MAX,
				  MPI_COMM_WORLD, &request);
		else
			MPI_Scan(in, out, N, MPI_INT, MPI_MAX,
				 MPI_COMM_WORLD);
		finish(form);
		for (int i = 0; i < N; i++)
			CHECK(out[i] == rank + i);
		if (form)
			MPI_Ireduce(rank == size - 1 ? MPI_IN_PLACE : in, in,
				    N, MPI_INT, MPI_PROD, size - 1,
				    MPI_COMM_WORLD, &request);
		else
			MPI_Reduce(rank == size - 1 ? MPI_IN_PLACE : in, in,
				   N, MPI_INT, MPI_PROD, size - 1,
				   MPI_COMM_WORLD);
		finish(form);
		CHECK(rank != size - 1 || size == 1 || in[0] == 0);
	}
}

static int plus(int a, int b)
{
	return a + b;
}

static int times(int a, int b)
{
	return a * b;
}

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

static int larger(int a, int b)
{
	return a > b ? a : b;
}

static int bits_and(int a, int b)
{
	return a & b;
}

static int bits_or(int a, int b)
{
	return a | b;
}

static int bits_xor(int a, int b)
{
	return a ^ b;
}

static int both(int a, int b)
{
	return a && b;
}

static int either(int a, int b)
{
	return a || b;
}

static int one_of(int a, int b)
{
	return !a != !b;
}

/* Operand of a rank: least 0 makes that of rank 0 zero, 1 none. */
static int value(int r, int least)
{
	return 3 * r % 5 + r % 2 * 8 + least;
}

/* What the values of all ranks are together. */
static void operations(void)
{
	static const struct {
		MPI_Op op;
		int (*of)(int a, int b);
	} ops[] = {
		{ MPI_SUM, plus }, { MPI_PROD, times },
		{ MPI_MIN, smaller }, { MPI_MAX, larger },
		{ MPI_BAND, bits_and }, { MPI_BOR, bits_or },
		{ MPI_BXOR, bits_xor }, { MPI_LAND, both },
		{ MPI_LOR, either }, { MPI_LXOR, one_of }
	};

	for (int i = 0; i < 2 * CHECK_COUNT(ops); i++) {
		int k = i / 2, in = value(rank, i % 2), out = -1;
		int want = value(0, i % 2);

		for (int r = 1; r < size; r++)
			want = ops[k].of(want, value(r, i % 2));
		MPI_Allreduce(&in, &out, 1, MPI_INT, ops[k].op,
			      MPI_COMM_WORLD);
		CHECK(out == want);
	}
}

static void exclusive(void)
{
	int in = rank + 1, out = -7;

	MPI_Exscan(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	CHECK(out == (rank ? SUM(rank + 1) : -7));
}

static void scattered(void)
{
	int in[8], out = -1, counts[8], parts[2] = { -1, -1 };

	for (int i = 0; i < size; i++) {
		in[i] = rank * i;
		counts[i] = i == 0 ? size : 0;
	}
	MPI_Reduce_scatter_block(in, &out, 1, MPI_INT, MPI_SUM,
				 MPI_COMM_WORLD);
	CHECK(out == rank * SUM(size));
	counts[0] = 1;
	for (int i = 1; i < size; i++)
		counts[i] = 1;
	MPI_Reduce_scatter(in, parts, counts, MPI_INT, MPI_SUM,
			   MPI_COMM_WORLD);
	CHECK(parts[0] == rank * SUM(size) && parts[1] == -1);
}

static void gathered(void)
{
	int in[2] = { rank, -rank }, out[16], counts[8], displs[8];
	int total = 0;

	MPI_Allgather(in, 2, MPI_INT, out, 2, MPI_INT, MPI_COMM_WORLD);
	for (int i = 0; i < size; i++) {
		CHECK(out[2 * i] == i && out[2 * i + 1] == -i);
		counts[i] = i % 3;
		displs[i] = total;
		total += counts[i];
	}
	memset(out, -1, sizeof(out));
	MPI_Allgatherv(in, rank % 3, MPI_INT, out, counts, displs, MPI_INT,
		       MPI_COMM_WORLD);
	for (int i = 0; i < size; i++)
		CHECK(!counts[i] || out[displs[i]] == i);
	memset(out, -1, sizeof(out));
	MPI_Gatherv(in, rank % 3, MPI_INT, out, counts, displs, MPI_INT, 0,
		    MPI_COMM_WORLD);
	for (int i = 0; i < size && !rank; i++)
		CHECK(!counts[i] || out[displs[i]] == i);
	MPI_Scatterv(out, counts, displs, MPI_INT, rank ? in : MPI_IN_PLACE,
		     rank % 3, MPI_INT, 0, MPI_COMM_WORLD);
	CHECK(rank % 3 == 0 || in[0] == rank);
	in[0] = rank;
	MPI_Gather(in, 1, MPI_INT, out, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
	for (int i = 0; i < size && rank == size - 1; i++)
		CHECK(out[i] == i);
	MPI_Scatter(out, 1, MPI_INT, in, 1, MPI_INT, size - 1,
		    MPI_COMM_WORLD);
	CHECK(in[0] == rank);
}

static void to_all(void)
{
	int in[8], out[8], counts[8], displs[8];
	MPI_Datatype types[8];

	for (int i = 0; i < size; i++) {
		in[i] = 100 * rank + i;
		counts[i] = 1;
		displs[i] = i;
		types[i] = MPI_INT;
	}
	MPI_Alltoall(in, 1, MPI_INT, out, 1, MPI_INT, MPI_COMM_WORLD);
	for (int i = 0; i < size; i++)
		CHECK(out[i] == 100 * i + rank);
	memset(out, -1, sizeof(out));
	MPI_Ialltoallv(in, counts, displs, MPI_INT, out, counts, displs,
		       MPI_INT, MPI_COMM_WORLD, &request);
	finish(1);
	for (int i = 0; i < size; i++) {
		CHECK(out[i] == 100 * i + rank);
		displs[i] = (int)sizeof(int) * i;
	}
	memset(out, -1, sizeof(out));
	MPI_Alltoallw(in, counts, displs, types, out, counts, displs, types,
		      MPI_COMM_WORLD);
	for (int i = 0; i < size; i++)
		CHECK(out[i] == 100 * i + rank);
	memset(out, -1, sizeof(out));
	MPI_Ialltoallw(in, counts, displs, types, out, counts, displs, types,
		       MPI_COMM_WORLD, &request);
	finish(1);
	for (int i = 0; i < size; i++)
		CHECK(out[i] == 100 * i + rank);
}

static void from_one(void)
{
	for (int root = 0; root < size; root++) {
		int x = rank == root ? 7 + root : -1;

		MPI_Bcast(&x, 1, MPI_INT, root, MPI_COMM_WORLD);
		CHECK(x == 7 + root);
		MPI_Ibarrier(MPI_COMM_WORLD, &request);
		finish(1);
		MPI_Barrier(MPI_COMM_WORLD);
	}
}

/* ---- operations of the program ---- */

/* 2 by 2 matrices modulo 9973 do not commute. */
static void multiply(void *in, void *inout, int *len, MPI_Datatype *type)
{
	int *a = in, *b = inout;

	(void)type;
	for (int i = 0; i < *len; i++, a += 4, b += 4) {
		int c[4];

		c[0] = (a[0] * b[0] + a[1] * b[2]) % 9973;
		c[1] = (a[0] * b[1] + a[1] * b[3]) % 9973;
		c[2] = (a[2] * b[0] + a[3] * b[2]) % 9973;
		c[3] = (a[2] * b[1] + a[3] * b[3]) % 9973;
		memcpy(b, c, sizeof(c));
	}
}

static void own_operations(void)
{
	int in[4] = { rank + 1, 2, 3, rank + 4 }, out[4], want[4];
	int len = 1, commutes = -1;
	MPI_Datatype matrix;
	MPI_Op op;

	MPI_Type_contiguous(4, MPI_INT, &matrix);
	MPI_Type_commit(&matrix);
	MPI_Op_create(multiply, 0, &op);
	MPI_Op_commutative(op, &commutes);
	CHECK(commutes == 0);
	MPI_Allreduce(in, out, 1, matrix, op, MPI_COMM_WORLD);
	for (int r = size - 1; r >= 0; r--) {
		int one[4] = { r + 1, 2, 3, r + 4 };

		if (r == size - 1)
			memcpy(want, one, sizeof(want));
		else
			multiply(one, want, &len, &matrix);
	}
	CHECK(!memcmp(out, want, sizeof(want)));
	MPI_Op_free(&op);
	CHECK(op == MPI_OP_NULL);
	MPI_Type_free(&matrix);
}

struct place {
	double value;
	int index;
};

static void places(void)
{
	struct place in, out = { 0, -1 };

	memset(&in, 0, sizeof(in));
	in.value = rank % 2 ? 5 : 3;
	in.index = 10 + rank;
	MPI_Allreduce(&in, &out, 1, MPI_DOUBLE_INT, MPI_MAXLOC,
		      MPI_COMM_WORLD);
	CHECK(out.value == (size > 1 ? 5 : 3));
	CHECK(out.index == (size > 1 ? 11 : 10));
}

int main(int argc, char **argv)
{
	static const struct check_case cases[] = {
		{ "reductions", reductions },
		{ "predefined operations", operations },
		{ "an exclusive scan", exclusive },
		{ "reductions that are scattered", scattered },
		{ "gathers and scatters", gathered },
		{ "alltoall, v and w", to_all },
		{ "broadcasts and barriers", from_one },
		{ "an operation that does not commute", own_operations },
		{ "a value and its place", places }
	};

	return check_run(&argc, &argv, cases, CHECK_COUNT(cases));
}
