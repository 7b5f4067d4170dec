/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A communicator with some of the ranks of another one, where the others do not
 * take part: its ids are those of its first rank, told to the other ones.
 */
#include "base/handle.h"
#include "derive/child.h"
#include "derive/relay.h"

static int check(const struct wf_child *child, const struct weft_group *group,
		 int tag)
{
	int status = wf_child_check(child, group);

	if (!status && tag < 0)
		status = wf_job_fail_for(child->parent->job, WEFT_ARGUMENT_TAG,
					 WEFT_ERR_ARG, "%s: tag is %d, and is "
					 "to be 0 or more", child->call, tag);
	return status;
}

int weft_comm_create_group(struct weft_comm *comm,
			   const struct weft_group *group, int tag,
			   struct weft_comm **created_p)
{
	struct wf_child child = WF_CHILD_OF(comm, "weft_comm_create_group",
					    "created_p");
	int status = wf_child_refuse_across(&child);

	wf_no_handle(created_p);
	if (!status)
		status = comm ? wf_child_enter(&child) :
			wf_group_refuse(child.call, group, NULL, "comm");
	if (status)
		return status;
	status = check(&child, group, tag);
	if (!status && group->rank >= 0) {
		status = wf_relay_block(comm, group, tag, child.call,
					&child.block);
		if (!status)
			status = wf_child_make(&child, wf_group_hold(group));
	}
	return wf_child_end(&child, status, created_p);
}
