/* SPDX-License-Identifier: BSD-3-Clause */
/* What goes between this process and another one: see p2p_pair.c. */
#ifndef WEFT_P2P_P2P_PAIR_H
#define WEFT_P2P_P2P_PAIR_H

#include <stdbool.h>
#include <stdint.h>
#include "base/list.h"
#include "job/mailbox.h"
#include "p2p/p2p_wire.h"

struct wf_office;
struct wf_p2p;
struct wf_p2p_message;
struct wf_p2p_request;
struct wf_peer;

/* This process and another one. */
struct wf_p2p_pair {
	struct wf_list link;
	struct wf_office *office;
	struct wf_peer *peer;
	/* to it */
	struct wf_list queue;		/* requests, in order */
	struct wf_list awaiting;	/* those that have left, an answer */
	struct wf_owed mail;		/* of the first one in the queue */
	uint64_t piece;			/* bytes in the mail under way */
	uint64_t serial;
	uint64_t messages, content;	/* that have left, */
	uint64_t messages_end, content_end;	/* and may leave */
	bool asked;			/* for more */
	unsigned several;		/* requests in the mail; 0: only one */
	struct wf_owed want;
	/* from it */
	uint64_t arrived;		/* messages, ever */
	struct wf_p2p_message *partial;	/* NULL: it is not wanted */
	uint64_t left;			/* bytes of it that have not come */
	uint64_t taken, content_taken;	/* ever */
	uint64_t told, content_told;	/* that it may send, ever */
	int waited;			/* receives and probes that name it */
	bool listed;			/* in office->awaited */
	bool wants;
	bool shut;			/* a message was lost there */
	struct wf_owed budget;
};

struct wf_p2p_pair *wf_pair_of(struct wf_office *office, struct wf_peer *peer);
void wf_pair_destroy(struct wf_p2p_pair *pair);

/* That with a rank of the communicator; NULL: no memory. */
struct wf_p2p_pair *wf_pair_find(struct wf_p2p *p2p, int rank);

/*
 * Sends a short message at once; false: something is in front of it, or it
 * needs more than one mail, or there is no room.
 */
bool wf_pair_send_now(struct wf_p2p_pair *pair, uint64_t context, int tag,
		      const void *content, uint64_t bytes);

/* Sends, in order. */
void wf_pair_send(struct wf_p2p_request *req);

/* It waits for budget, or goes as a long one for lack of it. */
bool wf_pair_lacks_budget(const struct wf_p2p_pair *pair, uint64_t bytes);

/* Of that with itself: messages have still to come. */
bool wf_pair_has_more(const struct wf_p2p_pair *pair);

/* A message of so much content is not held any more. */
void wf_pair_taken(struct wf_p2p_pair *pair, uint64_t content);

/* A receive or probe waits, for one of its pair, or of anybody. */
void wf_pair_await(struct wf_p2p_request *req);

/* One that does not wait looks for it. */
void wf_pair_ask(struct wf_office *office, struct wf_p2p_pair *pair);

/* Something of one that is not listed is awaited: the detector is to see it. */
void wf_pair_list(struct wf_p2p_pair *pair);

/* The mails of budgets. */
void wf_pair_deliver(struct wf_p2p_pair *pair, const struct wf_p2p_note *note);

/*
 * Who awaits GO, or TAKEN, of this serial, in no list any more, or some of it
 * has still to leave; NULL: nobody does.
 */
struct wf_p2p_request *wf_pair_answered(struct wf_p2p_pair *pair,
					uint64_t serial, bool go);

/* Messages of it were lost here: it hears of that. */
void wf_pair_lose(struct wf_p2p_pair *pair);

#endif
