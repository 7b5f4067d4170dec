/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every collective in its six forms (blocking, nonblocking, persistent; counts
 * that are int, and large ones) against arithmetic.  FORMS_COUNT: bytes of a
 * block, 3 if it is not there; above INT_MAX only forms with large counts run.
 */
#include <limits.h>
#include "tests/mpi/check.h"

enum { UNTOUCHED_BYTE = 0xee };	/* of memory before a call */

enum form {
	BLOCKING, NONBLOCKING, PERSISTENT, BLOCKING_C, NONBLOCKING_C,
	PERSISTENT_C, FORMS
};

/* The current call and its arguments. */
static struct {
	enum form form;
	MPI_Comm comm;
	MPI_Request request;
	MPI_Count count;		/* of bytes of a block */
	int peers;			/* blocks of a rank */
	int root;
	unsigned char *out, *in;
	int *counts, *displs;
	MPI_Count *large_counts;
	MPI_Aint *large_displs;
	MPI_Datatype *types;
} now;

/* Without the parentheses around them. */
#define ARGS(...) __VA_ARGS__

/*
 * Defines call_NAME(), which makes the call in the form of now: small are the
 * arguments before the communicator, large those with large counts.
 */
#define FORMS_OF(name, iname, small, large)				\
static void call_##name(void)						\
{									\
	if (now.form == BLOCKING)					\
		MPI_##name(ARGS small, now.comm);			\
	else if (now.form == NONBLOCKING)				\
		MPI_##iname(ARGS small, now.comm, &now.request);	\
	else if (now.form == PERSISTENT)				\
		MPI_##name##_init(ARGS small, now.comm, MPI_INFO_NULL,	\
				  &now.request);			\
	else if (now.form == BLOCKING_C)				\
		MPI_##name##_c(ARGS large, now.comm);			\
	else if (now.form == NONBLOCKING_C)				\
		MPI_##iname##_c(ARGS large, now.comm, &now.request);	\
	else								\
		MPI_##name##_init_c(ARGS large, now.comm,		\
				    MPI_INFO_NULL, &now.request);	\
	finish();							\
}

/* A persistent one twice: the second is to do the same once more. */
static void finish(void)
{
	int is_persistent = now.form == PERSISTENT ||
			    now.form == PERSISTENT_C;

	if (now.form == BLOCKING || now.form == BLOCKING_C)
		return;
	for (int i = 0; is_persistent && i < 2; i++) {
		memset(now.in, UNTOUCHED_BYTE,
		       (size_t)(now.peers * now.count));
		MPI_Start(&now.request);
		MPI_Wait(&now.request, MPI_STATUS_IGNORE);
	}
	if (!is_persistent)
		MPI_Wait(&now.request, MPI_STATUS_IGNORE);
	if (is_persistent)
		MPI_Request_free(&now.request);
	CHECK(now.request == MPI_REQUEST_NULL);
}

#define BYTES now.count, MPI_BYTE
#define SMALL now.counts, now.displs
#define LARGE now.large_counts, now.large_displs
/* Of one without arrays of counts. */
#define SCALAR_FORMS_OF(name, iname, args) FORMS_OF(name, iname, args, args)

SCALAR_FORMS_OF(Bcast, Ibcast,
		(now.root == rank ? now.out : now.in, BYTES, now.root))
SCALAR_FORMS_OF(Gather, Igather,
		(now.out, BYTES, now.in, BYTES, now.root))
FORMS_OF(Gatherv, Igatherv,
	 (now.out, BYTES, now.in, SMALL, MPI_BYTE, now.root),
	 (now.out, BYTES, now.in, LARGE, MPI_BYTE, now.root))
SCALAR_FORMS_OF(Scatter, Iscatter,
		(now.out, BYTES, now.in, BYTES, now.root))
FORMS_OF(Scatterv, Iscatterv,
	 (now.out, SMALL, MPI_BYTE, now.in, BYTES, now.root),
	 (now.out, LARGE, MPI_BYTE, now.in, BYTES, now.root))
SCALAR_FORMS_OF(Allgather, Iallgather,
		(now.out, BYTES, now.in, BYTES))
FORMS_OF(Allgatherv, Iallgatherv,
	 (now.out, BYTES, now.in, SMALL, MPI_BYTE),
	 (now.out, BYTES, now.in, LARGE, MPI_BYTE))
SCALAR_FORMS_OF(Alltoall, Ialltoall,
		(now.out, BYTES, now.in, BYTES))
FORMS_OF(Alltoallv, Ialltoallv,
	 (now.out, SMALL, MPI_BYTE, now.in, SMALL, MPI_BYTE),
	 (now.out, LARGE, MPI_BYTE, now.in, LARGE, MPI_BYTE))
FORMS_OF(Alltoallw, Ialltoallw,
	 (now.out, SMALL, now.types, now.in, SMALL, now.types),
	 (now.out, LARGE, now.types, now.in, LARGE, now.types))
SCALAR_FORMS_OF(Allreduce, Iallreduce,
		(now.out, now.in, BYTES, MPI_BXOR))
SCALAR_FORMS_OF(Reduce, Ireduce,
		(now.out, now.in, BYTES, MPI_BXOR, now.root))
SCALAR_FORMS_OF(Scan, Iscan,
		(now.out, now.in, BYTES, MPI_BXOR))
SCALAR_FORMS_OF(Exscan, Iexscan,
		(now.out, now.in, BYTES, MPI_BXOR))
SCALAR_FORMS_OF(Reduce_scatter_block, Ireduce_scatter_block,
		(now.out, now.in, BYTES, MPI_BXOR))
FORMS_OF(Reduce_scatter, Ireduce_scatter,
	 (now.out, now.in, now.counts, MPI_BYTE, MPI_BXOR),
	 (now.out, now.in, now.large_counts, MPI_BYTE, MPI_BXOR))
SCALAR_FORMS_OF(Neighbor_allgather, Ineighbor_allgather,
		(now.out, BYTES, now.in, BYTES))
FORMS_OF(Neighbor_allgatherv, Ineighbor_allgatherv,
	 (now.out, BYTES, now.in, SMALL, MPI_BYTE),
	 (now.out, BYTES, now.in, LARGE, MPI_BYTE))
SCALAR_FORMS_OF(Neighbor_alltoall, Ineighbor_alltoall,
		(now.out, BYTES, now.in, BYTES))
FORMS_OF(Neighbor_alltoallv, Ineighbor_alltoallv,
	 (now.out, SMALL, MPI_BYTE, now.in, SMALL, MPI_BYTE),
	 (now.out, LARGE, MPI_BYTE, now.in, LARGE, MPI_BYTE))
FORMS_OF(Neighbor_alltoallw, Ineighbor_alltoallw,
	 (now.out, now.counts, now.large_displs, now.types, now.in,
	  now.counts, now.large_displs, now.types),
	 (now.out, LARGE, now.types, now.in, LARGE, now.types))

/* ---- content ---- */

/* Byte i of the block of a rank for another one. */
static unsigned char value(int from, int to, MPI_Count i)
{
	return (unsigned char)(from * 37 + to * 11 + i % 251 * 3 + i / 251);
}

/* Ranks from first up to below end combine what they have for this one. */
static unsigned char combined(int first, int end, int to, MPI_Count i)
{
	unsigned char all = 0;

	for (int from = first; from < end; from++)
		all ^= value(from, to, i);
	return all;
}

/* The next byte to look at: of many only some. */
static MPI_Count next(MPI_Count i)
{
	MPI_Count step = now.count > 1000000 && i > 1000 ? 9973 : 1;

	return i + step < now.count || i >= now.count - 1 ? i + step :
		now.count - 1;
}

/* Expected content of a block. */
enum content { UNTOUCHED, FROM_ONE, COMBINED };

static void check_block(int block, enum content content, int first, int end,
			int to)
{
	const unsigned char *in = now.in + block * now.count;
	int wrong = 0;

	for (MPI_Count i = 0; i < now.count; i = next(i)) {
		unsigned char want = content == UNTOUCHED ? UNTOUCHED_BYTE :
			content == FROM_ONE ? value(first, to, i) :
			combined(first, end, to, i);

		wrong += in[i] != want;
	}
	if (!CHECK(!wrong))
		fprintf(stderr, "# form %d root %d block %d: %d bytes\n",
			now.form, now.root, block, wrong);
}

/* Blocks of all are untouched but for so many in front. */
static void check_rest(int first)
{
	for (int block = first; block < now.peers; block++)
		check_block(block, UNTOUCHED, 0, 0, 0);
}

/* ---- cases: the call, and what it leaves ---- */

static void to_all(void)
{
	if (now.root != rank)
		check_block(0, FROM_ONE, now.root, 0, 0);
	check_rest(now.root != rank);
}

static void at_root(void)
{
	if (rank == now.root) {
		for (int from = 0; from < size; from++)
			check_block(from, FROM_ONE, from, 0, 0);
	} else {
		check_rest(0);
	}
}

static void own_of_root(void)
{
	check_block(0, FROM_ONE, now.root, 0, rank);
	check_rest(1);
}

static void of_all(void)
{
	for (int from = 0; from < size; from++)
		check_block(from, FROM_ONE, from, 0, 0);
}

static void own_of_all(void)
{
	for (int from = 0; from < size; from++)
		check_block(from, FROM_ONE, from, 0, rank);
}

static void sum_of_all(void)
{
	check_block(0, COMBINED, 0, size, 0);
	check_rest(1);
}

static void sum_at_root(void)
{
	if (rank == now.root)
		check_block(0, COMBINED, 0, size, 0);
	check_rest(rank == now.root);
}

static void sum_up_to_here(void)
{
	check_block(0, COMBINED, 0, rank + 1, 0);
	check_rest(1);
}

static void sum_before_here(void)
{
	if (rank)
		check_block(0, COMBINED, 0, rank, 0);
	check_rest(rank > 0);
}

static void own_sum(void)
{
	check_block(0, COMBINED, 0, size, rank);
	check_rest(1);
}

/* Edges go to the next rank and the one before, and come in this order. */
static void of_neighbors(void)
{
	check_block(0, FROM_ONE, (rank + size - 1) % size, 0, 0);
	check_block(1, FROM_ONE, (rank + 1) % size, 0, 0);
	check_rest(2);
}

static void own_of_neighbors(void)
{
	check_block(0, FROM_ONE, (rank + size - 1) % size, 0, 0);
	check_block(1, FROM_ONE, (rank + 1) % size, 0, 1);
	check_rest(2);
}

/* ---- running them ---- */

static void *array(MPI_Count n, size_t bytes)
{
	void *memory = malloc((size_t)n * bytes);

	if (!memory) {
		fprintf(stderr, "# no memory for %lld elements\n",
			(long long)n);
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	return memory;
}

static void prepare(int peers)
{
	now.peers = peers;
	now.out = array(peers * now.count, 1);
	now.in = array(peers * now.count, 1);
	now.counts = array(peers, sizeof(*now.counts));
	now.displs = array(peers, sizeof(*now.displs));
	now.large_counts = array(peers, sizeof(*now.large_counts));
	now.large_displs = array(peers, sizeof(*now.large_displs));
	now.types = array(peers, sizeof(MPI_Datatype));
	for (int i = 0; i < peers; i++) {
		now.counts[i] = (int)now.count;
		now.displs[i] = (int)(i * now.count);
		now.large_counts[i] = now.count;
		now.large_displs[i] = (MPI_Aint)(i * now.count);
		now.types[i] = MPI_BYTE;
		for (MPI_Count k = 0; k < now.count; k++)
			now.out[i * now.count + k] = value(rank, i, k);
	}
}

static void give_back(void)
{
	free(now.out);
	free(now.in);
	free(now.counts);
	free(now.displs);
	free(now.large_counts);
	free(now.large_displs);
	free(now.types);
}

static void in_all_forms(void (*call)(void), void (*check)(void))
{
	int first = now.count > INT_MAX ? BLOCKING_C : BLOCKING;

	for (now.form = first; now.form < FORMS; now.form++) {
		memset(now.in, UNTOUCHED_BYTE,
		       (size_t)(now.peers * now.count));
		call();
		check();
	}
}

static void on_all_roots(void (*call)(void), void (*check)(void))
{
	for (now.root = 0; now.root < size; now.root++)
		in_all_forms(call, check);
	now.root = 0;
}

static void with_root(void)
{
	now.comm = MPI_COMM_WORLD;
	prepare(size);
	on_all_roots(call_Bcast, to_all);
	on_all_roots(call_Gather, at_root);
	on_all_roots(call_Gatherv, at_root);
	on_all_roots(call_Scatter, own_of_root);
	on_all_roots(call_Scatterv, own_of_root);
	on_all_roots(call_Reduce, sum_at_root);
	give_back();
}

static void without_root(void)
{
	now.comm = MPI_COMM_WORLD;
	prepare(size);
	in_all_forms(call_Allgather, of_all);
	in_all_forms(call_Allgatherv, of_all);
	in_all_forms(call_Alltoall, own_of_all);
	in_all_forms(call_Alltoallv, own_of_all);
	in_all_forms(call_Alltoallw, own_of_all);
	give_back();
}

static void reductions(void)
{
	now.comm = MPI_COMM_WORLD;
	prepare(size);
	in_all_forms(call_Allreduce, sum_of_all);
	in_all_forms(call_Scan, sum_up_to_here);
	in_all_forms(call_Exscan, sum_before_here);
	in_all_forms(call_Reduce_scatter_block, own_sum);
	in_all_forms(call_Reduce_scatter, own_sum);
	give_back();
}

static void neighbors(void)
{
	int before = (rank + size - 1) % size, behind = (rank + 1) % size;
	int sources[2] = { before, behind }, targets[2] = { behind, before };

	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources,
				       MPI_UNWEIGHTED, 2, targets,
				       MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
				       &now.comm);
	prepare(2);
	in_all_forms(call_Neighbor_allgather, of_neighbors);
	in_all_forms(call_Neighbor_allgatherv, of_neighbors);
	in_all_forms(call_Neighbor_alltoall, own_of_neighbors);
	in_all_forms(call_Neighbor_alltoallv, own_of_neighbors);
	in_all_forms(call_Neighbor_alltoallw, own_of_neighbors);
	give_back();
	MPI_Comm_free(&now.comm);
}

int main(int argc, char **argv)
{
	static const struct check_case cases[] = {
		{ "with a root", with_root },
		{ "without a root", without_root },
		{ "reductions", reductions },
		{ "along edges", neighbors }
	};
	const char *count = getenv("FORMS_COUNT");

	now.count = count ? strtoll(count, NULL, 0) : 3;
	return check_run(&argc, &argv, cases, CHECK_COUNT(cases));
}
