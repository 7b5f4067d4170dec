/* SPDX-License-Identifier: BSD-3-Clause */
/* Drawn neighbour reductions and a serial one: see fold_play.h. */
#include "tests/coll/fold_play.h"

#include <stdlib.h>
#include <string.h>
#include "tests/drawn.h"

enum {
	KEPT = 0x77,			/* what nothing is written to */
	GUARD = 64			/* bytes behind the elements */
};

/* ---- the graph ---- */

static void draw_edges(struct fold_play *p)
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

int fold_play_begin(struct fold_play *p, struct weft_job *job, uint64_t seed)
{
	struct weft_comm *world = weft_job_world(job);
	int from[FOLD_EDGES], to[FOLD_EDGES], status;

	*p = (struct fold_play){
		.seed = seed, .job = job, .me = weft_comm_rank(world),
		.size = weft_comm_size(world)
	};
	draw_edges(p);
	for (int i = 0; i < p->nin; i++)
		from[i] = p->from[p->in[i]];
	for (int i = 0; i < p->nout; i++)
		to[i] = p->to[p->out[i]];
	status = fold_elements_make(&p->elements, job);
	if (status)
		return status;
	return weft_graph_create_adjacent(world, &(struct weft_edges){
		p->nin, from, NULL
	}, &(struct weft_edges){ p->nout, to, NULL }, NULL, false, &p->graph);
}

int fold_play_end(struct fold_play *p)
{
	int status = weft_comm_free(&p->graph);

	return status ? status : fold_elements_free(&p->elements);
}

/* ---- a trial ---- */

static uint64_t dice(const struct fold_trial *t, uint64_t what, uint64_t of)
{
	return drawn_mix(t->play->seed, 100 * t->number + what, of);
}

/* Lines, slots, and longer than these. */
static size_t count_of(const struct fold_trial *t, int edge)
{
	static const size_t counts[] = { 0, 1, 2, 3, 7, 40, 301, 1500 };

	return counts[dice(t, 1, (uint64_t)edge) % 8];
}

/* The i-th element on an edge. */
static uint64_t value_of(const struct fold_trial *t, int edge, size_t i)
{
	return drawn_mix(dice(t, 2, t->start), (uint64_t)edge, i);
}

static void draw_out(struct fold_trial *t)
{
	const struct fold_play *p = t->play;
	bool packed = dice(t, 3, (uint64_t)p->me) % 2;
	size_t unit = packed ? fold_width(t->kind) : 1, end = 0;

	for (int i = 0; i < p->nout; i++) {
		t->sent[i] = count_of(t, p->out[i]) * unit;
		end += (size_t)i % 3 * unit;
		t->sent_at[i] = (ptrdiff_t)end;
		end += t->sent[i];
	}
	t->given_bytes = (end + 1) * (packed ? 1 : fold_extent(t->kind));
	t->given = malloc(t->given_bytes);
	t->send = (struct weft_vec){
		.base = t->given, .counts = t->sent, .displs = t->sent_at,
		.type = packed ? &weft_type_byte :
				 p->elements.type[t->kind]
	};
}

/* Those of an edge: somewhere, or each behind the one before. */
static void draw_indices(struct fold_trial *t, size_t all)
{
	t->at = malloc((all + 1) * sizeof(*t->at));
	if (!t->at)
		abort();
	for (size_t j = 0; j < all; j++) {
		uint64_t x = dice(t, 4, j + 10000 * (uint64_t)t->play->me);

		t->at[j] = j && x >> 32 & 3 ?
			   (uint32_t)((t->at[j - 1] + 1) % t->n) :
			   (uint32_t)(x % t->n);
	}
}

static void draw_in(struct fold_trial *t)
{
	const struct fold_play *p = t->play;
	uint64_t x = dice(t, 5, (uint64_t)p->me);
	size_t most = 0, all = 0;

	for (int i = 0; i < p->nin; i++) {
		t->got[i] = count_of(t, p->in[i]);
		all += t->got[i];
		if (t->got[i] > most)
			most = t->got[i];
	}
	t->n = x % 2 || t->kind == FOLD_UNIT ? most + x % 3 : 1 + x % 50;
	if (t->n < most || (t->kind != FOLD_UNIT && t->n && x >> 20 & 1))
		draw_indices(t, all);
	t->bytes = t->n * fold_extent(t->kind) + GUARD;
	t->base = malloc(t->bytes);
	t->want = malloc(t->bytes);
	t->recv = (struct weft_fold){
		t->n ? t->base : NULL, t->n, p->elements.type[t->kind],
		t->got, t->at
	};
}

struct fold_trial *fold_trial_make(const struct fold_play *p, uint64_t number)
{
	struct fold_trial *t = calloc(1, sizeof(*t));

	if (!t)
		abort();
	t->play = p;
	t->number = number;
	t->kind = (enum fold_kind)(dice(t, 6, 0) % FOLD_KINDS);
	t->form = (enum fold_form)(dice(t, 7, 0) % FOLD_FORMS);
	t->op = p->elements.op[t->kind];
	draw_out(t);
	draw_in(t);
	if (!t->given || !t->base || !t->want)
		abort();
	return t;
}

void fold_trial_free(struct fold_trial *t)
{
	free(t->given);
	free(t->at);
	free(t->base);
	free(t->want);
	free(t);
}

/* ---- contents ---- */

static void fill_edge(struct fold_trial *t, int i)
{
	int edge = t->play->out[i];
	bool packed = t->send.type == &weft_type_byte;
	size_t step = packed ? fold_width(t->kind) : fold_extent(t->kind);
	size_t from = (size_t)t->sent_at[i] / (packed ? step : 1);

	for (size_t k = 0; k < count_of(t, edge); k++)
		(packed ? fold_give_packed : fold_give)
			(t->kind, value_of(t, edge, k),
			 t->given + (from + k) * step);
}

void fold_trial_fill(struct fold_trial *t)
{
	memset(t->given, KEPT, t->given_bytes);
	for (int i = 0; i < t->play->nout; i++)
		fill_edge(t, i);
	if (t->start)
		return;
	memset(t->base, KEPT, t->bytes);
	for (size_t e = 0; e < t->n; e++)
		fold_give(t->kind, dice(t, 8, e),
			  t->base + e * fold_extent(t->kind));
	memcpy(t->want, t->base, t->bytes);
}

static void expect_edge(struct fold_trial *t, int i, size_t from)
{
	size_t extent = fold_extent(t->kind), n = t->got[i];
	char *come = calloc(n + 1, extent);

	if (!come)
		abort();
	for (size_t k = 0; k < n; k++)
		fold_give(t->kind, value_of(t, t->play->in[i], k),
			  come + k * extent);
	if (!t->at)
		fold_serial(t->kind, t->want, come, n);
	for (size_t k = 0; t->at && k < n; k++)
		fold_serial(t->kind, t->want + t->at[from + k] * extent,
			    come + k * extent, 1);
	free(come);
}

void fold_trial_expect(struct fold_trial *t, int edges)
{
	size_t from = 0;

	for (int i = 0; i < edges; i++) {
		if (t->play->from[t->play->in[i]] != WEFT_PROC_NULL)
			expect_edge(t, i, from);
		from += t->got[i];
	}
}

bool fold_trial_check(const struct fold_trial *t)
{
	return !memcmp(t->base, t->want, t->bytes);
}

static int call(const struct fold_trial *t, const struct weft_fold *recv,
		struct weft_request **req_p)
{
	struct weft_comm *graph = t->play->graph;

	if (t->form == FOLD_BLOCKING)
		return weft_neighbor_reduce(graph, &t->send, recv, t->op);
	if (t->form == FOLD_NONBLOCKING)
		return weft_ineighbor_reduce(graph, &t->send, recv, t->op,
					     req_p);
	return weft_neighbor_reduce_init(graph, &t->send, recv, t->op, req_p);
}

int fold_trial_call(const struct fold_trial *t, struct weft_request **req_p)
{
	size_t counts[FOLD_EDGES], all = 0;
	struct weft_fold recv = t->recv;
	uint32_t *at = NULL;
	int status;

	for (int i = 0; i < t->play->nin; i++)
		all += t->got[i];
	memcpy(counts, t->got, sizeof(counts));
	recv.counts = counts;
	if (t->at)
		recv.at = at = malloc((all + 1) * sizeof(*at));
	if (at)
		memcpy(at, t->at, all * sizeof(*at));
	status = call(t, &recv, req_p);
	if (at)
		memset(at, 0xff, all * sizeof(*at));
	memset(counts, 0xff, sizeof(counts));
	free(at);
	return status;
}
