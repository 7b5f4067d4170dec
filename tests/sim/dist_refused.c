/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is wrong at one rank is an error at all ranks, with the sentence of that
 * one, which names the array, the position and the value; the pattern is as it
 * was, and the next call works.
 */
#include "tests/sim/scene.h"

enum {
	ITEMS = 3,
	ROOTS = 2
};

static const size_t too_many = (size_t)INT32_MAX + 1;

/* Good before it is spoilt: to the next rank, to itself, to the next again. */
struct given {
	int size;
	struct weft_remote dests[ITEMS];
	int32_t ranks[ITEMS], idxs[ITEMS];
	int64_t globals[ITEMS];
	size_t n;
	int32_t nrroots;
	bool null, nowhere;		/* no array, no place for the Dist */
};

enum call { CREATE, RANKS, IDXS, GLOBALS };

struct refusal {
	enum call call;
	void (*spoil)(struct given *g);
	int status;
	const char *says;		/* of the rank, and of the next one */
};

static void rank_beyond(struct given *g)
{
	g->dests[2].rank = g->ranks[2] = 1000;
}

static void rank_below(struct given *g)
{
	g->dests[1].rank = g->ranks[1] = -3;
}

static void root_beyond(struct given *g)
{
	g->dests[2].idx = g->idxs[2] = ROOTS;
}

static void root_below(struct given *g)
{
	g->dests[0].idx = g->idxs[0] = -1;
}

static void no_array(struct given *g)
{
	g->null = true;
}

static void too_long(struct given *g)
{
	g->n = too_many;
}

static void too_short(struct given *g)
{
	g->n = 2;
}

static void negative_roots(struct given *g)
{
	g->nrroots = -4;
}

static void no_place(struct given *g)
{
	g->nowhere = true;
}

static const struct refusal refusals[] = {
	{ CREATE, rank_beyond, WEFT_ERR_RANGE,
	  "weft_dist_create: items2dests[2].rank of rank %d is 1000, and" },
	{ CREATE, rank_below, WEFT_ERR_RANGE,
	  "weft_dist_create: items2dests[1].rank of rank %d is -3, and" },
	{ CREATE, root_beyond, WEFT_ERR_RANGE,
	  "weft_dist_create: items2dests[2].idx of rank %d is 2, and rank %d "
	  "has 2 roots" },
	{ CREATE, root_below, WEFT_ERR_RANGE,
	  "weft_dist_create: items2dests[0].idx of rank %d is -1, and rank %d "
	  "has 2 roots" },
	{ CREATE, no_array, WEFT_ERR_ARG,
	  "weft_dist_create: items2dests of rank %d is NULL with 3 items" },
	{ CREATE, too_long, WEFT_ERR_RANGE,
	  "weft_dist_create: nitems of rank %d is 2147483648, more than "
	  "2147483647" },
	{ CREATE, negative_roots, WEFT_ERR_ARG,
	  "weft_dist_create: nrroots of rank %d is -4, negative" },
	{ CREATE, no_place, WEFT_ERR_ARG, "weft_dist_create: dist_p is NULL" },
	{ RANKS, rank_beyond, WEFT_ERR_RANGE,
	  "weft_dist_set_dest_ranks: items2ranks[2] of rank %d is 1000, and" },
	{ RANKS, rank_below, WEFT_ERR_RANGE,
	  "weft_dist_set_dest_ranks: items2ranks[1] of rank %d is -3, and" },
	{ RANKS, no_array, WEFT_ERR_ARG,
	  "weft_dist_set_dest_ranks: items2ranks of rank %d is NULL with 3" },
	{ RANKS, too_long, WEFT_ERR_RANGE,
	  "weft_dist_set_dest_ranks: nitems of rank %d is 2147483648, more" },
	{ IDXS, root_beyond, WEFT_ERR_RANGE,
	  "weft_dist_set_dest_idxs: srcs2rroots[2] of rank %d is 2, and rank "
	  "%d has 2 roots" },
	{ IDXS, root_below, WEFT_ERR_RANGE,
	  "weft_dist_set_dest_idxs: srcs2rroots[0] of rank %d is -1, and rank "
	  "%d has 2 roots" },
	{ IDXS, no_array, WEFT_ERR_ARG,
	  "weft_dist_set_dest_idxs: srcs2rroots of rank %d is NULL with 3" },
	{ IDXS, too_short, WEFT_ERR_ARG,
	  "weft_dist_set_dest_idxs: nsrcs of rank %d is 2, and its Dist has "
	  "3" },
	{ IDXS, negative_roots, WEFT_ERR_ARG,
	  "weft_dist_set_dest_idxs: nrroots of rank %d is -4, negative" },
	{ GLOBALS, no_array, WEFT_ERR_ARG,
	  "weft_dist_set_dest_globals: srcs2globals of rank %d is NULL with" },
	{ GLOBALS, too_short, WEFT_ERR_ARG,
	  "weft_dist_set_dest_globals: nsrcs of rank %d is 2, and its Dist" }
};

static void fill(struct given *g, const struct scene *s)
{
	int n = wf_sim_size(s->rank), me = wf_sim_rank(s->rank);

	*g = (struct given){ .size = n, .n = ITEMS, .nrroots = ROOTS };
	for (int i = 0; i < ITEMS; i++) {
		g->ranks[i] = i == 1 ? me : (me + 1) % n;
		g->idxs[i] = i == 2;
		g->dests[i] = (struct weft_remote){ g->ranks[i], g->idxs[i] };
	}
}

static int make(const struct scene *s, const struct given *g,
		struct weft_dist **dist_p)
{
	return weft_dist_create(s->world, g->null ? NULL : g->dests, g->n,
				g->nrroots, g->nowhere ? NULL : dist_p);
}

static int call_by(const struct scene *s, const struct given *g,
		   enum call call, struct weft_dist *dist)
{
	struct weft_dist *made = NULL;
	int status;

	switch (call) {
	case CREATE:
		status = make(s, g, &made);
		if (made)
			wf_sim_fail(s->rank, "one was made");
		return status;
	case RANKS:
		return weft_dist_set_dest_ranks(dist, g->null ? NULL : g->ranks,
						g->n);
	case IDXS:
		return weft_dist_set_dest_idxs(dist, g->null ? NULL : g->idxs,
					       g->n, g->nrroots);
	default:
		return weft_dist_set_dest_globals(
			dist, g->null ? NULL : g->globals, g->n);
	}
}

static void says(const struct scene *s, const char *text)
{
	if (!strstr(weft_error_text(s->job), text))
		wf_sim_fail(s->rank, "\"%s\", not \"%s\"",
			    weft_error_text(s->job), text);
}

/* Everything goes to where a good one sends it. */
static void check_good(const struct scene *s, struct weft_dist *dist)
{
	struct weft_remote dests[ITEMS] = { { -1, -1 } };
	size_t ndests = 0;
	struct given g;

	fill(&g, s);
	ok(s, weft_dist_items2dests(dist, dests, ITEMS), "dests");
	ok(s, weft_dist_ndests(dist, &ndests), "ndests");
	if (memcmp(dests, g.dests, sizeof(dests)) || ndests != ROOTS)
		wf_sim_fail(s->rank, "the pattern is another one");
}

/* At the rank in the middle. */
static void refuse(const struct scene *s, const struct refusal *r,
		   struct weft_dist *dist)
{
	int n = wf_sim_size(s->rank), odd = n / 2, me = wf_sim_rank(s->rank);
	int status, far = r->spoil == root_below || r->spoil == root_beyond ?
			  (odd + 1) % n : odd;
	char text[200];
	struct given g;

	fill(&g, s);
	if (me == odd)
		r->spoil(&g);
	status = call_by(s, &g, r->call, dist);
	if (status != r->status)
		wf_sim_fail(s->rank, "%s: %s", r->says,
			    weft_status_name(status));
	snprintf(text, sizeof(text), r->says, odd, far);
	says(s, text);
	snprintf(text, sizeof(text), "rank %d of the communicator: ", odd);
	if (me != odd)
		says(s, text);
	check_good(s, dist);
}

static void refuse_all(struct wf_sim_rank *rank, void *arg)
{
	struct weft_dist *dist = NULL;
	struct given g;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	fill(&g, &s);
	ok(&s, make(&s, &g, &dist), "create");
	for (int i = 0; i < TAP_COUNT(refusals); i++)
		refuse(&s, &refusals[i], dist);
	ok(&s, weft_dist_set_dest_idxs(dist, g.idxs, ITEMS, ROOTS), "idxs");
	check_good(&s, dist);
	ok(&s, weft_dist_free(&dist), "free");
	stop(&s);
}

/* ---- indices that several ranks do not have ---- */

/*
 * All give a bad one: rank 0 to the next one, which gives one to itself as
 * well.  That of rank 0 is told.
 */
static void many_bad(struct wf_sim_rank *rank, void *arg)
{
	struct weft_dist *dist = NULL;
	struct given g;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	fill(&g, &s);
	g.dests[wf_sim_rank(rank) ? 1 : 2].idx = 77;
	if (make(&s, &g, &dist) != WEFT_ERR_RANGE || dist)
		wf_sim_fail(rank, "not refused");
	says(&s, "items2dests[2].idx of rank 0 is 77, and rank 1 has 2 roots");
	stop(&s);
}

/* By a source whose items go to several ranks, behind roots without items. */
static void bad_of_root(struct wf_sim_rank *rank, void *arg)
{
	static const int32_t roots[] = { 0, 0, 1, 1, 3 };
	int32_t idxs[] = { 9, 0, 9, 0 };
	struct weft_dist *dist = NULL;
	struct given g;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	fill(&g, &s);
	ok(&s, make(&s, &g, &dist), "create");
	ok(&s, weft_dist_set_roots2items(dist, roots, 4), "roots");
	ok(&s, weft_dist_set_dest_idxs(dist, idxs, 4, ROOTS), "idxs");
	if (wf_sim_rank(rank) == 1)
		idxs[3] = 5;
	if (weft_dist_set_dest_idxs(dist, idxs, 4, ROOTS) != WEFT_ERR_RANGE)
		wf_sim_fail(rank, "not refused");
	says(&s, "srcs2rroots[3] of rank 1 is 5, and rank 1 has 2 roots");
	ok(&s, weft_dist_free(&dist), "free");
	stop(&s);
}

/* ---- not the same call ---- */

static void mixed(struct wf_sim_rank *rank, void *arg)
{
	struct weft_dist *dist = NULL;
	struct given g;
	struct scene s;
	int status;

	(void)arg;
	if (!start(&s, rank))
		return;
	fill(&g, &s);
	ok(&s, make(&s, &g, &dist), "create");
	status = call_by(&s, &g, wf_sim_rank(rank) == 1 ? RANKS : CREATE, dist);
	if (status != WEFT_ERR_ARG)
		wf_sim_fail(rank, "mixed: %s", weft_status_name(status));
	says(&s, "makes another call");
	check_good(&s, dist);
	ok(&s, weft_dist_free(&dist), "free");
	stop(&s);
}

/* ---- local calls ---- */

static void expect(const struct scene *s, int status, int want,
		   const char *text)
{
	if (status != want)
		wf_sim_fail(s->rank, "%s: %s", text, weft_status_name(status));
	says(s, text);
}

static void bad_roots(const struct scene *s, struct weft_dist *dist)
{
	static const int32_t late[] = { 1, 3 }, falls[] = { 0, 2, 1, 3 };
	static const int32_t short_by_one[] = { 0, 2 };

	expect(s, weft_dist_set_roots2items(dist, late, 1), WEFT_ERR_ARG,
	       "roots2items[0] of rank");
	expect(s, weft_dist_set_roots2items(dist, falls, 3), WEFT_ERR_ARG,
	       "less than 2 before it");
	expect(s, weft_dist_set_roots2items(dist, short_by_one, 1),
	       WEFT_ERR_ARG, "is 2, and there are 3 items");
	expect(s, weft_dist_set_roots2items(dist, NULL, 2), WEFT_ERR_ARG,
	       "is NULL with 2 roots");
	expect(s, weft_dist_set_roots2items(dist, late, too_many),
	       WEFT_ERR_RANGE, "is 2147483648, more than 2147483647");
	check_good(s, dist);
}

static void without_pattern(const struct scene *s)
{
	static const char says_so[] = "has no pattern: "
				      "weft_dist_set_dest_ranks comes first";
	static const int32_t zero;
	struct weft_dist *dist = NULL, *dup = NULL;
	struct weft_comm *comm = NULL;
	const int32_t *at;
	size_t n;

	ok(s, weft_dist_create_empty(s->world, &dist), "empty");
	expect(s, weft_dist_set_roots2items(dist, &zero, 0), WEFT_ERR_ARG,
	       says_so);
	expect(s, weft_dist_set_dest_idxs(dist, NULL, 0, 0), WEFT_ERR_ARG,
	       says_so);
	expect(s, weft_dist_set_dest_globals(dist, NULL, 0), WEFT_ERR_ARG,
	       says_so);
	expect(s, weft_dist_change_comm(dist, s->world), WEFT_ERR_ARG, says_so);
	expect(s, weft_dist_comm(dist, &comm), WEFT_ERR_ARG, says_so);
	expect(s, weft_dist_nitems(dist, &n), WEFT_ERR_ARG, says_so);
	expect(s, weft_dist_msgs2ranks(dist, &at, &n), WEFT_ERR_ARG, says_so);
	expect(s, weft_dist_items2dests(dist, NULL, 0), WEFT_ERR_ARG, says_so);
	ok(s, weft_dist_set_parent_comm(dist, s->world), "parent");
	expect(s, weft_dist_set_parent_comm(dist, NULL), WEFT_ERR_ARG,
	       "comm is NULL");
	ok(s, weft_dist_dup(dist, &dup), "dup");
	ok(s, weft_dist_set_dest_ranks(dup, NULL, 0), "ranks");
	expect(s, weft_dist_nitems(dist, &n), WEFT_ERR_ARG, says_so);
	ok(s, weft_dist_free(&dup), "free");
	ok(s, weft_dist_free(&dist), "free");
	ok(s, weft_dist_free(&dist), "free NULL");
}

static void null_arguments(const struct scene *s, struct weft_dist *dist)
{
	const int32_t *at;
	size_t n;

	expect(s, weft_dist_create_empty(s->world, NULL), WEFT_ERR_ARG,
	       "dist_p is NULL");
	expect(s, weft_dist_invert(dist, NULL), WEFT_ERR_ARG,
	       "inverse_p is NULL");
	expect(s, weft_dist_dup(dist, NULL), WEFT_ERR_ARG, "dup_p is NULL");
	expect(s, weft_dist_comm(dist, NULL), WEFT_ERR_ARG, "graph_p is NULL");
	expect(s, weft_dist_parent_comm(dist, NULL), WEFT_ERR_ARG,
	       "comm_p is NULL");
	expect(s, weft_dist_nroots(dist, NULL), WEFT_ERR_ARG, "n_p is NULL");
	expect(s, weft_dist_items2ranks(dist, NULL, &n), WEFT_ERR_ARG,
	       "map_p is NULL");
	expect(s, weft_dist_items2ranks(dist, &at, NULL), WEFT_ERR_ARG,
	       "n_p is NULL");
	if (weft_dist_free(NULL) != WEFT_ERR_ARG ||
	    weft_dist_nitems(NULL, &n) != WEFT_ERR_ARG ||
	    weft_dist_create(NULL, NULL, 0, 0, &dist) != WEFT_ERR_ARG)
		wf_sim_fail(s->rank, "NULL is taken");
}

/* Its children stay, and what exchanges; setters need it. */
static void freed_parent(const struct scene *s)
{
	struct weft_comm *comm = NULL, *gone;
	struct weft_dist *dist = NULL;
	struct given g;

	fill(&g, s);
	ok(s, weft_comm_dup(s->world, &comm), "dup");
	ok(s, weft_dist_create(comm, g.dests, ITEMS, ROOTS, &dist), "create");
	ok(s, weft_comm_free(&comm), "free");
	check_good(s, dist);
	expect(s, weft_dist_parent_comm(dist, &gone), WEFT_ERR_ARG,
	       "the parent was freed");
	expect(s, weft_dist_set_dest_ranks(dist, g.ranks, ITEMS), WEFT_ERR_ARG,
	       "was given to weft_comm_free()");
	expect(s, weft_dist_set_dest_idxs(dist, g.idxs, ITEMS, ROOTS),
	       WEFT_ERR_ARG, "was given to weft_comm_free()");
	check_good(s, dist);
	ok(s, weft_dist_change_comm(dist, s->world), "change");
	ok(s, weft_dist_set_dest_idxs(dist, g.idxs, ITEMS, ROOTS), "idxs");
	check_good(s, dist);
	ok(s, weft_dist_free(&dist), "free");
}

static void locally(struct wf_sim_rank *rank, void *arg)
{
	struct weft_dist *dist = NULL;
	struct given g;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	fill(&g, &s);
	ok(&s, make(&s, &g, &dist), "create");
	bad_roots(&s, dist);
	without_pattern(&s);
	null_arguments(&s, dist);
	freed_parent(&s);
	expect(&s, weft_dist_set_parent_comm(dist, s.world), WEFT_ERR_ARG,
	       "has a pattern: weft_dist_change_comm renames its ranks");
	check_good(&s, dist);
	ok(&s, weft_dist_free(&dist), "free");
	stop(&s);
}

/* ---- queries that exchange ---- */

/* Refused at one rank: an error for whom it has roots for, and who may know. */
static void bad_query(struct wf_sim_rank *rank, void *arg)
{
	int n = wf_sim_size(rank), odd = n / 2, me = wf_sim_rank(rank);
	struct weft_remote dests[ITEMS];
	struct weft_dist *dist = NULL;
	struct given g;
	struct scene s;
	int status;

	(void)arg;
	if (!start(&s, rank))
		return;
	fill(&g, &s);
	ok(&s, make(&s, &g, &dist), "create");
	status = weft_dist_items2dests(dist, dests, ITEMS - (me == odd));
	if (me == odd || (me + 1) % n == odd ? status != WEFT_ERR_ARG :
	    status && (status != WEFT_ERR_ARG || me != (odd + 1) % n))
		wf_sim_fail(rank, "it gives %s", weft_status_name(status));
	if (me == odd)
		says(&s, "is 2, and there are 3");
	check_good(&s, dist);
	ok(&s, weft_dist_free(&dist), "free");
	stop(&s);
}

/* ---- another communicator ---- */

/* Without the last rank, which the one before it sends to; it stays outside. */
static void left_out(struct wf_sim_rank *rank, void *arg)
{
	int n = wf_sim_size(rank), me = wf_sim_rank(rank), status;
	struct weft_comm *part = NULL;
	struct weft_dist *dist = NULL, *none = NULL;
	struct given g;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	fill(&g, &s);
	ok(&s, make(&s, &g, &dist), "create");
	ok(&s, weft_comm_split(s.world, me < n - 1, 0, &part), "split");
	status = me < n - 1 ? weft_dist_change_comm(dist, part) : WEFT_ERR_ARG;
	if (status != WEFT_ERR_ARG)
		wf_sim_fail(rank, "changed: %s", weft_status_name(status));
	if (me < n - 1)
		says(&s, "of the old parent, ");
	check_good(&s, dist);
	status = weft_dist_change_comm(me ? dist : NULL, s.world);
	expect(&s, status, WEFT_ERR_ARG, "weft_dist_change_comm: dist is NULL");
	check_good(&s, dist);
	ok(&s, weft_dist_create_empty(s.world, &none), "empty");
	status = weft_dist_change_comm(me ? dist : none, s.world);
	expect(&s, status, WEFT_ERR_ARG, "has no pattern");
	check_good(&s, dist);
	ok(&s, weft_dist_change_comm(dist, s.world), "change");
	check_good(&s, dist);
	ok(&s, weft_comm_free(&part), "free");
	ok(&s, weft_dist_free(&none), "free");
	ok(&s, weft_dist_free(&dist), "free");
	stop(&s);
}

static void at_all_sizes(void (*program)(struct wf_sim_rank *rank, void *arg))
{
	static const int sizes[] = { 3, 4, 33 };
	long first = tap_figure("FIRST_SEED", 1);

	for (int i = 0; i < TAP_COUNT(sizes); i++)
		run(sizes[i], (uint64_t)first, program);
}

static void arguments(void)
{
	at_all_sizes(refuse_all);
}

static void of_many(void)
{
	at_all_sizes(many_bad);
}

static void of_roots(void)
{
	at_all_sizes(bad_of_root);
}

static void other_calls(void)
{
	at_all_sizes(mixed);
}

static void local_calls(void)
{
	at_all_sizes(locally);
}

static void queries(void)
{
	at_all_sizes(bad_query);
}

static void changes(void)
{
	at_all_sizes(left_out);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "arguments of one rank", arguments },
		{ "roots that many miss: the lowest rank is told", of_many },
		{ "a root that a source names", of_roots },
		{ "another call of one rank", other_calls },
		{ "calls without a message", local_calls },
		{ "queries that exchange", queries },
		{ "another communicator", changes }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
