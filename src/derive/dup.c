/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator with the ranks of another one, and a context of its own. */
#include "derive/block.h"
#include "plan/inquiry.h"

/* As if it was freed: others may have theirs, and send. */
static void give_up(struct weft_comm *made)
{
	made->freed = true;
	wf_comm_drop(made);
}

static int duplicate(struct weft_comm *comm, struct weft_comm **dup_p)
{
	static const char call[] = "weft_comm_dup";
	struct weft_comm *made = NULL;
	struct wf_cid_block block;
	int status = wf_block_take(comm, call, &block);

	if (status)
		return status;
	status = wf_comm_make(comm, wf_group_hold(comm->group), &block, &made);
	if (!status && comm->topo && comm->topo->copy)
		status = comm->topo->copy(comm->topo, made);
	if (!status) {
		*dup_p = made;
		return WEFT_OK;
	}
	if (made)
		give_up(made);
	return wf_job_fail(comm->job, status, "%s: no memory for a "
			   "communicator", call);
}

int weft_comm_dup(struct weft_comm *comm, struct weft_comm **dup_p)
{
	struct weft_comm *made = NULL;
	int status = wf_comm_enter(comm);

	if (status)
		return status;
	wf_inquiry_listen(comm->job);
	/* All members take the ids, whatever one of them passed. */
	status = duplicate(comm, &made);
	if (!status && dup_p)
		*dup_p = made;
	else if (!status)
		give_up(made);
	if (!status && !dup_p)
		status = wf_job_fail(comm->job, WEFT_ERR_ARG,
				     "weft_comm_dup: dup_p is NULL");
	wf_ports_clear(comm->job);
	wf_job_leave(comm->job);
	return status;
}
