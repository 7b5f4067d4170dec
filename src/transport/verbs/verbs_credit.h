/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inside of the verbs backend: how many mails of a peer find receive buffers.
 *
 * An endpoint may have four mails on their way, and a reserved one.  One that
 * has waited for that says so in its next mail and gets eight more, a bulk, if
 * its receive queue here has room; up to 64.  They come back as signals: +1
 * for two mails, for the reserved one, or for a bulk, raised when as many have
 * been delivered.  When the queue has no more for a peer that waits, those that
 * have not sent for long are asked to give theirs back.
 */
#ifndef WEFT_TRANSPORT_VERBS_CREDIT_H
#define WEFT_TRANSPORT_VERBS_CREDIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct wf_verbs;
struct wf_verbs_ep;
struct wf_verbs_rq;
struct wf_verbs_letter;
struct wf_mail;

enum {
	WF_VERBS_CREDITS = 4,		/* mails under way, and one reserved */
	WF_VERBS_BULK = 8,		/* mails */
	WF_VERBS_BULKS = 8,		/* more for one endpoint */
	/* Raises of it under way at most: all that can have been consumed. */
	WF_VERBS_BULK_RAISES = WF_VERBS_BULKS + 1
};

/* Letters that bring no such signal. */
#define WF_VERBS_NO_BULK UINT32_MAX

/* Of one endpoint; [0] as a rule, [1] the reserved one. */
struct wf_verbs_credit {
	/* What we may send.  The peer raises our signals. */
	uint64_t sent[2];
	uint32_t own[2], own_bulk;
	const _Atomic uint64_t *word[2], *bulk_word;
	uint16_t returns;		/* bulks of ours, to be told */
	bool waited;			/* for credit, since the last mail */
	/* What the peer may send.  We raise its signals. */
	bool wants_back;		/* it is to be asked for its bulks */
	uint16_t given;			/* bulks */
	uint32_t peer[2], peer_bulk;
	uint32_t consumed[2];		/* mails without credit yet */
	uint32_t heard;			/* mails of all before its last one */
};

/* Has joined its receive queue. */
int wf_verbs_credit_init(struct wf_verbs_ep *ep);
void wf_verbs_credit_fini(struct wf_verbs *dev, struct wf_verbs_credit *c);

/* There is one endpoint more. */
void wf_verbs_credit_begins(struct wf_verbs_ep *ep);

/* Nothing comes from the peer any more: others may get what it had. */
void wf_verbs_credit_ends(struct wf_verbs_ep *ep);

/* Immediates of so many signals and mails find a receive buffer. */
void wf_verbs_keep_ledger(struct wf_verbs *dev, const struct wf_verbs_rq *rq);

/*
 * One endpoint more finds buffers, and leaves half of them to bulks and
 * signals.
 */
bool wf_verbs_rq_fits(const struct wf_verbs *dev, const struct wf_verbs_rq *rq);

/* Which one a mail takes; -1: none is left. */
int wf_verbs_choose_credit(struct wf_verbs_ep *ep, const struct wf_mail *mail);

/* What a mail says of it; it is with the device: it counts. */
void wf_verbs_credit_say(struct wf_verbs_ep *ep,
			 struct wf_verbs_letter *letter);
void wf_verbs_credit_said(struct wf_verbs_ep *ep,
			  const struct wf_verbs_letter *letter);

/* A mail has come, and was delivered. */
void wf_verbs_credit_comes(struct wf_verbs_ep *ep,
			   const struct wf_verbs_letter *letter);

/* Pay the credits that are due; false: something is left. */
bool wf_verbs_pay(struct wf_verbs_ep *ep);

#endif
