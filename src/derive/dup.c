/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator with the ranks of another one, and a context of its own. */
#include "derive/child.h"

#include "base/handle.h"
#include "comm/comm_attr.h"

/* The duplicate has all but what is for people: its name. */
static int duplicate(struct wf_child *child)
{
	struct weft_comm *comm = child->parent;
	int status = wf_child_settle(child, wf_comm_new_like(comm));

	if (!status && comm->topo && comm->topo->copy &&
	    comm->topo->copy(comm->topo, child->made))
		status = wf_child_starves(child);
	return status;
}

/* Callbacks come last: what they copied is not to be lost. */
static int finish(struct wf_child *child, int status,
		  struct weft_comm **dup_p)
{
	if (!status && dup_p)
		status = wf_comm_copy_attrs(child->parent, child->made,
				       child->call);
	return wf_child_end(child, status, dup_p);
}

int weft_comm_dup(struct weft_comm *comm, struct weft_comm **dup_p)
{
	struct wf_child child = WF_CHILD_OF(comm, "weft_comm_dup", "dup_p");
	int status;

	wf_no_handle(dup_p);
	status = wf_child_begin(&child);
	if (status)
		return status;
	status = duplicate(&child);
	if (!status)
		child.made->hints = wf_info_hold(comm->hints);
	return finish(&child, status, dup_p);
}

int weft_comm_dup_with_info(struct weft_comm *comm,
			    const struct weft_info *info,
			    struct weft_comm **dup_p)
{
	struct wf_child child = WF_CHILD_OF(comm, "weft_comm_dup_with_info",
					    "dup_p");
	int status;

	wf_no_handle(dup_p);
	status = comm ? wf_child_begin(&child) :
		wf_job_refuse(info ? info->job : NULL, child.call, "comm");
	if (status)
		return status;
	status = duplicate(&child);
	if (!status && wf_info_copy(comm->job, info, &child.made->hints))
		status = wf_child_starves(&child);
	return finish(&child, status, dup_p);
}

int weft_comm_dup_private(struct weft_comm *comm, struct weft_comm **dup_p)
{
	struct wf_child child = WF_CHILD_OF(comm, "weft_comm_dup_private",
					    "dup_p");
	int status;

	wf_no_handle(dup_p);
	status = wf_child_refuse_across(&child);
	if (!status)
		status = wf_child_begin(&child);
	if (status)
		return status;
	status = wf_child_make(&child, wf_group_hold(comm->group));
	if (!status)
		wf_comm_take_errors(child.made, NULL);
	return wf_child_end(&child, status, dup_p);
}
