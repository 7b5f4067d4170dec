/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * With WEFT_CHECK=2 both ends of an edge are compared: what they say of it, and
 * with which weight, is told at all ranks, and nothing is made.
 */
#include "tests/sim/scene.h"

enum { RANKS = 4, EDGES = 3, ODD = 2 };

static char *settings[] = { "WEFT_CHECK=2", NULL };

/* Each has three edges from the rank before, and three to the next one. */
struct given {
	int from[EDGES], to[EDGES], in_weight[EDGES], out_weight[EDGES];
	struct weft_edges in, out;
};

struct difference {
	const char *name;
	void (*spoil)(struct given *g);	/* at rank ODD */
	const char *says;		/* NULL: nothing differs */
};

static void in_another_order(struct given *g)
{
	g->in_weight[0] = 9;
	g->in_weight[2] = 3;
}

static void one_in_less(struct given *g)
{
	g->in.n = 2;
}

static void one_out_less(struct given *g)
{
	g->out.n = 2;
}

static void no_edges(struct given *g)
{
	g->in.n = g->out.n = 0;
}

static void another_in_weight(struct given *g)
{
	g->in_weight[1] = 7;
}

static void another_out_weight(struct given *g)
{
	g->out_weight[2] = 100;
}

static void another_source(struct given *g)
{
	g->from[1] = 3;
}

static const struct difference weighted[] = {
	{ "the order of weights", in_another_order, NULL },
	{ "an in-edge less", one_in_less, "rank 2 has 2 edges from rank 1, "
		"which has 3 to it; only rank 1 has one of weight 9, the "
		"nearest of the other has 5" },
	{ "an out-edge less", one_out_less, "rank 3 has 3 edges from rank 2, "
		"which has 2 to it; only rank 3 has one of weight 9, the "
		"nearest of the other has 5" },
	{ "none", no_edges, "rank 2 has 0 edges from rank 1, which has 3 to "
		"it; only rank 1 has one of weight 3" },
	{ "the weight of an in-edge", another_in_weight, "rank 2 has 3 edges "
		"from rank 1, which has 3 to it; only rank 1 has one of "
		"weight 5, the nearest of the other has 3" },
	{ "the weight of an out-edge", another_out_weight, "rank 3 has 3 "
		"edges from rank 2, which has 3 to it; only rank 3 has one of "
		"weight 9, the nearest of the other has 5" },
	{ "the source", another_source, "rank 2 has 2 edges from rank 1, "
		"which has 3 to it; only rank 1 has one of weight 5, the "
		"nearest of the other has 3" }
};

static const struct difference unweighted[] = {
	{ "an in-edge less", one_in_less, "rank 2 has 2 edges from rank 1, "
		"which has 3 to it" },
	{ "none", no_edges, "rank 2 has 0 edges from rank 1, which has 3 to "
		"it" }
};

static void fill(struct given *g, int me, bool weighs)
{
	static const int weight[EDGES] = { 3, 5, 9 };

	for (int i = 0; i < EDGES; i++) {
		g->from[i] = (me + RANKS - 1) % RANKS;
		g->to[i] = (me + 1) % RANKS;
		g->in_weight[i] = g->out_weight[i] = weight[i];
	}
	g->in = (struct weft_edges){ EDGES, g->from,
				     weighs ? g->in_weight : NULL };
	g->out = (struct weft_edges){ EDGES, g->to,
				      weighs ? g->out_weight : NULL };
}

static void create(const struct scene *s, const struct difference *d,
		   bool weighs)
{
	struct weft_comm *graph = NULL;
	struct given g;
	int status;

	fill(&g, wf_sim_rank(s->rank), weighs);
	if (wf_sim_rank(s->rank) == ODD)
		d->spoil(&g);
	status = weft_graph_create_adjacent(s->world, &g.in, &g.out, NULL,
					    false, &graph);
	if (status != (d->says ? WEFT_ERR_GRAPH : WEFT_OK) ||
	    !graph != (status != WEFT_OK))
		wf_sim_fail(s->rank, "%s: %s", d->name,
			    weft_status_name(status));
	/* whose own edges agree */
	if (d->says && !wf_sim_rank(s->rank) &&
	    !strstr(weft_error_text(s->job), d->says))
		wf_sim_fail(s->rank, "%s: \"%s\"", d->name,
			    weft_error_text(s->job));
	ok(s, weft_comm_free(&graph), "free");
}

static void create_all(struct wf_sim_rank *rank, void *arg)
{
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int i = 0; i < TAP_COUNT(weighted); i++)
		create(&s, &weighted[i], true);
	for (int i = 0; i < TAP_COUNT(unweighted); i++)
		create(&s, &unweighted[i], false);
	stop(&s);
}

static void both_ends(void)
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, RANKS, 1);
	options.environ = settings;
	sim_flow_run(&options, create_all, NULL);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "both ends of edges", both_ends }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
