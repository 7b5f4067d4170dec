/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A communicator with some of the ranks of another one, which all know.
 *
 * All members of the parent take the ids, and groups that have no rank in
 * common share them: no process ever sees two of the children.
 */
#include <stdlib.h>
#include "base/handle.h"
#include "base/zeroed.h"
#include "coll/agree.h"
#include "coll/schedule.h"
#include "comm/across.h"
#include "derive/child.h"
#include "derive/wishes.h"
#include "type/type.h"

/* ---- WEFT_CHECK=2: have all members of my group passed it? ---- */

/* The first member that passed another one; WEFT_UNDEFINED: nobody. */
static int find_other(struct weft_comm *comm,
		      const struct weft_group *group, const uint64_t *print)
{
	for (int r = 0; group && group->rank >= 0 && r < group->size; r++) {
		int at = wf_group_find(comm->group,
				       wf_group_world_rank(group, r));

		if (at >= 0 && print[at] != print[comm->rank])
			return at;
	}
	return WEFT_UNDEFINED;
}

/* Is it the one that all members of it passed? */
static int compare(const struct wf_child *child,
		   const struct weft_group *group)
{
	struct weft_comm *comm = child->parent;
	uint64_t *print = wf_zeroed((size_t)comm->size, sizeof(*print));
	int status, other = WEFT_UNDEFINED;

	if (!print) {
		wf_allgather_refuse(comm, child->call, WEFT_ERR_NOMEM);
		return wf_child_starves(child);
	}
	/* 0: this rank is in none. */
	if (group && group->rank >= 0)
		print[comm->rank] = wf_group_print(group);
	status = wf_allgather(comm, child->call,
			      weft_part(WEFT_IN_PLACE, 0, NULL),
			      weft_part(print, 1, &weft_type_uint64));
	if (!status)
		other = find_other(comm, group, print);
	free(print);
	if (other < 0)
		return status;
	return wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: rank %d, which is in "
			   "this rank's group, passed another group: groups of "
			   "one call are equal or have no rank in common",
			   child->call, other);
}

/* The error of one is that of all.  One of another or no job counts as none. */
static int compare_groups(const struct wf_child *child,
			  const struct weft_group *group)
{
	struct weft_comm *comm = child->parent;
	bool ours = group && group->job == comm->job;
	return wf_agree(comm, child->call,
			compare(child, ours ? group : NULL));
}

static int check_own(const struct wf_child *child,
		     const struct weft_group *group)
{
	const struct weft_group *local = child->parent->across->local;
	int status = wf_child_check(child, group);

	for (int r = 0; !status && r < group->size; r++)
		if (wf_group_find(local, wf_group_world_rank(group, r)) < 0)
			status = wf_job_fail_for(child->parent->job,
						 WEFT_ARGUMENT_GROUP,
						 WEFT_ERR_ARG, "%s: rank %d of "
						 "the group is in the other of "
						 "two", child->call, r);
	return status;
}

/* Ranks of the local group, which those of the other one do not know. */
static int create_across(struct wf_child *child,
			 const struct weft_group *group,
			 struct weft_comm **created_p)
{
	const struct wf_wish nobody = { WEFT_UNDEFINED, 0 };
	int refused = check_own(child, group), status;
	const struct wf_wish wish = { 0, refused ? 0 : group->rank };

	status = wf_agree(child->parent, child->call, refused);
	if (!status)
		status = wf_wishes_across(child, group->rank < 0 ? nobody :
								   wish);
	return wf_child_end(child, status, created_p);
}

int weft_comm_create(struct weft_comm *comm, const struct weft_group *group,
		     struct weft_comm **created_p)
{
	struct wf_child child = WF_CHILD_OF(comm, "weft_comm_create",
					    "created_p");
	int status;

	wf_no_handle(created_p);
	status = comm ? wf_child_begin(&child) :
		wf_group_refuse(child.call, group, NULL, "comm");
	if (status)
		return status;
	if (comm->across)
		return create_across(&child, group, created_p);
	if (comm->job->config.check >= 2)
		status = compare_groups(&child, group);
	if (!status)
		status = wf_child_check(&child, group);
	if (!status && group->rank >= 0)
		status = wf_child_make(&child, wf_group_hold(group));
	return wf_child_end(&child, status, created_p);
}
