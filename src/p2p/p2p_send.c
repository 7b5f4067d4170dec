/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends: the calls. */
#include "base/handle.h"
#include "p2p/p2p_calls.h"
#include "p2p/p2p_content.h"
#include "p2p/p2p_office.h"

#include "plan/inquiry.h"

static int check(struct weft_comm *comm, struct wf_p2p_args *a)
{
	struct weft_job *job = comm->job;
	int status = wf_p2p_check_data(comm, a);

	if (status)
		return status;
	if (a->with.rank != WEFT_PROC_NULL &&
	    (a->with.rank < 0 || a->with.rank >= wf_remote_size(comm)))
		return wf_job_fail_for(job, WEFT_ARGUMENT_RANK, WEFT_ERR_RANGE,
				       "%s: the rank is %d, and ranks are 0 to "
				       "%d", a->call, a->with.rank,
				       wf_remote_size(comm) - 1);
	if (a->with.tag < 0)
		return wf_job_fail_for(job, WEFT_ARGUMENT_TAG, WEFT_ERR_RANGE,
				       "%s: the tag is %d, and tags are 0 or "
				       "more", a->call, a->with.tag);
	return WEFT_OK;
}

/* Behind what is in front of it, or with an answer to wait for. */
static void queue(struct wf_p2p_request *req)
{
	/* More of it may be here already. */
	if (wf_pair_lacks_budget(req->pair, req->bytes))
		wf_devices_progress(req->base.comm->job);
	wf_office_begin(req);
	if (req->pair->shut) {
		wf_p2p_look_at_gone(req);
		return;
	}
	wf_pair_send(req);
	/* Now, and not when the program waits. */
	if (req->active)
		wf_peers_progress(req->base.comm->job);
}

static bool send_content(struct weft_comm *comm, const struct wf_p2p_args *a,
			 const void *content)
{
	struct wf_p2p *p2p = wf_p2p_of(comm);
	struct wf_p2p_pair *pair = p2p ? wf_pair_with(p2p, a->with.rank) : NULL;

	return pair && wf_pair_send_now(pair, comm->id, a->with.tag, content,
					a->bytes);
}

/* Elements with gaps; apart, for its frame. */
static bool send_packed(struct weft_comm *comm, const struct wf_p2p_args *a)
	__attribute__((noinline));

static bool send_packed(struct weft_comm *comm, const struct wf_p2p_args *a)
{
	char packed[WF_MAIL_PAYLOAD];

	if (a->bytes > sizeof(packed))
		return false;
	wf_gather(a->type, a->data, 0, packed, a->bytes);
	return send_content(comm, a, packed);
}

static bool leaves_now(const struct wf_p2p_request *req)
{
	const struct wf_p2p_args a = {
		.data = req->data, .type = req->type, .bytes = req->bytes,
		.with = weft_to(req->rank, req->tag)
	};

	if (req->synchronous)
		return false;
	if (wf_p2p_has_gaps(req))
		return send_packed(req->base.comm, &a);
	return wf_pair_send_now(req->pair, req->base.comm->id, req->tag,
				req->data, req->bytes);
}

void wf_p2p_start_send(struct wf_p2p_request *req)
{
	if (req->rank == WEFT_PROC_NULL)
		return;
	if (req->staged)
		wf_p2p_gather(req);
	if (!leaves_now(req))
		queue(req);
}

/* What needs nothing but one mail leaves without a request. */
static bool send_now(struct weft_comm *comm, const struct wf_p2p_args *a)
{
	if (a->with.rank == WEFT_PROC_NULL)
		return true;
	if (a->synchronous)
		return false;
	return a->type->dense ? send_content(comm, a, a->data) :
				send_packed(comm, a);
}

int wf_p2p_prepare_send(struct weft_comm *comm, const char *call,
			const struct weft_outgoing *out, enum wf_p2p_mode mode,
			struct wf_p2p_request **req_p)
{
	struct wf_p2p_args a = {
		call, (void *)out->data, out->n, out->type, out->to,
		.sends = true, .buffered = mode == WF_P2P_BUFFERED
	};
	int status = check(comm, &a);

	if (!status)
		status = wf_p2p_new(comm, &a, req_p);
	if (!status)
		(*req_p)->mode = mode;
	return status;
}

/* What send_now() does not. */
static int send(struct weft_comm *comm, const struct wf_p2p_args *a,
		struct wf_p2p_request **req_p)
{
	int status = wf_p2p_new(comm, a, req_p);

	if (status || a->with.rank == WEFT_PROC_NULL)
		return status;
	if ((*req_p)->staged)
		wf_p2p_gather(*req_p);
	queue(*req_p);
	return WEFT_OK;
}

/* One that needs no request of its own; NULL: it does. */
static struct weft_request *sent(struct weft_comm *comm,
				 const struct wf_p2p_args *a)
{
	bool left = a->with.rank != WEFT_PROC_NULL && send_now(comm, a);

	return left ? &wf_p2p_of(comm)->office->sent : NULL;
}

static int blocking(struct weft_comm *comm, struct wf_p2p_args *a)
{
	struct wf_p2p_request *req;
	int status = wf_comm_enter_by(comm, a->call);

	if (status)
		return status;
	wf_inquiry_listen(comm->job);
	status = check(comm, a);
	if (status || send_now(comm, a))
		return wf_comm_leave(comm, status);
	wf_comm_hold(comm);
	status = send(comm, a, &req);
	if (!status)
		status = wf_p2p_finish(req, NULL);
	return wf_comm_leave_held(comm, status);
}

static int start(struct weft_comm *comm, struct wf_p2p_args *a,
		 struct weft_request **req_p)
{
	struct wf_p2p_request *req;
	int status = check(comm, a);

	*req_p = status ? NULL : sent(comm, a);
	if (status || *req_p)
		return status;
	status = send(comm, a, &req);
	if (!status)
		*req_p = &req->base;
	return status;
}

static int nonblocking(struct weft_comm *comm, struct wf_p2p_args *a,
		       struct weft_request **req_p)
{
	int status = wf_comm_enter_by(comm, a->call);

	wf_no_handle(req_p);
	if (status)
		return status;
	wf_inquiry_listen(comm->job);
	if (req_p)
		status = start(comm, a, req_p);
	else
		status = wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: req_p is "
				     "NULL", a->call);
	return wf_comm_leave(comm, status);
}

int weft_send(struct weft_comm *comm, const void *data, size_t n,
	      const struct weft_type *type, struct weft_envelope to)
{
	struct wf_p2p_args a = {
		"weft_send", (void *)data, n, type, to, .sends = true
	};

	return blocking(comm, &a);
}

int weft_ssend(struct weft_comm *comm, const void *data, size_t n,
	       const struct weft_type *type, struct weft_envelope to)
{
	struct wf_p2p_args a = {
		"weft_ssend", (void *)data, n, type, to, .sends = true,
		.synchronous = true
	};

	return blocking(comm, &a);
}

int weft_isend(struct weft_comm *comm, const void *data, size_t n,
	       const struct weft_type *type, struct weft_envelope to,
	       struct weft_request **req_p)
{
	struct wf_p2p_args a = {
		"weft_isend", (void *)data, n, type, to, .sends = true
	};

	return nonblocking(comm, &a, req_p);
}

int weft_issend(struct weft_comm *comm, const void *data, size_t n,
		const struct weft_type *type, struct weft_envelope to,
		struct weft_request **req_p)
{
	struct wf_p2p_args a = {
		"weft_issend", (void *)data, n, type, to, .sends = true,
		.synchronous = true
	};

	return nonblocking(comm, &a, req_p);
}

int weft_rsend(struct weft_comm *comm, const void *data, size_t n,
	       const struct weft_type *type, struct weft_envelope to)
{
	struct wf_p2p_args a = {
		"weft_rsend", (void *)data, n, type, to, .sends = true
	};

	return blocking(comm, &a);
}

int weft_irsend(struct weft_comm *comm, const void *data, size_t n,
		const struct weft_type *type, struct weft_envelope to,
		struct weft_request **req_p)
{
	struct wf_p2p_args a = {
		"weft_irsend", (void *)data, n, type, to, .sends = true
	};

	return nonblocking(comm, &a, req_p);
}
