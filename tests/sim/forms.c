/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All collectives, blocking, nonblocking and persistent, in one random order:
 * any number of ranks, all roots, kinds of elements and lengths.
 */
#include "tests/coll/play_coll.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

static char radix[sizeof("WEFT_COLL=radix:16")] = "WEFT_COLL=radix:8";

/* Few bytes make every class; the usual classes. */
static char *small[] = {
	"WEFT_SLOT_MAX=1024", "WEFT_CHUNK=256", "WEFT_ARENA=64k",
	"WEFT_ARENA_MAX=256m", radix, NULL
};
static char *usual[] = {
	"WEFT_ARENA=64k", "WEFT_ARENA_MAX=256m", radix, NULL
};

struct setting {
	int deeds;
	size_t most;			/* elements of a vector */
	uint64_t seed;
};

static void program(struct wf_sim_rank *rank, void *arg)
{
	const struct setting *setting = arg;
	struct play_coll play = {
		.seed = setting->seed, .deeds = setting->deeds,
		.most = setting->most
	};
	struct weft_job *job;

	if (wf_sim_job_open(rank, &job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	play.comm = weft_job_world(job);
	play_coll(&play);
	if (play.why[0])
		wf_sim_fail(rank, "%s", play.why);
	if (weft_job_close(job))
		wf_sim_fail(rank, "close: %s", weft_error_text(job));
}

/* Each size with a radix and a program of its own. */
static bool play(int ranks, long seeds, char *const *env, size_t most)
{
	static const char *const radixes[] = { "2", "4", "8", "16" };
	struct setting setting = {
		.deeds = ranks > 40 ? 12 : 40, .most = most
	};
	long first = tap_figure("FIRST_SEED", 1);

	for (long k = first; k < first + tap_figure("SEEDS", seeds); k++) {
		setting.seed = (uint64_t)(k * 1000 + ranks);
		snprintf(radix, sizeof(radix), "WEFT_COLL=radix:%s",
			 radixes[(k + ranks) % 4]);
		if (!sim_flow_seeds(ranks, 1, env, program, &setting)) {
			tap_diag("%d ranks, %s, program %ld", ranks, radix, k);
			return false;
		}
	}
	return true;
}

static void few_bytes(void)
{
	for (int ranks = 1; ranks <= 33; ranks++)
		if (!play(ranks, 1, small, 300))
			return;
}

static void many_bytes(void)
{
	static const int sizes[] = { 1, 2, 3, 5, 8, 9, 13, 17 };

	for (int i = 0; i < TAP_COUNT(sizes); i++)
		if (!play(sizes[i], 2, usual, 20000))
			return;
}

static void many_ranks(void)
{
	static const int sizes[] = { 64, 96, 127, 128, 144 };

	for (int i = 0; i < TAP_COUNT(sizes); i++)
		if (!play(sizes[i], 1, small, 60))
			return;
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "in all classes, by few bytes", few_bytes },
		{ "in the usual classes", many_bytes },
		{ "of many ranks", many_ranks },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
