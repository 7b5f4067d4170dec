/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends: the calls. */
#include "p2p/p2p_calls.h"

#include "plan/inquiry.h"
#include "type/type.h"

struct args {
	const char *call;
	const void *data;
	size_t n;
	const struct weft_type *type;
	struct weft_envelope to;
	bool synchronous;
};

static int check(struct weft_comm *comm, const struct args *a,
		 uint64_t *bytes_p)
{
	struct weft_job *job = comm->job;

	if (!a->type)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: type is NULL",
				   a->call);
	if (a->n && !a->data)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: data is NULL with "
				   "%zu elements", a->call, a->n);
	if (a->to.rank != WEFT_PROC_NULL &&
	    (a->to.rank < 0 || a->to.rank >= comm->size))
		return wf_job_fail(job, WEFT_ERR_RANGE, "%s: the rank is %d, "
				   "and ranks are 0 to %d", a->call,
				   a->to.rank, comm->size - 1);
	if (a->to.tag < 0)
		return wf_job_fail(job, WEFT_ERR_RANGE, "%s: the tag is %d, "
				   "and tags are 0 or more", a->call,
				   a->to.tag);
	if (__builtin_mul_overflow(a->n, a->type->size, bytes_p) ||
	    *bytes_p > INT64_MAX)
		return wf_job_fail(job, WEFT_ERR_RANGE, "%s: %zu elements of "
				   "%zu bytes exceed 2^63 bytes", a->call, a->n,
				   a->type->size);
	return WEFT_OK;
}

/* Behind what is in front of it, or with an answer to wait for. */
static void queue(struct wf_p2p_request *req)
{
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

void wf_p2p_start_send(struct wf_p2p_request *req)
{
	if (req->rank == WEFT_PROC_NULL)
		return;
	if (req->synchronous ||
	    !wf_pair_send_now(req->pair, req->base.comm->id, req->tag,
			      req->data, req->bytes))
		queue(req);
}

/* What needs nothing but one mail leaves without a request. */
static bool send_now(struct weft_comm *comm, const struct args *a,
		     uint64_t bytes)
{
	struct wf_p2p *p2p;
	struct wf_p2p_pair *pair;

	if (a->to.rank == WEFT_PROC_NULL)
		return true;
	if (a->synchronous)
		return false;
	p2p = wf_p2p_of(comm);
	pair = p2p ? wf_pair_with(p2p, a->to.rank) : NULL;
	return pair && wf_pair_send_now(pair, comm->id, a->to.tag, a->data,
					bytes);
}

static int prepare(struct weft_comm *comm, const struct args *a,
		   uint64_t bytes, struct wf_p2p_request **req_p)
{
	struct wf_p2p_request *req = wf_p2p_new(comm, a->call);
	int status = WEFT_OK;

	if (req) {
		req->sends = true;
		req->synchronous = a->synchronous;
		req->data = (char *)a->data;
		req->bytes = bytes;
		req->rank = a->to.rank;
		req->tag = a->to.tag;
		status = wf_p2p_find_pair(req);
	}
	if (req && !status) {
		*req_p = req;
		return WEFT_OK;
	}
	if (req)
		wf_p2p_free(req);
	return wf_job_fail(comm->job, WEFT_ERR_NOMEM, "%s: no memory for a "
			   "request", a->call);
}

int wf_p2p_prepare_send(struct weft_comm *comm, const char *call,
			const struct weft_outgoing *out,
			struct wf_p2p_request **req_p)
{
	const struct args a = {
		call, out->data, out->n, out->type, out->to, false
	};
	uint64_t bytes;
	int status = check(comm, &a, &bytes);

	return status ? status : prepare(comm, &a, bytes, req_p);
}

/* What send_now() does not. */
static int send(struct weft_comm *comm, const struct args *a, uint64_t bytes,
		struct wf_p2p_request **req_p)
{
	int status = prepare(comm, a, bytes, req_p);

	if (!status && a->to.rank != WEFT_PROC_NULL)
		queue(*req_p);
	return status;
}

/* One that needs no request of its own; NULL: it does. */
static struct weft_request *sent(struct weft_comm *comm, const struct args *a,
				 uint64_t bytes)
{
	bool left = a->to.rank != WEFT_PROC_NULL && send_now(comm, a, bytes);

	return left ? &wf_p2p_of(comm)->office->sent : NULL;
}

static int blocking(struct weft_comm *comm, const struct args *a)
{
	struct wf_p2p_request *req;
	uint64_t bytes = 0;
	int status = wf_comm_enter(comm);

	if (status)
		return status;
	wf_inquiry_listen(comm->job);
	status = check(comm, a, &bytes);
	if (status || send_now(comm, a, bytes))
		return wf_comm_leave(comm, status);
	wf_comm_hold(comm);
	status = send(comm, a, bytes, &req);
	if (!status)
		status = wf_p2p_finish(req, NULL);
	return wf_comm_leave_held(comm, status);
}

static int start(struct weft_comm *comm, const struct args *a,
		 struct weft_request **req_p)
{
	struct wf_p2p_request *req;
	uint64_t bytes = 0;
	int status = check(comm, a, &bytes);

	*req_p = status ? NULL : sent(comm, a, bytes);
	if (status || *req_p)
		return status;
	status = send(comm, a, bytes, &req);
	if (!status)
		*req_p = &req->base;
	return status;
}

static int nonblocking(struct weft_comm *comm, const struct args *a,
		       struct weft_request **req_p)
{
	int status = wf_comm_enter(comm);

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
	const struct args a = {
		"weft_send", data, n, type, to, false
	};

	return blocking(comm, &a);
}

int weft_ssend(struct weft_comm *comm, const void *data, size_t n,
	       const struct weft_type *type, struct weft_envelope to)
{
	const struct args a = {
		"weft_ssend", data, n, type, to, true
	};

	return blocking(comm, &a);
}

int weft_isend(struct weft_comm *comm, const void *data, size_t n,
	       const struct weft_type *type, struct weft_envelope to,
	       struct weft_request **req_p)
{
	const struct args a = {
		"weft_isend", data, n, type, to, false
	};

	return nonblocking(comm, &a, req_p);
}

int weft_issend(struct weft_comm *comm, const void *data, size_t n,
		const struct weft_type *type, struct weft_envelope to,
		struct weft_request **req_p)
{
	const struct args a = {
		"weft_issend", data, n, type, to, true
	};

	return nonblocking(comm, &a, req_p);
}

int weft_rsend(struct weft_comm *comm, const void *data, size_t n,
	       const struct weft_type *type, struct weft_envelope to)
{
	const struct args a = {
		"weft_rsend", data, n, type, to, false
	};

	return blocking(comm, &a);
}

int weft_irsend(struct weft_comm *comm, const void *data, size_t n,
		const struct weft_type *type, struct weft_envelope to,
		struct weft_request **req_p)
{
	const struct args a = {
		"weft_irsend", data, n, type, to, false
	};

	return nonblocking(comm, &a, req_p);
}
