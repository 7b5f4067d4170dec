/* SPDX-License-Identifier: BSD-3-Clause */
/* What all constructors of communicators have in common: see child.h. */
#include "derive/child.h"

#include "derive/block.h"
#include "plan/inquiry.h"

int wf_child_begin(struct wf_child *child, struct weft_comm *parent,
		   const char *call, const char *result)
{
	int status = wf_comm_enter(parent);

	if (status)
		return status;
	*child = (struct wf_child){
		.call = call, .result = result, .parent = parent
	};
	wf_inquiry_listen(parent->job);
	status = wf_block_take(parent, call, &child->block);
	if (status)
		wf_job_leave(parent->job);
	else
		wf_comm_hold(parent);	/* callbacks may free it */
	return status;
}

int wf_child_starves(const struct wf_child *child)
{
	return wf_job_fail(child->parent->job, WEFT_ERR_NOMEM,
			   "%s: no memory for a communicator", child->call);
}

int wf_child_make(struct wf_child *child, struct weft_group *group)
{
	child->used = true;
	if (wf_comm_make(child->parent->job, group, &child->block,
			 &child->made))
		return wf_child_starves(child);
	return WEFT_OK;
}

/* As if it was freed: others may have theirs, and send. */
static void give_up(struct wf_child *child)
{
	struct weft_job *job = child->parent->job;

	if (child->made) {
		child->made->freed = true;
		wf_comm_drop(child->made);
		child->made = NULL;
	} else if (!child->used) {
		wf_cid_pass_over(&wf_contexts(job)->ids, child->block.low,
				 child->block.end);
	}
	wf_ports_clear(job);
}

int wf_child_end(struct wf_child *child, int status, struct weft_comm **made_p)
{
	struct weft_job *job = child->parent->job;

	if (wf_job_is_child(job))
		return WEFT_ERR_FORKED;
	if (!status && !made_p)
		status = wf_job_fail(job, WEFT_ERR_ARG, "%s: %s is NULL",
				     child->call, child->result);
	if (status || !child->made)
		give_up(child);
	if (!status)
		*made_p = child->made;
	wf_comm_drop(child->parent);
	wf_job_leave(job);
	return status;
}
