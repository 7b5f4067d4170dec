/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Datatypes made with large counts: the same as with counts that are int, and
 * those that no int describes, of which no element need be in memory.
 */
#include <limits.h>
#include "tests/mpi/check.h"

enum {
	BYTES = 4096,			/* of memory that an element is in */
	MORE = 200			/* arguments than any constructor has */
};

#define HUGE_COUNT ((MPI_Count)INT_MAX + 9)

/* Arguments of both forms. */
static const int lengths[3] = { 2, 0, 3 };
static const int displs[3] = { 9, 1, 4 };
static const MPI_Aint addresses[3] = { 72, 8, 32 };
static const MPI_Count large_lengths[3] = { 2, 0, 3 };
static const MPI_Count large_displs[3] = { 9, 1, 4 };
static const MPI_Count large_addresses[3] = { 72, 8, 32 };

struct extents {
	MPI_Count size, lb, extent, true_lb, true_extent;
};

static struct extents extents_of(MPI_Datatype type)
{
	struct extents e;

	MPI_Type_size_c(type, &e.size);
	MPI_Type_get_extent_c(type, &e.lb, &e.extent);
	MPI_Type_get_true_extent_c(type, &e.true_lb, &e.true_extent);
	return e;
}

static int same_extents(struct extents a, struct extents b)
{
	return a.size == b.size && a.lb == b.lb && a.extent == b.extent &&
	       a.true_lb == b.true_lb && a.true_extent == b.true_extent;
}

/* The bytes of an element, in their order. */
static MPI_Count pack(MPI_Datatype type, char *packed)
{
	static char memory[BYTES];
	MPI_Count at = 0;

	for (int i = 0; i < BYTES; i++)
		memory[i] = (char)(i * 7 + i / 256);
	MPI_Pack_c(memory + BYTES / 4, 1, type, packed, BYTES, &at,
		   MPI_COMM_SELF);
	return at;
}

/* From the contents another one is made, as MPI tells them. */
static MPI_Datatype made_again(int combiner, const int *ints,
			       const MPI_Count *counts,
			       const MPI_Datatype *types, MPI_Count ntypes)
{
	MPI_Datatype made = MPI_DATATYPE_NULL;
	MPI_Count n = counts[0];

	switch (combiner) {
	case MPI_COMBINER_CONTIGUOUS:
		MPI_Type_contiguous_c(n, types[0], &made);
		break;
	case MPI_COMBINER_VECTOR:
		MPI_Type_vector_c(n, counts[1], counts[2], types[0], &made);
		break;
	case MPI_COMBINER_HVECTOR:
		MPI_Type_create_hvector_c(n, counts[1], counts[2], types[0],
					  &made);
		break;
	case MPI_COMBINER_INDEXED:
		MPI_Type_indexed_c(n, counts + 1, counts + 1 + n, types[0],
				   &made);
		break;
	case MPI_COMBINER_HINDEXED:
		MPI_Type_create_hindexed_c(n, counts + 1, counts + 1 + n,
					   types[0], &made);
		break;
	case MPI_COMBINER_INDEXED_BLOCK:
		MPI_Type_create_indexed_block_c(n, counts[1], counts + 2,
						types[0], &made);
		break;
	case MPI_COMBINER_HINDEXED_BLOCK:
		MPI_Type_create_hindexed_block_c(n, counts[1], counts + 2,
						 types[0], &made);
		break;
	case MPI_COMBINER_STRUCT:
		CHECK(ntypes == n);
		MPI_Type_create_struct_c(n, counts + 1, counts + 1 + n, types,
					 &made);
		break;
	case MPI_COMBINER_RESIZED:
		MPI_Type_create_resized_c(types[0], n, counts[1], &made);
		break;
	case MPI_COMBINER_SUBARRAY:
		MPI_Type_create_subarray_c(ints[0], counts,
					   counts + ints[0],
					   counts + 2 * ints[0], ints[1],
					   types[0], &made);
		break;
	case MPI_COMBINER_DARRAY:
		MPI_Type_create_darray_c(ints[0], ints[1], ints[2], counts,
					 ints + 3, ints + 3 + ints[2],
					 ints + 3 + 2 * ints[2],
					 ints[3 + 3 * ints[2]], types[0],
					 &made);
		break;
	}
	return made;
}

static MPI_Datatype copy_of(MPI_Datatype type)
{
	int ints[MORE], combiner = -1;
	MPI_Aint none[1];
	MPI_Count counts[MORE], nints, naddresses, ncounts, ntypes;
	MPI_Datatype types[MORE];

	MPI_Type_get_envelope_c(type, &nints, &naddresses, &ncounts, &ntypes,
				&combiner);
	if (!CHECK(naddresses == 0 && ncounts > 0 && nints < MORE &&
		   ncounts < MORE && ntypes < MORE))
		return MPI_DATATYPE_NULL;
	MPI_Type_get_contents_c(type, nints, naddresses, ncounts, ntypes,
				ints, none, counts, types);
	return made_again(combiner, ints, counts, types, ntypes);
}

/* Both are of one kind, and so is the copy; all of them are given back. */
static void compare(MPI_Datatype small, MPI_Datatype large)
{
	static char of_small[BYTES], of_large[BYTES], of_copy[BYTES];
	MPI_Datatype copy = copy_of(large);
	MPI_Count bytes;

	if (!CHECK(copy != MPI_DATATYPE_NULL))
		return;
	MPI_Type_commit(&small);
	MPI_Type_commit(&large);
	MPI_Type_commit(&copy);
	CHECK(same_extents(extents_of(small), extents_of(large)));
	CHECK(same_extents(extents_of(copy), extents_of(large)));
	bytes = pack(small, of_small);
	CHECK(bytes > 0 && bytes == extents_of(small).size);
	CHECK(pack(large, of_large) == bytes && pack(copy, of_copy) == bytes);
	CHECK(!memcmp(of_small, of_large, (size_t)bytes));
	CHECK(!memcmp(of_small, of_copy, (size_t)bytes));
	MPI_Type_free(&small);
	MPI_Type_free(&large);
	MPI_Type_free(&copy);
}

static void regular(void)
{
	MPI_Datatype small, large;

	MPI_Type_contiguous(7, MPI_INT, &small);
	MPI_Type_contiguous_c(7, MPI_INT, &large);
	compare(small, large);
	MPI_Type_vector(3, 2, -5, MPI_INT, &small);
	MPI_Type_vector_c(3, 2, -5, MPI_INT, &large);
	compare(small, large);
	MPI_Type_create_hvector(3, 2, 20, MPI_INT, &small);
	MPI_Type_create_hvector_c(3, 2, 20, MPI_INT, &large);
	compare(small, large);
	MPI_Type_create_resized(MPI_INT, -4, 24, &small);
	MPI_Type_create_resized_c(MPI_INT, -4, 24, &large);
	compare(small, large);
}

static void irregular(void)
{
	const MPI_Datatype types[3] = { MPI_INT, MPI_CHAR, MPI_DOUBLE };
	MPI_Datatype small, large;

	MPI_Type_indexed(3, lengths, displs, MPI_SHORT, &small);
	MPI_Type_indexed_c(3, large_lengths, large_displs, MPI_SHORT, &large);
	compare(small, large);
	MPI_Type_create_hindexed(3, lengths, addresses, MPI_SHORT, &small);
	MPI_Type_create_hindexed_c(3, large_lengths, large_addresses,
				   MPI_SHORT, &large);
	compare(small, large);
	MPI_Type_create_indexed_block(3, 2, displs, MPI_INT, &small);
	MPI_Type_create_indexed_block_c(3, 2, large_displs, MPI_INT, &large);
	compare(small, large);
	MPI_Type_create_hindexed_block(3, 2, addresses, MPI_INT, &small);
	MPI_Type_create_hindexed_block_c(3, 2, large_addresses, MPI_INT,
					 &large);
	compare(small, large);
	MPI_Type_create_struct(3, lengths, addresses, types, &small);
	MPI_Type_create_struct_c(3, large_lengths, large_addresses, types,
				 &large);
	compare(small, large);
}

static void arrays(void)
{
	static const int sizes[3] = { 4, 5, 6 }, parts[3] = { 2, 3, 1 },
		starts[3] = { 1, 2, 5 }, processes[3] = { 2, 1, 3 };
	static const MPI_Count large_sizes[3] = { 4, 5, 6 },
		large_parts[3] = { 2, 3, 1 }, large_starts[3] = { 1, 2, 5 };
	static const int distributions[3] = {
		MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE,
		MPI_DISTRIBUTE_CYCLIC
	};
	static const int arguments[3] = {
		MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG, 2
	};
	MPI_Datatype small, large;

	for (int order = 0; order < 2; order++) {
		int is = order ? MPI_ORDER_C : MPI_ORDER_FORTRAN;

		MPI_Type_create_subarray(3, sizes, parts, starts, is, MPI_INT,
					 &small);
		MPI_Type_create_subarray_c(3, large_sizes, large_parts,
					   large_starts, is, MPI_INT, &large);
		compare(small, large);
		MPI_Type_create_darray(6, 4, 3, sizes, distributions,
				       arguments, processes, is, MPI_INT,
				       &small);
		MPI_Type_create_darray_c(6, 4, 3, large_sizes, distributions,
					 arguments, processes, is, MPI_INT,
					 &large);
		compare(small, large);
	}
}

/* ---- those that no int describes ---- */

/* Made with large arguments, it is so large; the int forms say so. */
static void is_large(MPI_Datatype *type, MPI_Count bytes, MPI_Count lb,
		     MPI_Count extent)
{
	struct extents e = extents_of(*type);
	int few = -1, ints, addresses_n, types, combiner, class = -1;
	MPI_Aint near, wide;

	CHECK(e.size == bytes && e.lb == lb && e.extent == extent);
	MPI_Type_size(*type, &few);
	CHECK(few == (bytes > INT_MAX ? MPI_UNDEFINED : (int)bytes));
	MPI_Type_get_extent(*type, &near, &wide);
	CHECK(near == lb && wide == extent);
	MPI_Error_class(MPI_Type_get_envelope(*type, &ints, &addresses_n,
					      &types, &combiner), &class);
	CHECK(class == MPI_ERR_TYPE);
	MPI_Type_free(type);
}

static void huge(void)
{
	const MPI_Count n = HUGE_COUNT, lens[2] = { 1, n },
		at[2] = { 0, 2 * n }, one[1] = { n };
	const MPI_Count sizes[2] = { n, n }, parts[2] = { 1, n },
		starts[2] = { n - 1, 0 };
	const MPI_Datatype types[2] = { MPI_CHAR, MPI_INT };
	MPI_Datatype type;

	MPI_Type_contiguous_c(n, MPI_INT, &type);
	is_large(&type, 4 * n, 0, 4 * n);
	MPI_Type_vector_c(n, 1, 3, MPI_CHAR, &type);
	is_large(&type, n, 0, 3 * n - 2);
	MPI_Type_create_hvector_c(2, 1, 3 * n, MPI_CHAR, &type);
	is_large(&type, 2, 0, 3 * n + 1);
	MPI_Type_indexed_c(2, lens, at, MPI_SHORT, &type);
	is_large(&type, 2 * (n + 1), 0, 6 * n);
	MPI_Type_create_hindexed_c(2, lens, at, MPI_SHORT, &type);
	is_large(&type, 2 * (n + 1), 0, 4 * n);
	MPI_Type_create_indexed_block_c(1, 2, one, MPI_SHORT, &type);
	is_large(&type, 4, 2 * n, 4);
	MPI_Type_create_hindexed_block_c(1, n, one, MPI_CHAR, &type);
	is_large(&type, n, n, n);
	MPI_Type_create_struct_c(2, lens, at, types, &type);
	is_large(&type, 1 + 4 * n, 0, (2 * n + 4 * n + 3) / 4 * 4);
	MPI_Type_create_resized_c(MPI_CHAR, -n, 3 * n, &type);
	is_large(&type, 1, -n, 3 * n);
	MPI_Type_create_subarray_c(2, sizes, parts, starts, MPI_ORDER_C,
				   MPI_CHAR, &type);
	is_large(&type, n, 0, n * n);
}

static void statuses(void)
{
	MPI_Datatype pair;
	MPI_Status status;
	MPI_Count n = -1;
	int few = -1;

	memset(&status, 0, sizeof(status));
	MPI_Type_contiguous(2, MPI_INT, &pair);
	MPI_Type_commit(&pair);
	MPI_Status_set_elements_c(&status, pair, 2 * HUGE_COUNT + 1);
	MPI_Get_elements_c(&status, pair, &n);
	CHECK(n == 2 * HUGE_COUNT + 1);
	MPI_Get_elements(&status, pair, &few);
	CHECK(few == MPI_UNDEFINED);
	MPI_Get_count_c(&status, pair, &n);
	CHECK(n == MPI_UNDEFINED);
	MPI_Get_count_c(&status, MPI_INT, &n);
	CHECK(n == 2 * HUGE_COUNT + 1);
	MPI_Type_free(&pair);
}

/* ---- operations ---- */

static MPI_Count elements_seen;

static void larger(void *in, void *inout, MPI_Count *n, MPI_Datatype *type)
{
	const int *a = in;
	int *b = inout;

	CHECK(*type == MPI_INT);
	elements_seen += *n;
	for (MPI_Count i = 0; i < *n; i++)
		b[i] = b[i] > a[i] ? b[i] : a[i];
}

static void operations(void)
{
	int a[3] = { 1, 5, 3 }, b[3] = { 4, 2, 9 }, all[3] = { -1, -1, -1 };
	MPI_Op op;

	MPI_Op_create_c(larger, 1, &op);
	MPI_Reduce_local_c(a, b, 3, MPI_INT, op);
	CHECK(b[0] == 4 && b[1] == 5 && b[2] == 9 && elements_seen == 3);
	MPI_Reduce_local_c(a, b, 3, MPI_INT, MPI_SUM);
	CHECK(b[0] == 5 && b[1] == 10 && b[2] == 12);
	a[0] = rank;
	MPI_Allreduce_c(a, all, 3, MPI_INT, op, MPI_COMM_WORLD);
	CHECK(all[0] == size - 1 && all[1] == 5 && all[2] == 3);
	MPI_Op_free(&op);
}

int main(int argc, char **argv)
{
	static const struct check_case cases[] = {
		{ "regular", regular },
		{ "irregular", irregular },
		{ "arrays", arrays },
		{ "that no int describes", huge },
		{ "elements of statuses", statuses },
		{ "operations", operations }
	};

	MPI_Init(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	return check_run(NULL, NULL, cases, CHECK_COUNT(cases));
}
