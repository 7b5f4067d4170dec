/* SPDX-License-Identifier: BSD-3-Clause */
/* Drawn neighbour exchanges and a serial one: see neighbor_play.h. */
#include "tests/sim/neighbor_play.h"

#include <stdlib.h>
#include <string.h>
#include <weft/derived.h>
#include "tests/drawn.h"

enum {
	UNIT = 72,			/* bytes: whole elements of each type */
	KEPT = 0x77,			/* what nothing is written to */
	GAP = 3				/* elements between blocks, at most */
};

/* An element as the library gets it described, in the order of its bytes. */
static const struct {
	size_t size, extent;
	int n;
	struct { size_t at, bytes; } run[2];
} shape[PLAY_TYPES] = {
	{ 1, 1, 1, { { 0, 1 } } },
	{ 8, 8, 1, { { 0, 8 } } },
	{ 6, 8, 2, { { 0, 2 }, { 4, 4 } } },
	{ 8, 16, 2, { { 0, 4 }, { 12, 4 } } },
	{ 4, 12, 1, { { 0, 4 } } },
	{ 9, 16, 2, { { 0, 1 }, { 8, 8 } } },
	{ 4, 6, 2, { { 4, 2 }, { 0, 2 } } }
};

/* ---- types and graph ---- */

static void make_types(struct play *p)
{
	static const size_t one[] = { 1, 1 };
	static const ptrdiff_t apart[] = { 0, 8 }, turned[] = { 4, 0 };
	const struct weft_type *of[] = { &weft_type_int8, &weft_type_double };
	struct weft_job *job = p->s.job;

	p->type[0] = &weft_type_int8;
	p->type[1] = &weft_type_double;
	p->type[2] = &weft_type_short_int;
	ok(&p->s, weft_type_vector(job, 2, 1, 3, &weft_type_int32,
				   &p->made[3]), "vector");
	ok(&p->s, weft_type_resized(job, &weft_type_int32, 0, 12,
				    &p->made[4]), "resized");
	ok(&p->s, weft_type_struct(job, 2, one, apart, of, &p->made[5]),
	   "struct");
	ok(&p->s, weft_type_hindexed(job, 2, one, turned, &weft_type_int16,
				     &p->made[6]), "hindexed");
	for (int i = 3; i < PLAY_TYPES; i++) {
		ok(&p->s, weft_type_commit(p->made[i]), "commit");
		p->type[i] = p->made[i];
	}
}

static void draw_edges(struct play *p)
{
	int n = drawn_edges(p->seed, p->size, p->from, p->to);
	int mine = n + 2 * p->me;

	p->nout = drawn_outs(p->me, n, p->from, p->out);
	p->nin = drawn_ins(p->me, p->size, n, p->from, p->to, p->in);
	p->nall = drawn_nobodys(p->seed, p->size, n, p->from, p->to);
	if (p->nall == n)
		return;
	p->nout = drawn_between(p->seed, mine, p->nout, p->out);
	p->nin = drawn_between(p->seed, mine + 1, p->nin, p->in);
}

struct ends {
	int from[PLAY_EDGES], to[PLAY_EDGES];
	struct weft_edges in, out;
};

static void list_ends(const struct play *p, struct ends *e)
{
	for (int i = 0; i < p->nin; i++)
		e->from[i] = p->from[p->in[i]];
	for (int i = 0; i < p->nout; i++)
		e->to[i] = p->to[p->out[i]];
	e->in = (struct weft_edges){ p->nin, p->nin ? e->from : NULL, NULL };
	e->out = (struct weft_edges){ p->nout, p->nout ? e->to : NULL, NULL };
}

static void make_graph(struct play *p)
{
	struct ends e;

	list_ends(p, &e);
	ok(&p->s, weft_graph_create_adjacent(p->s.world, &e.in, &e.out, NULL,
					     false, &p->graph), "graph");
}

void play_by_pattern(struct play *p)
{
	struct weft_comm *parent = NULL;
	struct ends e;

	list_ends(p, &e);
	ok(&p->s, weft_comm_dup(p->s.world, &parent), "parent");
	ok(&p->s, weft_pattern_create(parent, &e.in, &e.out, NULL,
				      &p->pattern), "pattern");
	ok(&p->s, weft_comm_free(&parent), "free");
}

struct play *play_begin(struct wf_sim_rank *rank, uint64_t seed)
{
	struct play *p = calloc(1, sizeof(*p));

	if (!p || !start(&p->s, rank)) {
		free(p);
		return NULL;
	}
	p->seed = seed;
	p->me = wf_sim_rank(rank);
	p->size = wf_sim_size(rank);
	make_types(p);
	draw_edges(p);
	make_graph(p);
	return p;
}

void play_end(struct play *p)
{
	if (!p)
		return;
	ok(&p->s, weft_comm_free(&p->graph), "free");
	ok(&p->s, weft_pattern_free(&p->pattern), "free");
	for (int i = 3; i < PLAY_TYPES; i++)
		ok(&p->s, weft_type_free(&p->made[i]), "free");
	stop(&p->s);
	free(p);
}

bool gets_from(const struct play *p, int rank)
{
	bool gets = false;

	for (int i = 0; i < p->nin; i++)
		gets |= p->from[p->in[i]] == rank;
	return gets;
}

/* ---- what an edge has ---- */

static bool is_gather(const struct trial *t)
{
	return t->call == ALLGATHER || t->call == ALLGATHERV;
}

/* Lines, slots, and longer than these. */
static size_t bytes_of(const struct play *p, const struct trial *t, int e)
{
	static const size_t units[] = { 0, 1, 1, 2, 3, 14, 15, 40 };
	uint64_t who = 0;

	if (t->call == ALLGATHERV)
		who = (uint64_t)p->from[e] + 1;
	else if (t->call == ALLTOALLV || t->call == ALLTOALLW)
		who = (uint64_t)e + 1;
	return UNIT * units[drawn_mix(p->seed, 10 + (uint64_t)t->x, who) % 8];
}

/* The bytes of an edge in their order, placed as elements are. */
static void put(const struct play *p, const struct trial *t,
		const struct side *s, int i, unsigned char *base)
{
	int e = s->edge[i], type = s->type[i];
	uint64_t who = (uint64_t)(is_gather(t) ? p->from[e] : PLAY_RANKS + e);
	uint64_t when = (uint64_t)(100 + 10 * t->x + t->start);
	uint64_t key = drawn_mix(p->seed, when, who);
	unsigned char *at = base + s->at[i];

	for (size_t k = 0; k < s->counts[i]; k++, at += shape[type].extent)
		for (int r = 0; r < shape[type].n; r++)
			for (size_t b = 0; b < shape[type].run[r].bytes; b++)
				at[shape[type].run[r].at + b] = (unsigned char)
					(drawn_mix(key++, 0, 0) >> 9);
}

/* What the buffer of a side has with the bytes of its edges in it. */
static unsigned char *picture(const struct play *p, const struct trial *t,
			      const struct side *s)
{
	unsigned char *base = malloc(s->bytes);

	if (!base)
		abort();
	memset(base, KEPT, s->bytes);
	for (int i = 0; i < s->n; i++)
		if (s->sends || p->from[s->edge[i]] != WEFT_PROC_NULL)
			put(p, t, s, i, base);
	return base;
}

void fill(const struct play *p, struct trial *t)
{
	unsigned char *given = picture(p, t, &t->send);

	memcpy(t->send.base, given, t->send.bytes);
	memset(t->recv.base, KEPT, t->recv.bytes);
	free(given);
}

static void compare(const struct play *p, const struct trial *t,
		    const struct side *s)
{
	unsigned char *want = picture(p, t, s);

	if (memcmp(s->base, want, s->bytes))
		wf_sim_fail(p->s.rank, "call %d, form %d, exchange %d: what is "
			    "%s differs", (int)t->call, (int)t->form, t->x,
			    s->sends ? "sent" : "received");
	free(want);
}

void check(const struct play *p, const struct trial *t)
{
	compare(p, t, &t->recv);
	compare(p, t, &t->send);
}

/* ---- sides ---- */

static bool is_part(const struct trial *t, const struct side *s)
{
	return s->sends ? neighbor_sends_part(t->call) :
			  neighbor_recvs_part(t->call);
}

/* One for a rank's side, or for an edge's end. */
static int draw_type(const struct play *p, const struct trial *t,
		     const struct side *s, int i)
{
	uint64_t who = t->call == ALLTOALLW ? 50 + (uint64_t)s->edge[i] :
					      (uint64_t)p->me;

	return (int)(drawn_mix(p->seed, (uint64_t)(2 * t->x + s->sends) + 1000,
			 who) % PLAY_TYPES);
}

/* One behind the other, or backwards and with elements between them. */
static void lay_out(const struct play *p, const struct trial *t,
		    struct side *s)
{
	bool apart = !is_part(t, s), same = is_gather(t) && s->sends;
	bool turned = apart && drawn_mix(p->seed, (uint64_t)t->x, 7) % 2;
	size_t end = 0;

	for (int k = 0; k < s->n; k++) {
		int i = turned ? s->n - 1 - k : k;
		size_t extent = shape[s->type[i]].extent;

		if (apart)
			end += extent * (1 + (size_t)(i + t->x) % GAP);
		end = (end + extent - 1) / extent * extent;
		s->at[i] = same ? 0 : end;
		end = s->at[i] + s->counts[i] * extent;
	}
	s->bytes = end + 16;
	s->base = malloc(s->bytes);
	if (!s->base)
		abort();
}

static void describe(const struct play *p, const struct trial *t,
		     struct side *s)
{
	bool small = drawn_mix(p->seed, (uint64_t)t->x, 8) % 2;
	bool typed = t->call == ALLTOALLW;

	for (int i = 0; i < s->n; i++) {
		size_t unit = typed ? 1 : shape[s->type[i]].extent;

		s->int_counts[i] = (int)s->counts[i];
		s->displs[i] = (ptrdiff_t)(s->at[i] / unit);
		s->int_displs[i] = (int)s->displs[i];
		s->types[i] = p->type[s->type[i]];
	}
	/* of a side without edges nothing is looked at */
	s->part = (struct weft_part){ NULL, 5, NULL };
	s->vec = (struct weft_vec){ .base = NULL };
	if (!s->n)
		return;
	s->part = weft_part(s->counts[0] ? s->base : NULL, s->counts[0],
			    s->types[0]);
	s->vec = (struct weft_vec){
		.base = s->base, .type = typed ? NULL : s->types[0],
		.types = typed ? s->types : NULL,
		.counts = small ? NULL : s->counts,
		.int_counts = small ? s->int_counts : NULL,
		.displs = small ? NULL : s->displs,
		.int_displs = small ? s->int_displs : NULL
	};
}

static void side_init(const struct play *p, const struct trial *t,
		      struct side *s, bool sends)
{
	s->sends = sends;
	s->n = sends ? p->nout : p->nin;
	s->edge = sends ? p->out : p->in;
	for (int i = 0; i < s->n; i++) {
		s->type[i] = draw_type(p, t, s, i);
		s->counts[i] = bytes_of(p, t, s->edge[i]) /
			       shape[s->type[i]].size;
	}
	lay_out(p, t, s);
	describe(p, t, s);
}

static uint64_t dice_of(const struct play *p, int x)
{
	return drawn_mix(p->seed, (uint64_t)x, 9);
}

struct trial *trial_make(const struct play *p, int x)
{
	return trial_make_of(p, x, (enum call)(dice_of(p, x) % CALLS));
}

struct trial *trial_make_of(const struct play *p, int x, enum call call)
{
	struct trial *t = calloc(1, sizeof(*t));

	if (!t)
		abort();
	t->x = x;
	t->call = call;
	t->form = (enum form)(dice_of(p, x) / CALLS % FORMS);
	side_init(p, t, &t->send, true);
	side_init(p, t, &t->recv, false);
	return t;
}

void trial_free(struct trial *t)
{
	free(t->send.base);
	free(t->recv.base);
	free(t);
}

/* The buffer has 16 bytes behind its last element for that. */
void side_grow(const struct play *p, struct trial *t)
{
	struct side *s = &t->send;

	for (int i = 0; i < s->n; i++)
		s->counts[i]++;
	s->bytes += (size_t)s->n * 16;
	free(s->base);
	s->base = calloc(1, s->bytes);
	if (!s->base)
		abort();
	describe(p, t, s);
}

int call_of(const struct play *p, const struct trial *t,
	    struct weft_request **req_p)
{
	const struct neighbor_args args = {
		t->send.part, t->recv.part, &t->send.vec, &t->recv.vec
	};

	if (p->pattern)
		return pattern_call(p->pattern, t->call, t->form, &args,
				    req_p);
	return neighbor_call(p->graph, t->call, t->form, &args, req_p);
}
