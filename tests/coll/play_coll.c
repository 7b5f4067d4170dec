/* SPDX-License-Identifier: BSD-3-Clause */
/* What is played, and what has to come of it: see play_coll.h. */
#include "tests/coll/play_coll.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/coll/play_memory.h"

enum {
	FLYING = 6,			/* nonblocking ones, at most */
	KEPT = 4,			/* persistent ones */
	WORDS = 4			/* of a matrix */
};

/* An element of any kind; of words only the first is one. */
struct value {
	uint64_t word[WORDS];
};

static const char *const names[WHATS] = {
	"barrier", "bcast", "reduce", "allreduce", "scan", "exscan",
	"reduce_scatter_block", "reduce_scatter", "allgather", "allgatherv",
	"alltoall", "alltoallv", "gather", "gatherv", "scatter", "scatterv"
};

/* What a rank has of a call. */
struct call {
	struct deed deed;
	struct play_memory memory;
	struct weft_request *req;
	bool made, started;
};

struct player {
	struct play_coll *play;
	struct weft_comm *comm;
	int me, size;
	enum what only;			/* WHATS: all of them */
	const struct weft_type *type[KINDS];
	const struct weft_op *op[KINDS];
	struct weft_type *matrix, *spaced;
	struct weft_op *product;
	uint64_t shared, own;	/* alike at all ranks; of this one */
	struct call flying[FLYING], kept[KEPT];
	int nflying, nkept;
	int round;			/* of the persistent ones */
	bool lost;			/* a rank is dead */
};

static void fault(struct player *p, const struct deed *d, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void fault(struct player *p, const struct deed *d, const char *fmt, ...)
{
	char text[160];
	va_list args;

	if (p->play->why[0])
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	snprintf(p->play->why, sizeof(p->play->why),
		 "rank %d: %s, form %d, kind %d, root %d, n %zu%s: %s", p->me,
		 names[d->what], (int)d->form, (int)d->kind, d->root, d->n,
		 d->in_place ? ", in place" : "", text);
}

/* True: it went well. */
static bool check(struct player *p, const struct deed *d, int status)
{
	if (status == WEFT_ERR_PEER && p->play->bereaved)
		p->lost = true;
	else if (status)
		fault(p, d, "%s: %s", weft_status_name(status),
		      weft_error_text(weft_comm_job(p->comm)));
	return !status;
}

/* ---- numbers ---- */

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static uint64_t draw_below(uint64_t *state, uint64_t n)
{
	*state += UINT64_C(0x9e3779b97f4a7c15);
	return mix(*state) % n;
}

/* ---- values ---- */

/* What a rank gives as its i-th element. */
static struct value value_of(const struct deed *d, int rank, size_t i)
{
	struct value v;
	uint64_t key = mix(d->key + (uint64_t)rank * 1000003 + i);

	for (uint64_t w = 0; w < WORDS; w++)
		v.word[w] = mix(key + w);
	if (d->kind == PAIR) {
		v.word[0] = (uint64_t)(int64_t)(short)(v.word[0] % 5);
		v.word[1] %= 1000;
	}
	return v;
}

static struct value product_of(struct value l, struct value r)
{
	const uint64_t *a = l.word, *b = r.word;

	return (struct value){ {
		a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
		a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]
	} };
}

static struct value join(enum kind kind, struct value l, struct value r)
{
	if (kind == WORD) {
		l.word[0] += r.word[0];
		return l;
	}
	if (kind != PAIR)
		return product_of(l, r);
	if (l.word[0] != r.word[0])
		return l.word[0] < r.word[0] ? l : r;
	return l.word[1] < r.word[1] ? l : r;
}

/* Of the ranks [0, end). */
static struct value fold(const struct deed *d, int end, size_t i)
{
	struct value v = value_of(d, 0, i);

	for (int r = 1; r < end; r++)
		v = join(d->kind, v, value_of(d, r, i));
	return v;
}

struct pair {
	short value;
	int index;
};

/* As it lies in memory; gaps are left as they are. */
static void put(enum kind kind, char *at, struct value v)
{
	struct pair *pair = (struct pair *)(void *)at;

	if (kind == PAIR) {
		pair->value = (short)v.word[0];
		pair->index = (int)v.word[1];
	} else {
		memcpy(at, v.word, kind == WORD ? 8 : sizeof(v.word));
	}
}

static void give(const struct play_values *v, const struct deed *d, int rank,
		 size_t first, size_t n, char *at)
{
	for (size_t i = 0; i < n; i++)
		put(d->kind, at + i * v->stride, value_of(d, rank, first + i));
}

static void fold_all(const struct play_values *v, const struct deed *d,
		     int end, size_t first, size_t n, char *at)
{
	for (size_t i = 0; i < n; i++)
		put(d->kind, at + i * v->stride, fold(d, end, first + i));
}

static const struct play_values values[KINDS] = {
	[WORD] = { .stride = 8, .give = give, .fold = fold_all },
	[MATRIX] = { .stride = 32, .give = give, .fold = fold_all },
	[SPACED] = { .stride = 48, .give = give, .fold = fold_all },
	[PAIR] = { .stride = 8, .give = give, .fold = fold_all }
};

static void multiply(const void *in, void *inout, size_t n,
		     const struct weft_type *type, void *arg)
{
	size_t stride = values[type == arg ? SPACED : MATRIX].stride;
	const char *l = in;
	char *r = inout;

	for (size_t i = 0; i < n; i++, l += stride, r += stride) {
		struct value a, b;

		memcpy(&a, l, sizeof(a));
		memcpy(&b, r, sizeof(b));
		a = product_of(a, b);
		memcpy(r, &a, sizeof(a));
	}
}

/* ---- their life ---- */

static int make_call(const struct player *p, struct call *c)
{
	const struct terms terms = {
		.comm = p->comm, .type = p->type[c->deed.kind],
		.op = p->op[c->deed.kind], .given = c->memory.given,
		.got = c->memory.got, .stride = c->memory.values->stride
	};

	return play_call(&c->deed, &terms, &c->req);
}

static struct call begin(struct player *p, const struct deed *d)
{
	struct call c = { .deed = *d, .started = d->form != PERSISTENT };

	play_memory_init(&c.memory, &values[d->kind], d, p->me);
	play_memory_fill(&c.memory, d);
	c.made = check(p, d, make_call(p, &c));
	return c;
}

static void check_memory(struct player *p, const struct call *c)
{
	const char *why = play_memory_check(&c->memory, &c->deed);

	if (why)
		fault(p, &c->deed, "%s", why);
}

static void await(struct player *p, struct call *c)
{
	if (!c->started || !c->req)
		return;
	if (check(p, &c->deed, weft_request_wait(c->req)))
		check_memory(p, c);
}

static void end(struct player *p, struct call *c)
{
	if (c->deed.form == BLOCKING && c->made)
		check_memory(p, c);
	if (c->req)
		check(p, &c->deed, weft_request_free(&c->req));
	play_memory_fini(&c->memory);
}

/* In an order of its own. */
static void land_one(struct player *p)
{
	int i = (int)draw_below(&p->own, (uint64_t)p->nflying);

	await(p, &p->flying[i]);
	end(p, &p->flying[i]);
	p->flying[i] = p->flying[--p->nflying];
}

/* All of the persistent ones, each rank in its own order. */
static void start_kept(struct player *p)
{
	int first = p->nkept ?
		(int)draw_below(&p->own, (uint64_t)p->nkept) : 0;

	for (int i = 0; i < p->nkept && !p->lost; i++) {
		struct call *c = &p->kept[(first + i) % p->nkept];

		await(p, c);
		c->deed.key += (uint64_t)p->round;
		play_memory_fill(&c->memory, &c->deed);
		check(p, &c->deed, weft_request_start(c->req));
		c->started = true;
	}
	p->round++;
}

/* ---- what is played ---- */

static size_t draw_length(struct player *p)
{
	static const size_t lengths[] = { 0, 1, 2, 7, 60, 300, 1500, 20000 };
	size_t n = lengths[draw_below(&p->shared,
				      sizeof(lengths) / sizeof(size_t))];

	return n < p->play->most ? n : p->play->most;
}

static enum what draw_what(struct player *p)
{
	enum what what = (enum what)draw_below(&p->shared, WHATS);

	return p->only == WHATS ? what : p->only;
}

static struct deed draw(struct player *p, enum form form)
{
	uint64_t *r = &p->shared;
	struct deed d = {
		.key = mix(draw_below(r, UINT64_MAX)),
		.shape = draw_below(r, UINT64_MAX),
		.what = draw_what(p),
		.kind = (enum kind)draw_below(r, KINDS),
		.form = form, .size = p->size,
		.root = (int)draw_below(r, (uint64_t)p->size)
	};

	d.n = draw_length(p);
	/* whose vectors are as long as all parts, also on the way */
	if (d.n > 100 && (play_is_parted(&d) || d.what == ALLTOALL ||
			  d.what == ALLTOALLV))
		d.n /= (size_t)p->size;
	d.in_place = draw_below(r, 3) == 0 && d.what != BCAST &&
		     d.what != BARRIER;
	return d;
}

static void do_one(struct player *p)
{
	struct deed d = draw(p, draw_below(&p->shared, 2) ? ONCE :
								BLOCKING);
	struct call c;

	if (p->nflying == FLYING)
		land_one(p);
	c = begin(p, &d);
	if (d.form == ONCE)
		p->flying[p->nflying++] = c;
	else
		end(p, &c);
	while (p->nflying && draw_below(&p->own, 4) == 0)
		land_one(p);
}

static void find_only(struct player *p)
{
	const char *name = p->play->only;
	int what = name ? 0 : WHATS;

	while (what < WHATS && strcmp(names[what], name))
		what++;
	p->only = (enum what)what;
	if (name && what == WHATS)
		snprintf(p->play->why, sizeof(p->play->why),
			 "there is no collective %s", name);
}

static void prepare(struct player *p)
{
	struct weft_job *job = weft_comm_job(p->comm);
	const struct deed none = { .what = BARRIER };
	struct weft_op_options options;

	find_only(p);
	check(p, &none, weft_type_contiguous(job, WORDS, &weft_type_uint64,
					     &p->matrix));
	check(p, &none, weft_type_resized(job, p->matrix, 0,
					  (ptrdiff_t)values[SPACED].stride,
					  &p->spaced));
	check(p, &none, weft_type_commit(p->matrix));
	check(p, &none, weft_type_commit(p->spaced));
	weft_op_options_init(&options, sizeof(options));
	options.call = multiply;
	options.arg = p->spaced;
	check(p, &none, weft_op_create(job, &options, &p->product));
	p->type[WORD] = &weft_type_uint64;
	p->type[MATRIX] = p->matrix;
	p->type[SPACED] = p->spaced;
	p->type[PAIR] = &weft_type_short_int;
	p->op[WORD] = &weft_op_sum;
	p->op[MATRIX] = p->op[SPACED] = p->product;
	p->op[PAIR] = &weft_op_minloc;
}

static void finish(struct player *p)
{
	const struct deed none = { .what = BARRIER };

	while (p->nflying)
		land_one(p);
	for (int i = 0; i < p->nkept; i++) {
		await(p, &p->kept[i]);
		end(p, &p->kept[i]);
	}
	check(p, &none, weft_op_free(&p->product));
	check(p, &none, weft_type_free(&p->spaced));
	check(p, &none, weft_type_free(&p->matrix));
}

/* The i-th call, and what comes with some. */
static void go_on(struct player *p, int i)
{
	if (i + 1 == p->play->dies_before)
		raise(SIGKILL);
	if (p->nkept < KEPT && i % 3 == 0) {
		struct deed d = draw(p, PERSISTENT);

		p->kept[p->nkept++] = begin(p, &d);
	}
	if (!p->lost)
		do_one(p);
	if (!p->lost && i % 5 == 4)
		start_kept(p);
}

bool play_coll(struct play_coll *play)
{
	struct player p = {
		.play = play, .comm = play->comm,
		.me = weft_comm_rank(play->comm),
		.size = weft_comm_size(play->comm), .shared = mix(play->seed)
	};

	p.own = mix(p.shared + (uint64_t)p.me + 1);
	play->why[0] = 0;
	prepare(&p);
	for (int i = 0; i < play->deeds && !play->why[0] && !p.lost; i++)
		go_on(&p, i);
	finish(&p);
	return p.lost;
}
