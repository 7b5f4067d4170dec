/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two real ranks, threads of this process that share memory, and where an
 * operation is timed: there, or on a simulated rank.
 */
#ifndef WEFT_SIM_PAIR_H
#define WEFT_SIM_PAIR_H

struct weft_job;

struct wsim_place {
	struct weft_job *job;
	int rank;		/* 0 or 1 */
	double (*now)(void *arg);	/* microseconds */
	void *arg;
	int samples;		/* of which the fastest counts */
	void *shared;		/* by the two */
};

/* On both ranks at once, in a job, each on a core of its own if there are. */
void wsim_pair_run(void (*program)(struct wsim_place *place), void *shared,
		   int samples);

/* The rank cannot go on, nor could the other one: the program ends. */
void wsim_pair_check(int status, const char *what);

#endif
