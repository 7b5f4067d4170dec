/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An intracommunicator of the ranks of both groups.  An allreduce of two
 * numbers tells all ranks what each group passes.
 */
#include <stdlib.h>
#include "base/handle.h"
#include "coll/reduction.h"
#include "derive/child.h"
#include "topo/inter.h"

/* Does the group that is the first one come first?  Told if it fails. */
static int agree(struct wf_child *child, bool high, bool *as_it_is_p)
{
	struct weft_comm *comm = child->parent;
	int says[2] = { 0, 0 };
	const struct wf_reduction given = {
		.in = WEFT_IN_PLACE, .out = { says, 2, &weft_type_int32 },
		.op = &weft_op_max, .by = WF_COLL_ALLREDUCE
	};
	int status;

	says[comm->across->local_first > 0] = high;
	status = wf_reduction_run(comm, child->call, &given);
	*as_it_is_p = says[0] <= says[1];
	return status;
}

/* The second group in front of the first one. */
static int swap(const struct weft_comm *comm, struct weft_group **group_p)
{
	int n = comm->size;
	int first = wf_remote_first(comm) + comm->across->local_first;
	int *table = malloc((size_t)n * sizeof(*table));

	for (int r = 0; table && r < n; r++)
		table[r] = wf_comm_world_rank(comm, (first + r) % n);
	return wf_group_make(comm->job, table, n, group_p);
}

static int merge(struct wf_child *child, bool high)
{
	struct weft_comm *comm = child->parent;
	struct weft_group *group;
	bool as_it_is;
	int status = agree(child, high, &as_it_is);

	if (status)
		return status;
	if (as_it_is)
		group = wf_group_hold(comm->group);
	else if (swap(comm, &group))
		return wf_child_starves(child);
	return wf_child_make(child, group);
}

int weft_intercomm_merge(struct weft_comm *inter, bool high,
			 struct weft_comm **merged_p)
{
	struct wf_child child = WF_CHILD_OF(inter, "weft_intercomm_merge",
					    "merged_p");
	int status;

	wf_no_handle(merged_p);
	status = inter && !inter->across ? wf_child_enter(&child) :
					   wf_child_begin(&child);
	if (status)
		return status;
	if (inter->across)
		status = merge(&child, high);
	else
		status = wf_job_fail_for(inter->job, WEFT_ARGUMENT_COMM,
					 WEFT_ERR_ARG, "%s: inter is an "
					 "intracommunicator", child.call);
	return wf_child_end(&child, status, merged_p);
}
