/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One-sided access: regions, what links them to their peers, and operations.
 *
 * A region is made without a message to those who will use it.  Who first
 * wants something of a peer's part asks for its key by mail (rma_link.c); so a
 * rank keeps nothing of peers that it does not use, and an owner knows who can
 * write its memory: those that hold a key.  It gives memory back when each has
 * said CLOSED, behind a flush of its last put, has left, or is dead and fenced.
 *
 *   ASK     user to owner: the key, and a signal's number if it needs one
 *   GRANT   the answer
 *   REVOKE  owner to user: the region ends
 *   CLOSED  user to owner: nothing of mine is under way, nor will be
 *   CREDIT  owner to user: so many raises of a quick signal have come
 *   WORD    user to owner: an atomic op that is not for the user's transport
 *   OLD     the answer
 */
#ifndef WEFT_RMA_RMA_H
#define WEFT_RMA_RMA_H

#include <weft/rma.h>
#include "comm/comm.h"
#include "transport/signals.h"

enum {
	/* Bytes of one post; ofi takes no more. */
	WF_RMA_PIECE = 64 << 20,
	WF_RMA_WHY = 320		/* bytes of a sentence */
};

/* What a communicator carries, made at its first region. */
struct wf_rma {
	struct wf_cargo cargo;
	struct wf_port port;
	struct weft_comm *comm;
	struct wf_map regions;		/* own: id, else wf_region_name() */
	struct wf_list replies;		/* on regions that are gone */
	struct wf_list requests;	/* that the program did not free */
	uint64_t exposed;		/* regions so far */
	uint64_t asked;			/* atomics that owners do, so far */
	size_t piece;			/* WF_RMA_PIECE; less in tests */
};

/* The own part of a region. */
struct wf_rma_memory {
	void *base;
	size_t bytes;
	bool allocated;			/* by us, in the segment */
	uint64_t offset;		/* there */
	int nregs;
	struct wf_region *reg[WF_DEVICES];	/* of others' memory */
};

enum wf_region_kind {
	WF_REGION_CREATED,		/* every rank has a part */
	WF_REGION_EXPOSED,		/* this one only */
	WF_REGION_ATTACHED		/* another one only */
};

struct weft_region {
	struct wf_rma *rma;
	enum wf_region_kind kind;
	uint64_t id;			/* its name in mails */
	int owner;			/* of an attached one */
	struct wf_rma_memory memory;
	struct wf_map links;		/* rank -> struct wf_rma_link */
	struct wf_list all;		/* them, for walks that wait: new ones
					 * come to its end */
	struct wf_map raised;		/* number -> struct wf_rma_raised */
	struct wf_list signals;		/* handles */
	unsigned active;		/* requests under way */
	bool ending;			/* no key is given any more */
	bool has_agent;			/* somebody changes words, by */
	struct wf_device *agent;	/* that; NULL: the CPUs */
};

/* ---- regions ---- */

/* The cargo of a communicator; WEFT_ERR_NOMEM. */
int wf_rma_of(struct weft_comm *comm, struct wf_rma **rma_p);

/* How the map of regions names what this rank uses of an owner. */
uint64_t wf_region_name(uint64_t id, int owner);

/* Argument check and entry of calls on a region. */
int wf_region_enter(const struct weft_region *region, const char *call)
	WEFT_MUST_CHECK;

/* Has the peer a part of it?  Else WEFT_ERR_ARG, told as the call's. */
int wf_region_check_peer(const struct weft_region *region, const char *call,
			 int peer) WEFT_MUST_CHECK;

/*
 * Gives it up when nobody writes it.  Without revoke all its users are to do
 * the same by themselves; with it they are told that it ends.  What the
 * call has failed with so far stays its error.
 */
void wf_region_part(struct weft_region *region, const char *call, int status,
		    bool revoke);

/* Frees it, without a word.  kept: as of wf_rma_memory_fini(). */
void wf_region_dismantle(struct weft_region *region, bool kept);

static inline struct weft_job *wf_region_job(const struct weft_region *region)
{
	return region->rma->comm->job;
}

/* ---- the own part (rma_memory.c); failures are told as `call`'s ---- */

int wf_rma_memory_init(struct weft_job *job, const char *call, void *base,
		       size_t bytes, struct wf_rma_memory *m);

/* kept: a write to it may still be under way, so the segment keeps it. */
void wf_rma_memory_fini(struct weft_job *job, struct wf_rma_memory *m,
			bool kept);

/* Its key for the peers that a device joins. */
int wf_rma_memory_key(struct wf_rma_memory *m, struct wf_device *dev,
		      struct wf_rloc *at_p);

/* ---- waiting (rma_wait.c) ---- */

/* Something that a call or a request waits for. */
struct wf_rma_wait {
	struct wf_listener listener;
	const char *call;
	struct weft_region *region;
	struct wf_rma_link *link;	/* NULL: see next_rank */
	bool (*step)(struct wf_rma_wait *wait);	/* true: it is over */
	/* World ranks that are waited for; NULL: that of the link. */
	int (*next_rank)(struct wf_rma_wait *wait, int *cursor);
	const char *what;		/* for people: "the key" */
	bool over;
	uint64_t lost;			/* when it was first not quiet */
	int status;
	char error[WF_RMA_WHY];
};

/* Takes steps until it is over; its status, told as the job's last error. */
int wf_rma_await(struct wf_rma_wait *wait);

/* The same in the background, where a first step did not do. */
void wf_rma_start(struct wf_rma_wait *wait);
void wf_rma_wait_for(struct wf_rma_wait *wait);

/* It has failed: keeps the first sentence. */
void wf_rma_fail(struct wf_rma_wait *wait, int status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * The peer of the link has refused it: it fails, and says why; or that the
 * region was destroyed there, and after whose death.
 */
void wf_rma_refused(struct wf_rma_wait *wait, int status, const char *why);

/* The peer of the link is gone: it fails, and true. */
bool wf_rma_is_lost(struct wf_rma_wait *wait);

/*
 * No device uses the buffers of posts up to this one any more; 0: none.  Of
 * the dead, where there is no fence, it is believed after WF_LIVE_BROKEN_MS.
 */
bool wf_rma_is_quiet(struct wf_rma_wait *wait, uint64_t post);

/* Of requests that go with their job. */
void wf_rma_requests_fini(struct wf_rma *rma);

/* ---- flushes (rma_flush.c) ---- */

/* Of all links; the first error. */
int wf_rma_flush_all(struct weft_region *region, const char *call,
		     enum weft_flush what);

#endif
