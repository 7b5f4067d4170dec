/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opens the jobs of two threads, binds them, runs, closes.
 *
 * Ranks are bound once their jobs are open, because opening looks at the
 * affinity mask to find out whether ranks share cores.
 */
#include "tools/weft-sim/weft_sim_pair.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft.h>

#include "bench/weft_bench_time.h"

struct side {
	struct wsim_place place;
	struct weft_inproc *inproc;
	void (*program)(struct wsim_place *place);
};

void wsim_pair_check(int status, const char *what)
{
	if (!status)
		return;
	fprintf(stderr, "weft-sim: %s: %s\n", what, weft_status_text(status));
	exit(1);
}

static double now(void *arg)
{
	(void)arg;
	return bench_now();
}

/* To the CPU of its number among those that are allowed. */
static void bind_thread(int rank)
{
	cpu_set_t allowed, one;
	int seen = 0;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) ||
	    CPU_COUNT(&allowed) < 2)
		return;
	CPU_ZERO(&one);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &allowed) && seen++ == rank)
			CPU_SET(i, &one);
	(void)sched_setaffinity(0, sizeof(one), &one);
}

static void *side_main(void *arg)
{
	struct side *side = arg;
	struct weft_job_options options;
	cpu_set_t before;
	int known;

	weft_job_options_init(&options, sizeof(options));
	options.inproc = side->inproc;
	options.inproc_rank = side->place.rank;
	wsim_pair_check(weft_job_open(&options, &side->place.job),
			"cannot open the job");
	known = !sched_getaffinity(0, sizeof(before), &before);
	bind_thread(side->place.rank);
	side->program(&side->place);
	if (known)
		(void)sched_setaffinity(0, sizeof(before), &before);
	wsim_pair_check(weft_job_close(side->place.job),
			"cannot close the job");
	return NULL;
}

void wsim_pair_run(void (*program)(struct wsim_place *place), void *shared,
		   int samples)
{
	struct weft_inproc *inproc;
	struct side side[2];
	pthread_t other;

	wsim_pair_check(weft_inproc_create(2, &inproc), "two ranks");
	for (int i = 0; i < 2; i++)
		side[i] = (struct side){
			.place = { .rank = i, .now = now, .samples = samples,
				   .shared = shared },
			.inproc = inproc, .program = program
		};
	if (pthread_create(&other, NULL, side_main, &side[1]))
		wsim_pair_check(WEFT_ERR_NOMEM, "a thread");
	side_main(&side[0]);
	pthread_join(other, NULL);
	weft_inproc_free(&inproc);
}
