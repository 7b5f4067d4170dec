/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Long messages: once a receive has taken one, its content is an epoch of the
 * lane from sender to receiver, which both ends number alike: the receiver
 * starts epochs in the order in which it mails GO, the sender in that in which
 * it hears it.
 */
#include "p2p/p2p_content.h"
#include "p2p/p2p_office.h"

static void finished(struct wf_run *run)
{
	struct wf_p2p_request *req = wf_container(run, struct wf_lane_run,
						  run)->user;

	if (run->status)
		wf_p2p_fail(req, run->status, "%s: %s", req->call, run->error);
	wf_office_end(req);
}

int wf_long_prepare(struct wf_p2p_request *req)
{
	int rank = req->sends ? req->rank : req->got.source;
	int among_all = wf_remote_first(req->base.comm) + rank;
	struct wf_lane *lane = wf_lane_of(&req->p2p->lanes, req->sends,
					  among_all);

	req->run = lane ? wf_lane_take(lane, "message") : NULL;
	if (!req->run)
		return WEFT_ERR_NOMEM;
	req->run->user = req;
	req->run->run.finished = finished;
	req->run->plan->step[0].type = wf_p2p_has_gaps(req) ? req->type : NULL;
	req->run->plan->stores = !req->sends &&
				 req->msg->note.what == WF_P2P_LONG_GAPS;
	req->run->run.pins = req->pins;
	return WEFT_OK;
}

/* The sender hears how much is wanted of it, or that nothing is. */
static bool invite(struct wf_p2p_request *req)
{
	struct wf_p2p_message *msg = req->msg;
	int status = WEFT_OK;

	/* Its sender hears, or has heard, that messages were lost here. */
	if (msg->pair->peer->unheard)
		status = WEFT_ERR_NOMEM;
	else if (req->wanted)
		status = wf_long_prepare(req);
	req->msg = NULL;
	msg->to = NULL;
	wf_p2p_answer(msg, WF_P2P_GO, req->wanted, status);
	if (status)
		wf_p2p_fail(req, status, "%s: no memory for %llu bytes from "
			    "rank %d", req->call,
			    (unsigned long long)req->wanted, req->got.source);
	return !status && req->wanted;
}

void wf_long_start(struct wf_p2p_request *req)
{
	if (!req->sends && !invite(req)) {
		wf_office_end(req);
		return;
	}
	wf_lane_aim(req->run, req->data, req->wanted);
	wf_run_start(&req->run->run, WEFT_OK);
}

bool wf_long_is_active(const struct wf_p2p_request *req)
{
	return req->run && !wf_run_is_idle(&req->run->run);
}

void wf_long_free(struct wf_p2p_request *req)
{
	if (req->run)
		wf_lane_give_back(req->run);
	req->run = NULL;
}

void wf_long_discard(struct wf_p2p_request *req)
{
	if (req->run)
		wf_lane_run_destroy(req->run);
	req->run = NULL;
}
