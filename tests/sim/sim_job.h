/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A job of simulated ranks: what weft_job_open() is to a process.
 */
#ifndef WEFT_TESTS_SIM_JOB_H
#define WEFT_TESTS_SIM_JOB_H

#include "transport/sim/sim.h"

struct weft_job;

/*
 * By the rank itself. The WEFT_* settings are those of the options of the
 * simulation; without any the segment is small, so that many ranks fit.
 */
int wf_sim_job_open(struct wf_sim_rank *rank, struct weft_job **job_p)
	WEFT_MUST_CHECK;

/*
 * The same where only so many epochs of an edge go by mail before its channel
 * is opened; all ranks must say the same number. 0: as many as usual.
 */
int wf_sim_job_open_soon(struct wf_sim_rank *rank, uint32_t mailed_epochs,
			 struct weft_job **job_p) WEFT_MUST_CHECK;

#endif
