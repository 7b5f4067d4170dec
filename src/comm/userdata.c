/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointers of the program on communicators and groups. */
#include "comm/comm.h"

void *weft_comm_userdata(const struct weft_comm *comm)
{
	return comm ? comm->userdata : NULL;
}

int weft_comm_set_userdata(struct weft_comm *comm, void *userdata)
{
	int status = wf_comm_enter(comm);

	if (status)
		return status;
	comm->userdata = userdata;
	return wf_comm_leave(comm, WEFT_OK);
}

void *weft_group_userdata(const struct weft_group *group)
{
	return group ? group->userdata : NULL;
}

int weft_group_set_userdata(struct weft_group *group, void *userdata)
{
	int status = group ? wf_job_enter_if(group->job) : WEFT_ERR_ARG;

	if (status)
		return status;
	group->userdata = userdata;
	wf_job_leave_if(group->job);
	return WEFT_OK;
}
