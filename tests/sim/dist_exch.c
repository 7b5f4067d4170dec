/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges of Dists in simulated ranks, as a serial model has them. */
#include "tests/coll/dist_play.h"
#include "tests/sim/scene.h"

static void report(void *arg, const char *text)
{
	wf_sim_fail(arg, "%s", text);
}

static void drawn(struct wf_sim_rank *rank, void *arg)
{
	struct dist_play play = { .fail = report, .arg = rank };
	struct scene s;

	if (!start(&s, rank))
		return;
	play.job = s.job;
	play.comm = s.world;
	play.me = wf_sim_rank(rank);
	dist_play(&play, *(const uint64_t *)arg);
	stop(&s);
}

static void as_a_serial_one(void)
{
	run_seeds(300, DIST_PLAY_RANKS, drawn);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "as a serial one", as_a_serial_one }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
