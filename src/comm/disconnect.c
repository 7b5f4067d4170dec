/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Giving a communicator up behind what is under way on it: the work of rooms
 * above, which is a poller of the job, and messages.
 */
#include "base/text.h"
#include "comm/comm.h"

static int count_pollers(const struct weft_comm *comm)
{
	const struct wf_list *all = &comm->job->pollers;
	int n = 0;

	for (struct wf_list *at = all->next; at != all; at = at->next)
		n += wf_container(at, struct wf_poller, link)->comm == comm;
	return n;
}

static bool has_messages(const struct weft_comm *comm)
{
	return comm->p2p && comm->p2p->busy && comm->p2p->busy(comm->p2p);
}

static bool is_quiet(void *arg)
{
	return !count_pollers(arg) && !has_messages(arg);
}

static void describe(void *arg, char *text, size_t bytes)
{
	wf_text_add(text, bytes, "weft_comm_disconnect: %d operations%s on ",
		    count_pollers(arg), has_messages(arg) ? " and messages" :
							    "");
	wf_comm_tell(arg, text, bytes);
}

int weft_comm_disconnect(struct weft_comm **comm_p)
{
	struct weft_comm *comm = comm_p ? *comm_p : NULL;
	int status = comm_p && !comm ? WEFT_OK : wf_comm_enter(comm);
	struct wf_wait wait = { is_quiet, describe, comm };

	if (status || !comm)
		return status;
	if (!comm->owned_by_job) {
		wf_comm_hold(comm);
		wf_job_wait(comm->job, &wait);
		wf_comm_drop(comm);
	}
	return wf_comm_give_up(comm_p, __func__);
}
