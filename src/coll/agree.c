/* SPDX-License-Identifier: BSD-3-Clause */
/* The allreduce of statuses that ends a collective constructor: see agree.h. */
#include "coll/agree.h"

#include <string.h>
#include "coll/reduction.h"

/* Behind any error, as no rank is INT_MAX. */
static const int64_t more = -1;

/* The least word has the worst status, and the lowest rank that has it. */
static int64_t word_of(const struct wf_saying *s)
{
	if (s->status)
		return s->status * (INT64_C(1) << 31) + s->whose;
	return s->more ? more : 0;
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

/* What is wrong there; without a text: it could not be told. */
static void hear(struct weft_comm *comm, const char *call, int rank,
		 struct wf_failure *failure)
{
	if (comm->rank != rank)
		memset(failure, 0, sizeof(*failure));
	if (reduce(comm, call, weft_part(failure, sizeof(*failure),
					 &weft_type_uint8), &weft_op_bor))
		failure->text[0] = 0;
}

static int fail_as(struct weft_comm *comm, const char *call, int64_t word,
		   const struct wf_failure *own)
{
	int status = status_in(word), rank = rank_in(word);
	struct wf_failure heard = *own;

	hear(comm, call, rank, &heard);
	if (heard.text[0])
		return wf_job_fail_for(comm->job, heard.argument, status,
				       "rank %d of the communicator: %s", rank,
				       heard.text);
	return wf_job_fail(comm->job, status, "%s: rank %d of the "
			   "communicator failed with %s", call, rank,
			   weft_status_name(status));
}

int wf_agree_least(struct weft_comm *comm, const char *call,
		   struct wf_saying *saying)
{
	const struct wf_failure failure = *wf_failure(comm->job);
	size_t bytes = (size_t)saying->n * sizeof(saying->least[0]);
	int64_t word[1 + WF_AGREE_LEAST] = { word_of(saying) };
	int agreed;

	memcpy(word + 1, saying->least, bytes);
	agreed = reduce(comm, call, weft_part(word, 1 + saying->n,
					      &weft_type_int64), &weft_op_min);
	wf_coll_strays(comm, agreed);
	if (!agreed && word[0] < more)
		agreed = fail_as(comm, call, word[0], &failure);
	if (saying->status &&
	    (saying->whose == comm->rank || agreed != saying->status)) {
		*wf_failure(comm->job) = failure;
		return saying->status;
	}
	memcpy(saying->least, word + 1, bytes);
	saying->more = word[0] == more;
	return agreed;
}

int wf_agree(struct weft_comm *comm, const char *call, int status)
{
	struct wf_saying saying = { .status = status, .whose = comm->rank };

	return wf_agree_least(comm, call, &saying);
}
