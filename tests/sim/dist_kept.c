/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchanges that stay with a Dist: the next one of the same shape takes the
 * memory that it is given, and allocates nothing; it follows what the Dist is
 * set to, and datatypes and operations that take the place of others; and many
 * shapes keep no more than a few.
 */
#include "tests/sim/lacking.h"

enum {
	ITEMS = 3,
	WIDEST = 24,			/* elements */
	PLACES = 2,			/* where packets lie */
	KEPT = 4,			/* shapes that stay */
	SHAPES = KEPT + 2
};

/* What a rank's part of the pattern is: items go so many ranks further. */
struct pattern {
	int step;
	int nsrcs, nrroots;
	int32_t item2src[ITEMS], item2root[ITEMS];
};

static const struct pattern first = { 1, 3, 2, { 0, 1, 2 }, { 0, 1, 0 } };

struct shape {
	const struct weft_type *type;	/* of so many int32 */
	size_t width;
	const struct weft_op *op;	/* NULL: items */
};

/* In few widths, which have the same plan. */
static const struct shape shapes[SHAPES] = {
	{ &weft_type_int32, 1, NULL }, { &weft_type_int32, 1, &weft_op_sum },
	{ &weft_type_int32, 1, &weft_op_prod },
	{ &weft_type_int32, WIDEST, NULL }, { &weft_type_int32, 3, NULL },
	{ &weft_type_int32, 3, &weft_op_max }
};

/* ---- one exchange ---- */

static size_t width_of(const struct shape *shape)
{
	return shape->width * weft_type_size(shape->type) / sizeof(int32_t);
}

static int32_t value(int rank, int src, size_t c, int round)
{
	return 2 + (rank * 31 + src * 17 + (int)c * 7 + round * 5) % 90;
}

/* As the operation says, which a program may have made. */
static int32_t combine(const struct weft_op *op, int32_t a, int32_t b)
{
	if (op == &weft_op_sum)
		return a + b;
	if (op == &weft_op_max)
		return a > b ? a : b;
	return a * b;
}

static void check_one(const struct scene *s, int32_t got, int32_t want)
{
	if (got != want)
		wf_sim_fail(s->rank, "%d, not %d", (int)got, (int)want);
}

/* What a rank has sent to one root, component c of a packet for each item. */
struct came {
	int from, root, round;
	size_t c;
};

/* In the order of items; how many they are. */
static size_t values_of(const struct pattern *p, const struct came *came,
			int32_t *values)
{
	size_t n = 0;

	for (int i = 0; i < ITEMS; i++)
		if (p->item2root[i] == came->root)
			values[n++] = value(came->from, p->item2src[i],
					    came->c, came->round);
	return n;
}

/* Root after root: its items, or what they are combined to; how many. */
static size_t check_root(const struct scene *s, const struct pattern *p,
			 const struct shape *shape, const struct came *came,
			 const int32_t *got)
{
	size_t width = width_of(shape), n;
	int32_t values[ITEMS], all;

	n = values_of(p, came, values);
	if (!shape->op) {
		for (size_t i = 0; i < n; i++)
			check_one(s, got[i * width + came->c], values[i]);
		return n;
	}
	all = values[0];
	for (size_t i = 1; i < n; i++)
		all = combine(shape->op, all, values[i]);
	check_one(s, got[came->c], all);
	return 1;
}

static void check(const struct scene *s, const struct pattern *p,
		  const struct shape *shape, const int32_t *got, int round)
{
	int n = wf_sim_size(s->rank);
	struct came came = {
		.from = (wf_sim_rank(s->rank) + n - p->step) % n,
		.round = round
	};
	size_t width = width_of(shape);

	for (; came.c < width; came.c++) {
		const int32_t *at = got;

		for (came.root = 0; came.root < p->nrroots; came.root++)
			at += width * check_root(s, p, shape, &came, at);
	}
}

/* From and to one of the places. */
static void exchange(const struct scene *s, struct weft_dist *dist,
		     const struct pattern *p, const struct shape *shape,
		     int round)
{
	int32_t out[PLACES][ITEMS * WIDEST], in[PLACES][ITEMS * WIDEST];
	int me = wf_sim_rank(s->rank), at = round % PLACES;
	size_t width = width_of(shape);
	const struct weft_packets srcs = {
		out[at], (size_t)p->nsrcs, shape->width, shape->type
	}, dests = {
		in[at], (size_t)(shape->op ? p->nrroots : ITEMS), shape->width,
		shape->type
	};

	memset(out, 0x55, sizeof(out));
	memset(in, 0x55, sizeof(in));
	for (int i = 0; i < p->nsrcs; i++)
		for (size_t c = 0; c < width; c++)
			out[at][(size_t)i * width + c] = value(me, i, c,
							       round);
	ok(s, shape->op ? weft_dist_exch_reduce(dist, &srcs, shape->op,
						&dests) :
			  weft_dist_exch(dist, &srcs, &dests), "exchange");
	check(s, p, shape, in[at], round);
}

static struct weft_dist *make(const struct scene *s)
{
	int to = (wf_sim_rank(s->rank) + 1) % wf_sim_size(s->rank);
	struct weft_remote dests[ITEMS];
	struct weft_dist *dist = NULL;

	for (int i = 0; i < ITEMS; i++)
		dests[i] = (struct weft_remote){ to, first.item2root[i] };
	ok(s, weft_dist_create(s->world, dests, ITEMS, first.nrroots, &dist),
	   "create");
	return dist;
}

/* ---- the same again ---- */

static void in_turn(struct wf_sim_rank *rank, void *arg)
{
	struct weft_dist *dist, *dup = NULL;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	dist = make(&s);
	ok(&s, weft_dist_dup(dist, &dup), "dup");
	for (int round = 0; round < 12; round++)
		for (int i = 0; i < SHAPES - round % 3; i++)
			exchange(&s, round % 4 == 3 ? dup : dist, &first,
				 &shapes[i], round);
	ok(&s, weft_dist_free(&dist), "free");
	exchange(&s, dup, &first, &shapes[0], 0);
	ok(&s, weft_dist_free(&dup), "free");
	stop(&s);
}

static void in_any_order(void)
{
	static char *const *const environs[] = {
		NULL, sim_unchecked_env, sim_small_env
	};

	for (int i = 0; i < 3 * TAP_COUNT(environs); i++)
		if (!sim_flow_seeds(1 + i % 3 * 2, 4, environs[i / 3], in_turn,
				    NULL))
			return;
}

/* ---- memory ---- */

enum { MANY = 1000000 };

/* Not in the last round: who is through with it frees the graph, by mails. */
static void count(struct wf_sim_rank *rank, void *arg)
{
	struct weft_dist *dist;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	dist = make(&s);
	crowd(&s, s.world);
	for (int round = 0; round < 6; round++) {
		bool counts = round == 4;

		if (counts)
			lacking_begin(MANY);
		for (int i = 0; i < KEPT; i++)
			exchange(&s, dist, &first, &shapes[i], round);
		if (!counts)
			continue;
		if (fail_malloc_count())
			wf_sim_fail(rank, "%ld allocations",
				    fail_malloc_count());
		lacking_end(MANY);
	}
	ok(&s, weft_dist_free(&dist), "free");
	stop(&s);
}

static void nothing(void)
{
	for (int ranks = 1; ranks < 4; ranks++)
		run(ranks, 1, count);
}

static void bound(struct wf_sim_rank *rank, void *arg)
{
	struct weft_dist *dist;
	long blocks = 0;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	dist = make(&s);
	fail_malloc_at(0);
	for (int round = 0; round < 3; round++) {
		for (size_t width = 1; width <= WIDEST; width++)
			exchange(&s, dist, &first, &(struct shape){
				&weft_type_int32, width, NULL
			}, round);
		if (blocks && fail_malloc_blocks() != blocks)
			wf_sim_fail(rank, "%ld blocks, and then %ld", blocks,
				    fail_malloc_blocks());
		blocks = fail_malloc_blocks();
	}
	ok(&s, weft_dist_free(&dist), "free");
	stop(&s);
}

static void few_stay(void)
{
	run(1, 1, bound);
}

/* ---- what changes ---- */

static void exchange_all(const struct scene *s, struct weft_dist *dist,
			 const struct pattern *p)
{
	for (int i = 0; i < 2 * KEPT; i++)
		if (p->nrroots < ITEMS || !shapes[i / 2].op)
			exchange(s, dist, p, &shapes[i / 2], i);
}

/* As many sources and items as before, and others. */
static void set(struct wf_sim_rank *rank, void *arg)
{
	static const int32_t apart[] = { 0, 1, 2, 3 }, odd[] = { 0, 0, 2, 3 };
	static const int32_t roots[] = { 0, 1, 0 };
	int n = wf_sim_size(rank), me = wf_sim_rank(rank);
	const int32_t back[] = { (me + n - 1) % n, (me + n - 1) % n,
				 (me + n - 1) % n };
	struct weft_comm *turned = NULL;
	struct pattern p = first;
	struct weft_dist *dist;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	dist = make(&s);
	ok(&s, weft_dist_set_roots2items(dist, apart, ITEMS), "roots");
	exchange_all(&s, dist, &p);
	ok(&s, weft_dist_set_roots2items(dist, odd, ITEMS), "roots");
	p.item2src[0] = p.item2src[1] = 1;
	exchange_all(&s, dist, &p);
	ok(&s, weft_dist_set_dest_idxs(dist, roots, ITEMS, 2), "idxs");
	p.item2root[0] = 1;
	exchange_all(&s, dist, &p);
	ok(&s, weft_comm_split(s.world, 0, -me, &turned), "split");
	ok(&s, weft_dist_change_comm(dist, turned), "change");
	exchange_all(&s, dist, &p);
	ok(&s, weft_comm_free(&turned), "free");
	ok(&s, weft_dist_free(&dist), "free");
	dist = make(&s);
	exchange_all(&s, dist, &first);
	ok(&s, weft_dist_set_dest_ranks(dist, back, ITEMS), "ranks");
	exchange_all(&s, dist, &(struct pattern){
		n - 1, 3, 3, { 0, 1, 2 }, { 0, 1, 2 }
	});
	ok(&s, weft_dist_free(&dist), "free");
	stop(&s);
}

static void settings(void)
{
	for (int ranks = 1; ranks < 5; ranks++)
		run(ranks, 1, set);
}

static void multiply(const void *in, void *inout, size_t n,
		     const struct weft_type *type, void *arg)
{
	const int32_t *a = in;
	int32_t *b = inout;

	(void)type, (void)arg;
	for (size_t i = 0; i < n; i++)
		b[i] *= a[i];
}

/* They may come to the address of those that went. */
static void replace(struct wf_sim_rank *rank, void *arg)
{
	struct weft_dist *dist;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	dist = make(&s);
	for (int i = 0; i < 4 * PLACES; i++) {
		struct weft_op_options options;
		struct weft_type *type = NULL;
		struct weft_op *op = NULL;

		weft_op_options_init(&options, sizeof(options));
		options.call = multiply;
		ok(&s, weft_op_create(s.job, &options, &op), "op");
		ok(&s, weft_type_contiguous(s.job, 2 + (size_t)i % 3,
					    &weft_type_int32, &type), "type");
		ok(&s, weft_type_commit(type), "commit");
		exchange(&s, dist, &first, &(struct shape){ type, 2, NULL },
			 i);
		exchange(&s, dist, &first, &(struct shape){
			&weft_type_int32, 2, op
		}, i);
		ok(&s, weft_type_free(&type), "free");
		ok(&s, weft_op_free(&op), "free");
	}
	ok(&s, weft_dist_free(&dist), "free");
	stop(&s);
}

static void replaced(void)
{
	run(1, 1, replace);
	run(3, 1, replace);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "again with other memory, in any order", in_any_order },
		{ "nothing is allocated", nothing },
		{ "few of many shapes stay", few_stay },
		{ "as the Dist is set", settings },
		{ "types and operations that go", replaced }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
