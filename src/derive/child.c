/* SPDX-License-Identifier: BSD-3-Clause */
/* What all constructors of communicators have in common: see child.h. */
#include "derive/child.h"

#include "derive/block.h"
#include "p2p/p2p.h"
#include "plan/inquiry.h"

int wf_child_enter(struct wf_child *child)
{
	int status = wf_comm_enter_by(child->parent, child->call);

	if (status)
		return status;
	wf_inquiry_listen(child->parent->job);
	wf_office_expect(child->parent->job);
	wf_comm_hold(child->parent);	/* callbacks may free it */
	return WEFT_OK;
}

int wf_child_begin(struct wf_child *child)
{
	int status = wf_child_enter(child);

	if (status)
		return status;
	status = wf_block_take(child->parent, child->call, &child->block);
	return status ? wf_comm_leave_held(child->parent, status) : WEFT_OK;
}

int wf_child_check(const struct wf_child *child,
		   const struct weft_group *group)
{
	struct weft_comm *comm = child->parent;

	if (!group)
		return wf_job_fail_for(comm->job, WEFT_ARGUMENT_GROUP,
				       WEFT_ERR_ARG, "%s: group is NULL",
				       child->call);
	if (group->job && group->job != comm->job)
		return wf_job_fail_for(comm->job, WEFT_ARGUMENT_GROUP,
				       WEFT_ERR_ARG, "%s: the group is of "
				       "another job", child->call);
	for (int r = 0; r < group->size; r++) {
		int who = wf_group_world_rank(group, r);

		if (wf_group_find(comm->group, who) < 0)
			return wf_job_fail_for(comm->job, WEFT_ARGUMENT_GROUP,
					       WEFT_ERR_ARG, "%s: rank %d of "
					       "the group, rank %d of the "
					       "world, is not in the "
					       "communicator", child->call, r,
					       who);
	}
	return WEFT_OK;
}

int wf_child_starves(const struct wf_child *child)
{
	return wf_job_fail(child->parent->job, WEFT_ERR_NOMEM,
			   "%s: no memory for a communicator", child->call);
}

int wf_child_make(struct wf_child *child, struct weft_group *group)
{
	return wf_child_settle(child, wf_comm_new(child->parent->job, group));
}

int wf_child_settle(struct wf_child *child, struct weft_comm *comm)
{
	child->used = true;
	if (wf_comm_settle(child->parent->job, comm, &child->block,
			   &child->made))
		return wf_child_starves(child);
	child->made->origin = child->origin;
	if (child->parent->errors)	/* a new one has none yet */
		wf_comm_set_errors(child->made, child->parent->errors);
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
	} else if (!child->used && child->block.low < child->block.end) {
		wf_cid_pass_over(&wf_contexts(job)->ids, child->block.low,
				 child->block.end);
	}
	wf_ports_clear(job);
}

/* All of an end but its leave. */
static inline int finish(struct wf_child *child, int status,
			 struct weft_comm **made_p)
{
	struct weft_job *job = child->parent->job;

	if (!status && !made_p)
		status = wf_job_fail(job, WEFT_ERR_ARG, "%s: %s is NULL",
				     child->call, child->result);
	if (status || !child->made)
		give_up(child);
	if (!status)
		*made_p = child->made;
	return status;
}

int wf_child_end(struct wf_child *child, int status, struct weft_comm **made_p)
{
	if (wf_job_is_child(child->parent->job))
		return WEFT_ERR_FORKED;
	status = finish(child, status, made_p);
	return wf_comm_leave_held(child->parent, status);
}

int wf_child_end_quietly(struct wf_child *child, int status,
			 struct weft_comm **made_p)
{
	struct weft_job *job = child->parent->job;

	status = finish(child, status, made_p);
	wf_comm_drop(child->parent);
	wf_job_leave(job);
	return status;
}
