/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A region and one peer, in both directions: what this rank knows of the peer's
 * part, and what it owes to it of its own.  How they talk is in rma.h.
 */
#ifndef WEFT_RMA_RMA_LINK_H
#define WEFT_RMA_RMA_LINK_H

#include "rma/rma.h"
#include "rma/rma_agent.h"

enum {
	WF_RMA_QUICK = 64,		/* raises of a quick signal under way */
	WF_RMA_QUICK_LEAST = 4		/* less is not worth a mail */
};

/* Nanoseconds until an owner is asked once more; then twice as long. */
#define WF_RMA_PATIENCE UINT64_C(1000000000)

/* In ASK and operations: no signal. */
#define WF_RMA_NO_NUMBER UINT32_MAX

/*
 * How does a peer change words of a part?  One agent does it for all, the CPUs
 * of its node or a device: the first that asks decides which.
 */
enum wf_rma_words {
	WF_RMA_WORDS_UNKNOWN,		/* it has not asked */
	WF_RMA_WORDS_DIRECT,		/* by its transport */
	WF_RMA_WORDS_ASKED		/* by the owner: rma_agent.h */
};

/* What an operation needs of a peer. */
struct wf_rma_need {
	uint32_t number;		/* of a signal, or WF_RMA_NO_NUMBER */
	bool words;
	uint32_t denied;		/* link->denied when it began */
};

/* What is owed to a peer, in the order in which it goes. */
enum wf_rma_owes {
	WF_RMA_ASK = 1u << 0,
	WF_RMA_GRANT = 1u << 1,
	WF_RMA_REVOKE = 1u << 2,
	WF_RMA_CLOSED = 1u << 3,
	WF_RMA_CREDIT = 1u << 4,
	WF_RMA_WORD = 1u << 5,
	WF_RMA_OLD = 1u << 6
};

/*
 * What a GRANT said of a signal that this rank raises.  Where a device reports
 * raises it may have two of the transport, which count together: a quick one,
 * one packet with its bytes, as long as the owner has room for the reports,
 * and one whose word is stored by a packet of its own.
 */
struct wf_rma_raiser {
	int status;			/* why there is none */
	uint32_t sig, quick;
	uint32_t room;			/* of quick, raises under way */
	uint64_t raised, most;		/* ever, and allowed so far */
};

/* A region and one rank, in both directions. */
struct wf_rma_link {
	struct weft_region *region;
	struct wf_list all;		/* in the region's */
	int rank;			/* in the communicator */
	struct wf_peer *peer;
	struct wf_owed mail;
	unsigned owes, sending;		/* enum wf_rma_owes */

	/* This rank uses the peer's part. */
	bool asking;			/* ASK without its GRANT, */
	uint64_t ask_again, patience;	/* for so long, ns */
	struct wf_rma_need asked;
	bool granted;
	int refusal;			/* instead of a key, for good */
	uint32_t denied;		/* so often there was no memory */
	struct wf_rloc at;
	uint64_t bytes;
	enum wf_rma_words words;
	bool anywhere;			/* outside of the peer's segment */
	struct wf_map numbers;		/* signal -> struct wf_rma_raiser */
	unsigned queued;		/* operations that are not posted yet */
	uint64_t last;			/* post of this region, and the last */
	uint64_t flushed;		/* one that is visible, or told lost */
	uint64_t unwanted;		/* where atomics leave what was there */
	struct wf_rma_asked asked_word;

	/* The peer uses ours. */
	bool wants;			/* it asked, and did not close since */
	bool holds;			/* it has the key */
	struct wf_rma_need wanted;	/* what its ASK was about */
	struct wf_list credits;		/* sources whose CREDIT is owed */
	struct wf_rma_served served_word;
	struct wf_rma_served own_word;	/* of this rank, without a mail */

	/* REVOKE has come: CLOSED is owed when this is flushed. */
	struct wf_poller closing;
	bool closes;
	uint64_t close_mark;
};

/* The link to a rank of the communicator; NULL: no memory. */
struct wf_rma_link *wf_rma_link_get(struct weft_region *region, int rank);
void wf_rma_links_fini(struct weft_region *region);

/*
 * Is there what an operation on the peer's part needs?  WEFT_INPROGRESS: it
 * was asked for.  Others are the peer's refusal, or WEFT_ERR_NOMEM: it had no
 * memory since it began.
 */
int wf_rma_link_ready(struct wf_rma_link *link,
		      const struct wf_rma_need *need,
		      struct wf_rma_raiser **raiser_p);

void wf_rma_owe(struct wf_rma_link *link, enum wf_rma_owes what);

/* Upcall of the port. */
void wf_rma_deliver(struct wf_port *port, const struct wf_letter *letter);
void wf_rma_replies_fini(struct wf_rma *rma);

#endif
