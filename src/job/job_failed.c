/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which ranks are dead: the question of programs that go on without them.
 */
#include <stdlib.h>
#include "job/job.h"
#include "job/peer.h"

static int ascending(const void *a, const void *b)
{
	int left = *(const int *)a, right = *(const int *)b;

	return (left > right) - (left < right);
}

/* Counts the dead, and keeps their ranks where there is room. */
static int collect(const struct weft_job *job, int *ranks)
{
	size_t cursor = 0;
	uint64_t rank;
	void *peer;
	int n = 0;

	while (wf_map_next(&job->peers, &cursor, &rank, &peer)) {
		if (((struct wf_peer *)peer)->state != WF_PEER_DEAD)
			continue;
		if (ranks)
			ranks[n] = (int)rank;
		n++;
	}
	return n;
}

int weft_job_failed(struct weft_job *job, const int **ranks_p, int *n_p)
{
	int status = job && ranks_p && n_p ? wf_job_ask(job) :
		wf_job_refuse(job, "weft_job_failed",
			      ranks_p ? "n_p" : "ranks_p");
	int *ranks, n;

	if (status)
		return status;
	job->asked = true;
	/* an operation of the program is in the middle of a look */
	if (!wf_job_is_in_op(job))
		wf_job_look(job);
	n = collect(job, NULL);
	/* Never 0 bytes: NULL would be no memory. */
	ranks = realloc(job->failed, ((size_t)n + 1) * sizeof(*ranks));
	if (ranks) {
		job->failed = ranks;
		collect(job, ranks);
		qsort(ranks, (size_t)n, sizeof(*ranks), ascending);
		*ranks_p = ranks;
		*n_p = n;
	} else {
		status = wf_job_fail(job, WEFT_ERR_NOMEM, "no memory for a "
				     "list of %d ranks", n);
	}
	wf_job_leave(job);
	return status;
}
