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
	HANDLES = 4,			/* even ones forward, odd ones back */
	TRIALS = 5,
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

/* Is it done?  req: whose error it would be, or NULL. */
static bool done(const struct dist_play *play, int status, const char *call,
		 const struct weft_request *req)
{
	const char *text = req ? weft_request_error(req) :
				 weft_error_text(play->job);

	if (status && (!play->excused ||
		       !play->excused(play->arg, status, text)))
		tell(play, "%s: %s: %s", call, weft_status_name(status), text);
	return !status;
}

/* That of a call which nobody else can spoil. */
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
	int handle;
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

/* All that comes to a rank. */
struct arrived {
	int n;
	struct came came[RANKS * ITEMS];
	struct item in[RANKS * ITEMS];
};

static void find_arrived(const struct pattern *p, const struct trial *t, int me,
			 struct arrived *all)
{
	int got = t->back ? 0 : arrivals(p, me, all->in);

	for (all->n = 0; all->n < got; all->n++) {
		const struct item *in = &all->in[all->n];

		all->came[all->n] = (struct came){ in->from, in->root, in->k };
	}
	for (int e = 0; t->back && e < p->n; e++)
		if (p->item[e].from == me)
			all->came[all->n++] = (struct came){
				p->item[e].to, p->item[e].k, p->item[e].root
			};
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
	for (int e = folds ? 0 : dest; e < (folds ? all->n : dest + 1); e++) {
		const struct came *came = &all->came[e];
		union value v;

		if (folds && came->root != dest)
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

/* An exchange that may be under way. */
struct flight {
	struct trial t;
	struct weft_dist *dist;
	struct arrived all;
	struct weft_packets from, to;
	struct weft_request *req;
	bool begun;
};

static void check_all(const struct dist_play *play, const struct pattern *p,
		      const struct flight *f)
{
	const struct trial *t = &f->t;
	const char *got = f->to.base;

	for (size_t i = 0; i < f->to.n; i++)
		for (size_t c = 0; c < t->width; c++, got += size_of(t)) {
			union value want = wanted(p, t, &f->all, (int)i, c);

			if (!same(t, got, &want))
				tell(play, "%s %zu, component %zu%s",
				     combines(p, t) ? "root" : "item", i, c,
				     t->back ? ", back" : "");
		}
}

static struct weft_packets packets(const struct trial *t, size_t n)
{
	return (struct weft_packets){
		malloc(n * t->width * size_of(t) + 1), n, t->width, t->type
	};
}

static void begin(const struct dist_play *play, const struct pattern *p,
		  struct weft_dist *dist, struct flight *f)
{
	const struct trial *t = &f->t;
	int me = play->me;

	find_arrived(p, t, me, &f->all);
	f->from = packets(t, nsrcs(p, me, t->back));
	f->to = packets(t, combines(p, t) ? nsrcs(p, me, !t->back) :
					    (size_t)f->all.n);
	f->dist = dist;
	f->req = NULL;
	fill(p, t, me, &f->from, &f->to);
	f->begun = done(play, call(dist, t, &f->from, &f->to, &f->req),
			"exchange", NULL);
}

/* Once more, but that the first one was begun; false: it did not arrive. */
static bool again(const struct dist_play *play, const struct pattern *p,
		  struct flight *f)
{
	if (f->t.form == 2) {
		fill(p, &f->t, play->me, &f->from, &f->to);
		if (!done(play, weft_request_start(f->req), "start", f->req))
			return false;
	} else if (f->t.start) {
		fill(p, &f->t, play->me, &f->from, &f->to);
		if (!done(play, call(f->dist, &f->t, &f->from, &f->to, NULL),
			  "exchange", NULL))
			return false;
	}
	if (f->req && !done(play, weft_request_wait(f->req), "wait", f->req))
		return false;
	check_all(play, p, f);
	return true;
}

static void finish(const struct dist_play *play, const struct pattern *p,
		   struct flight *f)
{
	int starts = f->t.form == 1 ? 1 : STARTS;

	if (f->begun)
		while (f->t.start < starts && again(play, p, f))
			f->t.start++;
	f->begun = false;
	ok(play, weft_request_free(&f->req), "free");
	free(f->from.base);
	free(f->to.base);
	f->from.base = f->to.base = NULL;
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
	int wide = draw(p, 23, x, 8), handle = draw(p, 24, x, HANDLES);

	return (struct trial){
		.type = types[draw(p, 20, x, 4)], .op = ops[draw(p, 21, x, 5)],
		.form = draw(p, 22, x, 3), .handle = handle, .back = handle % 2,
		.width = wide == 7 ? WIDE : wide == 6 ? WIDE / 10 :
			 (size_t)(1 + wide % 3)
	};
}

/* ---- Dists ---- */

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
	if (!done(play, weft_dist_create(play->comm, dests, n, p->nrroots[me],
					 &dist), "create", NULL))
		return NULL;
	if (p->rooted)
		ok(play, weft_dist_set_roots2items(dist, p->offs[me],
						(size_t)p->nroots[me]),
		   "roots");
	return dist;
}

/* Ranks of another communicator, in the other order: values are the same. */
static void move(const struct dist_play *play, struct weft_dist *dist)
{
	struct weft_comm *comm = NULL;

	if (!done(play, weft_comm_split(play->comm, 0, -play->me, &comm),
		  "split", NULL))
		return;
	done(play, weft_dist_change_comm(dist, comm), "change_comm", NULL);
	ok(play, weft_comm_free(&comm), "free");
}

/* What is nonblocking goes on while the next one does. */
static void exchange_all(const struct dist_play *play, const struct pattern *p,
			 struct weft_dist *const dist[HANDLES],
			 struct flight flight[2])
{
	int moves = draw(p, 25, 0, 2 * TRIALS);

	for (int x = 0; x < TRIALS; x++) {
		struct flight *f = &flight[x % 2], *before = &flight[!(x % 2)];

		if (x == moves)
			move(play, dist[draw(p, 26, 0, HANDLES)]);
		f->t = draw_trial(p, x);
		begin(play, p, dist[f->t.handle], f);
		finish(play, p, before);
		if (f->t.form != 1)
			finish(play, p, f);
	}
	for (int i = 0; i < 2; i++)
		finish(play, p, &flight[i]);
}

void dist_play(const struct dist_play *play, uint64_t seed)
{
	struct weft_dist *dist[HANDLES] = { NULL };
	struct flight *flight = calloc(2, sizeof(*flight));
	struct pattern *p = malloc(sizeof(*p));

	draw_pattern(p, seed, weft_comm_size(play->comm));
	dist[0] = make(play, p);
	if (dist[0]) {
		ok(play, weft_dist_invert(dist[0], &dist[1]), "invert");
		ok(play, weft_dist_invert(dist[1], &dist[2]), "invert");
		ok(play, weft_dist_dup(dist[1], &dist[3]), "dup");
		exchange_all(play, p, dist, flight);
	}
	for (int i = 0; i < HANDLES; i++)
		ok(play, weft_dist_free(&dist[i]), "free");
	free(p);
	free(flight);
}
