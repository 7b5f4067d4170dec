/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Probes: is there a message?  One that waits is a request that takes nothing,
 * so that whoever may send knows of it and those who are gone end it.
 *
 * A matched probe takes the message out of matching and gives the program a
 * request that holds it, for p2p_mrecv.c.  It is not received until then.
 */
#include "base/handle.h"
#include "p2p/p2p_calls.h"
#include "p2p/p2p_office.h"

#include "base/text.h"
#include "plan/inquiry.h"

struct probe {
	const char *call;
	struct wf_p2p *p2p;
	struct wf_p2p_pair *pair;		/* NULL: anybody's */
	int source, tag;		/* WF_MATCH_ANY */
	struct wf_p2p_request *req;	/* of one that waits */
};

static struct wf_p2p_message *look(const struct probe *probe)
{
	struct wf_match_message *match = wf_match_probe(
		&probe->p2p->match, probe->source, probe->tag);

	return match ? wf_container(match, struct wf_p2p_message, match) :
		       NULL;
}

static int set_up(struct probe *probe, struct weft_comm *comm,
		  const char *call, struct weft_envelope from)
{
	*probe = (struct probe){
		.call = call, .p2p = wf_p2p_of(comm),
		.source = from.rank == WEFT_ANY_SOURCE ? WF_MATCH_ANY :
							     from.rank,
		.tag = from.tag == WEFT_ANY_TAG ? WF_MATCH_ANY : from.tag
	};
	if (!probe->p2p || from.rank == WEFT_ANY_SOURCE)
		return probe->p2p ? WEFT_OK : WEFT_ERR_NOMEM;
	probe->pair = wf_pair_with(probe->p2p, from.rank);
	return probe->pair ? WEFT_OK : WEFT_ERR_NOMEM;
}

static void tell(const struct wf_p2p_message *msg,
		 struct weft_message_status *got_p)
{
	if (got_p && msg)
		*got_p = (struct weft_message_status){
			.source = msg->match.source, .tag = msg->note.tag,
			.bytes = msg->note.bytes,
			.kind = WEFT_MESSAGE_RECEIVED
		};
	else if (got_p)
		*got_p = (struct weft_message_status){
			.source = WEFT_PROC_NULL, .tag = WEFT_ANY_TAG,
			.kind = WEFT_MESSAGE_RECEIVED
		};
}

static int begin(struct weft_comm *comm, const char *call,
		 struct weft_envelope from, struct probe *probe)
{
	int status = wf_p2p_check_pattern(comm, call, from);

	if (status || from.rank == WEFT_PROC_NULL)
		return status;
	if (set_up(probe, comm, call, from))
		return wf_job_fail(comm->job, WEFT_ERR_NOMEM, "%s: no memory "
				   "for messages of a communicator", call);
	return WEFT_OK;
}

/* So far it receives from nobody. */
static int make_holder(struct weft_comm *comm, const char *call,
		       struct wf_p2p_request **holder_p)
{
	const struct wf_p2p_args a = {
		.call = call, .with = weft_from(WEFT_PROC_NULL, WEFT_ANY_TAG)
	};

	return wf_p2p_new(comm, &a, holder_p);
}

/* The message is this request's; NULL: there is none, from nobody. */
static void hold(struct wf_p2p_request *holder, struct wf_p2p_message *msg,
		 struct weft_message **message_p)
{
	holder->held.msg = msg;
	if (msg) {
		wf_match_take(&holder->p2p->match, &msg->match);
		holder->rank = msg->match.source;
		holder->tag = msg->note.tag;
	}
	*message_p = &holder->held;
}

/* ---- one that waits ---- */

static bool is_over(void *arg)
{
	const struct probe *probe = arg;

	return look(probe) || !probe->req->active;
}

static void describe(void *arg, char *text, size_t bytes)
{
	const struct probe *probe = arg;

	wf_text_add(text, bytes, "%s of ", probe->call);
	wf_comm_tell(probe->p2p->comm, text, bytes);
	if (probe->pair)
		wf_text_add(text, bytes, ": a message of rank %d on host %s",
			    probe->pair->peer->rank,
			    wf_peer_host(probe->pair->peer));
	else
		wf_text_add(text, bytes, ": a message of any rank");
}

/* Its request takes nothing: it is there for who has to know of the wait. */
static int wait(struct weft_comm *comm, struct probe *probe,
		struct weft_envelope from)
{
	struct wf_wait w = { is_over, describe, probe };
	const struct wf_p2p_args a = { .call = probe->call, .with = from };
	struct wf_p2p_request *req;
	int status = wf_p2p_new(comm, &a, &req);

	if (status)
		return status;
	probe->req = req;
	wf_office_begin(req);
	wf_pair_await(req);
	if (!look(probe))
		wf_p2p_look_at_gone(req);
	wf_job_wait(comm->job, &w);
	wf_pair_await_not(req);
	if (req->active)
		wf_office_end(req);
	if (look(probe))
		req->status = WEFT_OK;
	return wf_p2p_finish(req, NULL);
}

/* The message, which stays; NULL: from nobody. */
static int find(struct weft_comm *comm, const char *call,
		struct weft_envelope from, struct wf_p2p_message **msg_p)
{
	struct probe probe;
	int status = begin(comm, call, from, &probe);

	*msg_p = NULL;
	if (status || from.rank == WEFT_PROC_NULL)
		return status;
	status = wait(comm, &probe, from);
	if (!status)
		*msg_p = look(&probe);
	return status;
}

int weft_probe(struct weft_comm *comm, struct weft_envelope from,
	       struct weft_message_status *got_p)
{
	struct wf_p2p_message *msg;
	int status = wf_comm_enter(comm);

	if (status)
		return status;
	wf_inquiry_listen(comm->job);
	wf_comm_hold(comm);
	status = find(comm, "weft_probe", from, &msg);
	if (!status)
		tell(msg, got_p);
	return wf_comm_leave_held(comm, status);
}

int weft_mprobe(struct weft_comm *comm, struct weft_envelope from,
		struct weft_message **message_p,
		struct weft_message_status *got_p)
{
	static const char call[] = "weft_mprobe";
	struct wf_p2p_request *holder = NULL;
	struct wf_p2p_message *msg;
	int status = message_p ? wf_comm_enter(comm) :
				 wf_comm_refuse(comm, call, "message_p");

	wf_no_handle(message_p);
	if (status)
		return status;
	wf_inquiry_listen(comm->job);
	wf_comm_hold(comm);
	/* before: a message without a holder would be lost */
	status = make_holder(comm, call, &holder);
	if (!status)
		status = find(comm, call, from, &msg);
	if (!status) {
		tell(msg, got_p);
		hold(holder, msg, message_p);
	} else if (holder) {
		wf_p2p_free(holder);
	}
	return wf_comm_leave_held(comm, status);
}

/* ---- and one that does not ---- */

/* The same, now; a message or nobody is found. */
static int find_now(struct weft_comm *comm, const char *call,
		    struct weft_envelope from, struct wf_p2p_message **msg_p,
		    bool *found_p)
{
	struct probe probe;
	int status = begin(comm, call, from, &probe);

	*msg_p = NULL;
	*found_p = from.rank == WEFT_PROC_NULL;
	if (status || *found_p)
		return status;
	wf_job_look(comm->job);
	*msg_p = look(&probe);
	*found_p = *msg_p;
	if (!*found_p) {
		wf_pair_ask(probe.p2p->office, probe.pair);
		wf_job_idle(comm->job);
	}
	return WEFT_OK;
}

int weft_iprobe(struct weft_comm *comm, struct weft_envelope from,
		bool *found_p, struct weft_message_status *got_p)
{
	struct wf_p2p_message *msg;
	static const char call[] = "weft_iprobe";
	int status = found_p ? wf_comm_enter(comm) :
			       wf_comm_refuse(comm, call, "found_p");
	bool found;

	if (status)
		return status;
	status = find_now(comm, call, from, &msg, &found);
	if (!status)
		*found_p = found;
	if (!status && found)
		tell(msg, got_p);
	return wf_comm_leave(comm, status);
}

int weft_improbe(struct weft_comm *comm, struct weft_envelope from,
		 struct weft_message **message_p,
		 struct weft_message_status *got_p)
{
	static const char call[] = "weft_improbe";
	struct wf_p2p_request *holder = NULL;
	struct wf_p2p_message *msg;
	int status = message_p ? wf_comm_enter(comm) :
				 wf_comm_refuse(comm, call, "message_p");
	bool found;

	wf_no_handle(message_p);
	if (status)
		return status;
	wf_inquiry_listen(comm->job);
	status = find_now(comm, call, from, &msg, &found);
	if (!status && found)
		status = make_holder(comm, call, &holder);
	if (holder) {
		tell(msg, got_p);
		hold(holder, msg, message_p);
	}
	return wf_comm_leave(comm, status);
}
