/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What derived datatypes are for: columns, structs, parts of arrays and lists
 * through messages, collectives, exchanges and operations of the program, which
 * get elements as they lie; what lies between them stays.
 */
#include <stddef.h>
#include "base/random.h"
#include "tests/sim/user_op.h"

enum {
	FIELD = 1 << 17,		/* bytes, elements in their middle */
	KEPT = 0x77,
	ROWS = 9,
	COLUMNS = 70			/* so many elements do not overlap */
};

struct record {
	char tag;
	double value;
	short code[3];
};

/* Of a matrix by rows: as many elements as columns make all of it. */
static void make_column(const struct player *p, struct weft_type **type_p)
{
	struct weft_type *column;

	good(p, weft_type_vector(p->job, ROWS, 1, COLUMNS, &weft_type_double,
				 &column), "vector");
	good(p, weft_type_resized(p->job, column, 0, sizeof(double), type_p),
	     "resized");
	good(p, weft_type_free(&column), "free");
}

static void make_record(const struct player *p, struct weft_type **type_p)
{
	static const size_t block[] = { 1, 1, 3 };
	static const ptrdiff_t displs[] = {
		offsetof(struct record, tag), offsetof(struct record, value),
		offsetof(struct record, code)
	};
	const struct weft_type *const types[] = {
		&weft_type_char, &weft_type_double, &weft_type_int16
	};

	good(p, weft_type_struct(p->job, 3, block, displs, types, type_p),
	     "struct");
	if (weft_type_extent(*type_p) != sizeof(struct record))
		wf_sim_fail(p->rank, "a record is longer");
}

static void make_cube(const struct player *p, struct weft_type **type_p)
{
	static const size_t sizes[] = { 5, 6, 7 }, part[] = { 2, 3, 4 };
	static const size_t starts[] = { 3, 0, 2 };
	const struct weft_subarray cube = {
		3, sizes, part, starts, WEFT_ORDER_FORTRAN
	};

	good(p, weft_type_subarray(p->job, &cube, &weft_type_int32, type_p),
	     "subarray");
}

/* Backwards, in front of the address too, and elements go backwards. */
static void make_list(const struct player *p, struct weft_type **type_p)
{
	static const size_t block[] = { 2, 0, 1, 3 };
	static const ptrdiff_t displs[] = { 9, 4, -2, 5 };
	struct weft_type *list;

	good(p, weft_type_indexed(p->job, 4, block, displs, &weft_type_int16,
				  &list), "indexed");
	good(p, weft_type_resized(p->job, list, 0, -40, type_p), "resized");
	good(p, weft_type_free(&list), "free");
}

/* Side by side, but not from the address on. */
static void make_shifted(const struct player *p, struct weft_type **type_p)
{
	static const ptrdiff_t displs[] = { 24 };
	struct weft_type *list;

	good(p, weft_type_hindexed_block(p->job, 1, 3, displs,
					 &weft_type_int32, &list), "hindexed");
	good(p, weft_type_resized(p->job, list, 0, 12, type_p), "resized");
	good(p, weft_type_free(&list), "free");
}

static void (*const makers[])(const struct player *p,
			      struct weft_type **type_p) = {
	make_column, make_record, make_cube, make_list, make_shifted
};

/* ---- content ---- */

/* n elements of a rank, and of a call. */
struct use {
	const struct player *p;
	struct weft_type *type;
	size_t n, bytes;		/* packed */
};

static void fill_packed(const struct use *u, int rank, char *to)
{
	for (size_t i = 0; i < u->bytes; i++)
		to[i] = (char)(rank * 37 + (int)i * 11 + (int)(i / 256));
}

static char *alloc(void)
{
	char *at = malloc(FIELD);

	return at ? memset(at, KEPT, FIELD) : abort(), at;
}

static void set(const struct use *u, char *at, const char *packed)
{
	size_t done = 0;

	good(u->p, weft_unpack(u->p->job, packed, u->bytes, &done,
			       weft_part(at + FIELD / 2, u->n, u->type)),
	     "unpack");
}

static char *given(const struct use *u, int rank)
{
	char *packed = malloc(u->bytes + 1), *at = alloc();

	fill_packed(u, rank, packed);
	set(u, at, packed);
	free(packed);
	return at;
}

/* What was given by a rank, and nothing else has changed; frees it. */
static void check_memory(const struct use *u, char *got, int rank,
			 const char *call)
{
	char *want = given(u, rank);

	if (memcmp(got, want, FIELD))
		wf_sim_fail(u->p->rank, "%s: %zu of %s from rank %d", call,
			    u->n, weft_type_name(u->type), rank);
	free(want);
	free(got);
}

/* ---- uses ---- */

static void around(const struct use *u)
{
	const struct player *p = u->p;
	int left = (p->me + p->size - 1) % p->size;
	char *from = given(u, p->me), *to = alloc();
	struct weft_outgoing out = {
		from + FIELD / 2, u->n, u->type,
		weft_to((p->me + 1) % p->size, 0)
	};
	struct weft_incoming in = {
		to + FIELD / 2, u->n, u->type, weft_from(left, 0)
	};

	good(p, weft_sendrecv(p->world, &out, &in, NULL), "sendrecv");
	check_memory(u, to, left, "sendrecv");
	check_memory(u, from, p->me, "what is sent");
}

/* To bytes, and from bytes: the other end has another datatype. */
static void as_bytes(const struct use *u)
{
	const struct player *p = u->p;
	int left = (p->me + p->size - 1) % p->size;
	char *from = given(u, p->me), *to = alloc();
	char *packed = malloc(u->bytes + 1);
	struct weft_outgoing out = {
		from + FIELD / 2, u->n, u->type,
		weft_to((p->me + 1) % p->size, 0)
	};
	struct weft_incoming in = {
		packed, u->bytes, &weft_type_byte, weft_from(left, 0)
	};

	good(p, weft_sendrecv(p->world, &out, &in, NULL), "sendrecv");
	set(u, to, packed);
	check_memory(u, to, left, "to bytes");
	to = alloc();
	out = (struct weft_outgoing){
		packed, u->bytes, &weft_type_byte, weft_to(left, 0)
	};
	in = (struct weft_incoming){
		to + FIELD / 2, u->n, u->type, weft_from(
			(p->me + 1) % p->size, 0)
	};
	good(p, weft_sendrecv(p->world, &out, &in, NULL), "sendrecv");
	check_memory(u, to, p->me, "from bytes");
	free(from);
	free(packed);
}

/* The handle is given up while the broadcast is under way. */
static void broadcast(const struct use *u)
{
	const struct player *p = u->p;
	char *at = p->me ? alloc() : given(u, 0);
	struct weft_type *like;
	struct weft_request *req;

	good(p, weft_type_dup(p->job, u->type, &like), "dup");
	good(p, weft_ibcast(p->world, weft_part(at + FIELD / 2, u->n, like),
			    0, &req), "ibcast");
	good(p, weft_type_free(&like), "free");
	good(p, weft_request_wait(req), "wait");
	good(p, weft_request_free(&req), "free");
	check_memory(u, at, 0, "ibcast");
}

/* Each byte by itself, found by the datatype that the function gets. */
static void add_bytes(const void *in, void *inout, size_t n,
		      const struct weft_type *type, void *arg)
{
	struct weft_job *job = *(struct weft_job **)arg;
	size_t bytes = n * weft_type_size(type), at = 0;
	char *left = malloc(bytes), *right = malloc(bytes);
	int bad = weft_pack(job, weft_part(in, n, type), left, bytes, &at);

	at = 0;
	bad |= weft_pack(job, weft_part(inout, n, type), right, bytes, &at);
	for (size_t i = 0; i < bytes; i++)
		right[i] = (char)(left[i] + right[i]);
	at = 0;
	bad |= weft_unpack(job, right, bytes, &at, weft_part(inout, n, type));
	if (bad)
		abort();
	free(left);
	free(right);
}

static void reduce(const struct use *u)
{
	const struct player *p = u->p;
	struct weft_op *op = make(p, add_bytes, (void *)&p->job, 0);
	char *from = given(u, p->me), *to = alloc(), *want = alloc();
	char *sum = calloc(1, u->bytes + 1), *one = malloc(u->bytes + 1);

	for (int r = 0; r < p->size; r++) {
		fill_packed(u, r, one);
		for (size_t i = 0; i < u->bytes; i++)
			sum[i] = (char)(sum[i] + one[i]);
	}
	set(u, want, sum);
	good(p, weft_allreduce(p->world, from + FIELD / 2, weft_part(
		to + FIELD / 2, u->n, u->type), op), "allreduce");
	if (memcmp(to, want, FIELD))
		wf_sim_fail(p->rank, "allreduce: %zu of %s", u->n,
			    weft_type_name(u->type));
	check_memory(u, from, p->me, "what is reduced");
	drop(p, op);
	free(to);
	free(want);
	free(sum);
	free(one);
}

static void use_all(const struct player *p, struct weft_type *type)
{
	static const size_t lengths[] = { 0, 1, 5, COLUMNS };

	for (int l = 0; l < TAP_COUNT(lengths); l++) {
		struct use u = {
			p, type, lengths[l], lengths[l] * weft_type_size(type)
		};

		around(&u);
		as_bytes(&u);
		broadcast(&u);
		reduce(&u);
	}
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct player p;

	(void)arg;
	if (!enter(rank, &p))
		return;
	for (int m = 0; m < TAP_COUNT(makers); m++) {
		struct weft_type *type;

		makers[m](&p, &type);
		good(&p, weft_type_commit(type), "commit");
		use_all(&p, type);
		good(&p, weft_type_free(&type), "free");
	}
	leave(&p);
}

static void all_uses(void)
{
	for (int ranks = 1; ranks <= 5; ranks++)
		if (!sim_flow_seeds(ranks, 1, env, program, NULL))
			return;
}

static void cut_at_random(void)
{
	set_check('2');
	for (int ranks = 2; ranks <= 4; ranks++)
		if (!sim_flow_seeds(ranks, 1, env, program, NULL))
			break;
	set_check('1');
}

/* ---- parts of arrays ---- */

enum { DIMENSIONS = 3 };

struct grid {
	struct weft_darray part;
	size_t sizes[DIMENSIONS], blocks[DIMENSIONS];
	enum weft_distribution how[DIMENSIONS];
	int grid[DIMENSIONS];
};

/* Whose is an index of a dimension, by the words of the standard. */
static int owner(const struct grid *g, int d, size_t i)
{
	size_t ranks = (size_t)g->grid[d], block = g->blocks[d];

	if (g->how[d] == WEFT_DISTRIBUTE_NONE)
		return 0;
	if (!block)
		block = g->how[d] == WEFT_DISTRIBUTE_CYCLIC ? 1 :
			(g->sizes[d] + ranks - 1) / ranks;
	return (int)(i / block % ranks);
}

static void draw_grid(struct wf_random *random, struct grid *g)
{
	int n = 1 + (int)wf_random_below(random, DIMENSIONS);

	g->part = (struct weft_darray){
		n, 1, 0, g->sizes, g->how, g->blocks, g->grid,
		wf_random_below(random, 2) ? WEFT_ORDER_C : WEFT_ORDER_FORTRAN
	};
	for (int d = 0; d < n; d++) {
		g->sizes[d] = 1 + wf_random_below(random, 9);
		g->how[d] = (enum weft_distribution)wf_random_below(random, 3);
		g->grid[d] = g->how[d] == WEFT_DISTRIBUTE_NONE ? 1 :
			     1 + (int)wf_random_below(random, 3);
		g->blocks[d] = wf_random_below(random, 2) ? 0 :
			       1 + wf_random_below(random, 4);
		if (g->how[d] == WEFT_DISTRIBUTE_BLOCK &&
		    g->blocks[d] * (size_t)g->grid[d] < g->sizes[d])
			g->blocks[d] = 0;
		g->part.ranks *= g->grid[d];
	}
	g->part.rank = (int)wf_random_below(random, (uint64_t)g->part.ranks);
}

/* Of element i of the array in its order: is it this rank's? */
static bool is_own(const struct grid *g, size_t i)
{
	int rank = 0, n = g->part.n, of[DIMENSIONS];

	for (int k = 0; k < n; k++) {
		int d = g->part.order == WEFT_ORDER_C ? n - 1 - k : k;

		of[d] = owner(g, d, i % g->sizes[d]);
		i /= g->sizes[d];
	}
	for (int d = 0; d < n; d++)
		rank = rank * g->grid[d] + of[d];
	return rank == g->part.rank;
}

static void check_share(const struct player *p, const struct grid *g,
			int draw)
{
	size_t all = 1, at = 0, done = 0, own = 0;
	short array[9 * 9 * 9], got[9 * 9 * 9];
	struct weft_type *type;

	for (int d = 0; d < g->part.n; d++)
		all *= g->sizes[d];
	for (size_t i = 0; i < all; i++)
		array[i] = (short)i;
	good(p, weft_type_darray(p->job, &g->part, &weft_type_int16, &type),
	     "darray");
	good(p, weft_type_commit(type), "commit");
	good(p, weft_pack(p->job, weft_part(array, 1, type), got, sizeof(got),
			  &done), "pack");
	for (size_t i = 0; i < all; i++)
		if (is_own(g, i) && got[own++] != (short)i)
			wf_sim_fail(p->rank, "darray %d: index %zu", draw, i);
	if (done != own * sizeof(short) ||
	    weft_type_extent(type) != (ptrdiff_t)(all * sizeof(short)))
		wf_sim_fail(p->rank, "darray %d: %zu bytes of %zu", draw, done,
			    own * sizeof(short));
	memset(array, 0, sizeof(array));
	good(p, weft_unpack(p->job, got, done, &at, weft_part(array, 1, type)),
	     "unpack");
	for (size_t i = 0; i < all; i++)
		if (array[i] != (is_own(g, i) ? (short)i : 0))
			wf_sim_fail(p->rank, "darray %d: unpack %zu", draw, i);
	good(p, weft_type_free(&type), "free");
}

/* The same of a block in the middle of an array. */
static void check_part(const struct player *p, struct wf_random *random,
		       int draw)
{
	size_t sizes[2], part[2], starts[2], at = 0, n = 0;
	const struct weft_subarray sub = {
		2, sizes, part, starts,
		draw % 2 ? WEFT_ORDER_C : WEFT_ORDER_FORTRAN
	};
	short array[9 * 9], got[9 * 9];
	struct weft_type *type;

	for (int d = 0; d < 2; d++) {
		sizes[d] = 1 + wf_random_below(random, 9);
		starts[d] = wf_random_below(random, sizes[d]);
		part[d] = wf_random_below(random, sizes[d] - starts[d] + 1);
	}
	for (size_t i = 0; i < sizes[0] * sizes[1]; i++)
		array[i] = (short)i;
	good(p, weft_type_subarray(p->job, &sub, &weft_type_int16, &type),
	     "subarray");
	good(p, weft_type_commit(type), "commit");
	good(p, weft_pack(p->job, weft_part(array, 1, type), got, sizeof(got),
			  &at), "pack");
	for (size_t i = 0; i < sizes[0] * sizes[1]; i++) {
		size_t fast = sizes[draw % 2], of[2];

		of[draw % 2] = i % fast;
		of[!(draw % 2)] = i / fast;
		if (of[0] - starts[0] < part[0] &&
		    of[1] - starts[1] < part[1] && got[n++] != (short)i)
			wf_sim_fail(p->rank, "subarray %d: index %zu", draw, i);
	}
	if (at != n * sizeof(short))
		wf_sim_fail(p->rank, "subarray %d: %zu bytes", draw, at);
	good(p, weft_type_free(&type), "free");
}

static void array_program(struct wf_sim_rank *rank, void *arg)
{
	struct wf_random random;
	struct player p;
	struct grid g;

	(void)arg;
	if (!enter(rank, &p))
		return;
	for (int i = 0; i < 3000; i++) {
		wf_random_init(&random, (uint64_t)i);
		draw_grid(&random, &g);
		check_share(&p, &g, i);
		check_part(&p, &random, i);
	}
	leave(&p);
}

static void parts_of_arrays(void)
{
	sim_flow_seeds(1, 1, env, array_program, NULL);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "messages, broadcasts, reductions", all_uses },
		{ "the same, operands cut at random", cut_at_random },
		{ "parts of arrays, index by index", parts_of_arrays },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
