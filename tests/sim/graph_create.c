/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs whose edges are given by any rank, against a serial model: each rank
 * has its edges, each as often as it was given, in the order of neighbour,
 * weight, giver and position there; what goes along an edge comes by that edge.
 */
#include <limits.h>

#include "tests/sim/scene.h"

enum {
	MOST_RANKS = 40,
	MOST_GIVEN = 48,		/* by one rank */
	MOST_EDGES = MOST_RANKS * MOST_GIVEN,
	MOST_NODES = 12			/* sources of one rank */
};

/* One edge of the model. */
struct model_edge {
	int from, to, weight, giver, position;
};

struct model {
	int ranks, n;
	bool weighted;
	struct model_edge edge[MOST_EDGES];
};

/* As one rank gives them. */
struct given {
	int n, sources[MOST_NODES], degrees[MOST_NODES];
	int destinations[MOST_GIVEN], weights[MOST_GIVEN], edges;
};

static int below(struct wf_random *random, int n)
{
	return (int)wf_random_below(random, (uint64_t)n);
}

/* Few ranks and few weights, so that much is equal. */
static void draw_given(struct given *g, const struct model *m,
		       struct wf_random *random)
{
	g->n = below(random, MOST_NODES + 1);
	g->edges = 0;
	for (int i = 0; i < g->n; i++) {
		g->sources[i] = below(random, m->ranks);
		g->degrees[i] = below(random, MOST_GIVEN / MOST_NODES + 1);
		for (int k = 0; k < g->degrees[i]; k++) {
			g->destinations[g->edges] = below(random, m->ranks);
			g->weights[g->edges++] =
				below(random, 8) ? below(random, 3) : INT_MAX;
		}
	}
}

static void add_given(struct model *m, const struct given *g, int giver)
{
	int at = 0;

	for (int i = 0; i < g->n; i++)
		for (int k = 0; k < g->degrees[i]; k++, at++)
			m->edge[m->n++] = (struct model_edge){
				g->sources[i], g->destinations[at],
				m->weighted ? g->weights[at] : 0, giver, at
			};
}

/* The same at all ranks; what one of them gives goes to *mine. */
static void draw(struct model *m, uint64_t seed, int me, struct given *mine)
{
	struct wf_random random;
	struct given g;

	wf_random_init(&random, seed);
	m->n = 0;
	m->weighted = below(&random, 2);
	for (int rank = 0; rank < m->ranks; rank++) {
		draw_given(&g, m, &random);
		if (!below(&random, 4))		/* nothing */
			g.n = g.edges = 0;
		add_given(m, &g, rank);
		if (rank == me)
			*mine = g;
	}
}

/* ---- the edges of a rank ---- */

struct side {
	int n;
	struct model_edge *edge[MOST_EDGES];
};

static bool is_behind(const struct model_edge *a, const struct model_edge *b,
		      bool out)
{
	int x = out ? a->to : a->from, y = out ? b->to : b->from;

	if (x != y)
		return x > y;
	if (a->weight != b->weight)
		return a->weight > b->weight;
	if (a->giver != b->giver)
		return a->giver > b->giver;
	return a->position > b->position;
}

static void find_side(struct side *s, struct model *m, int me, bool out)
{
	s->n = 0;
	for (int i = 0; i < m->n; i++) {
		struct model_edge *e = &m->edge[i];
		int at = s->n;

		if ((out ? e->from : e->to) != me)
			continue;
		for (; at && is_behind(s->edge[at - 1], e, out); at--)
			s->edge[at] = s->edge[at - 1];
		s->edge[at] = e;
		s->n++;
	}
}

static void check_side(const struct scene *s, struct weft_comm *graph,
		       const struct side *side, bool out)
{
	static const char *const name[] = { "in", "out" };
	/* of all ranks: nothing waits in between */
	static int ranks[MOST_EDGES], weights[MOST_EDGES];
	struct weft_neighbors all = { MOST_EDGES, ranks, weights };

	for (int i = 0; i < side->n; i++)
		ranks[i] = weights[i] = 0;
	ok(s, weft_graph_neighbors(graph, out ? NULL : &all,
				   out ? &all : NULL), "neighbours");
	for (int i = 0; i < side->n; i++) {
		const struct model_edge *e = side->edge[i];

		if (ranks[i] != (out ? e->to : e->from) ||
		    weights[i] != e->weight)
			wf_sim_fail(s->rank, "%s-edge %d of %d: rank %d, "
				    "weight %d, not %d -> %d of %d", name[out],
				    i, side->n, ranks[i], weights[i], e->from,
				    e->to, e->weight);
	}
}

/* ---- the number of an edge goes along it ---- */

/* All that one rank has. */
struct work {
	bool asks;			/* what others have */
	struct model model;
	struct side in, out;
	int sent[MOST_EDGES], received[MOST_EDGES];
	ptrdiff_t displs[MOST_EDGES];
	size_t counts[MOST_EDGES];
};

static int number_of(const struct work *w, const struct model_edge *e)
{
	return (int)(e - w->model.edge);
}

static void exchange(const struct scene *s, struct work *w,
		     struct weft_comm *graph)
{
	struct weft_vec send = {
		.base = w->sent, .type = &weft_type_int32,
		.counts = w->counts, .displs = w->displs
	}, recv = send;

	for (int i = 0; i < MOST_EDGES; i++) {
		w->counts[i] = 1;
		w->displs[i] = i;
	}
	for (int i = 0; i < w->out.n; i++)
		w->sent[i] = number_of(w, w->out.edge[i]);
	recv.base = w->received;
	ok(s, weft_neighbor_alltoallv(graph, &send, &recv), "exchange");
	for (int i = 0; i < w->in.n; i++)
		if (w->received[i] != number_of(w, w->in.edge[i]))
			wf_sim_fail(s->rank, "by in-edge %d came what was for "
				    "edge %d, not %d", i, w->received[i],
				    number_of(w, w->in.edge[i]));
}

static void check(const struct scene *s, struct work *w,
		  struct weft_comm *graph)
{
	int me = wf_sim_rank(s->rank), nin, nout;
	struct model *m = &w->model;
	bool weighted;

	find_side(&w->in, m, me, false);
	find_side(&w->out, m, me, true);
	ok(s, weft_graph_degrees(graph, &nin, &nout, &weighted), "degrees");
	if (nin != w->in.n || nout != w->out.n ||
	    (weighted != (m->weighted && m->n) && (nin || nout || w->asks)))
		wf_sim_fail(s->rank, "%d in, not %d, %d out, not %d, weights "
			    "%d", nin, w->in.n, nout, w->out.n, weighted);
	check_side(s, graph, &w->in, false);
	check_side(s, graph, &w->out, true);
	exchange(s, w, graph);
}

static void drawn(struct wf_sim_rank *rank, void *arg)
{
	struct work *w = calloc(1, sizeof(*w));
	struct weft_comm *graph = NULL;
	struct given g;
	struct scene s;

	if (!w || !start(&s, rank)) {
		free(w);
		return;
	}
	w->model.ranks = wf_sim_size(rank);
	w->asks = s.job->config.check;
	draw(&w->model, *(const uint64_t *)arg, wf_sim_rank(rank), &g);
	ok(&s, weft_graph_create(s.world, &(struct weft_graph_edges){
		g.n, g.n ? g.sources : NULL, g.n ? g.degrees : NULL,
		g.edges ? g.destinations : NULL,
		w->model.weighted && g.edges ? g.weights : NULL
	}, NULL, false, &graph), "create");
	if (graph)
		check(&s, w, graph);
	ok(&s, weft_comm_free(&graph), "free");
	free(w);
	stop(&s);
}

static void multigraphs(void)
{
	run_seeds(60, MOST_RANKS, drawn);
}

/* A program that promises to be right: no agreement of all. */
static void unchecked(void)
{
	static char *settings[] = { "WEFT_CHECK=0", NULL };

	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct wf_sim_options options;

		wf_sim_options_init(&options, 1 + (int)seed, seed);
		options.environ = settings;
		sim_flow_run(&options, drawn, &seed);
	}
}

/* ---- example 7.3 of the MPI standard ---- */

enum { NODES = 4, EDGES = 6 };

static const int nodes[] = { 0, 1, 2, 3 }, degrees[] = { 2, 1, 1, 2 };
static const int neighbours[] = { 1, 3, 0, 3, 0, 2 };
static const int first[] = { 0, 2, 3, 4 }, unit[] = { 1, 1, 1, 1, 1, 1 };

/* Each its own out-edges; rank 0 all; each what it has. */
static int create_own(struct weft_comm *comm, int me, const int *weights,
		      struct weft_comm **graph_p)
{
	return weft_graph_create(comm, &(struct weft_graph_edges){
		1, &nodes[me], &degrees[me], neighbours + first[me], weights
	}, NULL, false, graph_p);
}

static int create_by_one(struct weft_comm *comm, int me, const int *weights,
			 struct weft_comm **graph_p)
{
	return weft_graph_create(comm, &(struct weft_graph_edges){
		me ? 0 : NODES, me ? NULL : nodes, me ? NULL : degrees,
		me ? NULL : neighbours, me ? NULL : weights
	}, NULL, false, graph_p);
}

static int create_adjacent(struct weft_comm *comm, int me, const int *weights,
			   struct weft_comm **graph_p)
{
	const struct weft_edges both = {
		degrees[me], neighbours + first[me], weights
	};

	return weft_graph_create_adjacent(comm, &both, &both, NULL, false,
					  graph_p);
}

static void check_example(const struct scene *s, struct weft_comm *graph,
			  bool weighted)
{
	int me = wf_sim_rank(s->rank), ranks[EDGES], weights[EDGES];
	const struct weft_neighbors all = { EDGES, ranks, weights };
	bool has_weights = !weighted;
	int nin, nout;

	ok(s, weft_graph_degrees(graph, &nin, &nout, &has_weights), "degrees");
	if (nin != degrees[me] || nout != degrees[me] ||
	    has_weights != weighted)
		wf_sim_fail(s->rank, "%d in, %d out", nin, nout);
	for (int out = 0; out < 2; out++) {
		ok(s, weft_graph_neighbors(graph, out ? NULL : &all,
					   out ? &all : NULL), "neighbours");
		for (int i = 0; i < degrees[me]; i++)
			if (ranks[i] != neighbours[first[me] + i] ||
			    (weighted && weights[i] != 1))
				wf_sim_fail(s->rank, "neighbour %d is %d", i,
					    ranks[i]);
	}
}

static void make_example(struct wf_sim_rank *rank, void *arg)
{
	static int (*const form[])(struct weft_comm *, int, const int *,
				   struct weft_comm **) = {
		create_own, create_by_one, create_adjacent
	};
	struct weft_comm *graph = NULL;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int i = 0; i < 2 * TAP_COUNT(form); i++) {
		bool weighted = i % 2;

		ok(&s, form[i / 2](s.world, wf_sim_rank(rank),
				   weighted ? unit : NULL, &graph), "create");
		if (graph)
			check_example(&s, graph, weighted);
		ok(&s, weft_comm_free(&graph), "free");
	}
	stop(&s);
}

static void example(void)
{
	run(NODES, 1, make_example);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "multigraphs, edges given by strangers", multigraphs },
		{ "the same, unchecked", unchecked },
		{ "example 7.3 in its three forms", example }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
