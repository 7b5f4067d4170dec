/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Persistent sends and receives: prepared once, with all memory that a short
 * message needs, and started often.  A start forgets all that the one before
 * has left in the request, its error too.
 */
#include <weft/buffered.h>
#include <weft/persistent.h>
#include "base/handle.h"
#include "p2p/p2p_buffer.h"
#include "p2p/p2p_calls.h"
#include "plan/inquiry.h"

static void forget(struct wf_p2p_request *req)
{
	wf_long_free(req);
	wf_p2p_reset(req);
	/* it has become the pair of whose message came */
	if (req->rank == WEFT_ANY_SOURCE)
		req->pair = NULL;
	req->synchronous = req->mode == WF_P2P_SYNCHRONOUS;
}

void wf_p2p_restart(struct weft_request *base)
{
	struct wf_p2p_request *req = wf_p2p_request(base);

	forget(req);
	if (!req->sends)
		wf_p2p_start_receive(req);
	else if (req->mode == WF_P2P_BUFFERED)
		wf_p2p_start_buffered(req);
	else
		wf_p2p_start_send(req);
}

int wf_p2p_enter(struct weft_comm *comm, const char *call,
		 struct weft_request **req_p)
{
	int status = wf_comm_enter_by(comm, call);

	wf_no_handle(req_p);
	if (status)
		return status;
	wf_inquiry_listen(comm->job);
	if (!req_p) {
		status = wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: req_p is "
				     "NULL", call);
		return wf_comm_leave(comm, status);
	}
	return WEFT_OK;
}

static int leave(struct weft_comm *comm, int status,
		 struct wf_p2p_request *req, struct weft_request **req_p)
{
	if (!status) {
		wf_p2p_persist(req);
		*req_p = &req->base;
	}
	return wf_comm_leave(comm, status);
}

static int send_init(struct weft_comm *comm, const char *call,
		     const struct weft_outgoing *out, enum wf_p2p_mode mode,
		     struct weft_request **req_p)
{
	struct wf_p2p_request *req = NULL;
	int status = wf_p2p_enter(comm, call, req_p);

	if (status)
		return status;
	status = wf_p2p_prepare_send(comm, call, out, mode, &req);
	return leave(comm, status, req, req_p);
}

int weft_send_init(struct weft_comm *comm, const void *data, size_t n,
		   const struct weft_type *type, struct weft_envelope to,
		   struct weft_request **req_p)
{
	const struct weft_outgoing out = { data, n, type, to };

	return send_init(comm, "weft_send_init", &out, WF_P2P_STANDARD, req_p);
}

int weft_ssend_init(struct weft_comm *comm, const void *data, size_t n,
		    const struct weft_type *type, struct weft_envelope to,
		    struct weft_request **req_p)
{
	const struct weft_outgoing out = { data, n, type, to };

	return send_init(comm, "weft_ssend_init", &out, WF_P2P_SYNCHRONOUS,
			 req_p);
}

int weft_rsend_init(struct weft_comm *comm, const void *data, size_t n,
		    const struct weft_type *type, struct weft_envelope to,
		    struct weft_request **req_p)
{
	const struct weft_outgoing out = { data, n, type, to };

	return send_init(comm, "weft_rsend_init", &out, WF_P2P_STANDARD,
			 req_p);
}

int weft_bsend_init(struct weft_comm *comm, const void *data, size_t n,
		    const struct weft_type *type, struct weft_envelope to,
		    struct weft_request **req_p)
{
	const struct weft_outgoing out = { data, n, type, to };

	return send_init(comm, "weft_bsend_init", &out, WF_P2P_BUFFERED,
			 req_p);
}

int weft_recv_init(struct weft_comm *comm, void *data, size_t n,
		   const struct weft_type *type, struct weft_envelope from,
		   struct weft_request **req_p)
{
	static const char call[] = "weft_recv_init";
	const struct weft_incoming in = { data, n, type, from };
	struct wf_p2p_request *req = NULL;
	int status = wf_p2p_enter(comm, call, req_p);

	if (status)
		return status;
	status = wf_p2p_prepare_receive(comm, call, &in, &req);
	if (!status)
		wf_p2p_receive_nothing(req);	/* so far */
	return leave(comm, status, req, req_p);
}
