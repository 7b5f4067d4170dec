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
	int me = weft_comm_rank(graph), nin, nout;
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

/* ---- in another order of ranks ---- */

/* What a drawn reorder is asked for, and on which machine. */
struct order {
	int per_node;
	bool metric_max;
	char keep[12];			/* a rank, or "" */
};

static void draw_order(struct order *o, int ranks, uint64_t seed)
{
	struct wf_random random;

	wf_random_init(&random, seed + 7);
	o->per_node = 1 + below(&random, 6);
	o->metric_max = below(&random, 2);
	snprintf(o->keep, sizeof(o->keep), "%d", below(&random, ranks));
	if (below(&random, 2))
		o->keep[0] = 0;
}

static void set(const struct scene *s, struct weft_info *info, const char *key,
		const char *value)
{
	ok(s, weft_info_set(info, key, value), key);
}

/* Coordinates are those of a row, as the ranks are. */
static void set_keys(const struct scene *s, struct weft_info *info,
		     const struct order *o, uint64_t seed)
{
	static const char *const methods[] = { "greedy", "rcb", "none" };
	const double coords[3] = { wf_sim_rank(s->rank), 0, -1.5 };

	set(s, info, "weft_reorder", methods[seed % 3]);
	set(s, info, "weft_reorder_metric", o->metric_max ? "max" : "sum");
	set(s, info, "weft_reorder_keep", o->keep);
	set(s, info, "no key of weft", "at all");
	if (seed % 2)
		set(s, info, "weft_coords", "yes");
	ok(s, weft_comm_set_coords(s->world, coords), "coords");
}

static int process_of(const struct weft_comm *graph, int rank)
{
	return wf_comm_world_rank(graph, rank);
}

/* Weight between nodes, and that of the node that has most. */
static void measure(const struct model *m, const struct weft_comm *graph,
		    int per_node, struct weft_reorder_cost *cost)
{
	int64_t of_node[MOST_RANKS] = { 0 };

	*cost = (struct weft_reorder_cost){ 0 };
	for (int i = 0; i < m->n; i++) {
		const struct model_edge *e = &m->edge[i];
		int from = process_of(graph, e->from) / per_node;
		int to = process_of(graph, e->to) / per_node;
		int weight = m->weighted ? e->weight : 1;

		if (from == to)
			continue;
		cost->sum += weight;
		of_node[from] += weight;
		of_node[to] += weight;
	}
	for (int i = 0; i < MOST_RANKS; i++)
		if (of_node[i] > cost->max)
			cost->max = of_node[i];
}

static void check_cost(const struct scene *s, const struct order *o,
		       const struct model *m, const struct weft_comm *graph)
{
	struct weft_reorder_cost before, after;
	struct weft_reorder_info info;
	int moved = 0;

	ok(s, weft_reorder_query(graph, &info), "query");
	measure(m, s->world, o->per_node, &before);
	measure(m, graph, o->per_node, &after);
	for (int i = 0; i < m->ranks; i++)
		moved += process_of(graph, i) != i;
	if (info.moved != moved || info.before.sum != before.sum ||
	    info.before.max != before.max || info.after.sum != after.sum ||
	    info.after.max != after.max || (!moved && !info.why))
		wf_sim_fail(s->rank, "%d have moved, not %d; sums %d, %d, not "
			    "%d, %d", moved, info.moved, (int)before.sum,
			    (int)after.sum, (int)info.before.sum,
			    (int)info.after.sum);
	if (o->metric_max ? after.max > before.max : after.sum > before.sum)
		wf_sim_fail(s->rank, "it is worse");
	if (o->keep[0] &&
	    process_of(graph, atoi(o->keep)) != atoi(o->keep))
		wf_sim_fail(s->rank, "rank %s has not stayed", o->keep);
}

static void reordered(struct wf_sim_rank *rank, void *arg)
{
	struct work *w = calloc(1, sizeof(*w));
	struct weft_comm *graph = NULL, *twin = NULL;
	const uint64_t seed = *(const uint64_t *)arg;
	struct weft_info *info = NULL;
	struct order o;
	struct given g;
	struct scene s;

	if (!w || !start(&s, rank)) {
		free(w);
		return;
	}
	w->model.ranks = wf_sim_size(rank);
	w->asks = s.job->config.check;
	draw(&w->model, seed, wf_sim_rank(rank), &g);
	draw_order(&o, w->model.ranks, seed);
	ok(&s, weft_info_create(s.job, &info), "info");
	set_keys(&s, info, &o, seed);
	ok(&s, weft_graph_create(s.world, &(struct weft_graph_edges){
		g.n, g.sources, g.degrees, g.destinations,
		w->model.weighted ? g.weights : NULL
	}, info, true, &graph), "create");
	if (graph) {
		check(&s, w, graph);
		check_cost(&s, &o, &w->model, graph);
		ok(&s, weft_comm_dup(graph, &twin), "dup");
		check(&s, w, twin);
		check_cost(&s, &o, &w->model, twin);
	}
	ok(&s, weft_comm_free(&twin), "free");
	ok(&s, weft_comm_free(&graph), "free");
	ok(&s, weft_info_free(&info), "free info");
	free(w);
	stop(&s);
}

static void orders(void)
{
	static char *unchecked_too[] = { "WEFT_CHECK=0", NULL };
	long seeds = tap_figure("SEEDS", 60);

	for (uint64_t seed = 1; seed <= (uint64_t)seeds; seed++) {
		struct wf_sim_options options;
		struct order o;

		wf_sim_options_init(&options, 1 + (int)seed % MOST_RANKS,
				    seed);
		wf_sim_options_vary(&options);
		draw_order(&o, options.ranks, seed);
		options.ranks_per_node = o.per_node;
		if (seed % 5 == 0)
			options.environ = unchecked_too;
		if (!sim_flow_run(&options, reordered, &seed))
			return;
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
		{ "in another order of ranks", orders },
		{ "example 7.3 in its three forms", example }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
