/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A send and a receive in one call, which waits, or gives a request that is
 * made of both.  Both are prepared before either is started: a call that fails
 * for its arguments or for memory has sent nothing.  What is replaced is sent
 * from a copy, because long messages leave when what comes may have been
 * written already.
 */
#include <stdlib.h>
#include "base/zeroed.h"
#include "p2p/p2p_calls.h"
#include "plan/composite.h"
#include "plan/inquiry.h"

/* If both fail it is the send that is told, so that it comes first. */
enum {
	SEND,
	RECEIVE,
	BOTH
};

struct halves {
	struct weft_request *part[BOTH];
	void *copy;			/* that is sent; NULL: the program's */
};

/* A request. */
struct exchange {
	struct wf_composite all;
	struct halves of;
};

/* What errors call it, and its two halves. */
struct names {
	const char *call, *send, *recv;
};

static struct wf_p2p_request *half(const struct halves *h, int part)
{
	return wf_p2p_request(h->part[part]);
}

/* ---- prepared ---- */

static int prepare(struct weft_comm *comm, const struct names *as,
		   const struct weft_outgoing *send,
		   const struct weft_incoming *recv, struct halves *h)
{
	struct wf_p2p_request *out, *in;
	int status;

	if (!send || !recv)
		return wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: %s is NULL",
				   as->call, send ? "recv" : "send");
	status = wf_p2p_prepare_receive(comm, as->recv, recv, &in);
	if (status)
		return status;
	status = wf_p2p_prepare_send(comm, as->send, send, WF_P2P_STANDARD,
				     &out);
	if (status) {
		wf_p2p_free(in);
		return status;
	}
	h->part[SEND] = &out->base;
	h->part[RECEIVE] = &in->base;
	return WEFT_OK;
}

/* From a packed copy of what is to be overwritten. */
static int prepare_copy(struct wf_p2p_request *in, const char *call,
			const struct weft_incoming *data,
			struct weft_envelope to, struct halves *h)
{
	struct weft_comm *comm = in->base.comm;
	const struct weft_outgoing send = {
		h->copy = malloc(in->bytes + 1), in->bytes, &weft_type_byte, to
	};
	struct wf_p2p_request *out;
	int status;

	if (!h->copy)
		return wf_job_fail(comm->job, WEFT_ERR_NOMEM, "%s: no memory "
				   "for a copy of %llu bytes", call,
				   (unsigned long long)in->bytes);
	status = wf_p2p_prepare_send(comm, call, &send, WF_P2P_STANDARD, &out);
	if (status) {
		free(h->copy);
		return status;
	}
	wf_gather(data->type, data->data, 0, h->copy, in->bytes);
	h->part[SEND] = &out->base;
	h->part[RECEIVE] = &in->base;
	return WEFT_OK;
}

static int prepare_replace(struct weft_comm *comm, const char *call,
			   const struct weft_incoming *data,
			   struct weft_envelope to, struct halves *h)
{
	struct wf_p2p_request *in;
	int status;

	if (!data)
		return wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: data is NULL",
				   call);
	status = wf_p2p_prepare_receive(comm, call, data, &in);
	if (status)
		return status;
	status = prepare_copy(in, call, data, to, h);
	if (status)
		wf_p2p_free(in);
	return status;
}

static void start(struct halves *h)
{
	wf_p2p_start_receive(half(h, RECEIVE));
	wf_p2p_start_send(half(h, SEND));
}

/* ---- calls that wait ---- */

static int enter(struct weft_comm *comm, const char *call)
{
	int status = wf_comm_enter_by(comm, call);

	if (status)
		return status;
	wf_inquiry_listen(comm->job);
	wf_comm_hold(comm);
	return WEFT_OK;
}

/*
 * Until both are complete, for the memory of both is the caller's again.  The
 * sentence of what is finished last is the last one.
 */
static int exchange(struct halves *h, struct weft_message_status *got_p)
{
	int sent, received;

	start(h);
	/* Other threads may fail meanwhile, with sentences of their own. */
	wf_p2p_wait(half(h, RECEIVE));
	wf_p2p_wait(half(h, SEND));
	received = wf_p2p_finish(half(h, RECEIVE), got_p);
	sent = wf_p2p_finish(half(h, SEND), NULL);
	free(h->copy);
	return sent ? sent : received;
}

int wf_sendrecv_inside(struct weft_comm *comm, const char *call,
		       const struct weft_outgoing *send,
		       const struct weft_incoming *recv)
{
	const struct names as = { call, call, call };
	struct halves h = { .copy = NULL };
	int status = prepare(comm, &as, send, recv, &h);

	return status ? status : exchange(&h, NULL);
}

int weft_sendrecv(struct weft_comm *comm, const struct weft_outgoing *send,
		  const struct weft_incoming *recv,
		  struct weft_message_status *got_p)
{
	static const struct names as = {
		"weft_sendrecv", "weft_sendrecv: send", "weft_sendrecv: recv"
	};
	struct halves h = { .copy = NULL };
	int status = enter(comm, as.call);

	if (status)
		return status;
	status = prepare(comm, &as, send, recv, &h);
	if (!status)
		status = exchange(&h, got_p);
	return wf_comm_leave_held(comm, status);
}

int weft_sendrecv_replace(struct weft_comm *comm,
			  const struct weft_incoming *data,
			  struct weft_envelope to,
			  struct weft_message_status *got_p)
{
	static const char call[] = "weft_sendrecv_replace";
	struct halves h = { .copy = NULL };
	int status = enter(comm, call);

	if (status)
		return status;
	status = prepare_replace(comm, call, data, to, &h);
	if (!status)
		status = exchange(&h, got_p);
	return wf_comm_leave_held(comm, status);
}

/* ---- calls that give a request ---- */

static void message(const struct wf_composite *all,
		    struct weft_message_status *got_p)
{
	*got_p = wf_request_message(all->part[RECEIVE]);
}

static void destroy(struct wf_composite *all)
{
	struct exchange *x = wf_container(all, struct exchange, all);

	free(x->of.copy);
	free(x);
}

static const struct wf_composite_kind kind = {
	.message = message, .destroy = destroy
};

/* NULL: no memory, told. */
static struct exchange *new_exchange(struct weft_comm *comm, const char *call)
{
	struct exchange *x = wf_zeroed(1, sizeof(*x));

	if (!x)
		wf_job_fail(comm->job, WEFT_ERR_NOMEM, "%s: no memory for a "
			    "request", call);
	return x;
}

static int begin(struct weft_comm *comm, const char *call, struct exchange *x,
		 struct weft_request **req_p)
{
	x->all.kind = &kind;
	x->all.call = call;
	x->all.part = x->of.part;
	x->all.n = BOTH;
	start(&x->of);
	wf_composite_begin(&x->all, comm);
	*req_p = &x->all.base;
	return WEFT_OK;
}

int weft_isendrecv(struct weft_comm *comm, const struct weft_outgoing *send,
		   const struct weft_incoming *recv,
		   struct weft_request **req_p)
{
	static const struct names as = {
		"weft_isendrecv", "weft_isendrecv: send",
		"weft_isendrecv: recv"
	};
	int status = wf_p2p_enter(comm, as.call, req_p);
	struct exchange *x;

	if (status)
		return status;
	x = new_exchange(comm, as.call);
	status = x ? prepare(comm, &as, send, recv, &x->of) : WEFT_ERR_NOMEM;
	if (status)
		free(x);
	else
		status = begin(comm, as.call, x, req_p);
	return wf_comm_leave(comm, status);
}

int weft_isendrecv_replace(struct weft_comm *comm,
			   const struct weft_incoming *data,
			   struct weft_envelope to,
			   struct weft_request **req_p)
{
	static const char call[] = "weft_isendrecv_replace";
	int status = wf_p2p_enter(comm, call, req_p);
	struct exchange *x;

	if (status)
		return status;
	x = new_exchange(comm, call);
	status = x ? prepare_replace(comm, call, data, to, &x->of) :
		     WEFT_ERR_NOMEM;
	if (status)
		free(x);
	else
		status = begin(comm, call, x, req_p);
	return wf_comm_leave(comm, status);
}
