/* SPDX-License-Identifier: BSD-3-Clause */
/* The allreduce of statuses that ends a collective constructor: see agree.h. */
#include "coll/agree.h"

#include <string.h>
#include "coll/reduction.h"

/* The least word has the worst status, and the lowest rank that has it. */
static int64_t word_of(int status, int rank)
{
	return status ? status * (INT64_C(1) << 31) + rank : 0;
}

static int rank_in(int64_t word)
{
	return (int)(word & INT32_MAX);
}

static int status_in(int64_t word)
{
	return (int)((word - rank_in(word)) / (INT64_C(1) << 31));
}

static int reduce(struct weft_comm *comm, const char *call,
		  struct weft_part part, const struct weft_op *op)
{
	const struct wf_reduction r = {
		WEFT_IN_PLACE, part, op, WF_COLL_ALLREDUCE, 0
	};

	return wf_reduction_run(comm, call, &r);
}

/* What is wrong there; empty: it could not be told. */
static void hear(struct weft_comm *comm, const char *call, int rank,
		 char text[WF_ERROR_TEXT])
{
	if (comm->rank != rank)
		memset(text, 0, WF_ERROR_TEXT);
	if (reduce(comm, call, weft_part(text, WF_ERROR_TEXT,
					 &weft_type_uint8), &weft_op_bor))
		text[0] = 0;
}

static int fail_as(struct weft_comm *comm, const char *call, int64_t word,
		   const struct wf_failure *own)
{
	int status = status_in(word), rank = rank_in(word);
	char text[WF_ERROR_TEXT];

	memcpy(text, own->text, sizeof(text));
	hear(comm, call, rank, text);
	if (text[0])
		return wf_job_fail(comm->job, status, "rank %d of the "
				   "communicator: %s", rank, text);
	return wf_job_fail(comm->job, status, "%s: rank %d of the "
			   "communicator failed with %s", call, rank,
			   weft_status_name(status));
}

int wf_agree_least(struct weft_comm *comm, const char *call, int status,
		   int64_t *least, int n)
{
	struct weft_job *job = comm->job;
	const struct wf_failure failure = *wf_failure(job);
	int64_t word[1 + WF_AGREE_LEAST] = { word_of(status, comm->rank) };
	int agreed;

	if (n)
		memcpy(word + 1, least, (size_t)n * sizeof(*least));
	agreed = reduce(comm, call, weft_part(word, 1 + n, &weft_type_int64),
			&weft_op_min);
	wf_coll_strays(comm, agreed);
	if (!agreed && word[0])
		agreed = fail_as(comm, call, word[0], &failure);
	if (status) {
		*wf_failure(job) = failure;
		return status;
	}
	if (n)
		memcpy(least, word + 1, (size_t)n * sizeof(*least));
	return agreed;
}

int wf_agree(struct weft_comm *comm, const char *call, int status)
{
	return wf_agree_least(comm, call, status, NULL, 0);
}
