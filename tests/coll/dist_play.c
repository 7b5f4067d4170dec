/* SPDX-License-Identifier: BSD-3-Clause */
/* Drawn exchanges of Dists against a serial model: see dist_play.h. */
#include "tests/coll/dist_play.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/drawn.h"

enum {
	RANKS = DIST_PLAY_RANKS,
	ITEMS = 14,			/* of a rank, at most */
	ROOTS = 6,
	TRIALS = 4,
	STARTS = 2,
	WIDE = 600			/* elements: above slots and chunks */
};

static void tell(const struct dist_play *play, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void tell(const struct dist_play *play, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	play->fail(play->arg, text);
}

static void ok(const struct dist_play *play, int status, const char *call)
{
	if (status)
		tell(play, "%s: %s", call, weft_error_text(play->job));
}

/* ---- the pattern, a function of the seed ---- */

struct item {
	int from, i;			/* rank, forward item there */
	int root;			/* forward root, or the item */
	int to, k;			/* rank, reverse root there */
};

struct pattern {
	uint64_t seed;
	int ranks, n;
	bool rooted;			/* forward roots are set */
	int nitems[RANKS], nrroots[RANKS], nroots[RANKS];
	int32_t offs[RANKS][ROOTS + 1];	/* forward roots2items */
	struct item item[RANKS * ITEMS];
};

static int draw(const struct pattern *p, uint64_t what, int a, int n)
{
	return n ? (int)(drawn_mix(p->seed, what, (uint64_t)a) % (uint64_t)n) :
		   0;
}

static void draw_roots(struct pattern *p, int r)
{
	int32_t *offs = p->offs[r];

	p->nroots[r] = p->nitems[r] ? 1 + draw(p, 13, r, ROOTS) :
				      draw(p, 13, r, ROOTS);
	offs[0] = 0;
	for (int k = 0; k < p->nroots[r]; k++)
		offs[k + 1] = offs[k] + draw(p, 14, r * ROOTS + k,
					     p->nitems[r] - offs[k] + 1);
	if (p->nroots[r])
		offs[p->nroots[r]] = p->nitems[r];
}

static int root_of(const struct pattern *p, int r, int i)
{
	int k = 0;

	if (!p->rooted)
		return i;
	while (p->offs[r][k + 1] <= i)
		k++;
	return k;
}

static void draw_items(struct pattern *p, int r)
{
	for (int i = 0; i < p->nitems[r]; i++) {
		int at = r * ITEMS + i, to = draw(p, 15, at, p->ranks);

		/* ranks without roots take nothing: their left neighbour may */
		while (!p->nrroots[to])
			to = (to + 1) % p->ranks;
		p->item[p->n++] = (struct item){
			r, i, root_of(p, r, i), to,
			draw(p, 16, at, p->nrroots[to])
		};
	}
}

static void draw_pattern(struct pattern *p, uint64_t seed, int ranks)
{
	int roots = 0;

	*p = (struct pattern){ .seed = seed, .ranks = ranks };
	p->rooted = draw(p, 10, 0, 3) > 0;
	for (int r = 0; r < ranks; r++)
		roots += p->nrroots[r] = draw(p, 11, r, ROOTS);
	for (int r = 0; r < ranks; r++) {
		p->nitems[r] = roots ? draw(p, 12, r, ITEMS + 1) : 0;
		draw_roots(p, r);
		draw_items(p, r);
	}
}

static int by_arrival(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->k != y->k)
		return x->k - y->k;
	return x->from != y->from ? x->from - y->from : x->i - y->i;
}

/* The reverse items of a rank, in order; how many. */
static int arrivals(const struct pattern *p, int rank, struct item *to)
{
	int n = 0;

	for (int e = 0; e < p->n; e++)
		if (p->item[e].to == rank)
			to[n++] = p->item[e];
	qsort(to, (size_t)n, sizeof(*to), by_arrival);
	return n;
}

/* ---- values ---- */

struct trial {
	const struct weft_type *type;
	const struct weft_op *op;	/* NULL: nothing is combined */
	size_t width;
	int form;			/* blocking, nonblocking, persistent */
	bool back;			/* along the inverse */
	int start;
};

union value {
	char bytes[8];
	int8_t i8;
	int32_t i32;
	int64_t i64;
	double d;
};

static size_t size_of(const struct trial *t)
{
	return weft_type_size(t->type);
}

/* Of a source of a rank, one component. */
static union value value_of(const struct pattern *p, const struct trial *t,
			    int rank, int src, size_t c)
{
	uint64_t x = drawn_mix(p->seed + (uint64_t)t->start,
			       (uint64_t)(rank * 64 + src), c);
	union value v = { .i64 = (int64_t)x };

	if (t->type != &weft_type_double)
		return v;
	v.d = (double)(int32_t)x * 1e-3;
	if (x >> 32 & 7)
		return v;
	v.d = x >> 35 & 1 ? (double)NAN : x >> 36 & 1 ? INFINITY : -0.0;
	return v;
}

/* Integers wrap: without a sign, and wide enough not to become int. */
#define COMBINE(member, type, wide)                                        \
	do {                                                               \
		if (op == &weft_op_min)                                    \
			to->member = x->member < to->member ? x->member :  \
							      to->member;  \
		else if (op == &weft_op_max)                               \
			to->member = x->member > to->member ? x->member :  \
							      to->member;  \
		else if (op == &weft_op_sum)                               \
			to->member = (type)((wide)to->member +             \
					    (wide)x->member);              \
		else                                                       \
			to->member = (type)((wide)to->member *             \
					    (wide)x->member);              \
	} while (0)

static void combine(const struct trial *t, union value *to,
		    const union value *x)
{
	const struct weft_op *op = t->op;

	if (t->type == &weft_type_int8)
		COMBINE(i8, int8_t, uint32_t);
	else if (t->type == &weft_type_int32)
		COMBINE(i32, int32_t, uint32_t);
	else if (t->type == &weft_type_int64)
		COMBINE(i64, int64_t, uint64_t);
	else
		COMBINE(d, double, double);
}

static union value first_of(const struct trial *t)
{
	union value v = { .i64 = 0 };
	bool most = t->op == &weft_op_min;

	if (t->op == &weft_op_sum)
		return v;
	if (t->type == &weft_type_int8)
		v.i8 = most ? INT8_MAX : INT8_MIN;
	else if (t->type == &weft_type_int32)
		v.i32 = most ? INT32_MAX : INT32_MIN;
	else if (t->type == &weft_type_int64)
		v.i64 = most ? INT64_MAX : INT64_MIN;
	else
		v.d = most ? INFINITY : -INFINITY;
	return v;
}

/* ---- what a rank must get ---- */

/* An item as the receiver sees it: the source, and the root it goes to. */
struct came {
	int rank, src, root;
};

static int all_came(const struct pattern *p, const struct trial *t, int me,
		    struct came *to)
{
	struct item in[RANKS * ITEMS];
	int n = 0, got;

	if (t->back) {
		for (int e = 0; e < p->n; e++)
			if (p->item[e].from == me)
				to[n++] = (struct came){ p->item[e].to,
					p->item[e].k, p->item[e].root };
		return n;
	}
	got = arrivals(p, me, in);
	for (; n < got; n++)
		to[n] = (struct came){ in[n].from, in[n].root, in[n].k };
	return n;
}

static bool combines(const struct pattern *p, const struct trial *t)
{
	return t->op && (!t->back || p->rooted);
}

static size_t nsrcs(const struct pattern *p, int rank, bool back)
{
	if (back)
		return (size_t)p->nrroots[rank];
	return (size_t)(p->rooted ? p->nroots[rank] : p->nitems[rank]);
}

static bool same(const struct trial *t, const char *got,
		 const union value *want)
{
	double d;

	if (t->type != &weft_type_double)
		return !memcmp(got, want->bytes, size_of(t));
	memcpy(&d, got, sizeof(d));
	/* which NaN a sum of some has is the machine's */
	return isnan(d) ? isnan(want->d) : !memcmp(&d, &want->d, sizeof(d));
}

/* All that comes to a rank. */
struct arrived {
	struct came came[RANKS * ITEMS];
	int n;
};

/* One component of one root, or item. */
static union value wanted(const struct pattern *p, const struct trial *t,
			  const struct arrived *all, int dest, size_t c)
{
	bool folds = combines(p, t), had = false;
	union value want = { .i64 = 0 };

	memset(want.bytes, 0x55, sizeof(want.bytes));
	if (folds && t->op != &weft_op_prod) {
		want = first_of(t);
		had = true;
	}
	for (int e = 0; e < all->n; e++) {
		const struct came *came = &all->came[e];
		union value v;

		if ((folds ? came->root : e) != dest)
			continue;
		v = value_of(p, t, came->rank, came->src, c);
		if (had)
			combine(t, &want, &v);
		else
			want = v;
		had = true;
	}
	return want;
}

/* ---- exchanges ---- */

static int call(struct weft_dist *dist, const struct trial *t,
		const struct weft_packets *from, const struct weft_packets *to,
		struct weft_request **req_p)
{
	if (t->form == 0)
		return t->op ? weft_dist_exch_reduce(dist, from, t->op, to) :
			       weft_dist_exch(dist, from, to);
	if (t->form == 1)
		return t->op ? weft_dist_iexch_reduce(dist, from, t->op, to,
						      req_p) :
			       weft_dist_iexch(dist, from, to, req_p);
	return t->op ? weft_dist_exch_reduce_init(dist, from, t->op, to,
						  req_p) :
		       weft_dist_exch_init(dist, from, to, req_p);
}

static void fill(const struct pattern *p, const struct trial *t, int me,
		 struct weft_packets *from, struct weft_packets *to)
{
	size_t size = size_of(t);

	for (size_t i = 0; i < from->n; i++)
		for (size_t c = 0; c < t->width; c++) {
			union value v = value_of(p, t, me, (int)i, c);

			memcpy((char *)from->base + (i * t->width + c) * size,
			       v.bytes, size);
		}
	memset(to->base, 0x55, to->n * t->width * size);
}

static void check_all(const struct dist_play *play, const struct pattern *p,
		      const struct trial *t, const struct weft_packets *to)
{
	const char *got = to->base;
	struct arrived all;

	all.n = all_came(p, t, play->me, all.came);
	for (size_t i = 0; i < to->n; i++)
		for (size_t c = 0; c < t->width; c++, got += size_of(t)) {
			union value want = wanted(p, t, &all, (int)i, c);

			if (!same(t, got, &want))
				tell(play, "%s %zu, component %zu%s",
					    combines(p, t) ? "root" : "item",
					    i, c, t->back ? ", back" : "");
		}
}

static struct weft_packets packets(const struct trial *t, size_t n)
{
	return (struct weft_packets){
		malloc(n * t->width * size_of(t) + 1), n, t->width, t->type
	};
}

static void exchange(const struct dist_play *play, const struct pattern *p,
		     struct trial *t, struct weft_dist *dist)
{
	int me = play->me;
	struct came came[RANKS * ITEMS];
	struct weft_packets from = packets(t, nsrcs(p, me, t->back));
	struct weft_packets to = packets(t, combines(p, t) ?
					 nsrcs(p, me, !t->back) :
					 (size_t)all_came(p, t, me, came));
	struct weft_request *req = NULL;

	t->start = 0;
	fill(p, t, me, &from, &to);
	ok(play, call(dist, t, &from, &to, &req), "exchange");
	for (; t->start < (t->form == 2 ? STARTS : 1); t->start++) {
		if (t->form == 2) {
			fill(p, t, me, &from, &to);
			ok(play, weft_request_start(req), "start");
		}
		if (req)
			ok(play, weft_request_wait(req), "wait");
		check_all(play, p, t, &to);
	}
	ok(play, weft_request_free(&req), "free");
	free(from.base);
	free(to.base);
}

static struct trial draw_trial(const struct pattern *p, int x)
{
	static const struct weft_type *const types[] = {
		&weft_type_int8, &weft_type_int32, &weft_type_int64,
		&weft_type_double
	};
	static const struct weft_op *const ops[] = {
		NULL, &weft_op_sum, &weft_op_min, &weft_op_max, &weft_op_prod
	};
	int wide = draw(p, 23, x, 8);

	return (struct trial){
		.type = types[draw(p, 20, x, 4)], .op = ops[draw(p, 21, x, 5)],
		.form = draw(p, 22, x, 3), .back = draw(p, 24, x, 2),
		.width = wide == 7 ? WIDE : wide == 6 ? WIDE / 10 :
			 (size_t)(1 + wide % 3)
	};
}

static struct weft_dist *make(const struct dist_play *play,
			      const struct pattern *p)
{
	int me = play->me;
	struct weft_remote dests[ITEMS];
	struct weft_dist *dist = NULL;
	size_t n = 0;

	for (int e = 0; e < p->n; e++)
		if (p->item[e].from == me)
			dests[n++] = (struct weft_remote){ p->item[e].to,
							   p->item[e].k };
	ok(play, weft_dist_create(play->comm, dests, n, p->nrroots[me], &dist),
	   "create");
	if (p->rooted)
		ok(play, weft_dist_set_roots2items(dist, p->offs[me],
						(size_t)p->nroots[me]),
		   "roots");
	return dist;
}

void dist_play(const struct dist_play *play, uint64_t seed)
{
	struct weft_dist *dist, *back = NULL;
	struct pattern p;

	draw_pattern(&p, seed, weft_comm_size(play->comm));
	dist = make(play, &p);
	ok(play, weft_dist_invert(dist, &back), "invert");
	for (int x = 0; x < TRIALS; x++) {
		struct trial t = draw_trial(&p, x);

		exchange(play, &p, &t, t.back ? back : dist);
	}
	ok(play, weft_dist_free(&dist), "free");
	ok(play, weft_dist_free(&back), "free");
}
