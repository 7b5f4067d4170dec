/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank of a job in which rank 1 is killed while the others sleep in a
 * barrier; tests/mp/sleep_death.t starts it.  It tells when it heard of that,
 * and what ended its sleep.
 *
 *     sleeper MS      rank 1 is killed after so many ms
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "job/job.h"

#include <weft.h>

enum {
	VICTIM = 1,
	MEETING_MS = 600,	/* then everybody has been probed */
	STEP_MS = 10
};

static struct weft_job *job;

static void sleep_ms(int ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000L };

	nanosleep(&t, NULL);
}

static int fail(const char *what)
{
	printf("rank %d: %s: %s\n", weft_job_rank(job), what,
	       weft_error_text(job));
	return 1;
}

/* It is late, but its lifeline answers. */
static void be_late(void)
{
	for (int i = 0; i < MEETING_MS / STEP_MS; i++) {
		sleep_ms(STEP_MS);
		if (weft_job_progress(job))
			fail("progress");
	}
}

/* The victim says when it will die, as the ranks leave a barrier in turn. */
static int agree(int ms, uint64_t *death)
{
	uint64_t mine = 0;

	if (weft_job_rank(job) == VICTIM)
		mine = wf_clock_ns() + (uint64_t)ms * WF_NS_PER_MS;
	return weft_allreduce(weft_job_world(job), &mine,
			      weft_part(death, 1, &weft_type_uint64),
			      &weft_op_max);
}

static void sleep_until(uint64_t ns)
{
	struct timespec t = { (time_t)(ns / WF_NS_PER_S),
			      (long)(ns % WF_NS_PER_S) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL))
		;
}

static int hear(uint64_t death)
{
	uint64_t lives = job->sleeps.by_lives;
	int status = weft_barrier(weft_job_world(job));
	long late = (long)(wf_clock_ns() - death) / (long)WF_NS_PER_MS;

	if (status != WEFT_ERR_PEER)
		return fail("the barrier did not fail");
	printf("rank %d heard after %ld ms, %s\n", weft_job_rank(job), late,
	       job->sleeps.by_lives > lives ? "woken by an end" :
					      "woken otherwise");
	return weft_job_close(job) != WEFT_ERR_PEER;
}

int main(int argc, char **argv)
{
	int ms = argc > 1 ? atoi(argv[1]) : 1000;
	uint64_t death;

	if (weft_job_open(NULL, &job))
		return 1;
	if (weft_barrier(weft_job_world(job)))
		return fail("the first barrier");
	/* All wait for the victim, and watch its life from then on. */
	if (weft_job_rank(job) == VICTIM)
		be_late();
	if (agree(ms, &death))
		return fail("the allreduce");
	if (weft_job_rank(job) != VICTIM)
		return hear(death);
	sleep_until(death);
	kill(getpid(), SIGKILL);
	return 1;
}
