/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests of matched messages: made, waited for, failed, used again. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "base/zeroed.h"
#include "p2p/p2p_buffer.h"
#include "p2p/p2p_calls.h"
#include "p2p/p2p_content.h"
#include "p2p/p2p_office.h"

/* ---- what may go wrong with the other end ---- */

void wf_p2p_fail(struct wf_p2p_request *req, int status, const char *fmt, ...)
{
	va_list args;

	/* what does not come is worse than what does not fit */
	if (req->status && req->status != WEFT_ERR_TRUNCATE)
		return;
	req->status = status;
	if (!req->error)
		req->error = malloc(WF_ERROR_TEXT);
	if (!req->error)
		return;
	va_start(args, fmt);
	vsnprintf(req->error, WF_ERROR_TEXT, fmt, args);
	va_end(args);
}

/* What of it waits somewhere waits no more. */
static void withdraw(struct wf_p2p_request *req)
{
	wf_p2p_leave_queue(req);
	if (req->sends && wf_list_empty(&req->pair->queue))
		wf_owe_not(&req->pair->mail);
	if (!req->sends && wf_match_cancel(&req->p2p->match, &req->receive))
		wf_pair_await_not(req);
	if (req->msg)
		wf_p2p_abandon(req->msg);
}

static void end(struct wf_p2p_request *req)
{
	withdraw(req);
	wf_office_end(req);
}

void wf_p2p_fail_for(struct wf_p2p_request *req, const struct wf_peer *peer)
{
	char dead[WF_PEER_WHY] = "";

	wf_comm_blame(req->base.comm, peer, dead, sizeof(dead));
	wf_p2p_fail(req, wf_peer_status(peer), "%s: tag %d, context %llu: rank "
		    "%d on host %s %s%s", req->call, req->tag,
		    (unsigned long long)req->base.comm->id, peer->rank,
		    wf_peer_host(peer), wf_peer_why(peer), dead);
	end(req);
}

static void fail_for_memory(struct wf_p2p_request *req, const char *where)
{
	wf_p2p_fail(req, WEFT_ERR_NOMEM, "%s: tag %d, context %llu: a message "
		    "was lost %s, for lack of memory, and messages between "
		    "the two ranks go wrong from then on", req->call, req->tag,
		    (unsigned long long)req->base.comm->id, where);
	end(req);
}

/* Nobody sends to a receive from anybody any more: one of them. */
static struct wf_peer *nobody_left(struct weft_comm *comm)
{
	struct wf_peer *dead = wf_comm_dead(comm), *last = NULL;

	for (int i = 0; !dead && i < wf_remote_size(comm); i++) {
		int r = wf_remote_first(comm) + i;

		if (r == comm->rank)
			continue;
		last = wf_peer_find(comm->job, wf_comm_world_rank(comm, r));
		if (!last || wf_peer_is_there(last))
			return NULL;
	}
	return dead ? dead : last;
}

/* Where all others have left a rank may still send to itself, or has. */
static bool may_come_from_here(const struct weft_comm *comm)
{
	struct weft_job *job = comm->job;
	const struct wf_peer *self = wf_peer_find(job, job->rank);

	if (comm->across)
		return false;
	return job->threads || !job->wait ||
	       (self && self->matched && wf_pair_has_more(self->matched));
}

/* Was a message lost that might be the one? */
static bool misses_one(const struct wf_p2p_request *req)
{
	const struct weft_comm *comm = req->base.comm;
	int n = wf_remote_size(comm);
	const struct wf_peer *peer;

	if (req->pair)
		return req->pair->peer->unheard;
	for (int i = 0; req->p2p->office->lost && i < n; i++) {
		peer = wf_peer_find(comm->job,
				    wf_comm_world_rank(
					    comm, wf_remote_first(comm) + i));
		if (peer && peer->unheard)
			return true;
	}
	return false;
}

static void look_at_receive(struct wf_p2p_request *req)
{
	struct wf_office *office = req->p2p->office;
	struct wf_peer *peer = req->pair ? req->pair->peer :
			       nobody_left(req->base.comm);

	if (misses_one(req))
		fail_for_memory(req, "here");
	else if (!peer || wf_peer_is_there(peer))
		return;
	else if (!req->pair && peer->state == WF_PEER_LEFT &&
		 may_come_from_here(req->base.comm))
		office->alone = true;
	else
		wf_p2p_fail_for(req, peer);
}

void wf_p2p_look_at_gone(struct wf_p2p_request *req)
{
	/* One with a run, or about to have one, is the run's business. */
	if (!req->active || wf_long_is_active(req) ||
	    (req->sends && req->wanted) ||
	    (req->msg && req->msg->note.what != WF_P2P_SHORT))
		return;
	if (!req->sends)
		look_at_receive(req);
	else if (!wf_peer_is_there(req->pair->peer))
		wf_p2p_fail_for(req, req->pair->peer);
	else if (req->pair->shut)
		fail_for_memory(req, "there");
}

/* ---- the request ---- */

static bool is_over(void *arg)
{
	return !((struct wf_p2p_request *)arg)->active;
}

static void describe(void *arg, char *text, size_t bytes)
{
	const struct wf_p2p_request *req = arg;

	wf_text_add(text, bytes, "%s of ", req->call);
	wf_comm_tell(req->base.comm, text, bytes);
	wf_text_add(text, bytes, ": %s ", req->sends ? "to" : "from");
	if (req->pair)
		wf_text_add(text, bytes, "rank %d on host %s",
			    req->pair->peer->rank,
			    wf_peer_host(req->pair->peer));
	else
		wf_text_add(text, bytes, "any rank");
	if (req->tag == WEFT_ANY_TAG)
		wf_text_add(text, bytes, ", any tag");
	else
		wf_text_add(text, bytes, ", tag %d", req->tag);
}

static void wait(struct weft_request *base)
{
	struct wf_wait w = { is_over, describe, wf_p2p_request(base) };

	wf_job_wait(base->comm->job, &w);
}

static int status_of(const struct weft_request *base)
{
	const struct wf_p2p_request *req = wf_p2p_request(base);

	return req->active ? WEFT_INPROGRESS : req->status;
}

static const char *error_text(const struct wf_p2p_request *req)
{
	if (!req->status)
		return "";
	return req->error ? req->error :
			    "it failed, and there is no memory for why";
}

static const char *error_of(const struct weft_request *req)
{
	return error_text(wf_p2p_request(req));
}

static struct weft_message_status received(const struct wf_p2p_request *req)
{
	return (struct weft_message_status){
		.source = req->got.source, .tag = req->got.tag,
		.bytes = req->got.bytes, .error = req->status,
		.kind = WEFT_MESSAGE_RECEIVED, .cancelled = req->got.cancelled
	};
}

static void message(const struct weft_request *base,
		    struct weft_message_status *got_p)
{
	const struct wf_p2p_request *req = wf_p2p_request(base);

	if (req->sends)
		got_p->kind = WEFT_MESSAGE_SENT;
	else
		*got_p = received(req);
}

static void release(struct weft_request *req)
{
	wf_p2p_free(wf_p2p_request(req));
}

/* What has come for it is nobody's where no other one may be started. */
static void dismiss(struct weft_request *base)
{
	struct wf_p2p_request *req = wf_p2p_request(base);

	if (!req->sends && !--req->p2p->standing && base->comm->freed)
		wf_p2p_clear(req->p2p);
	wf_p2p_free(req);
}

static void give_up(struct weft_request *req)
{
	wf_p2p_request(req)->given_up = true;
}

static const struct wf_request_ops ops = {
	.wait = wait, .status = status_of, .error = error_of,
	.message = message, .release = release, .give_up = give_up
};

static bool *inactive(struct weft_request *req)
{
	return &wf_p2p_request(req)->inactive;
}

static const struct wf_request_ops persistent_ops = {
	.start = wf_p2p_restart, .inactive = inactive, .wait = wait,
	.status = status_of, .error = error_of, .message = message,
	.release = dismiss, .give_up = give_up
};

/* Of what always goes by a set the memory is registered as long as it lives. */
void wf_p2p_persist(struct wf_p2p_request *req)
{
	bool buffered = req->sends && req->mode == WF_P2P_BUFFERED;

	req->base.ops = &persistent_ops;
	req->inactive = true;
	req->p2p->standing += !req->sends;
	if (req->bytes > WF_P2P_SHORT_MAX && !buffered &&
	    !wf_p2p_has_gaps(req) && req->rank != WEFT_PROC_NULL)
		req->pins = wf_pins_make(req->base.comm->job, req->pair ?
					 req->pair->peer : NULL, req->data,
					 req->bytes);
}

/* ---- of a send that is over when its call returns ---- */

static void stay(struct weft_request *req)
{
	(void)req;
}

static int success(const struct weft_request *req)
{
	(void)req;
	return WEFT_OK;
}

static const char *no_error(const struct weft_request *req)
{
	(void)req;
	return "";
}

static void was_sent(const struct weft_request *req,
		     struct weft_message_status *got_p)
{
	(void)req;
	got_p->kind = WEFT_MESSAGE_SENT;
}

void wf_p2p_init_sent(struct weft_request *req, struct weft_job *job)
{
	static const struct wf_request_ops sent_ops = {
		.wait = stay, .status = success, .error = no_error,
		.message = was_sent, .release = stay
	};

	/* not its own, which nothing holds any more */
	*req = (struct weft_request){ &sent_ops, job->world };
}

/* ---- taken back ---- */

static bool is_message(const struct weft_request *req)
{
	return req->ops->status == status_of || req->ops->status == success;
}

/* What is sent is sent: a receive alone is taken back. */
static void cancel(struct wf_p2p_request *req)
{
	if (!req->active || !req->receive.posted)
		return;
	req->got.cancelled = true;
	end(req);
}

int weft_request_cancel(struct weft_request *base)
{
	int status = base && base->comm ? wf_job_enter(base->comm->job) :
					  WEFT_ERR_ARG;

	if (status)
		return status;
	if (!is_message(base))
		status = wf_job_fail(base->comm->job, WEFT_ERR_REQUEST,
				     "weft_request_cancel: the request is of "
				     "no message");
	else if (base->ops->status == status_of)
		cancel(wf_p2p_request(base));
	return wf_comm_leave(base->comm, status);
}

/* ---- life ---- */

int wf_p2p_refuse_data(struct weft_comm *comm, const struct wf_p2p_args *a)
{
	struct weft_job *job = comm->job;

	if (!wf_type_serves(job, a->type))
		return wf_type_refuse(job, a->call, "type", a->type);
	if (a->n > PTRDIFF_MAX)
		return wf_type_refuse_count(job, a->call, a->n, a->type);
	if (a->n && !wf_type_lies_at(a->type, a->data))
		return wf_job_fail_for(job, WEFT_ARGUMENT_BUFFER, WEFT_ERR_ARG,
				       "%s: data is NULL with %zu elements",
				       a->call, a->n);
	return wf_type_refuse_count(job, a->call, a->n, a->type);
}

static struct wf_p2p_request *get_spare(struct wf_office *office)
{
	struct wf_p2p_request *req = office->spare;

	if (req) {
		office->spare = req->next;
		return req;
	}
	req = wf_zeroed(1, sizeof(*req));
	if (!req)
		return NULL;
	wf_list_init(&req->queue);
	wf_list_add_tail(&office->requests, &req->link);
	return req;
}

/* Field by field: one is made per message. */
void wf_p2p_reset(struct wf_p2p_request *req)
{
	req->receive.posted = false;
	req->msg = NULL;
	req->status = WEFT_OK;
	req->got = (struct wf_p2p_got){ .bytes = 0 };
	if (!req->sends)
		return;
	req->begun = false;
	req->way = WF_P2P_UNDECIDED;
	req->sent = req->wanted = req->serial = 0;
}

/* Who stores into its peer's memory packs there. */
static bool needs_copy(const struct wf_p2p_request *req)
{
	const struct wf_peer *peer;

	if (!req->sends)
		return false;
	peer = req->pair->peer;
	return peer->state != WF_PEER_READY ||
	       !(peer->ep->dev->caps & WF_CAP_MAPPED);
}

/* At the first start that finds it needless. */
static void drop_copy(struct wf_p2p_request *req)
{
	req->data = req->staged->part[0].base;
	wf_pins_free(req->pins);
	req->pins = NULL;
	wf_staged_free(req->staged);
	req->staged = NULL;
}

void wf_p2p_gather(struct wf_p2p_request *req)
{
	if (needs_copy(req))
		wf_staged_gather(req->staged);
	else
		drop_copy(req);
}

/* Elements with gaps. */
static int hold(struct wf_p2p_request *req, const struct wf_p2p_args *a)
{
	const struct weft_part part = weft_part(a->data, a->n, a->type);
	struct weft_job *job = req->base.comm->job;

	if (req->rank == WEFT_PROC_NULL)
		return WEFT_OK;
	wf_type_hold(a->type);
	req->type = a->type;
	if (a->buffered || !needs_copy(req))
		return WEFT_OK;
	if (wf_staged_make_one(job, &part, a->bytes, &req->staged))
		return wf_job_fail(job, WEFT_ERR_NOMEM, "%s: no memory for a "
				   "packed copy of %llu bytes", a->call,
				   (unsigned long long)a->bytes);
	req->data = req->staged->packed;
	return WEFT_OK;
}

static inline int aim(struct wf_p2p_request *req, const struct wf_p2p_args *a)
{
	req->data = a->data;
	req->bytes = a->bytes;
	return !a->bytes || a->type->dense ? WEFT_OK : hold(req, a);
}

int wf_p2p_aim(struct wf_p2p_request *req, const struct wf_p2p_args *a)
{
	return aim(req, a);
}

int wf_p2p_new(struct weft_comm *comm, const struct wf_p2p_args *a,
	       struct wf_p2p_request **req_p)
{
	struct wf_p2p *p2p = wf_p2p_of(comm);
	bool named = a->with.rank >= 0;
	struct wf_p2p_pair *pair = p2p && named ?
				   wf_pair_with(p2p, a->with.rank) : NULL;
	struct wf_p2p_request *req = pair || (p2p && !named) ?
				     get_spare(p2p->office) : NULL;
	int status;

	if (!req)
		return wf_job_fail(comm->job, WEFT_ERR_NOMEM, "%s: no memory "
				   "for a request", a->call);
	req->sends = a->sends;
	wf_p2p_reset(req);
	req->base.ops = &ops;
	req->base.comm = comm;
	req->p2p = p2p;
	req->pair = pair;
	req->call = a->call;
	req->rank = a->with.rank;
	req->tag = a->with.tag;
	req->synchronous = a->synchronous;
	req->given_up = false;
	wf_comm_hold(comm);
	status = aim(req, a);
	if (status)
		wf_p2p_free(req);
	else
		*req_p = req;
	return status;
}

static void release_type(struct wf_p2p_request *req)
{
	wf_staged_free(req->staged);
	req->staged = NULL;
	wf_type_unhold(req->type);
	req->type = NULL;
}

void wf_p2p_free(struct wf_p2p_request *req)
{
	struct wf_office *office = req->p2p->office;
	struct weft_comm *comm = req->base.comm;

	if (req->run)
		wf_long_free(req);
	if (req->place)
		wf_buffer_put(req->place);
	req->place = NULL;
	wf_pins_free(req->pins);
	req->pins = NULL;
	if (req->type)
		release_type(req);
	req->base.comm = NULL;
	req->next = office->spare;
	office->spare = req;
	wf_comm_drop(comm);
}

void wf_p2p_wait(struct wf_p2p_request *req)
{
	if (req->active)
		wait(&req->base);
}

int wf_p2p_finish(struct wf_p2p_request *req, struct weft_message_status *got_p)
{
	struct weft_job *job = req->base.comm->job;
	int status;

	wf_p2p_wait(req);
	status = req->status;
	if (status)
		wf_job_fail(job, status, "%s", error_text(req));
	if (got_p && (!status || status == WEFT_ERR_TRUNCATE))
		*got_p = received(req);
	wf_p2p_free(req);
	return status;
}
