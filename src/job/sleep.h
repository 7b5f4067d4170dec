/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a wait sleeps, once looking has brought nothing for WEFT_SLEEP.
 */
#ifndef WEFT_JOB_SLEEP_H
#define WEFT_JOB_SLEEP_H

#include <stdbool.h>
#include <stdint.h>

struct weft_job;
struct wf_wait;

enum {
	WF_SLEEP_MS = 100,	/* at most: no lost wake-up is a hang */
	WF_SLEEP_LINE_MS = 1,	/* where a line makes no event */
	WF_SLEEP_LINE_LATER = 50	/* there, times WEFT_SLEEP */
};

struct wf_sleeps {
	int most_ms;		/* WF_SLEEP_MS; more in tests */
	uint64_t taken;
	uint64_t by_lives;	/* ended by what tells the end of a process */
	/*
	 * Ended by their longest time, and then something was there: nobody has
	 * rung for it.
	 */
	uint64_t late;
	uint64_t watch_after;	/* no life is watched before: it would spin */
};

/*
 * Time without an event before a sleep.  Where a line makes none a sleep ends
 * up to WF_SLEEP_LINE_MS late, so a wait that has a CPU to itself looks longer.
 */
uint64_t wf_sleep_after(const struct weft_job *job);

/*
 * Sleep until something may have happened, ms at most.  True: something did,
 * or an event ended the sleep.  The lock of the job is free meanwhile.
 */
bool wf_job_sleep(struct weft_job *job, const struct wf_wait *wait, int ms);

/*
 * By a thread that leaves the job while another one sleeps in it: what it has
 * left behind may be work.  With the lock.
 */
void wf_job_wake(struct weft_job *job);

#endif
