/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pointers of the program on communicators and groups.  Any thread may ask for
 * one while another one sets it: that takes no lock.
 */
#include "comm/comm.h"

void *weft_comm_userdata(const struct weft_comm *comm)
{
	return comm ? __atomic_load_n(&comm->userdata, __ATOMIC_RELAXED) :
		      NULL;
}

int weft_comm_set_userdata(struct weft_comm *comm, void *userdata)
{
	int status = wf_comm_ask(comm);

	if (status)
		return status;
	__atomic_store_n(&comm->userdata, userdata, __ATOMIC_RELAXED);
	return wf_comm_leave(comm, WEFT_OK);
}

void *weft_group_userdata(const struct weft_group *group)
{
	return group ? __atomic_load_n(&group->userdata, __ATOMIC_RELAXED) :
		       NULL;
}

int weft_group_set_userdata(struct weft_group *group, void *userdata)
{
	int status = group && group != weft_group_empty() ?
		wf_job_ask_if(group->job) : WEFT_ERR_ARG;

	if (status)
		return status;
	__atomic_store_n(&group->userdata, userdata, __ATOMIC_RELAXED);
	wf_job_leave_if(group->job);
	return WEFT_OK;
}
