/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that combine one vector per rank: what they have in common. */
#ifndef WEFT_COLL_REDUCTION_H
#define WEFT_COLL_REDUCTION_H

#include "coll/coll.h"

/* What such a call is given. */
struct wf_reduction {
	const void *in;			/* may be WEFT_IN_PLACE */
	struct weft_part out;
	const struct weft_op *op;
};

/* Fills in the combination and the bytes; its status was told. */
int wf_reduction_check(struct weft_job *job, const char *call,
		       const struct wf_reduction *given,
		       struct wf_coll_key *key);

/* By the plans of a builder; with the job entered. */
int wf_reduction_run(struct weft_comm *comm, const char *call,
		     wf_coll_builder build, const struct wf_reduction *given);

/* The same as a public call. */
int wf_reduction_call(struct weft_comm *comm, const char *call,
		      wf_coll_builder build, const struct wf_reduction *given);

#endif
