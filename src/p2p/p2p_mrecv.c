/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Receives of messages that a matched probe has found (p2p_probe.c).  The
 * request is there since then, so these need no memory; it keeps the
 * communicator, too, which the program may have freed meanwhile.
 */
#include "base/handle.h"
#include "p2p/p2p_calls.h"
#include "p2p/p2p_office.h"

/* What the program holds, with the job entered. */
static int enter(struct weft_message *const *message_p, const char *call,
		 struct wf_p2p_request **req_p)
{
	struct wf_p2p_request *req;

	if (!message_p || !*message_p)
		return WEFT_ERR_ARG;
	req = wf_container(*message_p, struct wf_p2p_request, held);
	*req_p = req;
	/* no communicator: it was received */
	return req->base.comm ? wf_job_enter_by(req->base.comm->job, call) :
				WEFT_ERR_ARG;
}

/* Bad arguments leave the message where it is. */
static int start(struct weft_message **message_p, const char *call,
		 const struct weft_incoming *in)
{
	struct wf_p2p_request *req = wf_container(
		*message_p, struct wf_p2p_request, held);
	struct wf_p2p_message *msg = req->held.msg;
	struct wf_p2p_args a = {
		call, in->data, in->n, in->type, in->from, .sends = false
	};
	int status = wf_p2p_check_data(req->base.comm, &a);

	/* of nobody's nothing comes */
	if (!status && msg)
		status = wf_p2p_aim(req, &a);
	if (status)
		return status;
	*message_p = NULL;
	req->held.msg = NULL;
	req->call = call;
	if (!msg) {
		wf_p2p_receive_nothing(req);
		return WEFT_OK;
	}
	wf_office_begin(req);
	wf_p2p_join(msg, req, msg->content);
	wf_p2p_look_at_gone(req);
	return WEFT_OK;
}

int weft_mrecv(struct weft_message **message_p, void *data, size_t n,
	       const struct weft_type *type, struct weft_message_status *got_p)
{
	const struct weft_incoming in = {
		data, n, type, weft_from(WEFT_PROC_NULL, 0)
	};
	struct wf_p2p_request *req;
	struct weft_comm *comm;
	int status = enter(message_p, __func__, &req);

	if (status)
		return status;
	comm = req->base.comm;
	wf_comm_hold(comm);
	status = start(message_p, "weft_mrecv", &in);
	if (!status)
		status = wf_p2p_finish(req, got_p);
	return wf_comm_leave_held(comm, status);
}

int weft_imrecv(struct weft_message **message_p, void *data, size_t n,
		const struct weft_type *type, struct weft_request **req_p)
{
	const struct weft_incoming in = {
		data, n, type, weft_from(WEFT_PROC_NULL, 0)
	};
	struct wf_p2p_request *req;
	int status = enter(message_p, __func__, &req);

	wf_no_handle(req_p);
	if (status)
		return status;
	if (!req_p)
		status = wf_job_fail(req->base.comm->job, WEFT_ERR_ARG,
				     "weft_imrecv: req_p is NULL");
	else
		status = start(message_p, "weft_imrecv", &in);
	if (!status)
		*req_p = &req->base;
	return wf_comm_leave(req->base.comm, status);
}
