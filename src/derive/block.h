/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a constructor gets the context ids of the child: from the pool of the
 * parent, without a message as long as there is something in it.  An empty pool
 * is seen by all members alike; then the parent's rank 0 takes a range of ids
 * from its own, an allreduce tells all of them, and another one makes sure that
 * all have heard it.  Both are numbered apart from what the program calls, so
 * that they may take place whenever a rank gets to them.
 *
 * Constructors take in the order of their calls: behind one that waits for a
 * refill all others of the parent wait, too.  Where there is no memory for the
 * channels of a refill it waits for that.
 */
#ifndef WEFT_DERIVE_BLOCK_H
#define WEFT_DERIVE_BLOCK_H

#include "comm/comm.h"
#include "plan/plan.h"

enum wf_taker_phase {
	WF_TAKER_QUEUED,		/* behind earlier ones */
	WF_TAKER_TELLS,			/* the first allreduce, */
	WF_TAKER_AGREES,		/* the second */
	WF_TAKER_OVER
};

/* A constructor that waits for its block. */
struct wf_taker {
	struct weft_comm *parent;
	const char *call;
	/* It is over, out of the list; by progress.  NULL: nothing to do. */
	void (*done)(struct wf_taker *taker);
	enum wf_taker_phase phase;
	struct wf_cid_block block;
	int status;			/* an error: there is no block */
	char error[WF_ERROR_TEXT];
	struct wf_list link;		/* in parent->takers */
	struct wf_poller poller;
	struct wf_schedule *coll;	/* NULL: none so far, or no memory */
	struct wf_run *run;		/* the allreduce that is under way, */
	uint64_t range[2];		/* of these, */
	int64_t worst;			/* or of this */
	bool told;			/* the first one gave the range */
};

/*
 * The block of the next child of a communicator.  By all members, with the job
 * entered; for what fails behind it the block is passed over.  Errors are told
 * as the job's last one, and nobody has a block then: WEFT_ERR_NOMEM (also:
 * rank 0 has no ids left), WEFT_ERR_PEER, WEFT_ERR_DEVICE.
 * Blocks: only where the pool is empty, or others wait.
 */
int wf_block_take(struct weft_comm *parent, const char *call,
		  struct wf_cid_block *block_p);

/* The same where that does not block; else WEFT_AGAIN, and nothing is taken. */
int wf_block_try(struct weft_comm *parent, struct wf_cid_block *block_p);

/* Waits for its turn and a refill without blocking; memory is the caller's. */
void wf_taker_start(struct wf_taker *taker, struct weft_comm *parent,
		    const char *call,
		    void (*done)(struct wf_taker *taker));

/* Until it is over. */
void wf_taker_wait(struct wf_taker *taker);

#endif
