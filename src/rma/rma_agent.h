/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomics that a rank cannot do by itself, because the words of a part are
 * changed by another agent than its transport's: it asks the owner, whose
 * progress does them by that agent, the CPU or a device.  The words of a
 * program's own memory are always changed so.
 *
 * One of a rank and a part is asked for at a time.  Who waits long asks again
 * by the same number, as nothing else would show that the path is lost; what
 * was done is only answered again.  So a rank uses no number twice, not for
 * another region of the communicator either: it may attach one again.
 */
#ifndef WEFT_RMA_RMA_AGENT_H
#define WEFT_RMA_RMA_AGENT_H

#include <stdbool.h>
#include <stdint.h>
#include "job/job.h"
#include "transport/word.h"

struct wf_rma_link;
struct wf_rma_note;
struct wf_rma_wait;

/* This rank asks. */
struct wf_rma_asked {
	struct wf_word_op op;
	uint64_t offset;		/* in the peer's part */
	uint64_t *old;			/* where it goes */
	uint64_t number, answered;	/* the last that were; 0: none */
	uint64_t again, patience;	/* when to ask again, ns */
	uint64_t failed;		/* the last that did; 0: none */
	int status;			/* why */
	bool told;			/* to the program */
};

/* This rank does it for the peer, or for itself. */
struct wf_rma_served {
	struct wf_rma_link *link;
	struct wf_poller poller;	/* while a device does it */
	struct wf_word_op op;
	uint64_t offset;
	uint32_t number;
	bool open;			/* not done yet */
	bool done;			/* it is to be answered only */
	uint32_t answered;		/* the last that was done, and how: */
	int status;
	uint64_t old;
};

/* Takes the op, as asked_word.number.  WEFT_AGAIN: not yet. */
int wf_rma_agent_ask(struct wf_rma_link *link, uint64_t offset,
		     const struct wf_word_op *op, uint64_t *old);

/* Is there one without an answer? */
bool wf_rma_agent_asks(const struct wf_rma_link *link);

/* Who waits for that answer calls it; asks again now and then. */
void wf_rma_agent_remind(struct wf_rma_link *link);

/* Nothing more comes of the peer: what is open goes nowhere. */
void wf_rma_agent_forget(struct wf_rma_link *link);

/* Fails the wait if this op has failed, or, with UINT64_MAX, one untold. */
void wf_rma_agent_tell(struct wf_rma_link *link, uint64_t number,
		       struct wf_rma_wait *wait);

/* Fails it if no other op can succeed either. */
void wf_rma_agent_refuse(struct wf_rma_link *link, struct wf_rma_wait *wait);

/* What the mails WORD and OLD say, and what comes of them. */
void wf_rma_agent_fill_word(const struct wf_rma_link *link,
			    struct wf_rma_note *note);
void wf_rma_agent_fill_old(const struct wf_rma_link *link,
			   struct wf_rma_note *note);
void wf_rma_agent_word_comes(struct wf_rma_link *link,
			     const struct wf_rma_note *note);
void wf_rma_agent_old_comes(struct wf_rma_link *link,
			    const struct wf_rma_note *note);

/* Is a device at work on the own part, for this peer? */
bool wf_rma_agent_serves(const struct wf_rma_link *link);

/* The link goes. */
void wf_rma_agent_fini(struct wf_rma_link *link);

#endif
