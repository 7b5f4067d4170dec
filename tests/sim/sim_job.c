/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Joins a simulated rank to its job: the hooks of a job's environment are
 * those of the simulator, the only backend is the simulated one.
 */
#include "tests/sim/sim_job.h"

#include "comm/world.h"
#include "job/job.h"
#include "job/liveness.h"
#include "job/peer.h"

static void end(void *rank)
{
	wf_sim_die(rank);
}

static bool say_lost(struct wf_peer *peer)
{
	return wf_sim_break_off(peer->job->env.arg, peer->rank);
}

/* Upcalls tell all but what real ranks say by their lifelines. */
static const struct wf_live_ops *life(void)
{
	static struct wf_live_ops ops;

	ops = wf_live_told;
	ops.say_lost = say_lost;
	return &ops;
}

int wf_sim_job_open(struct wf_sim_rank *rank, struct weft_job **job_p)
{
	return wf_sim_job_open_soon(rank, 0, job_p);
}

int wf_sim_job_open_soon(struct wf_sim_rank *rank, uint32_t mailed_epochs,
			 struct weft_job **job_p)
{
	static const struct wf_tp_ops *const backends[] = { &wf_sim_tp, NULL };
	static char *const settings[] = {
		"WEFT_ARENA=64k", "WEFT_ARENA_MAX=64m", NULL
	};
	const uint64_t seed = wf_sim_seed(rank);
	struct weft_job_options options;
	struct wf_job_env env = {
		.size = sizeof(env), .options = &options,
		.environ = wf_sim_environ(rank), .tps = backends,
		.world = wf_sim_world(rank), .live = life(),
		.now = wf_sim_now, .idle = wf_sim_idle,
		.copied = wf_sim_copied, .reduced = wf_sim_reduced, .end = end,
		.arg = rank, .seed = &seed, .mailed_epochs = mailed_epochs
	};

	weft_job_options_init(&options, sizeof(options));
	options.inproc = wf_sim_inproc(rank);
	options.inproc_rank = wf_sim_rank(rank);
	if (!env.environ)
		env.environ = settings;
	return wf_job_open_env(&env, job_p);
}
