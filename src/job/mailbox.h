/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The mailbox: small messages to and from peers, in order per peer.
 *
 * Arriving mails go to the handler of their kind.  A handler never sends: it
 * owes.  What is owed to a peer is a small object inside of whatever owes it;
 * progress builds and sends the mail when the peer is connected and has room,
 * so there is neither recursion nor a deadlock of two full queues.
 */
#ifndef WEFT_JOB_MAILBOX_H
#define WEFT_JOB_MAILBOX_H

#include <stdbool.h>
#include <stdint.h>
#include "base/list.h"
#include "transport/transport.h"

struct weft_job;
struct wf_peer;

enum wf_mail_kind {
	WF_MAIL_BYE = 1,	/* the sender closes its job; nothing follows */
	/* To a port of a context (comm/comm.h): word is the port. */
	WF_MAIL_LANDING,	/* a channel opens: receiver to sender */
	WF_MAIL_READY,		/* a channel opens: sender to receiver */
	WF_MAIL_GROWTH,		/* new landing slots */
	WF_MAIL_GROWN,		/* the sender has them */
	WF_MAIL_QUESTION,	/* how long is this edge in this epoch? */
	WF_MAIL_ANSWER,
	WF_MAIL_COLL,		/* part of a collective on the mailbox path */
	WF_MAIL_CLOSED,		/* no more ready lines on this edge */
	WF_MAIL_DEATHS,		/* not to a port: ranks that are dead */
	WF_MAIL_RMA,		/* keys of regions: rma/rma_wire.h */
	WF_MAIL_RELAY,		/* ids for a group: derive/relay.h */
	/* Of a context, but no port: p2p/p2p_wire.h. */
	WF_MAIL_P2P,
	WF_MAIL_MESSAGE,	/* a whole one: word is its tag */
	WF_MAIL_PIECE,		/* of the one that comes at present */
	WF_MAIL_ABORT,		/* of a context: word is the exit code */
	/* To the port of marks (comm/accord.h). */
	WF_MAIL_MARK,		/* a collective call */
	WF_MAIL_ODDS,		/* two have differed: a sentence */
	WF_MAIL_KINDS
};

static inline bool wf_mail_is_p2p(const struct wf_mail *head)
{
	return head->kind == WF_MAIL_MESSAGE || head->kind == WF_MAIL_P2P ||
	       head->kind == WF_MAIL_PIECE;
}

/* A mail that has arrived, during its handler. */
struct wf_letter {
	struct wf_peer *from;
	struct wf_mail head;
	const void *payload;	/* valid during the handler only */
};

typedef void (*wf_mail_handler)(struct weft_job *job,
				const struct wf_letter *letter);

struct wf_mailbox {
	wf_mail_handler to_context;	/* comm/: kinds for a context */
	/*
	 * p2p/: those of wf_mail_is_p2p(), also for contexts that were freed;
	 * NULL: they go to_context, which parks them.
	 */
	wf_mail_handler matched;
	uint64_t dropped;	/* unknown kinds, lengths, contexts, senders */
};

/* Upcall of the devices: hands a mail to its handler. */
void wf_mail_deliver(void *arg, struct wf_ep *ep, const struct wf_mail *head,
		     const void *payload);

/* A mail was for nobody: counted, and shown at debug level. */
void wf_mail_drop(struct weft_job *job, const struct wf_letter *letter,
		  const char *why);

/* A mail that is owed; embedded in what owes it, and zero before first use. */
struct wf_owed {
	struct wf_list link;	/* in the peer's list while it is owed */
	bool queued;
	bool news;		/* of no use to one that has ended */
	/*
	 * Write the mail: head (kind, word, context) and as many bytes as the
	 * peer's device takes, aligned to 8; returns the length of the payload.
	 */
	uint16_t (*build)(struct wf_owed *owed, struct wf_mail *head,
			  void *payload);
	/* May it go now, and what is owed behind it?  NULL: always. */
	bool (*ready)(struct wf_owed *owed);
	/*
	 * It is no longer owed: WEFT_OK (sent) or an error (the peer cannot
	 * be reached, is dead or has left).  May owe again; NULL: nothing.
	 */
	void (*settled)(struct wf_owed *owed, int status);
};

/*
 * Owe it; connects to the peer if need be.  Owed already: nothing changes.  Of
 * deaths the peer hears first (job/flood.h).
 */
void wf_owe(struct wf_peer *peer, struct wf_owed *owed);

/* The same, in front of all that is owed already. */
void wf_owe_first(struct wf_peer *peer, struct wf_owed *owed);

/* The same for a bye, which also a peer that has left waits for. */
void wf_owe_last(struct wf_peer *peer, struct wf_owed *owed);

/* No longer owe it; settled() is not called. */
void wf_owe_not(struct wf_owed *owed);

#endif
