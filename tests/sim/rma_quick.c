/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a device reports raises, a signal of a region is raised by reports as
 * long as the owner has room for them, and by stores beyond: none is lost, and
 * who is looked at is raised by reports all the time.  The simulator raises
 * both alike, so the devices only say that they report.
 */
#include <weft.h>
#include "job/job.h"
#include "rma/rma_signal.h"
#include "tests/sim/sim_job.h"
#include "tests/tap.h"

enum {
	NUMBER = 7,
	UNSEEN = 200,		/* raises before the owner looks */
	TURNS = 300,		/* and those that it awaits one by one */
	TIMES = 4		/* that a rank attaches a region */
};

static struct weft_region_key shown;

static uint64_t credited;	/* raises that the owner has told that it saw */

struct play {
	uint32_t room;		/* of the owner */
	uint64_t at_once;	/* raises by reports, before it looks */
	uint64_t least, most;	/* of the raises, by reports */
};

static void good(struct wf_sim_rank *rank, struct weft_job *job, int status)
{
	if (status)
		wf_sim_fail(rank, "%s: %s", weft_status_name(status),
			    weft_error_text(job));
}

static void meet(struct wf_sim_rank *rank, struct weft_job *job)
{
	good(rank, job, weft_barrier(weft_job_world(job)));
}

/* So many of its raises were to be reported. */
static uint64_t reported(struct weft_region *region)
{
	struct wf_rma_link *link = wf_rma_link_get(region, 0);
	struct wf_rma_raiser *raiser = wf_map_get(&link->numbers, NUMBER);

	return raiser->raised;
}

static void raise_one(struct wf_sim_rank *rank, struct weft_job *job,
		      struct weft_region *region)
{
	struct weft_target to = { .region = region, .peer = 0 };
	static const uint64_t word = 1;	/* stands until it is written */

	good(rank, job, weft_put_signal(&to, &word, sizeof(word), NUMBER,
					NULL));
}

static void await(struct wf_sim_rank *rank, struct weft_job *job,
		  struct weft_signal *signal, uint64_t count)
{
	good(rank, job, weft_signal_wait(signal, count));
	if (weft_signal_count(signal) != count)
		wf_sim_fail(rank, "raised %d times and not %d",
			    (int)weft_signal_count(signal), (int)count);
}

/* What was credited may be used up, and no more, while nobody looks. */
static void fill_up(struct wf_sim_rank *rank, struct weft_job *job,
		    struct weft_region *region, const struct play *play)
{
	int me = wf_sim_rank(rank);

	if (me == 0)
		credited = wf_rma_source_get(region, 1, NUMBER)->credited;
	for (int i = 0; me == 1 && i < UNSEEN; i++)
		raise_one(rank, job, region);
	meet(rank, job);
	if (me == 1 && play->most &&
	    reported(region) > credited + play->at_once)
		wf_sim_fail(rank, "%d raises by reports, of which %d were seen",
			    (int)reported(region), (int)credited);
}

static void use(struct wf_sim_rank *rank, struct weft_job *job,
		struct weft_region *region, const struct play *play)
{
	struct weft_signal *signal = NULL;
	int me = wf_sim_rank(rank);

	if (me == 0)
		good(rank, job, weft_signal_create(region, 1, NUMBER,
						   &signal));
	for (int i = 0; me == 1 && i < UNSEEN; i++)
		raise_one(rank, job, region);
	if (me == 1 && reported(region) != play->at_once)
		wf_sim_fail(rank, "%d raises by reports, of which none was "
			    "seen", (int)reported(region));
	meet(rank, job);
	if (me == 0)
		await(rank, job, signal, UNSEEN);
	meet(rank, job);
	for (int i = 1; i <= TURNS; i++) {
		if (me == 1)
			raise_one(rank, job, region);
		else
			await(rank, job, signal, (uint64_t)(UNSEEN + i));
		meet(rank, job);
	}
	if (me == 1 && (reported(region) < play->least ||
			reported(region) > play->most))
		wf_sim_fail(rank, "%d raises by reports",
			    (int)reported(region));
	fill_up(rank, job, region, play);
}

static struct weft_job *open_job(struct wf_sim_rank *rank, uint32_t room)
{
	struct weft_job *job;

	if (wf_sim_job_open(rank, &job)) {
		wf_sim_fail(rank, "no job");
		return NULL;
	}
	job->dev[0]->caps |= WF_CAP_REPORTS;
	wf_signals_limit(&job->signals, 0, room);
	return job;
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	const struct play *play = arg;
	struct weft_region *region;
	struct weft_job *job = open_job(rank, play->room);

	if (!job)
		return;
	good(rank, job, weft_region_create(weft_job_world(job), NULL, 8,
					   &region));
	use(rank, job, region, play);
	good(rank, job, weft_region_free(&region));
	good(rank, job, weft_job_close(job));
}

/* Who comes again may raise as often as the first time, and no more. */
static void come_again(struct wf_sim_rank *rank, struct weft_job *job)
{
	struct weft_region *region;

	good(rank, job, weft_region_attach(weft_job_world(job), &shown,
					   &region));
	for (int i = 0; i < UNSEEN; i++)
		raise_one(rank, job, region);
	if (reported(region) % WF_RMA_QUICK)
		wf_sim_fail(rank, "%d raises by reports",
			    (int)reported(region));
	good(rank, job, weft_region_free(&region));
}

static void expose(struct wf_sim_rank *rank, struct weft_job *job)
{
	struct weft_signal *signal;
	struct weft_region *region;

	good(rank, job, weft_region_expose(weft_job_world(job), NULL, 8,
					   &region));
	good(rank, job, weft_region_key(region, &shown));
	good(rank, job, weft_signal_create(region, 1, NUMBER, &signal));
	meet(rank, job);
	meet(rank, job);
	await(rank, job, signal, TIMES * UNSEEN);
	good(rank, job, weft_region_free(&region));
}

static void exposes(struct wf_sim_rank *rank, void *arg)
{
	const struct play *play = arg;
	struct weft_job *job = open_job(rank, play->room);

	if (!job)
		return;
	if (wf_sim_rank(rank) == 0) {
		expose(rank, job);
	} else {
		meet(rank, job);
		for (int i = 0; i < TIMES; i++)
			come_again(rank, job);
		meet(rank, job);
	}
	good(rank, job, weft_job_close(job));
}

static void seeds(void (*part)(struct wf_sim_rank *rank, void *arg),
		  struct play play)
{
	for (uint64_t seed = 0; seed < 20; seed++) {
		struct wf_sim_options options;
		struct wf_sim_result result;

		wf_sim_options_init(&options, 2, seed);
		wf_sim_options_vary(&options);
		wf_sim_options_unsignal(&options);
		if (!TAP_EQUAL(wf_sim_run(&options, part, &play, &result),
			       WEFT_OK) ||
		    !TAP_EQUAL(result.violations, 0)) {
			tap_diag("seed %d: %s", (int)seed, result.text);
			return;
		}
	}
}

/* Credits come while it is awaited: some turns late, as mails are. */
static void with_room(void)
{
	seeds(program,
	      (struct play){ .room = 4096, .at_once = WF_RMA_QUICK,
			     .least = WF_RMA_QUICK + TURNS - TURNS / 10,
			     .most = WF_RMA_QUICK + TURNS });
}

/* As of a queue pair with receive buffers of its own, for one source. */
static void with_little(void)
{
	seeds(program,
	      (struct play){ .room = 2 * WF_RMA_QUICK_LEAST,
			     .at_once = WF_RMA_QUICK_LEAST,
			     .least = WF_RMA_QUICK_LEAST + TURNS - TURNS / 10,
			     .most = WF_RMA_QUICK_LEAST + TURNS });
}

static void without(void)
{
	seeds(program,
	      (struct play){ .room = 2 * WF_RMA_QUICK_LEAST - 2 });
}

static void attached_again(void)
{
	seeds(exposes, (struct play){ .room = 4096 });
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "by reports, as long as there is room", with_room },
		{ "by reports, a few where there is little", with_little },
		{ "by stores where there is none", without },
		{ "by one that attaches a region again", attached_again }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
