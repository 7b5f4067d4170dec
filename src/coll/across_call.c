/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls on a communicator of two groups: see across_call.h. */
#include "coll/across_call.h"

#include "base/handle.h"

static int read_given(struct weft_comm *comm, const char *call,
		      wf_coll_reader *read, const void *args,
		      struct wf_across_call *given)
{
	struct wf_coll_call c = { .key.call = call, .across = given };
	int status;

	*given = (struct wf_across_call){ .kind = WF_ACROSS_NONE };
	(void)read(comm, args, &c);
	if (given->kind)
		return WEFT_OK;
	status = wf_comm_enter_by(comm, call);
	return status ? status : wf_comm_refuse_across(comm, call);
}

int wf_across_begin(struct weft_comm *comm, const char *call,
		    wf_coll_reader *read, const void *args, bool persistent,
		    struct weft_request **req_p)
{
	struct wf_across_call given;
	int status;

	wf_no_handle(req_p);
	status = read_given(comm, call, read, args, &given);
	return status ? status : comm->across->ops->start(comm, call, &given,
							  persistent, req_p);
}

/* Until it is over; it goes. */
static int finish(struct weft_comm *comm, const char *call,
		  struct weft_request *req)
{
	int status = wf_comm_enter_by(comm, call);

	if (status)
		return status;
	wf_comm_hold(comm);
	req->ops->wait(req);
	status = req->ops->status(req);
	if (status)
		wf_job_fail(comm->job, status, "%s", req->ops->error(req));
	req->ops->release(req);
	return wf_comm_leave_held(comm, status);
}

int wf_across_block(struct weft_comm *comm, const char *call,
		    wf_coll_reader *read, const void *args)
{
	struct weft_request *req;
	int status = wf_across_begin(comm, call, read, args, false, &req);

	return status ? status : finish(comm, call, req);
}
