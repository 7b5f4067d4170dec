/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory runs out once, at each allocation in turn, while threads open,
 * connect, and close the ranks of a job over shared memory: each rank ends
 * with a status that says so, and all memory is given back.
 *
 * Which thread is hit is chance; what must hold is not.
 */
#include <pthread.h>
#include <weft.h>
#include "tests/fail_malloc.h"
#include "tests/meet.h"

enum { MOST = 3 };			/* ranks */

struct rank {
	pthread_t thread;
	struct weft_inproc *inproc;
	int rank;
	int opened, met, closed;
};

static void *rank_main(void *arg)
{
	struct rank *rank = arg;
	struct weft_job_options options;
	struct weft_job *job = NULL;

	weft_job_options_init(&options, sizeof(options));
	options.inproc = rank->inproc;
	options.inproc_rank = rank->rank;
	rank->opened = weft_job_open(&options, &job);
	if (rank->opened) {
		TAP_CHECK(!job);
		return NULL;
	}
	rank->met = meet(job);
	rank->closed = weft_job_close(job);
	return NULL;
}

static void run(int n, struct rank *rank, long fail_at)
{
	struct weft_inproc *inproc;

	fail_malloc_at(0);
	if (!TAP_EQUAL(weft_inproc_create(n, &inproc), WEFT_OK))
		return;
	fail_malloc_once(fail_at);
	for (int r = 0; r < n; r++) {
		rank[r] = (struct rank){ .inproc = inproc, .rank = r };
		pthread_create(&rank[r].thread, NULL, rank_main, &rank[r]);
	}
	for (int r = 0; r < n; r++)
		pthread_join(rank[r].thread, NULL);
}

/* What the threads' shared object holds is not the ranks' to give back. */
static void end(struct rank *rank)
{
	weft_inproc_free(&rank[0].inproc);
}

static void judge(int n, const struct rank *rank, bool failed)
{
	int told = 0;

	for (int r = 0; r < n; r++) {
		int o = rank[r].opened, m = rank[r].met;

		TAP_CHECK(!o || o == WEFT_ERR_NOMEM || o == WEFT_ERR_TIMEOUT);
		TAP_CHECK(!m || m == WEFT_ERR_NOMEM || m == WEFT_ERR_PEER);
		TAP_EQUAL(rank[r].closed, WEFT_OK);
		told += o || m;
	}
	TAP_CHECK(failed || !told);
}

static void sweep(void)
{
	struct rank rank[MOST];

	for (int n = 1; n <= MOST; n++) {
		long all, blocks;

		/* those that do not come are not waited for so long */
		unsetenv("WEFT_TIMEOUT");
		run(n, rank, 0);
		all = fail_malloc_count();
		judge(n, rank, false);
		end(rank);
		setenv("WEFT_TIMEOUT", "50ms", 1);
		for (long k = 1; k <= all && !tap.failures; k++) {
			run(n, rank, k);
			judge(n, rank, true);
			end(rank);
			blocks = fail_malloc_blocks();
			/* the object itself is older than the count */
			TAP_EQUAL(blocks, -1);
			if (tap.failures)
				tap_diag("%d ranks, allocation %ld of %ld", n,
					 k, all);
		}
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "at each allocation of open, connect and close", sweep }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
