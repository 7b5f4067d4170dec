/* SPDX-License-Identifier: BSD-3-Clause */
/* What has become of the context ids. */
#include "comm/comm.h"

int weft_context_query(struct weft_job *job, struct weft_contexts *contexts_p)
{
	int status = job && contexts_p ? wf_job_ask(job) :
		wf_job_refuse(job, "weft_context_query", "contexts_p");
	const struct wf_contexts *ctx;

	if (status)
		return status;
	ctx = wf_contexts(job);
	*contexts_p = (struct weft_contexts){
		.made = ctx->made, .live = ctx->comms.count,
		.refills = ctx->refills,
		.left = ctx->ids.mint_end - ctx->ids.mint_next
	};
	wf_job_leave(job);
	return WEFT_OK;
}
