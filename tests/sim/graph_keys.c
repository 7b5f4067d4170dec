/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The keys of a reorder in an info: what is no value of a key at one rank, and
 * what ranks pass differently, is an error at all, which names the key; a key
 * that is not known is left alone, and without a key all ranks stay.
 */
#include <math.h>

#include "tests/sim/scene.h"

struct value {
	const char *key, *good, *bad;
};

static const struct value values[] = {
	{ "weft_reorder", "greedy", "best" },
	{ "weft_reorder", "none", "" },
	{ "weft_reorder_metric", "max", "least" },
	{ "weft_reorder_refine", "0", "-1" },
	{ "weft_reorder_refine", "1000000", "1000001" },
	{ "weft_reorder_keep", "0,1-1", "0-" },
	{ "weft_reorder_keep", "", "1-0" },
	{ "weft_reorder_keep", "1", "0,,1" },
	{ "weft_reorder_keep", "0-1", "0,64" },
	{ "weft_reorder_keep", "0", "18446744073709551616" },
	{ "weft_reorder_keep", "00000000", "0," },
	{ "weft_reorder_time", "0.5", "-2" },
	{ "weft_reorder_time", "200ms", "soon" },
	{ "weft_weights", "messages", "kilograms" },
	{ "weft_coords", "no", "0 0 0" }
};

/* To the next rank. */
static int create(const struct scene *s, bool general,
		  const struct weft_info *info, bool reorder,
		  struct weft_comm **graph_p)
{
	int n = wf_sim_size(s->rank), me = wf_sim_rank(s->rank);
	int from = (me + n - 1) % n, to = (me + 1) % n, one = 1;

	if (general)
		return weft_graph_create(s->world, &(struct weft_graph_edges){
			1, &me, &one, &to, NULL
		}, info, reorder, graph_p);
	return weft_graph_create_adjacent(s->world, &(struct weft_edges){
		1, &from, NULL
	}, &(struct weft_edges){ 1, &to, NULL }, info, reorder, graph_p);
}

static struct weft_info *info_of(const struct scene *s, const char *key,
				 const char *value)
{
	struct weft_info *info = NULL;

	ok(s, weft_info_create(s->job, &info), "info");
	ok(s, weft_info_set(info, key, value), "set");
	return info;
}

static void says(const struct scene *s, const char *text)
{
	if (!strstr(weft_error_text(s->job), text))
		wf_sim_fail(s->rank, "\"%s\", not \"%s\"",
			    weft_error_text(s->job), text);
}

static void refused(const struct scene *s, int status,
		    const struct weft_comm *graph, const char *key)
{
	if (status != WEFT_ERR_ARG || graph)
		wf_sim_fail(s->rank, "%s: %s", key, weft_status_name(status));
	says(s, key);
}

/* The rank in the middle has a bad one, or none has. */
static void try_value(const struct scene *s, const struct value *v,
		      bool general, bool bad)
{
	int odd = wf_sim_size(s->rank) / 2;
	bool spoilt = bad && wf_sim_rank(s->rank) == odd;
	struct weft_info *info = info_of(s, v->key,
					 spoilt ? v->bad : v->good);
	struct weft_comm *graph = NULL;
	int status = create(s, general, info, bad, &graph);
	char text[80];

	if (bad) {
		refused(s, status, graph, v->key);
		snprintf(text, sizeof(text), "is \"%s\" in info at rank %d",
			 v->bad, odd);
		says(s, text);
	} else {
		ok(s, status, v->key);
	}
	ok(s, weft_comm_free(&graph), "free");
	ok(s, weft_info_free(&info), "free info");
}

static void bad_values(struct wf_sim_rank *rank, void *arg)
{
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int i = 0; i < 2 * TAP_COUNT(values); i++) {
		try_value(&s, &values[i / 2], i % 2, true);
		try_value(&s, &values[i / 2], i % 2, false);
	}
	stop(&s);
}

/* ---- what ranks pass differently ---- */

/* Those of the last one; a reorder of the others is the same. */
static void differ(const struct scene *s, const char *value, bool reorder,
		   const char *name)
{
	bool last = wf_sim_rank(s->rank) == wf_sim_size(s->rank) - 1;
	struct weft_info *info = last && !value ? NULL :
		info_of(s, "weft_reorder", last ? value : "greedy");
	struct weft_comm *graph = NULL;
	char text[80];

	refused(s, create(s, true, info, last ? reorder : true, &graph),
		graph, name);
	snprintf(text, sizeof(text), "%d", wf_sim_size(s->rank) - 1);
	says(s, text);
	says(s, "0 and ");
	ok(s, weft_info_free(&info), "free info");
}

static void different(struct wf_sim_rank *rank, void *arg)
{
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	differ(&s, "none", true, "weft_reorder");
	differ(&s, NULL, true, "weft_reorder");
	differ(&s, "greedy", false, "the same reorder");
	stop(&s);
}

/* ---- what leaves all as they are ---- */

static void check_kept(const struct scene *s, const struct weft_info *info,
		       bool reorder, const char *why)
{
	struct weft_reorder_info got = { .moved = -1 };
	struct weft_comm *graph = NULL;

	ok(s, create(s, false, info, reorder, &graph), "create");
	ok(s, weft_reorder_query(graph, &got), "query");
	if (got.moved || !got.why || strcmp(got.why, why))
		wf_sim_fail(s->rank, "%d have moved: %s", got.moved,
			    got.why ? got.why : "NULL");
	ok(s, weft_comm_free(&graph), "free");
}

static void keep(struct wf_sim_rank *rank, void *arg)
{
	static const char unasked[] =
		"no reorder was asked for, by the argument and a key";
	struct weft_info *info;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	check_kept(&s, NULL, true, unasked);
	info = info_of(&s, "weft_of_tomorrow", "?");
	check_kept(&s, info, true, unasked);
	ok(&s, weft_info_set(info, "weft_reorder", "greedy"), "set");
	check_kept(&s, info, false, unasked);
	check_kept(&s, info, true, "nothing goes between nodes");
	ok(&s, weft_info_set(info, "weft_reorder", "none"), "set");
	check_kept(&s, info, true, "no method is asked for");
	ok(&s, weft_info_free(&info), "free info");
	stop(&s);
}

/* ---- coordinates, and the query ---- */

static void coords(struct wf_sim_rank *rank, void *arg)
{
	const double here[3] = { 1, 2, 3 }, nowhere[3] = { 1, NAN, 3 };
	struct weft_reorder_info got;
	struct weft_comm *graph = NULL;
	struct weft_info *info;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	info = info_of(&s, "weft_coords", "yes");
	refused(&s, weft_comm_set_coords(s.world, nowhere), NULL,
		"coords[1] is nan");
	refused(&s, create(&s, true, info, true, &graph), graph,
		"weft_coords");
	ok(&s, create(&s, true, info, false, &graph), "no reorder");
	ok(&s, weft_comm_free(&graph), "free");
	ok(&s, weft_comm_set_coords(s.world, here), "coords");
	ok(&s, create(&s, true, info, true, &graph), "create");
	refused(&s, weft_reorder_query(graph, NULL), NULL, "info_p is NULL");
	if (weft_reorder_query(s.world, &got) != WEFT_ERR_GRAPH)
		wf_sim_fail(rank, "a query of what is no graph");
	ok(&s, weft_comm_free(&graph), "free");
	ok(&s, weft_comm_set_coords(s.world, NULL), "no coords");
	refused(&s, create(&s, true, info, true, &graph), graph,
		"weft_coords");
	ok(&s, weft_info_free(&info), "free info");
	stop(&s);
}

/* With WEFT_CHECK=0, too: a reorder is agreed on. */
static void lone_error(struct wf_sim_rank *rank, void *arg)
{
	const double here[3] = { 1, 2, 3 };
	struct weft_comm *graph = NULL;
	struct weft_info *info;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	info = info_of(&s, "weft_coords", "yes");
	ok(&s, weft_info_set(info, "weft_reorder", "rcb"), "set");
	if (wf_sim_rank(rank))
		ok(&s, weft_comm_set_coords(s.world, here), "coords");
	refused(&s, create(&s, true, info, true, &graph), graph,
		"weft_coords");
	ok(&s, weft_info_free(&info), "free info");
	stop(&s);
}

static void unchecked(void)
{
	static char *settings[] = { "WEFT_CHECK=0", NULL };
	struct wf_sim_options options;

	wf_sim_options_init(&options, 5, 1);
	options.environ = settings;
	sim_flow_run(&options, lone_error, NULL);
}

static void at_all_sizes(void (*program)(struct wf_sim_rank *rank, void *arg))
{
	static const int sizes[] = { 2, 5, 64 };

	for (int i = 0; i < TAP_COUNT(sizes); i++)
		run(sizes[i], 1, program);
}

static void bad(void)
{
	at_all_sizes(bad_values);
}

static void odd(void)
{
	at_all_sizes(different);
}

static void kept(void)
{
	at_all_sizes(keep);
	run(1, 1, keep);
}

static void placed(void)
{
	at_all_sizes(coords);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a good value and a bad one of each key", bad },
		{ "what ranks pass differently", odd },
		{ "what keeps the ranks as they are", kept },
		{ "coordinates, and the query", placed },
		{ "an error of one rank, unchecked", unchecked }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
