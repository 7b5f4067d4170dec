/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups against arrays: random programs of all operations, whose results feed
 * the next ones; what is refused, and why; the one without members; memory that
 * a row of ranks takes.
 */
#include <limits.h>

#include "base/random.h"
#include "comm/comm.h"
#include "tests/fail_malloc.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	RANKS_MOST = 40,
	GROUPS = 12,			/* alive in a program */
	STEPS = 60
};

/* World ranks, as an array says it. */
struct array {
	int n, at[RANKS_MOST];
};

struct scene {
	struct wf_sim_rank *rank;
	struct weft_job *job;
	struct wf_random random;
	int size;			/* of the world */
	struct weft_group *group[GROUPS];
	struct array array[GROUPS];
};

static int draw(struct scene *s, int below)
{
	return (int)wf_random_below(&s->random, (uint64_t)below);
}

static int find(const struct array *a, int who)
{
	for (int i = 0; i < a->n; i++)
		if (a->at[i] == who)
			return i;
	return WEFT_UNDEFINED;
}

static void ok(struct scene *s, int status, const char *what)
{
	if (status)
		wf_sim_fail(s->rank, "%s: %s", what, weft_error_text(s->job));
}

/* ---- what a group says is what its array says ---- */

static void check_members(struct scene *s, int i)
{
	const struct array *a = &s->array[i];
	struct weft_group *g = s->group[i], *world;
	int all[RANKS_MOST], who[RANKS_MOST], back[RANKS_MOST];

	if (weft_group_size(g) != a->n ||
	    weft_group_rank(g) != find(a, wf_sim_rank(s->rank)))
		wf_sim_fail(s->rank, "group of %d: size %d, rank %d", a->n,
			    weft_group_size(g), weft_group_rank(g));
	for (int r = 0; r < RANKS_MOST; r++)
		all[r] = r;
	ok(s, weft_comm_group(weft_job_world(s->job), &world), "world");
	ok(s, weft_group_translate(g, a->n, all, world, who), "to the world");
	ok(s, weft_group_translate(world, s->size, all, g, back), "back");
	for (int r = 0; r < a->n; r++)
		if (who[r] != a->at[r])
			wf_sim_fail(s->rank, "rank %d is %d, not %d", r,
				    who[r], a->at[r]);
	for (int w = 0; w < s->size; w++)
		if (back[w] != find(a, w))
			wf_sim_fail(s->rank, "world rank %d is %d, not %d", w,
				    back[w], find(a, w));
	ok(s, weft_group_free(&world), "free");
}

static enum weft_comparison likeness(const struct array *a,
				     const struct array *b)
{
	if (a->n != b->n)
		return WEFT_UNEQUAL;
	if (!memcmp(a->at, b->at, (size_t)a->n * sizeof(int)))
		return WEFT_IDENT;
	for (int i = 0; i < a->n; i++)
		if (find(b, a->at[i]) < 0)
			return WEFT_UNEQUAL;
	return WEFT_SIMILAR;
}

static void check_pair(struct scene *s, int i, int j)
{
	const struct array *a = &s->array[i], *b = &s->array[j];
	enum weft_comparison is = WEFT_CONGRUENT;
	int ranks[RANKS_MOST + 1];

	ok(s, weft_group_compare(s->group[i], s->group[j], &is), "compare");
	if (is != likeness(a, b))
		wf_sim_fail(s->rank, "compare: %d, not %d", (int)is,
			    (int)likeness(a, b));
	for (int r = 0; r < a->n; r++)
		ranks[r] = r;
	ranks[a->n] = WEFT_PROC_NULL;
	/* In place. */
	ok(s, weft_group_translate(s->group[i], a->n + 1, ranks, s->group[j],
				   ranks), "translate");
	for (int r = 0; r < a->n; r++)
		if (ranks[r] != find(b, a->at[r]))
			wf_sim_fail(s->rank, "translate: %d, not %d",
				    ranks[r], find(b, a->at[r]));
	if (ranks[a->n] != WEFT_PROC_NULL)
		wf_sim_fail(s->rank, "nobody became %d", ranks[a->n]);
}

/* ---- operations ---- */

static void add(struct array *a, int who)
{
	a->at[a->n++] = who;
}

static void combine(struct scene *s, int i, int j, struct weft_group **group_p,
		    struct array *made)
{
	const struct array *a = &s->array[i], *b = &s->array[j];
	int kind = draw(s, 3), status;

	for (int r = 0; r < a->n; r++)
		if (kind == 0 || (find(b, a->at[r]) >= 0) == (kind == 1))
			add(made, a->at[r]);
	for (int r = 0; kind == 0 && r < b->n; r++)
		if (find(a, b->at[r]) < 0)
			add(made, b->at[r]);
	status = kind == 0 ?
		weft_group_union(s->group[i], s->group[j], group_p) :
		kind == 1 ?
		weft_group_intersection(s->group[i], s->group[j], group_p) :
		weft_group_difference(s->group[i], s->group[j], group_p);
	ok(s, status, "two groups");
}

static void all_others(const struct array *from, const struct array *ranks,
		       struct array *made)
{
	for (int r = 0; r < from->n; r++)
		if (find(ranks, r) < 0)
			add(made, from->at[r]);
}

/* Different ranks in any order. */
static void draw_ranks(struct scene *s, int n, struct array *ranks)
{
	int want = draw(s, n + 1);

	while (ranks->n < want) {
		int r = draw(s, n);

		if (find(ranks, r) < 0)
			add(ranks, r);
	}
}

static void some_ranks(struct scene *s, int i, struct weft_group **group_p,
		       struct array *made)
{
	const struct array *a = &s->array[i];
	struct array ranks = { 0 };

	draw_ranks(s, a->n, &ranks);
	if (draw(s, 2)) {
		for (int k = 0; k < ranks.n; k++)
			add(made, a->at[ranks.at[k]]);
		ok(s, weft_group_incl(s->group[i], ranks.n, ranks.at, group_p),
		   "incl");
	} else {
		all_others(a, &ranks, made);
		ok(s, weft_group_excl(s->group[i], ranks.n, ranks.at, group_p),
		   "excl");
	}
}

/* One of each half, in either direction, or none. */
static void draw_ranges(struct scene *s, int n, struct weft_range *range,
			struct array *ranks)
{
	for (int half = 0; half < 2; half++) {
		int low = half * n / 2, high = (half + 1) * n / 2;
		int stride = 1 + draw(s, 4), r;
		int a = low + draw(s, high - low + 1);
		int b = low + draw(s, high - low + 1);

		range[half] = (struct weft_range){ 0, -1, 1 };
		if (a == high || b == high)
			continue;
		range[half] = (struct weft_range){ a, b, b < a ? -stride :
								 stride };
		for (r = a; b < a ? r >= b : r <= b; r += range[half].stride)
			add(ranks, r);
	}
}

static void some_ranges(struct scene *s, int i, struct weft_group **group_p,
			struct array *made)
{
	const struct array *a = &s->array[i];
	struct array ranks = { 0 };
	struct weft_range range[2];

	draw_ranges(s, a->n, range, &ranks);
	if (draw(s, 2)) {
		for (int k = 0; k < ranks.n; k++)
			add(made, a->at[ranks.at[k]]);
		ok(s, weft_group_range_incl(s->group[i], 2, range, group_p),
		   "range_incl");
	} else {
		all_others(a, &ranks, made);
		ok(s, weft_group_range_excl(s->group[i], 2, range, group_p),
		   "range_excl");
	}
}

static void one_step(struct scene *s)
{
	struct array made = { 0 };
	struct weft_group *group = NULL;
	int i = draw(s, GROUPS), j = draw(s, GROUPS), to = draw(s, GROUPS);

	switch (draw(s, 4)) {
	case 0:
		some_ranks(s, i, &group, &made);
		break;
	case 1:
		some_ranges(s, i, &group, &made);
		break;
	default:
		combine(s, i, j, &group, &made);
	}
	ok(s, weft_group_free(&s->group[to]), "free");
	if (s->group[to])
		wf_sim_fail(s->rank, "a handle is left");
	s->group[to] = group;
	s->array[to] = made;
	check_members(s, to);
	check_pair(s, to, draw(s, GROUPS));
	/* All empty ones would stay. */
	if (!made.n) {
		ok(s, weft_group_free(&s->group[to]), "free");
		ok(s, weft_comm_group(weft_job_world(s->job), &s->group[to]),
		   "world");
		for (int r = 0; r < s->size; r++)
			add(&s->array[to], r);
	}
}

static void random_program(struct wf_sim_rank *rank, void *arg)
{
	struct scene *s = calloc(1, sizeof(*s));

	if (!s || wf_sim_job_open(rank, &s->job)) {
		wf_sim_fail(rank, "cannot open the job");
		free(s);
		return;
	}
	s->rank = rank;
	s->size = wf_sim_size(rank);
	wf_random_init(&s->random, *(const uint64_t *)arg);
	for (int i = 0; i < GROUPS; i++) {
		ok(s, weft_comm_group(weft_job_world(s->job), &s->group[i]),
		   "world");
		for (int r = 0; r < s->size; r++)
			add(&s->array[i], r);
	}
	for (int i = 0; i < STEPS; i++)
		one_step(s);
	/* Some stay: they go with the job. */
	for (int i = 0; i < GROUPS; i += 2)
		ok(s, weft_group_free(&s->group[i]), "free");
	ok(s, weft_job_close(s->job), "close");
	free(s);
}

static void against_arrays(void)
{
	long seeds = tap_figure("SEEDS", 60);
	long first = tap_figure("FIRST_SEED", 1);

	for (long seed = first; seed < first + seeds; seed++) {
		struct wf_sim_options options;
		uint64_t dice = (uint64_t)seed;

		wf_sim_options_init(&options, 1 + (int)(seed % RANKS_MOST),
				    dice);
		if (!sim_flow_run(&options, random_program, &dice))
			return;
	}
}

/* ---- what is refused ---- */

static void refuse(struct scene *s, int status, const char *text)
{
	if (status != WEFT_ERR_ARG || !strstr(weft_error_text(s->job), text))
		wf_sim_fail(s->rank, "%s, not \"%s\"",
			    weft_error_text(s->job), text);
}

static void refusals(struct wf_sim_rank *rank, void *arg)
{
	struct scene s = { .rank = rank };
	struct weft_group *g, *made = NULL;
	enum weft_comparison is;
	const int twice[] = { 1, 2, 1 }, beyond[] = { 0, 4 }, below[] = { -2 };
	struct weft_range still = { 0, 1, 0 }, far = { 2, INT_MAX, INT_MAX },
		back[] = { { 3, 0, -1 }, { 0, 0, 1 } };
	int one;

	(void)arg;
	if (wf_sim_job_open(rank, &s.job))
		return;
	ok(&s, weft_comm_group(weft_job_world(s.job), &g), "world");
	refuse(&s, weft_group_incl(g, 3, twice, &made),
	       "weft_group_incl: argument 2 names rank 1 again");
	refuse(&s, weft_group_excl(g, 2, beyond, &made),
	       "weft_group_excl: argument 1 names rank 4, the group has 4");
	refuse(&s, weft_group_incl(g, 1, below, &made), "names rank -2");
	refuse(&s, weft_group_incl(g, -1, twice, &made), "n is -1");
	refuse(&s, weft_group_incl(g, 1, NULL, &made), "ranks is NULL");
	refuse(&s, weft_group_range_incl(g, 1, &still, &made),
	       "ranges[0].stride is 0");
	refuse(&s, weft_group_range_excl(g, 2, back, &made),
	       "argument 1 names rank 0 again");
	refuse(&s, weft_group_translate(g, 2, beyond, g, &one),
	       "ranks[1] is 4, the group has 4 ranks");
	if (weft_group_union(g, NULL, &made) != WEFT_ERR_ARG ||
	    weft_group_compare(NULL, g, &is) != WEFT_ERR_ARG ||
	    weft_comm_group(NULL, &made) != WEFT_ERR_ARG ||
	    weft_group_free(&made) != WEFT_OK || made)
		wf_sim_fail(rank, "NULL is taken");
	if (weft_group_size(NULL) || weft_group_rank(NULL) != WEFT_UNDEFINED)
		wf_sim_fail(rank, "NULL has members");
	/* Far steps do not wrap around. */
	ok(&s, weft_group_range_incl(g, 1, &far, &made), "a far step");
	if (weft_group_size(made) != 1)
		wf_sim_fail(rank, "a far step has %d", weft_group_size(made));
	ok(&s, weft_job_close(s.job), "close");
}

static void refused(void)
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, 4, 1);
	sim_flow_run(&options, refusals, NULL);
}

/* ---- the empty one ---- */

/* Rank 0 of it is asked for, and communicators of it are made. */
static void make_of_nobody(struct scene *s, const struct weft_group *world)
{
	const struct weft_group *nobody = weft_group_empty();
	struct weft_comm *of = weft_job_world(s->job), *made = of;
	int first = 0;

	refuse(s, weft_group_translate(nobody, 1, &first, world, &first),
	       "ranks[0] is 0, the group has 0 ranks");
	ok(s, weft_comm_create(of, nobody, &made), "create");
	if (made)
		wf_sim_fail(s->rank, "a communicator of nobody");
	made = of;
	ok(s, weft_comm_create_group(of, nobody, 0, &made), "create_group");
	if (made)
		wf_sim_fail(s->rank, "a communicator of nobody");
}

static void check_like(struct scene *s, const struct weft_group *a,
		       const struct weft_group *b, enum weft_comparison want)
{
	enum weft_comparison is = WEFT_SIMILAR;

	ok(s, weft_group_compare(a, b, &is), "compare");
	if (is != want)
		wf_sim_fail(s->rank, "compared %d, not %d", (int)is, (int)want);
}

static void use_empty(struct wf_sim_rank *rank, void *arg)
{
	const struct weft_group *nobody = weft_group_empty();
	struct weft_group *world = NULL, *both = NULL, *none = NULL;
	struct scene s = { .rank = rank };

	(void)arg;
	if (wf_sim_job_open(rank, &s.job))
		return;
	ok(&s, weft_comm_group(weft_job_world(s.job), &world), "world");
	ok(&s, weft_group_union(nobody, world, &both), "union");
	ok(&s, weft_group_difference(world, world, &none), "difference");
	check_like(&s, both, world, WEFT_IDENT);
	check_like(&s, none, nobody, WEFT_IDENT);
	check_like(&s, nobody, world, WEFT_UNEQUAL);
	make_of_nobody(&s, world);
	ok(&s, weft_group_free(&none), "free");
	ok(&s, weft_group_free(&both), "free");
	ok(&s, weft_group_free(&world), "free");
	ok(&s, weft_job_close(s.job), "close");
}

static void empty(void)
{
	struct wf_sim_options options;

	for (int ranks = 1; ranks <= 3; ranks += 2) {
		wf_sim_options_init(&options, ranks, 1);
		sim_flow_run(&options, use_empty, NULL);
	}
}

/* ---- communicators ---- */

static void compare_comms(struct wf_sim_rank *rank, void *arg)
{
	struct scene s = { .rank = rank };
	struct weft_edges none = { 0, NULL, NULL };
	struct weft_comm *world, *graph = NULL, *held;
	enum weft_comparison same = WEFT_UNEQUAL, other = WEFT_UNEQUAL;

	(void)arg;
	if (wf_sim_job_open(rank, &s.job))
		return;
	world = weft_job_world(s.job);
	ok(&s, weft_graph_create_adjacent(world, &none, &none, NULL, false,
					  &graph), "graph");
	ok(&s, weft_comm_compare(world, world, &same), "compare");
	ok(&s, weft_comm_compare(world, graph, &other), "compare");
	if (same != WEFT_IDENT || other != WEFT_CONGRUENT)
		wf_sim_fail(rank, "the world is %d to itself, %d to a graph",
			    (int)same, (int)other);
	held = graph;
	wf_comm_hold(graph);
	ok(&s, weft_comm_free(&graph), "free");
	refuse(&s, weft_comm_compare(world, held, &other),
	       "was given to weft_comm_free()");
	wf_comm_drop(held);
	if (weft_comm_compare(world, NULL, &other) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "NULL is taken");
	ok(&s, weft_job_close(s.job), "close");
}

static void communicators(void)
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, 3, 1);
	sim_flow_run(&options, compare_comms, NULL);
}

/* ---- memory ---- */

static void count_bytes(struct wf_sim_rank *rank, void *arg)
{
	struct weft_range odd = { 1, wf_sim_size(rank) - 1, 2 };
	struct weft_group *world, *some;
	struct weft_job *job;

	(void)arg;
	if (wf_sim_job_open(rank, &job))
		return;
	if (wf_sim_rank(rank) == 0) {
		if (weft_comm_group(weft_job_world(job), &world))
			wf_sim_fail(rank, "no group of the world");
		fail_malloc_at(0);
		if (weft_group_range_incl(world, 1, &odd, &some))
			wf_sim_fail(rank, "no group");
		if (fail_malloc_bytes() > 128 ||
		    weft_group_size(some) != wf_sim_size(rank) / 2)
			wf_sim_fail(rank, "%d ranks take %ld bytes",
				    weft_group_size(some),
				    fail_malloc_bytes());
		/* Also where there is none. */
		for (long n = 1; n <= 3; n++) {
			struct weft_group *none = NULL;

			fail_malloc_once(n);
			if (weft_group_range_incl(world, 1, &odd, &none) !=
			    WEFT_ERR_NOMEM || none)
				wf_sim_fail(rank, "allocation %ld is not "
					    "missed", n);
			fail_malloc_at(0);
		}
	}
	if (weft_job_close(job))
		wf_sim_fail(rank, "cannot close");
}

static void memory(void)
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, 1000, 1);
	sim_flow_run(&options, count_bytes, NULL);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "against arrays", against_arrays },
		{ "what is refused", refused },
		{ "the one without members", empty },
		{ "communicators", communicators },
		{ "a stride takes the same memory for any size", memory }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
