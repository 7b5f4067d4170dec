/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The same as tests/sim/graph_churn.c, between processes: neither heap nor what
 * a rank holds of its segment grows.
 */
#include "job/job.h"
#include "tests/fail_malloc.h"
#include "tests/graph_churn.h"
#include "tests/ranks.h"
#include "tests/tap.h"

enum {
	RANKS = 3,
	WARM = 200,			/* graphs until tables are large */
	SLACK = 4096			/* bytes */
};

static struct weft_job *job;

static void make(struct churn *c, long graphs)
{
	const char *wrong = NULL;

	while (graphs-- && !wrong)
		wrong = churn_step(c);
	if (!wrong)
		wrong = churn_end(c);
	if (!TAP_CHECK(!wrong))
		tap_diag("graph %ld: %s: %s", (long)c->made, wrong,
			 weft_error_text(job));
	TAP_EQUAL(weft_barrier(weft_job_world(job)), WEFT_OK);
}

static void in_flight(void)
{
	long bytes, after;
	size_t blocks;
	struct churn churn;

	churn_init(&churn, weft_job_world(job));
	make(&churn, WARM);
	bytes = fail_malloc_bytes();
	blocks = job->segment.blocks.count;
	make(&churn, tap_figure("CHURNS", 2000));
	after = fail_malloc_bytes();
	tap_diag("%ld bytes, and then %ld; %zu blocks, and then %zu", bytes,
		 after, blocks, job->segment.blocks.count);
	TAP_CHECK(after <= bytes + SLACK);
	TAP_CHECK(job->segment.blocks.count <= blocks);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "collectives in flight on the parent", in_flight }
	};
	int failed;

	ranks_start(argc, argv, RANKS, 60);
	fail_malloc_at(0);
	if (weft_job_open(NULL, &job))
		return 1;
	tap_rank(weft_job_rank(job));
	failed = tap_run(argc, argv, cases, TAP_COUNT(cases));
	return weft_job_close(job) ? 1 : failed;
}
