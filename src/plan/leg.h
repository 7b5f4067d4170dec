/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A leg: one edge in one epoch, as the engine takes it and the channels move
 * it.  What fails on it is told here, and nowhere else, so that a run ends
 * with the sentence of its own first failure; and its bytes are copied here
 * alone.
 */
#ifndef WEFT_PLAN_LEG_H
#define WEFT_PLAN_LEG_H

#include <stdbool.h>
#include <stdint.h>
#include "transport/line.h"

struct wf_edge;
struct wf_run;

/* How far an edge is in one epoch; zero at its start. */
enum wf_phase {
	WF_PHASE_BEGIN,
	WF_PHASE_OPEN,			/* nothing put, nothing landed */
	WF_PHASE_ANNOUNCED,		/* receiver: its ready line is out */
	WF_PHASE_MAILING,		/* sender: its mails are owed */
	WF_PHASE_MAILED,		/* sender: they are sent */
	WF_PHASE_CHUNKS,		/* sender: through the chunk area */
	WF_PHASE_POSTED,		/* sender: until the source is free */
	WF_PHASE_VERDICT,		/* receiver: until the sender tells */
	WF_PHASE_DROP,			/* receiver: an unwanted put to await */
	WF_PHASE_LANDING		/* receiver: all is here, but its ready
					 * line, in vain, still under way */
};

struct wf_move {
	uint8_t phase;			/* enum wf_phase */
	bool direct;			/* the peer writes user memory */
	bool asked, revoked;		/* that question was sent */
	bool tainted;			/* what it needs has failed */
	int32_t status;			/* of this edge */
	uint64_t post;			/* of the source, or the ready line */
	uint64_t moved;			/* bytes, of a large one in chunks */
};

/* One epoch of one edge, as a step gives it. */
struct wf_leg {
	struct wf_run *run;
	struct wf_move *move;
	uint64_t epoch;
	uint32_t seq;			/* of its lines */
	int32_t refusal;		/* why nothing is to go, or 0 */
	char *data;
	uint64_t bytes;			/* WF_REFUSED: refused */
};

/*
 * This edge ends with an error; the first one of a run is what its caller gets,
 * behind the names of the call and of the edge (plan_fail.c).
 */
void wf_leg_fail(const struct wf_leg *leg, const struct wf_edge *edge,
		 int status, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * n of its bytes, from an offset on: to where they leave from, and from where
 * they have come to.  Who does not copy names them: wf_leg_source().  As
 * numbers: without bytes it may be NULL.  Of a lane they may have gaps between
 * them: see leg_gaps.h.
 */
static inline void wf_leg_give(const struct wf_leg *leg, uint64_t from,
			       void *to, uint64_t n)
{
	wf_line_copy(to, (char *)((uintptr_t)leg->data + from), n);
}

static inline void wf_leg_take(const struct wf_leg *leg, uint64_t to,
			       const void *from, uint64_t n)
{
	wf_line_copy((char *)((uintptr_t)leg->data + to), from, n);
}

/*
 * Part of its data as an operand: by what its run has pinned, or any.  The
 * operand by which the peer writes all of it; false: it cannot (plan_pins.c).
 */
struct wf_loc wf_leg_source(const struct wf_leg *leg,
			    const struct wf_device *dev, const char *data,
			    uint64_t bytes);
bool wf_leg_key(const struct wf_leg *leg, const struct wf_device *dev,
		struct wf_rloc *to_p);

/*
 * All of its data registered until its run is over, if this device gains by it
 * and nobody has done so: wf_leg_source() finds it.
 */
void wf_leg_pin(const struct wf_leg *leg, const struct wf_device *dev);
void wf_run_unpin(struct wf_run *run);

#endif
