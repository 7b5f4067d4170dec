/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A graph whose edges any rank gives, from its creation to its end: what each
 * rank hears of its edges, and what goes along them.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft.h>

#include "tests/exchange/exchange_draw.h"
#include "tests/exchange/given_graph.h"

void given_fail(const struct given_rank *r, const char *format, ...)
{
	char text[800];
	va_list args;
	int used;

	used = snprintf(text, sizeof(text), "graph of seed %llu: ",
			(unsigned long long)r->model->rule.seed);
	va_start(args, format);
	vsnprintf(text + used, sizeof(text) - (size_t)used, format, args);
	va_end(args);
	r->fail(r->arg, text);
}

bool given_ok(const struct given_rank *r, int status, const char *call)
{
	if (status)
		given_fail(r, "%s: %s: %s", call, weft_status_name(status),
			   weft_error_text(weft_comm_job(r->comm)));
	return !status;
}

/* ---- what a rank gives ---- */

static struct weft_comm *create(const struct given_rank *r)
{
	const struct given_model *m = r->model;
	int node = m->first_node[r->me], edge = m->first_edge[r->me];
	int nodes = m->first_node[r->me + 1] - node;
	int edges = m->first_edge[r->me + 1] - edge;
	struct weft_comm *graph = NULL;
	int status;

	status = weft_graph_create(r->comm, &(struct weft_graph_edges){
		nodes, nodes ? m->sources + node : NULL,
		nodes ? m->degrees + node : NULL,
		edges ? m->destinations + edge : NULL,
		m->weighted && edges ? m->weights + edge : NULL
	}, r->info, r->info != NULL, &graph);
	return given_ok(r, status, "weft_graph_create") ? graph : NULL;
}

/* ---- what it hears ---- */

static void check_degrees(const struct given_rank *r,
			  const struct weft_comm *graph)
{
	bool want = r->model->weighted && r->model->n, weighted = !want;
	int nin = -1, nout = -1;

	if (!given_ok(r, weft_graph_degrees(graph, &nin, &nout, &weighted),
		      "weft_graph_degrees"))
		return;
	if (nin != r->in.n || nout != r->out.n)
		given_fail(r, "%d edges come, not %d; %d leave, not %d", nin,
			   r->in.n, nout, r->out.n);
	if (weighted != want && (r->agrees || nin || nout))
		given_fail(r, "%sweighted", want ? "not " : "");
}

enum { NOT_WRITTEN = -7 };

/* Of the i-th edge of that side, or behind the last one asked for. */
static void check_entry(const struct given_rank *r, bool out, int i,
			const int *have)
{
	const struct given_side *s = out ? &r->out : &r->in;
	const struct given_edge *e = s->edge[i];
	int rank = out ? e->to : e->from;
	int weight = r->model->weighted ? e->weight : NOT_WRITTEN;

	if (have[0] != rank || have[1] != weight)
		given_fail(r, "%s-edge %d of %d: rank %d and weight %d, not %d "
			   "and %d", out ? "out" : "in", i, s->n, have[0],
			   have[1], rank, weight);
}

/* All of them, or the first ones. */
static void check_neighbors(const struct given_rank *r,
			    const struct weft_comm *graph, bool out, int n)
{
	int *ranks = malloc(((size_t)n + 1) * 2 * sizeof(*ranks));
	int *weights = ranks + n + 1;
	const struct weft_neighbors asked = { n, ranks, weights };

	if (!ranks)
		abort();
	for (int i = 0; i <= n; i++)
		ranks[i] = weights[i] = NOT_WRITTEN;
	given_ok(r, weft_graph_neighbors(graph, out ? NULL : &asked,
					 out ? &asked : NULL),
		 "weft_graph_neighbors");
	for (int i = 0; i < n; i++)
		check_entry(r, out, i, (int[]){ ranks[i], weights[i] });
	if (ranks[n] != NOT_WRITTEN || weights[n] != NOT_WRITTEN)
		given_fail(r, "more than %d neighbours are written", n);
	free(ranks);
}

/* ---- the number of an edge goes along it ---- */

static int number_of(const struct given_rank *r, const struct given_edge *e)
{
	return (int)(e - r->model->edge);
}

static void check_numbers(const struct given_rank *r, const int *numbers)
{
	for (int i = 0; i < r->in.n; i++)
		if (numbers[i] != number_of(r, r->in.edge[i]))
			given_fail(r, "by in-edge %d came what was for edge "
				   "%d, not %d", i, numbers[i],
				   number_of(r, r->in.edge[i]));
}

static void exchange_numbers(const struct given_rank *r,
			     struct weft_comm *graph)
{
	int nout = r->out.n, nin = r->in.n, n = nin > nout ? nin : nout;
	int *sent = calloc((size_t)(nout + nin) + 1, sizeof(*sent));
	size_t *counts = calloc((size_t)n + 1, sizeof(*counts));
	ptrdiff_t *displs = calloc((size_t)n + 1, sizeof(*displs));
	struct weft_vec send = {
		.base = sent, .type = &weft_type_int32, .counts = counts,
		.displs = displs
	}, recv = send;

	if (!sent || !counts || !displs)
		abort();
	for (int i = 0; i < n; i++) {
		counts[i] = 1;
		displs[i] = i;
	}
	for (int i = 0; i < nout; i++)
		sent[i] = number_of(r, r->out.edge[i]);
	for (int i = 0; i < nin; i++)
		sent[nout + i] = NOT_WRITTEN;
	recv.base = sent + nout;
	if (given_ok(r, weft_neighbor_alltoallv(graph, &send, &recv),
		     "weft_neighbor_alltoallv"))
		check_numbers(r, sent + nout);
	free(sent);
	free(counts);
	free(displs);
}

static void check(const struct given_rank *r, struct weft_comm *graph)
{
	struct draw own = {
		draw_mix(r->model->rule.seed, (uint64_t)r->me + 1)
	};

	check_degrees(r, graph);
	for (int out = 0; out < 2; out++) {
		int n = out ? r->out.n : r->in.n;

		check_neighbors(r, graph, out, n);
		check_neighbors(r, graph, out,
				(int)draw_below(&own, (uint64_t)n + 1));
	}
	exchange_numbers(r, graph);
	given_call(r, graph);
}

void given_play(struct given_rank *r)
{
	struct weft_comm *graph = create(r);

	if (!graph)
		return;
	r->me = weft_comm_rank(graph);
	r->in = given_side_of(r->model, r->me, false);
	r->out = given_side_of(r->model, r->me, true);
	check(r, graph);
	if (r->look)
		r->look(r, graph);
	given_ok(r, weft_comm_free(&graph), "weft_comm_free");
	free(r->in.edge);
	free(r->out.edge);
}
