/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A communicator of a group alone, without one that has all of it: as
 * weft_comm_create_group() of the world, whose mails are told apart by a text
 * instead of a tag.  It has no handler of errors, and none is called.
 */
#include <limits.h>
#include <string.h>
#include "base/handle.h"
#include "base/hash.h"
#include "derive/child.h"
#include "derive/relay.h"

static int check(const struct wf_child *child, const struct weft_group *group,
		 const char *tag)
{
	if (!tag)
		return wf_job_fail_null(child->parent->job, child->call, "tag");
	if (group->rank < 0)
		return wf_job_fail_for(child->parent->job, WEFT_ARGUMENT_GROUP,
				       WEFT_ERR_ARG, "%s: this rank is not in "
				       "the group", child->call);
	return WEFT_OK;
}

/* Below 0, where no tag of a program is. */
static int number_of(const char *tag)
{
	return (int)(wf_hash64(tag, strlen(tag), 0) & INT_MAX) - INT_MAX - 1;
}

static int create(struct wf_child *child, const struct weft_group *group,
		  const char *tag)
{
	int status = check(child, group, tag);

	if (!status)
		status = wf_relay_block(child->parent, group, number_of(tag),
					child->call, &child->block);
	if (!status)
		status = wf_child_make(child, wf_group_hold(group));
	if (child->made)
		wf_comm_take_errors(child->made, NULL);
	return status;
}

int weft_comm_create_from_group(const struct weft_group *group,
				const char *tag, struct weft_comm **created_p)
{
	struct weft_job *job = group ? group->job : NULL;
	struct wf_child child = WF_CHILD_OF(job ? job->world : NULL,
					    "weft_comm_create_from_group",
					    "created_p");
	int status;

	wf_no_handle(created_p);
	if (!job)
		return wf_group_refuse(child.call, group, NULL, "group");
	status = wf_child_enter(&child);
	if (status)
		return status;
	status = create(&child, group, tag);
	return wf_child_end_quietly(&child, status, created_p);
}
