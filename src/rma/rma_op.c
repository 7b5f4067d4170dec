/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How an operation goes on: it waits for the peer's key, posts piece by piece
 * as there is room, and, if it belongs to a request, waits until its buffer is
 * the program's again.  One that fails is over when no device uses the buffer.
 */
#include "base/handle.h"
#include "base/zeroed.h"
#include "rma/rma_op.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static struct wf_rma_op *op_of(struct wf_rma_wait *wait)
{
	return wf_container(wait, struct wf_rma_op, wait);
}

/* ---- what the peer's part allows ---- */

static void out_of_range(struct wf_rma_op *op)
{
	struct wf_rma_link *link = op->wait.link;

	wf_rma_fail(&op->wait, WEFT_ERR_RANGE, "%s: offset %zu and %zu bytes "
		    "are outside of the part of rank %d on host %s, which has "
		    "%llu: correct the call", op->kind->call, op->offset,
		    op->bytes, link->rank, wf_peer_host(link->peer),
		    (unsigned long long)link->bytes);
}

static bool is_allowed(struct wf_rma_op *op)
{
	struct wf_rma_link *link = op->wait.link;

	if (op->bytes > link->bytes ||
	    op->offset > link->bytes - op->bytes) {
		out_of_range(op);
		return false;
	}
	if (op->kind->needs & ~link->peer->ep->dev->caps) {
		wf_rma_fail(&op->wait, WEFT_ERR_UNSUPPORTED, "%s: transport %s "
			    "to rank %d on host %s has no such operation",
			    op->kind->call, link->peer->ep->dev->ops->name,
			    link->rank, wf_peer_host(link->peer));
		return false;
	}
	if (op->kind->word) {
		wf_rma_agent_refuse(link, &op->wait);
		return !op->wait.status;
	}
	if (link->anywhere && !link->peer->ep->writes_anywhere) {
		wf_rma_fail(&op->wait, WEFT_ERR_UNSUPPORTED, "%s: the part of "
			    "rank %d on host %s is memory of its program, "
			    "where this is not possible: let weft allocate "
			    "it, with base NULL", op->kind->call, link->rank,
			    wf_peer_host(link->peer));
		return false;
	}
	return true;
}

/* ---- posting ---- */

/* A signal counts behind all bytes, and puts are not ordered: flush first. */
static bool front_has_landed(const struct wf_rma_op *op)
{
	return wf_ep_ask_flushed(op->wait.link->peer->ep, op->mark);
}

/* One piece; WEFT_AGAIN: later. */
static int post_piece(struct wf_rma_op *op)
{
	struct wf_rma_link *link = op->wait.link;
	size_t piece = op->wait.region->rma->piece;
	size_t bytes = op->bytes - op->done;
	struct wf_rloc at = link->at;
	int status;

	at.addr += op->offset + op->done;
	if (bytes > piece)
		status = op->kind->post(op, at, piece);
	else if (op->kind->signals && op->done && !front_has_landed(op))
		return WEFT_AGAIN;
	else
		status = op->kind->post(op, at, bytes);
	if (status)
		return status;
	op->done += bytes > piece ? piece : bytes;
	if (op->asked)
		return WEFT_OK;
	op->mark = link->peer->ep->posted;
	link->last = link->peer->ep->posted;
	return WEFT_OK;
}

/* True: all is posted. */
static bool post_all(struct wf_rma_op *op)
{
	int status;

	do
		status = post_piece(op);
	while (!status && op->done < op->bytes);
	if (status < 0)
		wf_rma_fail(&op->wait, status, "%s: rank %d on host %s: the "
			    "transport refuses it: %s", op->kind->call,
			    op->wait.link->rank,
			    wf_peer_host(op->wait.link->peer),
			    weft_status_text(status));
	return !status;
}

static bool can_post(struct wf_rma_op *op)
{
	int status;

	if (wf_rma_is_lost(&op->wait))
		return false;
	status = wf_rma_link_ready(op->wait.link, &op->need, &op->raiser);
	if (status < 0)
		wf_rma_refused(&op->wait, status, status == WEFT_ERR_NOMEM ?
			       "has no memory for those who use the region: "
			       "try again" :
			       "cannot give access to the region");
	return !status && (op->done || is_allowed(op));
}

/* ---- after it ---- */

static bool is_done(const struct wf_rma_op *op)
{
	const struct wf_ep *ep = op->wait.link->peer->ep;

	if (op->asked)
		return op->wait.link->asked_word.answered >= op->asked;
	return wf_ep_done(ep, op->mark) && !(op->kind->fetches && ep->broken);
}

static bool land(struct wf_rma_op *op)
{
	struct wf_ep *ep = op->wait.link->peer->ep;

	if (is_done(op)) {
		if (op->asked)
			wf_rma_agent_tell(op->wait.link, op->asked, &op->wait);
		return true;
	}
	if (wf_rma_is_lost(&op->wait))
		return false;
	if (op->asked)
		wf_rma_agent_remind(op->wait.link);
	else
		ep->ops->flush(ep, WF_FLUSH_LOCAL);
	return is_done(op);
}

static void leave_posting(struct wf_rma_op *op)
{
	op->phase = WF_RMA_UNDER_WAY;
	if (!op->asked)
		op->wait.what = "the end";
	op->wait.link->queued--;
}

static bool step(struct wf_rma_wait *wait)
{
	struct wf_rma_op *op = op_of(wait);
	bool over = false;

	if (op->phase == WF_RMA_POSTING) {
		if (can_post(op) && post_all(op)) {
			leave_posting(op);
			over = !op->background;
		} else if (wait->status) {
			leave_posting(op);
		}
	}
	if (op->phase == WF_RMA_UNDER_WAY && !over && !wait->status)
		over = land(op);
	if (!wait->status)
		return over;
	if (op->asked && wf_rma_is_lost(wait))
		wf_rma_agent_forget(wait->link);
	return wf_rma_is_quiet(wait, op->mark);
}

/* ---- requests ---- */

struct rma_request {
	struct weft_request base;
	struct wf_rma_op op;
	struct wf_list made;		/* in rma->requests */
};

static struct rma_request *request_of(const struct weft_request *req)
{
	return wf_container(req, struct rma_request, base);
}

static bool step_request(struct wf_rma_wait *wait)
{
	bool over = step(wait);

	if (over)
		wait->region->active--;
	return over;
}

static void wait_for(struct weft_request *req)
{
	wf_rma_wait_for(&request_of(req)->op.wait);
}

static int status_of(const struct weft_request *req)
{
	const struct wf_rma_wait *wait = &request_of(req)->op.wait;

	return wait->over ? wait->status : WEFT_INPROGRESS;
}

static const char *error_of(const struct weft_request *req)
{
	return request_of(req)->op.wait.error;
}

static void release(struct weft_request *req)
{
	struct weft_comm *comm = req->comm;

	wf_list_del(&request_of(req)->made);
	free(request_of(req));
	wf_comm_drop(comm);
}

void wf_rma_requests_fini(struct wf_rma *rma)
{
	struct wf_list *at;

	while ((at = wf_list_pop(&rma->requests)))
		free(wf_container(at, struct rma_request, made));
}

static const struct wf_request_ops request_ops = {
	.wait = wait_for,
	.status = status_of,
	.error = error_of,
	.release = release
};

/* ---- entry ---- */

/* The text of an error, which is long, is written when there is one. */
static void prepare(struct wf_rma_op *op, const struct wf_rma_order *order,
		    const struct weft_target *to, struct wf_rma_link *link)
{
	memset(op, 0, offsetof(struct wf_rma_op, wait.error));
	op->wait.error[0] = '\0';
	op->kind = order->kind;
	op->offset = to->offset;
	op->bytes = order->bytes;
	op->local = order->local;
	if (op->kind->word && !op->local)
		op->local = (char *)&link->unwanted;
	op->word = order->word;
	op->need = (struct wf_rma_need){ order->number, op->kind->word,
					 link->denied };
	op->wait.call = op->kind->call;
	op->wait.region = link->region;
	op->wait.link = link;
	op->wait.step = step;
	op->wait.what = "the key, or room in a queue,";
	link->queued++;
}

static int in_background(const struct wf_rma_order *order,
			 const struct weft_target *to,
			 struct wf_rma_link *link, struct weft_request **req_p)
{
	struct rma_request *r = wf_zeroed(1, sizeof(*r));
	struct weft_comm *comm = link->region->rma->comm;

	if (!r)
		return wf_job_fail(comm->job, WEFT_ERR_NOMEM,
				   "%s: no memory for a request",
				   order->kind->call);
	r->base.ops = &request_ops;
	r->base.comm = comm;
	wf_comm_hold(comm);
	wf_list_add_tail(&link->region->rma->requests, &r->made);
	prepare(&r->op, order, to, link);
	r->op.background = true;
	r->op.wait.step = step_request;
	link->region->active++;
	wf_rma_start(&r->op.wait);
	*req_p = &r->base;
	return WEFT_OK;
}

static int here(const struct wf_rma_order *order, const struct weft_target *to,
		struct wf_rma_link *link)
{
	struct wf_rma_op op;

	prepare(&op, order, to, link);
	return wf_rma_await(&op.wait);
}

static int check(const struct weft_target *to,
		 const struct wf_rma_order *order)
{
	struct weft_region *region = to->region;
	struct weft_comm *comm = region->rma->comm;
	const char *call = order->kind->call;
	int status = wf_region_check_peer(region, call, to->peer);

	if (status)
		return status;
	if (order->bytes && !order->local && !order->kind->word)
		return wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: the buffer is "
				   "NULL, with %zu bytes", call, order->bytes);
	if (order->kind->signals && order->number == WF_RMA_NO_NUMBER)
		return wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: signal is "
				   "UINT32_MAX, which is none", call);
	if (order->kind->word && to->offset % sizeof(uint64_t))
		return wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: offset %zu is "
				   "no multiple of 8", call, to->offset);
	return WEFT_OK;
}

static int carry_out(const struct weft_target *to,
		     const struct wf_rma_order *order,
		     struct weft_request **req_p)
{
	struct wf_rma_link *link;
	int status = check(to, order);

	if (status)
		return status;
	link = wf_rma_link_get(to->region, to->peer);
	if (!link)
		return wf_job_fail(wf_region_job(to->region), WEFT_ERR_NOMEM,
				   "%s: no memory to talk to rank %d",
				   order->kind->call, to->peer);
	return req_p ? in_background(order, to, link, req_p) :
		       here(order, to, link);
}

int wf_rma_do(const struct weft_target *to, const struct wf_rma_order *order,
	      struct weft_request **req_p)
{
	int status = to ? wf_region_enter(to->region, order->kind->call) :
			  WEFT_ERR_ARG;

	wf_no_handle(req_p);
	if (status)
		return status;
	status = carry_out(to, order, req_p);
	return wf_comm_leave(to->region->rma->comm, status);
}
