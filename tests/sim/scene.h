/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What tests of communicators begin and end with: a simulated rank and its job.
 * A call that fails counts as a violation of the run.  The names are short,
 * since each line of those tests has one.
 */
#ifndef WEFT_TESTS_SIM_SCENE_H
#define WEFT_TESTS_SIM_SCENE_H

#include "base/random.h"
#include "comm/comm.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

struct scene {
	struct wf_sim_rank *rank;
	struct weft_job *job;
	struct weft_comm *world;
};

static inline bool start(struct scene *s, struct wf_sim_rank *rank)
{
	s->rank = rank;
	if (wf_sim_job_open(rank, &s->job)) {
		wf_sim_fail(rank, "cannot open the job");
		return false;
	}
	s->world = weft_job_world(s->job);
	return true;
}

static inline void ok(const struct scene *s, int status, const char *what)
{
	if (status)
		wf_sim_fail(s->rank, "%s: %s", what, weft_error_text(s->job));
}

static inline void stop(const struct scene *s)
{
	ok(s, weft_job_close(s->job), "close");
}

/* Rank 0 gives a number to all. */
static inline void give(const struct scene *s, int64_t number)
{
	int64_t x = wf_sim_rank(s->rank) ? -1 : number;

	ok(s, weft_bcast(s->world, weft_part(&x, 1, &weft_type_int64),
			 0), "bcast");
	if (x != number)
		wf_sim_fail(s->rank, "%d is broadcast %d", (int)x,
			    (int)number);
}

/* Ids so few that refills are usual, the same at all ranks. */
static inline void shrink_pools(struct scene *s, struct wf_random *random)
{
	struct wf_cid_rules *rules = &wf_contexts(s->job)->ids.rules;

	rules->world_end = 1 + wf_random_below(random, 30);
	rules->mint = 1 + wf_random_below(random, 6);
	rules->cap = UINT64_C(1) << 60;
	s->world->pool = wf_cid_world(&wf_contexts(s->job)->ids);
}

/* All ranks have the same one, and none of those that live has it, too. */
static inline void check_id(const struct scene *s, struct weft_comm *made,
			    struct weft_comm *const *live, int n)
{
	uint64_t least = made->id, most = made->id;

	for (int i = 0; i < n; i++)
		if (live[i] && live[i]->id == made->id)
			wf_sim_fail(s->rank, "an id is given twice");
	ok(s, weft_allreduce(made, WEFT_IN_PLACE,
			     weft_part(&least, 1, &weft_type_uint64),
			     &weft_op_min), "min");
	ok(s, weft_allreduce(made, WEFT_IN_PLACE,
			     weft_part(&most, 1, &weft_type_uint64),
			     &weft_op_max), "max");
	if (least != most)
		wf_sim_fail(s->rank, "ids are %llu to %llu",
			    (unsigned long long)least,
			    (unsigned long long)most);
}

/* n ranks of the world, from one on, each so many behind the one before. */
static inline struct weft_group *range(const struct scene *s, int first, int n,
				       int stride)
{
	struct weft_range r = { first, first + (n - 1) * stride, stride };
	struct weft_group *all = NULL, *part = NULL;

	ok(s, weft_comm_group(s->world, &all), "group");
	ok(s, weft_group_range_incl(all, 1, &r, &part), "range");
	ok(s, weft_group_free(&all), "free group");
	return part;
}

/* All members have it: the sum of their ranks in the world. */
static inline void use(const struct scene *s, struct weft_comm *made)
{
	int64_t sum = wf_sim_rank(s->rank), want = 0;

	ok(s, weft_allreduce(made, WEFT_IN_PLACE,
			     weft_part(&sum, 1, &weft_type_int64),
			     &weft_op_sum), "sum");
	for (int r = 0; r < weft_comm_size(made); r++)
		want += wf_comm_world_rank(made, r);
	if (sum != want)
		wf_sim_fail(s->rank, "a sum over other ranks");
}

/* Without a call: nothing makes progress here. */
static inline void pause_for(const struct scene *s, uint64_t ns)
{
	uint64_t end = wf_sim_now(s->rank) + ns;

	while (wf_sim_now(s->rank) < end)
		wf_sim_idle(s->rank, end);
}

/* With progress, so that what is under way arrives. */
static inline void linger(const struct scene *s)
{
	uint64_t until = wf_sim_now(s->rank) + 1000000;

	while (wf_sim_now(s->rank) < until) {
		ok(s, weft_job_progress(s->job), "progress");
		wf_sim_idle(s->rank, until);
	}
}

/* Once, with the seed as its argument; false: a rule was broken. */
static inline bool run(int ranks, uint64_t seed,
		       void (*program)(struct wf_sim_rank *rank, void *arg))
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, ranks, seed);
	return sim_flow_run(&options, program, &seed);
}

/*
 * Programs drawn from seeds, which are their argument, on 1 rank up to so many;
 * by as many seeds as usual, or as SEEDS says.
 */
static inline void run_seeds(long usual, int most,
			     void (*program)(struct wf_sim_rank *rank,
					     void *arg))
{
	long seeds = tap_figure("SEEDS", usual);
	long first = tap_figure("FIRST_SEED", 1);

	for (long seed = first; seed < first + seeds; seed++) {
		struct wf_sim_options options;
		uint64_t dice = (uint64_t)seed;

		wf_sim_options_init(&options, 1 + (int)(seed % most), dice);
		wf_sim_options_vary(&options);
		if (!sim_flow_run(&options, program, &dice))
			return;
	}
}

/*
 * One of 2 to 10 ranks dies at any event; its number is the argument.  All
 * others count themselves as those that have heard of it.
 */
static inline void run_deaths(long usual, int *heard,
			      void (*program)(struct wf_sim_rank *rank,
					      void *arg))
{
	long seeds = tap_figure("SEEDS", usual);
	long first = tap_figure("FIRST_SEED", 1);

	for (long seed = first; seed < first + seeds; seed++) {
		struct wf_sim_options options;
		int ranks = 2 + (int)(seed % 9);
		int victim = (int)(seed / 9) % ranks;

		wf_sim_options_init(&options, ranks, (uint64_t)seed);
		wf_sim_options_vary(&options);
		options.kill_rank = victim;
		options.kill_event = 200 + (uint64_t)seed;
		*heard = 0;
		if (!sim_flow_run(&options, program, &victim) ||
		    !TAP_EQUAL(*heard, ranks - 1))
			return;
	}
}

#endif
