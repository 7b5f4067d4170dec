/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a wait gives its CPU away, and when it does not yet, where more ranks
 * than CPUs share the node.
 *
 * A rank that yields or sleeps says so to the others of its node.  Where one
 * that this rank waits for is on another CPU its answer is there long before a
 * yield would be over, and as long as neither yields the kernel leaves both of
 * them there, for a time slice.  Where none is, each look is one too many.
 *
 * Who was taken off its CPU does not say so: then a wait looks for longer in
 * vain, WF_SPIN_IN_A_CROWD times, once in a time slice.
 */
#ifndef WEFT_JOB_YIELD_H
#define WEFT_JOB_YIELD_H

#include <stdbool.h>

struct weft_job;

/*
 * Is one that this rank waits for on a CPU?  Of those of one poller the first
 * few are asked about.
 */
bool wf_job_is_served(struct weft_job *job);

/* Not on a CPU from now on, or again. */
void wf_job_set_away(struct weft_job *job, bool away);

void wf_job_yield(struct weft_job *job);

#endif
