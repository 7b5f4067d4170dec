/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A drawn neighbour exchange on a graph whose edges any rank gave: which call,
 * in which form, how much goes along each edge and what, all are functions of
 * the seed of the graph, so both ends know them.
 */
#include <stdlib.h>
#include <string.h>
#include <weft.h>

#include "tests/exchange/exchange_draw.h"
#include "tests/exchange/given_graph.h"
#include "tests/neighbor_call.h"

enum {
	STARTS = 3,			/* of one that is persistent */
	WORD = 4,			/* bytes */
	GUARDED = 16,			/* bytes behind the last edge's */
	GUARD = 0xa5
};

/* One end: a block for each edge, maybe from the last to the first one. */
struct end {
	const struct given_side *side;
	bool same;			/* all edges have the one block */
	unsigned char *base;
	size_t bytes;			/* of all blocks */
	size_t *words;			/* of each edge */
	size_t *at;			/* bytes behind base */
	size_t *counts;			/* of elements, of these types, */
	ptrdiff_t *displs;		/* and where, by the rule of the call */
	const struct weft_type **types;
	struct weft_vec vec;
	struct weft_part part;
};

struct exchange {
	const struct given_rank *r;
	enum call call;
	enum form form;
	uint64_t key;			/* of its lengths and bytes */
	uint64_t start;
	struct end send, recv;
};

static bool is_gather(const struct exchange *x)
{
	return x->call == ALLGATHER || x->call == ALLGATHERV;
}

/* ---- lengths and bytes ---- */

static uint64_t number_of(const struct exchange *x, const struct given_edge *e)
{
	return (uint64_t)(e - x->r->model->edge);
}

/* The same for all edges, for those of one sender, or of each its own. */
static size_t words_of(const struct exchange *x, const struct given_edge *e)
{
	struct draw draw = { x->key };

	if (x->call == ALLGATHERV)
		draw.state = draw_mix(x->key, (uint64_t)e->from);
	else if (x->call == ALLTOALLV || x->call == ALLTOALLW)
		draw.state = draw_mix(x->key, number_of(x, e));
	return draw_bytes(&draw, x->r->model->rule.most_bytes) / WORD;
}

static uint64_t content_of(const struct exchange *x,
			   const struct given_edge *e)
{
	uint64_t who = is_gather(x) ? (uint64_t)e->from : number_of(x, e);

	return draw_mix(x->key + 1 + x->start, who);
}

static void fill(const struct exchange *x)
{
	const struct end *s = &x->send;

	for (int i = 0; i < s->side->n; i++)
		pattern_fill(s->base + s->at[i], WORD * s->words[i],
			     content_of(x, s->side->edge[i]));
	memset(x->recv.base, GUARD, x->recv.bytes + GUARDED);
}

static void check_end(const struct exchange *x, const struct end *s,
		      const char *what)
{
	for (int i = 0; i < s->side->n; i++) {
		const struct given_edge *e = s->side->edge[i];

		if (!pattern_holds(s->base + s->at[i], WORD * s->words[i],
				   content_of(x, e)))
			given_fail(x->r, "%s: wrong bytes were %s by edge %d "
				   "of %d, %d -> %d, of %zu bytes, start %d",
				   neighbor_call_name(x->call, x->form), what,
				   i, s->side->n, e->from, e->to,
				   WORD * s->words[i], (int)x->start);
	}
}

static void check(const struct exchange *x)
{
	const struct end *s = &x->recv;

	check_end(x, &x->send, "sent");
	check_end(x, s, "received");
	for (int i = 0; i < GUARDED; i++)
		if (s->base[s->bytes + (size_t)i] != GUARD)
			given_fail(x->r, "%s writes behind its %zu bytes",
				   neighbor_call_name(x->call, x->form),
				   s->bytes);
}

/* ---- buffers ---- */

static void *array(size_t n, size_t bytes)
{
	void *p = calloc(n + 1, bytes);

	if (!p)
		abort();
	return p;
}

static void lay_out(const struct exchange *x, struct end *s, bool backwards)
{
	int n = s->side->n;

	s->words = array((size_t)n, sizeof(*s->words));
	s->at = array((size_t)n, sizeof(*s->at));
	for (int k = 0; k < n; k++) {
		int i = backwards ? n - 1 - k : k;

		s->words[i] = words_of(x, s->side->edge[i]);
		s->at[i] = s->same ? 0 : s->bytes;
		s->bytes = s->at[i] + WORD * s->words[i];
	}
	s->base = array(s->bytes + GUARDED, 1);
}

/* Words as what they are, or as their bytes. */
static void describe(const struct exchange *x, struct end *s, uint64_t dice)
{
	bool typed = x->call == ALLTOALLW;
	size_t n = (size_t)s->side->n;

	s->counts = array(n, sizeof(*s->counts));
	s->displs = array(n, sizeof(*s->displs));
	s->types = array(n, sizeof(*s->types));
	for (size_t i = 0; i < n; i++) {
		size_t unit = (dice + (typed ? i : 0)) % 2 ? 1 : WORD;

		s->counts[i] = WORD / unit * s->words[i];
		s->displs[i] = (ptrdiff_t)(s->at[i] / (typed ? 1 : unit));
		s->types[i] = unit == 1 ? &weft_type_byte : &weft_type_int32;
	}
	/* where there are no edges it is not looked at */
	s->part = n ? weft_part(s->base, s->counts[0], s->types[0]) :
		      weft_part(NULL, 5, NULL);
	s->vec = (struct weft_vec){
		.base = s->base, .type = typed || !n ? NULL : s->types[0],
		.types = typed ? s->types : NULL, .counts = s->counts,
		.displs = s->displs
	};
}

static void end_init(const struct exchange *x, struct end *s, bool sends)
{
	uint64_t dice = draw_mix(x->key, (uint64_t)(2 * x->r->me + sends));
	bool part = sends ? neighbor_sends_part(x->call) :
			    neighbor_recvs_part(x->call);

	s->side = sends ? &x->r->out : &x->r->in;
	s->same = sends && is_gather(x);
	lay_out(x, s, !part && dice / 2 % 2);
	describe(x, s, dice);
}

static void end_fini(struct end *s)
{
	free(s->base);
	free(s->words);
	free(s->at);
	free(s->counts);
	free(s->displs);
	free(s->types);
}

/* ---- the call ---- */

static void once(const struct exchange *x, struct weft_comm *graph,
		 const struct neighbor_args *args)
{
	struct weft_request *req = NULL;

	fill(x);
	if (!given_ok(x->r, neighbor_call(graph, x->call, x->form, args, &req),
		      neighbor_call_name(x->call, x->form)))
		return;
	if (!req || (given_ok(x->r, weft_request_wait(req), "wait") &&
		     given_ok(x->r, weft_request_free(&req), "free")))
		check(x);
}

static void often(struct exchange *x, struct weft_comm *graph,
		  const struct neighbor_args *args)
{
	struct weft_request *req = NULL;

	if (!given_ok(x->r, neighbor_call(graph, x->call, x->form, args, &req),
		      neighbor_call_name(x->call, x->form)))
		return;
	for (; x->start < STARTS; x->start++) {
		fill(x);
		if (!given_ok(x->r, weft_request_start(req), "start") ||
		    !given_ok(x->r, weft_request_wait(req), "wait"))
			return;
		check(x);
	}
	given_ok(x->r, weft_request_free(&req), "free");
}

void given_call(const struct given_rank *r, struct weft_comm *graph)
{
	struct draw draw = { draw_mix(r->model->rule.seed, 0) };
	struct exchange x = {
		.r = r, .call = (enum call)draw_below(&draw, CALLS),
		.form = (enum form)draw_below(&draw, FORMS)
	};
	struct neighbor_args args;

	x.key = draw_u64(&draw);
	end_init(&x, &x.send, true);
	end_init(&x, &x.recv, false);
	args = (struct neighbor_args){
		x.send.part, x.recv.part, &x.send.vec, &x.recv.vec
	};
	if (x.form == PERSISTENT)
		often(&x, graph, &args);
	else
		once(&x, graph, &args);
	end_fini(&x.send);
	end_fini(&x.recv);
}
