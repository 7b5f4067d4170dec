/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The simulator for the conformance suite, played by one thread. Each case
 * has its seed; FIXTURE_SEED chooses other worlds for all of them. Compiled
 * once for each encoding of lines; with LL ones half of the puts are torn, too.
 */
#include "tests/transport/fixture.h"
#include "transport/sim/sim_world.h"

#ifdef FIXTURE_SIM_LL
enum { LL = true, TEAR_ONE_IN = 2, ENCODING_CAPS = 0 };
#else
enum { LL = false, TEAR_ONE_IN = 0, ENCODING_CAPS = WF_CAP_LINE_PLAIN };
#endif

static void *world_create(int n, uint64_t seed)
{
	struct wf_sim_options options;
	struct wf_sim *world = NULL;

	wf_sim_options_init(&options, n, seed +
			    1000 * (uint64_t)tap_figure("FIXTURE_SEED", 1));
	wf_sim_options_vary(&options);
	wf_sim_options_unsignal(&options);
	options.put_mail_order = true;
	options.ll_lines = LL;
	options.tear_one_in = TEAR_ONE_IN;
	if (wf_sim_create(&options, &world)) {
		tap_diag("no simulated world");
		exit(1);
	}
	return world;
}

static void world_destroy(void *world)
{
	wf_sim_destroy(world);
}

static uint64_t violations(const void *world, const char **first_p)
{
	const struct wf_sim_result *result = &((const struct wf_sim *)
					       world)->result;

	*first_p = result->text;
	return result->violations;
}

static void idle(void *world)
{
	wf_sim_advance(world);
}

static void kill_rank(void *world, int rank)
{
	wf_sim_kill(world, rank);
}

const struct fixture_backend fixture_backend = {
	.name = "sim",
	.tp = &wf_sim_tp,
	.kind = WF_SEGMENT_ANONYMOUS,
	.world_create = world_create,
	.world_destroy = world_destroy,
	.violations = violations,
	.idle = idle,
	.kill = kill_rank,
	.caps = WF_CAP_FENCE | WF_CAP_LOCAL_ANY | WF_CAP_PUT_MAIL_ORDER |
		WF_CAP_GET | WF_CAP_ATOMIC | WF_CAP_LINE_WAKES |
		WF_CAP_SEES_CLOSED |
		ENCODING_CAPS,
	.caps_vary = WF_CAP_TARGET_IDLE
};
