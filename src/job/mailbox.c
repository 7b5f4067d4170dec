/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arriving mails find their handler here, and what is owed finds its peer.
 * Handlers run inside of progress and never send.
 */
#include "job/mailbox.h"

#include <stdio.h>
#include <string.h>
#include "job/abort.h"
#include "job/job.h"
#include "job/peer.h"

void wf_mail_drop(struct weft_job *job, const struct wf_letter *letter,
		  const char *why)
{
	job->mailbox.dropped++;
	wf_debug(&job->log, "dropped a mail of kind %d from rank %d: %s",
		 letter->head.kind, letter->from->rank, why);
}

/*
 * A bye says first, where there is one, which rank was dead by then, and
 * whether its sender does not wait for ours.
 */
static void bye_comes(struct weft_job *job, const struct wf_letter *letter)
{
	uint32_t dead = letter->head.word - 1;
	char why[64] = "has closed its job";
	struct wf_peer *peer;

	if (dead < (uint32_t)job->size && dead != (uint32_t)job->rank) {
		peer = wf_peer_get(job, (int)dead);
		if (peer)
			wf_peer_gone(peer, WF_PEER_DEAD, "is dead, as a rank "
				     "that closed its job told");
		snprintf(why, sizeof(why), "has closed its job, knowing that "
			 "rank %u is dead", dead);
	}
	letter->from->aloof = letter->head.context;
	wf_peer_gone(letter->from, WF_PEER_LEFT, why);
	/* Those who have never met it may ask; else it is told by others. */
	(void)wf_leave_told(job, letter->from->rank, letter->from->rank);
}

void wf_mail_deliver(void *arg, struct wf_ep *ep, const struct wf_mail *head,
		     const void *payload)
{
	struct weft_job *job = arg;
	/* field by field, as its device may just have written it */
	struct wf_letter letter = {
		.from = ep->user, .payload = payload, .head = {
			head->kind, head->flags, head->length, head->word,
			head->context
		}
	};

	if (wf_mail_is_p2p(head) && job->mailbox.matched)
		job->mailbox.matched(job, &letter);
	else if (head->kind == WF_MAIL_BYE)
		bye_comes(job, &letter);
	else if (head->kind == WF_MAIL_DEATHS)
		wf_flood_deliver(job, &letter);
	else if (head->kind == WF_MAIL_ABORT)
		wf_abort_deliver(job, &letter);
	else if (head->kind < WF_MAIL_KINDS && head->kind &&
		 job->mailbox.to_context)
		job->mailbox.to_context(job, &letter);
	else
		wf_mail_drop(job, &letter, "unknown kind");
}

/* In front of that element of the list, or at its end. */
static void owe_before(struct wf_peer *peer, struct wf_list *at,
		       struct wf_owed *owed)
{
	owed->queued = true;
	wf_list_add_tail(at, &owed->link);
	if (wf_list_empty(&peer->busy))
		wf_list_add_tail(&peer->job->busy_peers, &peer->busy);
}

void wf_owe_last(struct wf_peer *peer, struct wf_owed *owed)
{
	owe_before(peer, &peer->owed, owed);
}

/* Nothing follows a bye: not the peer's, and not the own one. */
static bool may_follow(const struct wf_peer *peer, struct wf_owed *owed)
{
	if (wf_peer_is_there(peer) && !peer->bye.queued && !peer->bye_sent)
		return true;
	if (owed->settled)
		owed->settled(owed, WEFT_ERR_PEER);
	return false;
}

void wf_owe_first(struct wf_peer *peer, struct wf_owed *owed)
{
	if (owed->queued || !may_follow(peer, owed))
		return;
	owe_before(peer, peer->owed.next, owed);
	wf_peer_connect(peer);
}

void wf_owe(struct wf_peer *peer, struct wf_owed *owed)
{
	if (!owed->news)
		wf_flood_tell(peer);
	if (owed->queued || !may_follow(peer, owed))
		return;
	wf_owe_last(peer, owed);
	wf_peer_connect(peer);
}

void wf_owe_not(struct wf_owed *owed)
{
	if (!owed->queued)
		return;
	owed->queued = false;
	wf_list_del(&owed->link);
}
