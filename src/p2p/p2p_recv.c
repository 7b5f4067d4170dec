/* SPDX-License-Identifier: BSD-3-Clause */
/* Receives: the calls. */
#include "base/handle.h"
#include "p2p/p2p_calls.h"
#include "p2p/p2p_office.h"

#include "plan/inquiry.h"

int wf_p2p_refuse_pattern(struct weft_comm *comm, const char *call,
			  struct weft_envelope from)
{
	struct weft_job *job = comm->job;

	if (!wf_p2p_is_source(comm, from.rank))
		return wf_job_fail_for(job, WEFT_ARGUMENT_RANK, WEFT_ERR_RANGE,
				       "%s: the rank is %d, and ranks are 0 to "
				       "%d", call, from.rank,
				       wf_remote_size(comm) - 1);
	return wf_job_fail_for(job, WEFT_ARGUMENT_TAG, WEFT_ERR_RANGE,
			       "%s: the tag is %d, and tags are 0 or more, or "
			       "WEFT_ANY_TAG", call, from.tag);
}

static int check(struct weft_comm *comm, struct wf_p2p_args *a)
{
	int status = wf_p2p_check_data(comm, a);

	return status ? status : wf_p2p_check_pattern(comm, a->call, a->with);
}

void wf_p2p_receive_nothing(struct wf_p2p_request *req)
{
	req->got = (struct wf_p2p_got){
		.source = WEFT_PROC_NULL, .tag = WEFT_ANY_TAG
	};
}

/* Takes a message that has come, or waits for one. */
void wf_p2p_start_receive(struct wf_p2p_request *req)
{
	struct wf_match_message *match;
	struct wf_p2p_message *msg;

	if (req->rank == WEFT_PROC_NULL) {
		wf_p2p_receive_nothing(req);
		return;
	}
	req->receive.source = req->pair ? req->rank : WF_MATCH_ANY;
	req->receive.tag = req->tag == WEFT_ANY_TAG ? WF_MATCH_ANY : req->tag;
	wf_office_begin(req);
	match = wf_match_post(&req->p2p->match, &req->receive);
	if (match) {
		msg = wf_container(match, struct wf_p2p_message, match);
		wf_p2p_join(msg, req, msg->content);
	} else {
		wf_pair_await(req);
	}
	if (req->p2p->office->job->gone || req->p2p->office->lost)
		wf_p2p_look_at_gone(req);
}

int wf_p2p_prepare_receive(struct weft_comm *comm, const char *call,
			   const struct weft_incoming *in,
			   struct wf_p2p_request **req_p)
{
	struct wf_p2p_args a = {
		call, in->data, in->n, in->type, in->from, .sends = false
	};
	int status = check(comm, &a);

	return status ? status : wf_p2p_new(comm, &a, req_p);
}

static inline int receive(struct weft_comm *comm, struct wf_p2p_args *a,
			  struct wf_p2p_request **req_p)
{
	int status = check(comm, a);

	if (!status)
		status = wf_p2p_new(comm, a, req_p);
	if (!status)
		wf_p2p_start_receive(*req_p);
	return status;
}

int weft_recv(struct weft_comm *comm, void *data, size_t n,
	      const struct weft_type *type, struct weft_envelope from,
	      struct weft_message_status *got_p)
{
	struct wf_p2p_args a = {
		"weft_recv", data, n, type, from, .sends = false
	};
	struct wf_p2p_request *req;
	int status = wf_comm_enter(comm);

	if (status)
		return status;
	wf_inquiry_listen(comm->job);
	wf_comm_hold(comm);
	status = receive(comm, &a, &req);
	if (!status)
		status = wf_p2p_finish(req, got_p);
	return wf_comm_leave_held(comm, status);
}

int weft_irecv(struct weft_comm *comm, void *data, size_t n,
	       const struct weft_type *type, struct weft_envelope from,
	       struct weft_request **req_p)
{
	struct wf_p2p_args a = {
		"weft_irecv", data, n, type, from, .sends = false
	};
	struct wf_p2p_request *req = NULL;
	int status = wf_comm_enter(comm);

	wf_no_handle(req_p);
	if (status)
		return status;
	wf_inquiry_listen(comm->job);
	if (!req_p)
		status = wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: req_p is "
				     "NULL", a.call);
	else
		status = receive(comm, &a, &req);
	if (!status)
		*req_p = &req->base;
	return wf_comm_leave(comm, status);
}
