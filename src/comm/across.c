/* SPDX-License-Identifier: BSD-3-Clause */
/* What an intercommunicator has of its two groups. */
#include "comm/across.h"

#include <stdlib.h>
#include <weft/inter.h>
#include "base/handle.h"

int wf_across_set(struct weft_comm *comm, const struct wf_across_ops *ops,
		  struct weft_group *local, struct weft_group *remote)
{
	struct wf_across *across = malloc(sizeof(*across));
	int first = wf_group_find(comm->group, wf_group_world_rank(local, 0));

	if (!across) {
		wf_group_drop(local);
		wf_group_drop(remote);
		return WEFT_ERR_NOMEM;
	}
	*across = (struct wf_across){
		ops, local, remote, first, first ? 0 : local->size
	};
	comm->across = across;
	comm->special = true;
	return WEFT_OK;
}

int wf_across_copy(const struct weft_comm *from, struct weft_comm *to)
{
	const struct wf_across *across = from->across;

	return wf_across_set(to, across->ops, wf_group_hold(across->local),
			     wf_group_hold(across->remote));
}

void wf_across_free(struct wf_across *across)
{
	wf_group_drop(across->local);
	wf_group_drop(across->remote);
	free(across);
}

int wf_across_refuse(struct weft_comm *comm, const char *call)
{
	return wf_job_fail_for(comm->job, WEFT_ARGUMENT_COMM, WEFT_ERR_ARG,
			       "%s: comm is an intercommunicator, and this "
			       "call needs an intracommunicator", call);
}

int wf_comm_refuse_across(struct weft_comm *comm, const char *call)
{
	return wf_comm_leave(comm, wf_across_refuse(comm, call));
}

bool weft_comm_is_inter(const struct weft_comm *comm)
{
	return comm && comm->across;
}

int weft_comm_remote_size(const struct weft_comm *comm)
{
	return weft_comm_is_inter(comm) ? wf_remote_size(comm) : 0;
}

int weft_comm_remote_group(struct weft_comm *comm, struct weft_group **group_p)
{
	static const char call[] = "weft_comm_remote_group";
	int status = group_p ? wf_comm_ask(comm) :
			       wf_comm_refuse(comm, call, "group_p");

	wf_no_handle(group_p);
	if (status)
		return status;
	if (!comm->across)
		status = wf_job_fail_for(comm->job, WEFT_ARGUMENT_COMM,
					 WEFT_ERR_ARG, "%s: comm is an "
					 "intracommunicator", call);
	else if (wf_group_alias(comm->across->remote, group_p))
		status = wf_job_fail(comm->job, WEFT_ERR_NOMEM,
				     "%s: no memory for a group", call);
	return wf_comm_leave(comm, status);
}
