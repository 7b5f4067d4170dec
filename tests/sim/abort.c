/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a communicator: its ranks end wherever they are, the others hear
 * of it as of deaths and go on, and no other rank ends.
 */
#include "tests/sim/scene.h"

enum {
	TOLD_NS = 100000,		/* a death is told to all within it, */
	SOON_NS = 20000000,		/* and mails, of slow ranks, too */
	MOST = 10			/* ranks of most runs */
};

/* What the ranks of a run share. */
struct fall {
	bool by_error;			/* or by weft_comm_abort() */
	bool late;			/* members compute meanwhile */
	bool unmade;			/* they have yet to make it */
	int who;			/* aborts it */
	int open;			/* ranks, */
	int survivors;			/* and those that live on */
};

static bool falls(int rank)
{
	return rank % 2;
}

static void compute(struct wf_sim_rank *rank, uint64_t until)
{
	while (wf_sim_now(rank) < until)
		wf_sim_idle(rank, until);
}

/* Calls that are for something else. */
static void progress(const struct scene *s, uint64_t until)
{
	while (wf_sim_now(s->rank) < until) {
		int status = weft_job_progress(s->job);

		if (status && status != WEFT_ERR_PEER)
			wf_sim_fail(s->rank, "%s", weft_status_name(status));
		wf_sim_idle(s->rank, until);
	}
}

static void bring_down(const struct scene *s, struct weft_comm *half,
		       struct fall *fall)
{
	if (!fall->by_error)
		weft_comm_abort(half, 7);
	(void)!weft_allreduce(half, NULL, weft_part(NULL, 1, NULL), NULL);
	wf_sim_fail(s->rank, "a call that has failed returns");
}

static void go_on(const struct scene *s, struct weft_comm *half,
		  struct fall *fall)
{
	int status = weft_barrier(s->world);

	if (status != WEFT_ERR_PEER)
		wf_sim_fail(s->rank, "world: %s", weft_status_name(status));
	progress(s, wf_sim_now(s->rank) + SOON_NS);
	use(s, half);
	fall->survivors++;
	status = weft_job_close(s->job);
	if (status != WEFT_ERR_PEER)
		wf_sim_fail(s->rank, "close: %s", weft_status_name(status));
}

/* What is made of one inherits what that was told. */
static struct weft_comm *make_half(const struct scene *s)
{
	const struct weft_errhandler errors = { .kind = WEFT_ERRORS_ABORT };
	int me = wf_sim_rank(s->rank), n = wf_sim_size(s->rank);
	struct weft_group *group = range(s, me % 2, (n + 1 - me % 2) / 2, 2);
	struct weft_comm *half = NULL;

	ok(s, weft_comm_set_errhandler(s->world, falls(me) ? &errors : NULL),
	   "set");
	ok(s, weft_comm_create(s->world, group, &half), "create");
	ok(s, weft_comm_set_errhandler(s->world, NULL), "unset");
	ok(s, weft_group_free(&group), "free");
	return half;
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct fall *fall = arg;
	struct weft_comm *half;
	struct scene s;
	int me = wf_sim_rank(rank);

	if (falls(me))
		wf_sim_doom(rank);
	if (!start(&s, rank))
		return;
	for (fall->open++; fall->open < wf_sim_size(rank);)
		progress(&s, wf_sim_now(rank) + TOLD_NS);
	if (fall->unmade && falls(me) && me != fall->who)
		progress(&s, wf_sim_now(rank) + SOON_NS);
	half = make_half(&s);
	if (me == fall->who)
		bring_down(&s, half, fall);
	if (!falls(me)) {
		go_on(&s, half, fall);
		return;
	}
	if (fall->late)
		compute(rank, wf_sim_now(rank) + SOON_NS);
	else
		(void)!weft_barrier(s.world);
	progress(&s, wf_sim_now(rank) + SOON_NS);
	wf_sim_fail(rank, "a member lives on");
}

static bool fall_at(struct fall *fall, int ranks, uint64_t seed)
{
	struct wf_sim_options options;
	struct wf_sim_result result;
	bool good;

	wf_sim_options_init(&options, ranks, seed);
	wf_sim_options_vary(&options);
	options.told_ns = TOLD_NS;
	fall->who = 1 + 2 * (int)(seed % (uint64_t)(ranks / 2));
	fall->open = fall->survivors = 0;
	good = TAP_EQUAL(wf_sim_run(&options, program, fall, &result),
			 WEFT_OK) &&
	       TAP_EQUAL(result.violations, 0) &&
	       TAP_EQUAL(fall->survivors, (ranks + 1) / 2) &&
	       TAP_EQUAL(result.finished, fall->survivors);
	if (!good)
		tap_diag("%d ranks, seed %d: %s", ranks, (int)seed,
			 result.text);
	return good;
}

static void fall_often(struct fall fall)
{
	long seeds = tap_figure("SEEDS", 200);
	long first = tap_figure("FIRST_SEED", 1);

	for (long seed = first; seed < first + seeds; seed++)
		if (!fall_at(&fall, 2 + (int)(seed % (MOST - 1)),
			     (uint64_t)seed))
			return;
}

static void waiting(void)
{
	fall_often((struct fall){ .by_error = false });
}

static void by_errors(void)
{
	fall_often((struct fall){ .by_error = true });
}

static void computing(void)
{
	fall_often((struct fall){ .late = true });
}

static void unmade(void)
{
	fall_often((struct fall){ .unmade = true });
}

static void large(void)
{
	struct fall fall = { .by_error = false };

	for (int ranks = 64; ranks <= 512; ranks *= 2)
		fall_at(&fall, ranks, 1);
}

/* ---- freed, with a request on it ---- */

static void freed_program(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank), *lived = arg;
	struct weft_request *req = NULL;
	struct weft_comm *half;
	struct scene s;
	char byte;

	if (me == 3)
		wf_sim_doom(rank);
	if (!start(&s, rank))
		return;
	half = make_half(&s);
	if (me == 3) {
		compute(rank, wf_sim_now(rank) + SOON_NS);
		weft_comm_abort(half, 7);
	}
	if (me == 1)
		ok(&s, weft_irecv(half, &byte, 1, &weft_type_byte,
				  weft_from(1, 0), &req), "irecv");
	ok(&s, weft_comm_free(&half), "free");
	progress(&s, wf_sim_now(rank) + 3 * SOON_NS);
	ok(&s, weft_request_free(&req), "free of the request");
	(*lived)++;
	(void)!weft_job_close(s.job);
}

static void freed(void)
{
	struct wf_sim_options options;
	struct wf_sim_result result;
	int lived = 0;

	wf_sim_options_init(&options, 4, 1);
	options.told_ns = TOLD_NS;
	TAP_EQUAL(wf_sim_run(&options, freed_program, &lived, &result),
		  WEFT_OK);
	TAP_EQUAL(lived, 3);
	if (!TAP_EQUAL(result.violations, 0))
		tap_diag("%s", result.text);
}

/* ---- behind ranks that are not there any more ---- */

/* The first and the last rank, whom all between have never met. */
static struct weft_comm *make_ends(const struct scene *s)
{
	struct weft_group *group = range(s, 0, 2, wf_sim_size(s->rank) - 1);
	struct weft_comm *ends = NULL;

	ok(s, weft_comm_create(s->world, group, &ends), "create");
	ok(s, weft_group_free(&group), "free");
	return ends;
}

static void ends_program(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank), last = wf_sim_size(rank) - 1;
	struct weft_comm *ends;
	struct scene s;

	(void)arg;
	if (me == 0 || me == last)
		wf_sim_doom(rank);
	if (!start(&s, rank))
		return;
	ends = make_ends(&s);
	if (me != 0 && me != last) {
		ok(&s, weft_job_close(s.job), "close");
		return;
	}
	compute(rank, wf_sim_now(rank) + SOON_NS);
	if (me == 0)
		weft_comm_abort(ends, 7);
	progress(&s, wf_sim_now(rank) + 25 * SOON_NS);
	wf_sim_fail(rank, "a member lives on");
}

static void behind_closed(void)
{
	for (int ranks = 3; ranks <= 40; ranks++) {
		struct wf_sim_options options;
		struct wf_sim_result result;

		wf_sim_options_init(&options, ranks, (uint64_t)ranks);
		wf_sim_options_vary(&options);
		if (!TAP_EQUAL(wf_sim_run(&options, ends_program, NULL,
					  &result), WEFT_OK) ||
		    !TAP_EQUAL(result.violations, 0) ||
		    !TAP_EQUAL(result.finished, ranks - 2))
			tap_diag("%d ranks: %s", ranks, result.text);
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "ranks that wait elsewhere end", waiting },
		{ "an error ends what it was told to", by_errors },
		{ "ranks that compute end in their next call", computing },
		{ "ranks that are still to make it end", unmade },
		{ "of hundreds", large },
		{ "behind ranks that have closed", behind_closed },
		{ "who has freed it lives", freed }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
