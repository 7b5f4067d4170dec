/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchanges of Dists in simulated ranks, as a serial model has them: also with
 * a rank that takes a hundred times as long, and on every class of messages.
 * Where a rank dies, each exchange of the others is that, or names the dead.
 */
#include "tests/coll/dist_play.h"
#include "tests/fail_malloc.h"
#include "tests/sim/scene.h"

/* What the ranks of a run share. */
struct run {
	uint64_t seed;
	int victim;			/* -1: nobody dies */
	bool opened;			/* by the victim */
	int heard;			/* errors that named it */
};

struct player {
	struct run *run;
	struct scene s;
};

static void report(void *arg, const char *text)
{
	struct player *p = arg;

	wf_sim_fail(p->s.rank, "%s", text);
}

static bool names_the_dead(void *arg, int status, const char *text)
{
	struct player *p = arg;
	char name[24];

	snprintf(name, sizeof(name), "rank %d on host ", p->run->victim);
	if (status != WEFT_ERR_PEER || !strstr(text, name))
		return false;
	p->run->heard++;
	return true;
}

static bool open_job(struct player *p)
{
	int status = wf_sim_job_open(p->s.rank, &p->s.job);

	if (!status)
		p->s.world = weft_job_world(p->s.job);
	else if (p->run->victim < 0 || p->run->opened)
		wf_sim_fail(p->s.rank, "open: %s", weft_status_name(status));
	return !status;
}

static void close_job(struct player *p)
{
	int status = weft_job_close(p->s.job);

	if (status && (status != WEFT_ERR_PEER || p->run->victim < 0))
		wf_sim_fail(p->s.rank, "close: %s", weft_status_name(status));
}

static void drawn(struct wf_sim_rank *rank, void *arg)
{
	struct player p = { .run = arg, .s = { .rank = rank } };
	struct dist_play play = {
		.me = wf_sim_rank(rank), .fail = report, .arg = &p,
		.excused = p.run->victim < 0 ? NULL : names_the_dead
	};

	if (!open_job(&p))
		return;
	p.run->opened |= play.me == p.run->victim;
	play.job = p.s.job;
	play.comm = p.s.world;
	dist_play(&play, p.run->seed);
	close_job(&p);
}

static void set(struct wf_sim_options *options, struct wf_random *random,
		uint64_t seed)
{
	wf_random_init(random, seed ^ 0x64697374);
	wf_sim_options_init(options, 1 + (int)wf_random_below(random,
			    DIST_PLAY_RANKS), seed);
	wf_sim_options_vary(options);
	options->environ = sim_any_env(seed);
	if (wf_random_below(random, 2))
		options->slow_rank = (int)wf_random_below(random,
						(uint64_t)options->ranks);
}

/* False: a rule was broken; all heap comes back, too. */
static bool nobody_dies(uint64_t seed)
{
	struct run run = { .seed = seed, .victim = -1 };
	struct wf_sim_options options;
	struct wf_random random;

	set(&options, &random, seed);
	if (wf_random_below(&random, 2))
		wf_sim_options_harden(&options);
	fail_malloc_at(0);
	return sim_flow_run(&options, drawn, &run) &&
	       TAP_EQUAL(fail_malloc_blocks(), 0);
}

/* One of two ranks and more, at an event that is often among exchanges. */
static bool one_dies(uint64_t seed, int *heard)
{
	struct run run = { .seed = seed };
	struct wf_sim_options options;
	struct wf_sim_result result;
	struct wf_random random;

	set(&options, &random, seed);
	options.ranks += options.ranks == 1;
	run.victim = (int)wf_random_below(&random, (uint64_t)options.ranks);
	options.kill_rank = run.victim;
	options.kill_event = 1 + wf_random_below(&random, (uint64_t)1
			<< (6 + wf_random_below(&random, 6)));
	if (!TAP_EQUAL(wf_sim_run(&options, drawn, &run, &result), WEFT_OK))
		return false;
	*heard += run.heard > 0;
	if (TAP_EQUAL(result.violations, 0) &&
	    TAP_EQUAL(result.finished, options.ranks - (result.killed >= 0)) &&
	    TAP_CHECK(result.killed >= 0 || !run.heard))
		return true;
	tap_diag("rank %d of %d at event %d: %s", run.victim, options.ranks,
		 (int)options.kill_event, result.text);
	return false;
}

static void as_a_serial_one(void)
{
	long seeds = tap_figure("SEEDS", 60);
	long first = tap_figure("FIRST_SEED", 1);

	for (long seed = first; seed < first + seeds; seed++)
		if (!nobody_dies((uint64_t)seed)) {
			tap_diag("SEEDS=1 FIRST_SEED=%ld", seed);
			return;
		}
}

static void or_name_the_dead(void)
{
	long seeds = tap_figure("SEEDS", 60);
	long first = tap_figure("FIRST_SEED", 1);
	int heard = 0;

	for (long seed = first; seed < first + seeds; seed++)
		if (!one_dies((uint64_t)seed, &heard)) {
			tap_diag("SEEDS=1 FIRST_SEED=%ld", seed);
			return;
		}
	/* some die too late, and few seeds may have no other ones */
	TAP_CHECK(heard > 0 || seeds < 20);
	tap_diag("%d deaths were heard of", heard);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "as a serial one", as_a_serial_one },
		{ "or an error that names the dead", or_name_the_dead }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
