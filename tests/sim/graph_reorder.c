/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs whose ranks may be other processes than in the parent, on drawn
 * machines: each rank has the edges that were given for it, what goes along
 * them comes there, and what the query tells is so; a duplicate is the same.
 */
#include "tests/exchange/given_graph.h"
#include "tests/sim/scene.h"

enum { MOST_RANKS = 40 };

static void report(void *arg, const char *text)
{
	wf_sim_fail(arg, "%s", text);
}

/* What a drawn reorder is asked for, and on which machine. */
struct order {
	int per_node;
	bool metric_max;
	char keep[12];			/* a rank, or "" */
};

static int below(struct wf_random *random, int n)
{
	return (int)wf_random_below(random, (uint64_t)n);
}

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

/* ---- what it costs ---- */

/* Weight between nodes, and that of the node that has most. */
static struct weft_reorder_cost measure(const struct given_model *m,
					const struct weft_comm *graph,
					int per_node)
{
	struct weft_reorder_cost cost = { 0 };
	int64_t of_node[MOST_RANKS] = { 0 };

	for (int i = 0; i < m->n; i++) {
		const struct given_edge *e = &m->edge[i];
		int from = wf_comm_world_rank(graph, e->from) / per_node;
		int to = wf_comm_world_rank(graph, e->to) / per_node;
		int weight = m->weighted ? e->weight : 1;

		if (from == to)
			continue;
		cost.sum += weight;
		of_node[from] += weight;
		of_node[to] += weight;
	}
	for (int i = 0; i < MOST_RANKS; i++)
		if (of_node[i] > cost.max)
			cost.max = of_node[i];
	return cost;
}

static bool same(const struct weft_reorder_cost *a,
		 const struct weft_reorder_cost *b)
{
	return a->sum == b->sum && a->max == b->max;
}

static void check_order(const struct given_rank *r, const struct order *o,
			struct weft_comm *graph)
{
	struct weft_reorder_cost before, after;
	struct weft_reorder_info info = { .moved = -1 };
	int moved = 0, kept = atoi(o->keep);

	given_ok(r, weft_reorder_query(graph, &info), "weft_reorder_query");
	before = measure(r->model, r->comm, o->per_node);
	after = measure(r->model, graph, o->per_node);
	for (int i = 0; i < r->model->rule.ranks; i++)
		moved += wf_comm_world_rank(graph, i) != i;
	if (info.moved != moved || !same(&info.before, &before) ||
	    !same(&info.after, &after) || (!moved && !info.why))
		given_fail(r, "%d have moved, not %d; sums %d, %d, not %d, %d",
			   moved, info.moved, (int)before.sum, (int)after.sum,
			   (int)info.before.sum, (int)info.after.sum);
	if (o->metric_max ? after.max > before.max : after.sum > before.sum)
		given_fail(r, "it is worse");
	if (o->keep[0] && wf_comm_world_rank(graph, kept) != kept)
		given_fail(r, "rank %d has not stayed", kept);
}

static void look(const struct given_rank *r, struct weft_comm *graph)
{
	struct weft_comm *twin = NULL;
	struct order o;

	draw_order(&o, r->model->rule.ranks, r->model->rule.seed);
	check_order(r, &o, graph);
	given_ok(r, weft_comm_dup(graph, &twin), "weft_comm_dup");
	check_order(r, &o, twin);
	given_ok(r, weft_comm_free(&twin), "weft_comm_free");
}

static void drawn(struct wf_sim_rank *rank, void *arg)
{
	const struct given_rule rule = {
		.ranks = wf_sim_size(rank), .nodes = 12, .degree = 4,
		.most_bytes = 600, .seed = *(const uint64_t *)arg
	};
	struct weft_info *info = NULL;
	struct given_model model;
	struct given_rank r;
	struct order o;
	struct scene s;

	if (!start(&s, rank))
		return;
	given_init(&model, &rule);
	draw_order(&o, rule.ranks, rule.seed);
	ok(&s, weft_info_create(s.job, &info), "info");
	set_keys(&s, info, &o, rule.seed);
	r = (struct given_rank){
		.model = &model, .comm = s.world, .me = wf_sim_rank(rank),
		.agrees = s.job->config.check, .info = info, .look = look,
		.fail = report, .arg = rank
	};
	given_play(&r);
	ok(&s, weft_info_free(&info), "free info");
	given_fini(&model);
	stop(&s);
}

static void orders(void)
{
	static char *unchecked[] = { "WEFT_CHECK=0", NULL };
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
			options.environ = unchecked;
		if (!sim_flow_run(&options, drawn, &seed))
			return;
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "drawn graphs on drawn machines", orders }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
