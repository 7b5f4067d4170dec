/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Virtual time of an allreduce, one rank per node, hdr200: what the library's
 * own code takes against what its algorithm takes on paper. A step more, a post
 * in vain, a look too late or a byte copied without need shows in the
 * picoseconds.
 */
#include <stdlib.h>
#include <weft.h>

#include "tests/sim/sim_job.h"
#include "tests/tap.h"

enum {
	WARM = 6,		/* the first go by mail, one opens channels */
	CALLS = 1,
	/* hdr200, ps */
	FIRST = 100000,
	POST = 70000,
	POLL = 30000,
	WIRE = 800000,
	FLIGHT = WIRE + 2726,	/* of a line */
	REDUCE = 8 * 60,	/* of an element */
	/*
	 * A stage of radix 8: six more posts; all arrivals but the last are
	 * looked at before.
	 */
	EIGHT = FIRST + 6 * POST + FLIGHT + POLL + 7 * REDUCE
};

struct call {
	size_t n;		/* elements */
	uint64_t start, end;	/* of the last rank */
};

static void later(uint64_t *time, uint64_t than)
{
	if (*time < than)
		*time = than;
}

static void calls(struct wf_sim_rank *rank, struct weft_job *job,
		  struct call *call)
{
	int64_t ranks = wf_sim_size(rank), *v = calloc(call->n, sizeof(*v));

	for (int i = 0; v && i < WARM + CALLS; i++) {
		v[call->n - 1] = wf_sim_rank(rank);
		if (i == WARM)
			later(&call->start, wf_sim_now_ps(rank));
		if (weft_allreduce(weft_job_world(job), WEFT_IN_PLACE,
				   weft_part(v, call->n, &weft_type_int64),
				   &weft_op_sum) ||
		    v[call->n - 1] != ranks * (ranks - 1) / 2)
			wf_sim_fail(rank, "call %d: %s", i,
				    weft_error_text(job));
	}
	later(&call->end, wf_sim_now_ps(rank));
	free(v);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct weft_job *job;

	if (wf_sim_job_open(rank, &job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	calls(rank, job, arg);
	if (weft_job_close(job))
		wf_sim_fail(rank, "cannot close the job");
}

/* Picoseconds of one call; 0: it failed. */
static uint64_t measure(int ranks, char *radix, size_t n)
{
	char *environ[] = {
		"WEFT_ARENA=64k", "WEFT_ARENA_MAX=64m", radix, NULL
	};
	struct call call = { .n = n };
	struct wf_sim_options options;
	struct wf_sim_result result;
	uint64_t each;

	wf_sim_options_init(&options, ranks, 1);
	options.ranks_per_node = 1;
	options.net = wf_sim_net_find("hdr200");
	options.environ = environ;
	if (!TAP_EQUAL(wf_sim_run(&options, program, &call, &result),
		       WEFT_OK))
		return 0;
	if (!TAP_EQUAL(result.violations, 0))
		tap_diag("%s", result.text);
	each = (call.end - call.start) / CALLS;
	tap_diag("%d ranks, %s, %zu bytes: %.3f us", ranks,
		 radix ? radix : "as usual", 8 * n, (double)each / 1e6);
	return each;
}

/* A stage of radix 2: one line there and one back, at once. */
static void by_two(void)
{
	char radix[] = "WEFT_COLL=radix:2";

	for (int stages = 1; stages <= 7; stages++)
		TAP_EQUAL(measure(1 << stages, radix, 1),
			  stages * (FIRST + FLIGHT + POLL + REDUCE));
}

static void by_eight(void)
{
	uint64_t four = measure(4, NULL, 1);

	TAP_EQUAL(measure(8, NULL, 1), EIGHT);
	TAP_EQUAL(measure(16, NULL, 1), 2 * four);
	TAP_EQUAL(measure(64, NULL, 1), 2 * EIGHT);
	TAP_EQUAL(measure(128, NULL, 1), EIGHT + 2 * four);
}

static void at_scale(void)
{
	if (tap_figure("MOST_RANKS", 4096) < 4096) {
		tap_skip("MOST_RANKS is less than 4096");
		return;
	}
	TAP_EQUAL(measure(4096, NULL, 1), 4 * EIGHT);
}

/*
 * The ready line there, 1 MiB back straight into scratch memory, word that it
 * has arrived and the source may be overwritten; then each byte is reduced.
 */
static void by_the_byte(void)
{
	const uint64_t n = 1 << 20;

	TAP_EQUAL(measure(2, NULL, n / 8),
		  FIRST + FLIGHT + POLL +
		  FIRST + WIRE + n * 426 / 10 + WIRE + n * 60);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "radix 2, up to 128 ranks", by_two },
		{ "radix 8, up to 128 ranks", by_eight },
		{ "radix 8, 4096 ranks", at_scale },
		{ "1 MiB", by_the_byte },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
