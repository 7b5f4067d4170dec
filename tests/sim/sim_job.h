/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A job on a rank of the simulator: the real library with the simulator's
 * clock, idle hook and backend.
 */
#ifndef TESTS_SIM_SIM_JOB_H
#define TESTS_SIM_SIM_JOB_H

#include <weft.h>
#include "comm/world.h"
#include "job/job.h"
#include "job/liveness.h"
#include "transport/sim/sim.h"

static inline int sim_job_open(struct wf_sim_rank *rank,
			       struct weft_job **job_p)
{
	static const struct wf_tp_ops *const tps[] = { &wf_sim_tp, NULL };
	uint64_t seed = wf_sim_seed(rank);
	struct weft_job_options options;
	struct wf_job_env env = {
		.size = sizeof(env), .options = &options,
		.environ = wf_sim_environ(rank), .tps = tps,
		.world = wf_sim_world(rank), .live = &wf_live_told,
		.now = wf_sim_now, .idle = wf_sim_idle, .arg = rank,
		.seed = &seed
	};

	weft_job_options_init(&options);
	options.inproc = wf_sim_inproc(rank);
	options.inproc_rank = wf_sim_rank(rank);
	return wf_job_open_env(&env, job_p);
}

#endif
