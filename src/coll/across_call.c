/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls on an intercommunicator: see across_call.h. */
#include "coll/across_call.h"

#include "base/handle.h"

static int start(struct weft_comm *comm, const char *call,
		 wf_coll_reader *read, const void *args,
		 enum wf_mark_form form, struct weft_request **req_p)
{
	struct wf_across_call given = { .kind = WF_ACROSS_NONE };
	struct wf_coll_call c = { .key.call = call, .across = &given };

	(void)read(comm, args, &c);
	if (!given.kind)
		return wf_across_refuse(comm, call);
	return comm->across->ops->start(comm, call, &given, form, req_p);
}

int wf_across_begin(struct weft_comm *comm, const char *call,
		    wf_coll_reader *read, const void *args,
		    enum wf_mark_form form, struct weft_request **req_p)
{
	int status = wf_comm_enter_by(comm, call);

	wf_no_handle(req_p);
	if (status)
		return status;
	wf_comm_hold(comm);		/* another thread may free it */
	status = start(comm, call, read, args, form, req_p);
	return wf_comm_leave_held(comm, status);
}

int wf_across_block_held(struct weft_comm *comm, const char *call,
			 wf_coll_reader *read, const void *args)
{
	struct weft_request *req = NULL;
	int status = start(comm, call, read, args, WF_MARK_BLOCKS, &req);

	if (status)
		return status;
	req->ops->wait(req);
	status = req->ops->status(req);
	if (status)
		wf_job_fail(comm->job, status, "%s", req->ops->error(req));
	req->ops->release(req);
	return status;
}

int wf_across_block(struct weft_comm *comm, const char *call,
		    wf_coll_reader *read, const void *args)
{
	int status = wf_comm_enter_by(comm, call);

	if (status)
		return status;
	wf_comm_hold(comm);
	status = wf_across_block_held(comm, call, read, args);
	return wf_comm_leave_held(comm, status);
}
