/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Agreement on failures.  Called by everything that runs on all ranks; the
 * only place of weft-cg that writes errors once the job is open.
 */
#include "cg_ranks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft.h>

void cg_ranks_init(struct cg_ranks *ranks, struct weft_job *job)
{
	ranks->job = job;
	ranks->world = weft_job_world(job);
	ranks->rank = weft_job_rank(job);
	ranks->size = weft_job_size(job);
}

void cg_ranks_follow(struct cg_ranks *ranks, struct weft_comm *comm)
{
	ranks->world = comm;
	ranks->rank = weft_comm_rank(comm);
}

int cg_agree(const struct cg_ranks *ranks, int status,
	     const struct cg_why *why)
{
	int64_t mine = status ? ranks->rank : ranks->size, lowest;
	int called;

	called = weft_allreduce(ranks->world, &mine,
				weft_part(&lowest, 1, &weft_type_int64),
				&weft_op_min);
	if (cg_called(ranks, "agreeing", called))
		return -1;
	if (lowest == ranks->rank)
		fprintf(stderr, "weft-cg: %s\n", why->text);
	return lowest < ranks->size ? -1 : 0;
}

int cg_called(const struct cg_ranks *ranks, const char *what, int status)
{
	char line[400];
	const char *text;

	if (status == WEFT_OK)
		return 0;
	text = weft_error_text(ranks->job);
	snprintf(line, sizeof(line), "rank %d: %s: %s", ranks->rank, what,
		 *text ? text : weft_status_text(status));
	if (status != WEFT_ERR_PEER)
		weft_job_abort(ranks->job, EXIT_FAILURE, line);
	fprintf(stderr, "weft-cg: %s\n", line);
	return -1;
}
