/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that combine one vector per rank: what they have in common. */
#ifndef WEFT_COLL_REDUCTION_H
#define WEFT_COLL_REDUCTION_H

#include "coll/call.h"

/* What such a call is given. */
struct wf_reduction {
	const void *in;			/* may be WEFT_IN_PLACE */
	struct weft_part out;
	const struct weft_op *op;
	enum wf_coll_op by;
	int root;			/* 0 where there is none */
};

/*
 * How elements of a type, which errors call by this name, are combined: fills
 * in one of zeros.  An error is told.
 */
int wf_reduction_find(struct weft_job *job, const char *call, const char *name,
		      const struct weft_type *type, const struct weft_op *op,
		      struct wf_combination *with);

/*
 * count elements for each of n ranks, together.  An error that names the count
 * is told where they exceed 2^63, or it was below 0.
 */
int wf_reduction_count(struct weft_job *job, const char *call, size_t count,
		       int n, size_t *all_p);

/* Fills in the combination and the bytes; its status was told. */
int wf_reduction_check(struct weft_job *job, const char *call,
		       const struct wf_reduction *given,
		       struct wf_coll_key *key);

/* The reader of calls that are given one. */
int wf_reduction_read(struct weft_comm *comm, const void *given,
		      struct wf_coll_call *c);

/* One that blocks, with the job entered: the short way of wf_call_block(). */
int wf_reduction_run(struct weft_comm *comm, const char *call,
		     const struct wf_reduction *given);

/* The same as a public call. */
int wf_reduction_call(struct weft_comm *comm, const char *call,
		      const struct wf_reduction *given);

#endif
