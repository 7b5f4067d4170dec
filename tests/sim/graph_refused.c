/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arguments of one rank that no graph can be made of: an error at all ranks,
 * with the sentence of that one, and everything goes on behind it.
 */
#include <limits.h>

#include "tests/sim/scene.h"

/* What a rank gives, good before it is spoilt: to its next rank, of weight 3 */
struct given {
	int size, from, to, degree, weight;
	int many[3];
	struct weft_edges in, out;
	struct weft_graph_edges any;
	const struct weft_edges *in_p, *out_p;
	const struct weft_graph_edges *any_p;
	bool nowhere;			/* no place for the graph */
};

struct refusal {
	void (*spoil)(struct given *g);
	bool adjacent, general;		/* by these constructors */
	const char *says;		/* %d: of the communicator's size */
};

static void no_in(struct given *g)
{
	g->in_p = NULL;
}

static void no_out(struct given *g)
{
	g->out_p = NULL;
}

static void no_edges(struct given *g)
{
	g->any_p = NULL;
}

static void no_place(struct given *g)
{
	g->nowhere = true;
}

static void negative_n(struct given *g)
{
	g->in.n = g->any.n = -1;
}

static void null_ranks(struct given *g)
{
	g->out.ranks = g->any.sources = NULL;
}

static void null_degrees(struct given *g)
{
	g->any.degrees = NULL;
}

static void null_destinations(struct given *g)
{
	g->any.destinations = NULL;
}

static void rank_beyond(struct given *g)
{
	g->from = g->size;
}

static void rank_below(struct given *g)
{
	g->to = -7;
}

static void negative_degree(struct given *g)
{
	g->degree = -2;
}

/* More than an int has, of which the destinations are not read. */
static void too_many(struct given *g)
{
	static const int most[] = { INT_MAX, 1 };

	g->many[0] = g->many[1] = 0;
	g->any.n = 2;
	g->any.sources = g->many;
	g->any.degrees = most;
}

static void negative_weight(struct given *g)
{
	g->weight = -5;
}

static void empty_weights(struct given *g)
{
	g->in.weights = g->out.weights = g->any.weights = WEFT_WEIGHTS_EMPTY;
}

static const struct refusal refusals[] = {
	{ no_in, true, false, "in is NULL" },
	{ no_out, true, false, "out is NULL" },
	{ no_edges, false, true, "edges is NULL" },
	{ no_place, true, true, "graph_p is NULL" },
	{ negative_n, true, false, "in->n is -1" },
	{ negative_n, false, true, "edges->n is -1, negative" },
	{ null_ranks, true, false, "out->ranks is NULL with 1 edges" },
	{ null_ranks, false, true, "edges->sources is NULL with 1 values" },
	{ null_degrees, false, true, "edges->degrees is NULL with 1 values" },
	{ null_destinations, false, true,
	  "edges->destinations is NULL with 1 values" },
	{ rank_beyond, true, false,
	  "in->ranks[0] is %d, the communicator has %d ranks" },
	{ rank_beyond, false, true,
	  "edges->sources[0] is %d, the communicator has %d ranks" },
	{ rank_below, true, false, "out->ranks[0] is -7, the communicator" },
	{ rank_below, false, true, "edges->destinations[0] is -7, the comm" },
	{ negative_degree, false, true, "edges->degrees[0] is -2, negative" },
	{ too_many, false, true, "edges->degrees are 2147483648 together" },
	{ negative_weight, true, false, "in->weights[0] is -5, negative" },
	{ negative_weight, false, true, "edges->weights[0] is -5, negative" },
	{ empty_weights, true, false,
	  "in->weights is WEFT_WEIGHTS_EMPTY with 1 edges" },
	{ empty_weights, false, true,
	  "edges->weights is WEFT_WEIGHTS_EMPTY with 1 edges" }
};

static void fill(struct given *g, const struct scene *s)
{
	int me = wf_sim_rank(s->rank), n = wf_sim_size(s->rank);

	*g = (struct given){
		.size = n, .from = (me + n - 1) % n, .to = (me + 1) % n,
		.degree = 1, .weight = 3,
		.in = { 1, &g->from, &g->weight },
		.out = { 1, &g->to, &g->weight },
		.any = { 1, &g->from, &g->degree, &g->to, &g->weight },
		.in_p = &g->in, .out_p = &g->out, .any_p = &g->any
	};
}

static int create(const struct scene *s, const struct given *g, bool general,
		  struct weft_comm **graph_p)
{
	if (general)
		return weft_graph_create(s->world, g->any_p, NULL, false,
					 g->nowhere ? NULL : graph_p);
	return weft_graph_create_adjacent(s->world, g->in_p, g->out_p, NULL,
					  false, g->nowhere ? NULL : graph_p);
}

static void says(const struct scene *s, const char *text)
{
	if (!strstr(weft_error_text(s->job), text))
		wf_sim_fail(s->rank, "\"%s\", not \"%s\"",
			    weft_error_text(s->job), text);
}

/* At the rank in the middle; then a good one. */
static void refuse(const struct scene *s, const struct refusal *r,
		   bool general)
{
	int odd = wf_sim_size(s->rank) / 2, me = wf_sim_rank(s->rank);
	struct weft_comm *graph = NULL;
	char text[200];
	struct given g;
	int status;

	fill(&g, s);
	if (me == odd)
		r->spoil(&g);
	status = create(s, &g, general, &graph);
	if (graph || status != (r->spoil == too_many ? WEFT_ERR_RANGE :
						       WEFT_ERR_ARG))
		wf_sim_fail(s->rank, "%s: %s", r->says,
			    weft_status_name(status));
	snprintf(text, sizeof(text), r->says, g.size, g.size);
	says(s, text);
	says(s, general ? "weft_graph_create: " :
			  "weft_graph_create_adjacent: ");
	snprintf(text, sizeof(text), "rank %d of the communicator: ", odd);
	if (me != odd)
		says(s, text);
	fill(&g, s);
	ok(s, create(s, &g, general, &graph), "a good one");
	ok(s, weft_comm_free(&graph), "free");
}

static void refuse_all(struct wf_sim_rank *rank, void *arg)
{
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int i = 0; i < TAP_COUNT(refusals); i++) {
		if (refusals[i].adjacent)
			refuse(&s, &refusals[i], false);
		if (refusals[i].general)
			refuse(&s, &refusals[i], true);
	}
	stop(&s);
}

/* ---- weights of some edges ---- */

static void mix(const struct scene *s, bool general, int weighs, int other)
{
	int me = wf_sim_rank(s->rank);
	struct weft_comm *graph = NULL;
	char text[100];
	struct given g;
	int status;

	fill(&g, s);
	if (me < weighs || me > other)		/* without edges */
		g.in = g.out = (struct weft_edges){ 0, NULL, NULL };
	if (me < weighs || me > other)
		g.any = (struct weft_graph_edges){ 0, NULL, NULL, NULL, NULL };
	if (me != weighs)
		g.in.weights = g.out.weights = g.any.weights = NULL;
	status = create(s, &g, general, &graph);
	if (graph || status != WEFT_ERR_ARG)
		wf_sim_fail(s->rank, "mixed: %s", weft_status_name(status));
	snprintf(text, sizeof(text), "rank %d says that edges have weights, "
		 "and rank %d has some without", weighs, weighs + 1);
	says(s, text);
}

/* One side only. */
static void mix_sides(const struct scene *s)
{
	struct weft_comm *graph = NULL;
	struct given g;

	fill(&g, s);
	if (!wf_sim_rank(s->rank))
		g.in.weights = NULL;
	if (create(s, &g, false, &graph) != WEFT_ERR_ARG || graph)
		wf_sim_fail(s->rank, "mixed sides");
	says(s, "rank 0 says that edges have weights, and rank 0 has some "
		"without");
}

static void mix_all(struct wf_sim_rank *rank, void *arg)
{
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int general = 0; general < 2; general++) {
		mix(&s, general, 0, wf_sim_size(rank) - 1);
		mix(&s, general, wf_sim_size(rank) - 2, wf_sim_size(rank));
	}
	mix_sides(&s);
	stop(&s);
}

static void at_all_sizes(void (*program)(struct wf_sim_rank *rank, void *arg))
{
	static const int sizes[] = { 2, 5, 64 };

	for (int i = 0; i < TAP_COUNT(sizes); i++)
		run(sizes[i], 1, program);
}

static void arguments(void)
{
	at_all_sizes(refuse_all);
}

static void weights(void)
{
	at_all_sizes(mix_all);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "arguments of one rank", arguments },
		{ "weights of some edges", weights }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
