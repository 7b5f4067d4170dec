/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Are there more ranks on this node than CPUs for them?  Asked by the opening
 * of a job.  Then a wait has to yield (yield.h).
 */
#ifndef WEFT_JOB_CROWD_H
#define WEFT_JOB_CROWD_H

#include <stdbool.h>

/* How many CPUs may be used; 0: not known. */
struct wf_crowd {
	int own;			/* by this process */
	int parent;			/* by who started it */
	int online;			/* by anybody */
};

void wf_crowd_look(struct wf_crowd *crowd);
bool wf_crowd_is_dense(const struct wf_crowd *crowd, int ranks);

#endif
