/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs whose edges any rank gives, against a serial model, and example 7.3 of
 * the MPI standard in its three forms.
 */
#include "tests/exchange/given_graph.h"
#include "tests/sim/scene.h"

enum { MOST_RANKS = 40 };

static void report(void *arg, const char *text)
{
	wf_sim_fail(arg, "%s", text);
}

static void play(const struct scene *s, const struct given_model *model)
{
	struct given_rank rank = {
		.model = model, .comm = s->world, .me = wf_sim_rank(s->rank),
		.agrees = s->job->config.check, .fail = report, .arg = s->rank
	};

	given_play(&rank);
}

static void drawn(struct wf_sim_rank *rank, void *arg)
{
	const struct given_rule rule = {
		.ranks = wf_sim_size(rank), .nodes = 12, .degree = 4,
		.most_bytes = 600, .seed = *(const uint64_t *)arg
	};
	struct given_model model;
	struct scene s;

	if (!start(&s, rank))
		return;
	given_init(&model, &rule);
	play(&s, &model);
	given_fini(&model);
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

/* ---- thousands of ranks ---- */

/* All of them have the one model. */
static void drawn_once(struct wf_sim_rank *rank, void *arg)
{
	struct scene s;

	if (!start(&s, rank))
		return;
	play(&s, arg);
	stop(&s);
}

static void thousands(void)
{
	int ranks = (int)tap_figure("MANY_RANKS", 1024);
	/* anybody gives edges of anybody, with weights */
	const struct given_rule rule = {
		.ranks = ranks, .nodes = 4, .degree = 3, .most_bytes = 600,
		.seed = 3
	};
	struct wf_sim_options options;
	struct given_model model;

	given_init(&model, &rule);
	wf_sim_options_init(&options, ranks, 1);
	sim_flow_run(&options, drawn_once, &model);
	tap_diag("%d edges", model.n);
	given_fini(&model);
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
		{ "of thousands of ranks", thousands },
		{ "example 7.3 in its three forms", example }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
