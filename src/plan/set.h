/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchange sets: the channels of one sequence of exchanges, and their window.
 *
 * Epoch n + w starts at a rank only when all epochs up to n are complete
 * there: own puts reusable and in-edges copied out, by progress, not by the
 * user's wait.  Nothing of an epoch leaves a rank before that.
 */
#ifndef WEFT_PLAN_SET_H
#define WEFT_PLAN_SET_H

#include "comm/comm.h"
#include "plan/channel.h"
#include "plan/names.h"

/* What a set is made of: its edges, and how it is used. */
struct wf_set_shape {
	uint32_t number;		/* port in the communicator, here */
	uint32_t there;			/* and at the other end of a pair */
	int window;			/* w: 1, 2 or 4 */
	bool collective;		/* no edge has a number for programs */
	bool synchronising;		/* each epoch's end needs all starts */
	bool mailed;			/* its first epochs go by mail */
	bool rooted;			/* it uses some of the edges only: each
					   counts its own, and has credits */
	/*
	 * Of two ranks: what others of the communicator do, or that they are
	 * dead, is nothing to it.  Else the port is the same everywhere.
	 */
	bool pair;
	bool by_ready;			/* nothing of it goes as a line */
	int nout, nin;
	const struct wf_edge *out, *in;
};

struct wf_outgoing;

struct wf_set {
	struct wf_port port;
	uint32_t there;			/* port that its mails go to */
	bool pair, collective;
	struct wf_poller dues;		/* while credits are due */
	bool polled;
	struct weft_comm *comm;
	int window;
	int ahead;			/* window; 0: epochs are held */
	unsigned mask;			/* 2w - 1 */
	bool closing;			/* given up: goes when all is quiet */
	bool refused;			/* at some rank: nobody starts it */
	bool ended;			/* no later epoch comes from here */
	bool asks;			/* leaves when each end has said so */
	int broken;			/* status: its memory stays taken */
	struct wf_count count;
	struct wf_count *counts;	/* of its edges; NULL: the same */
	uint32_t next_seq;		/* of the lines of the next epoch */
	bool untidy;			/* growth left something behind */
	uint32_t slot_least;		/* slot_max of no edge is less */
	uint32_t line_max;
	int nout, nin;
	struct wf_out *out;
	struct wf_in *in;
	struct wf_names outs, ins;	/* to find an end by its name */
	struct wf_target *targets;	/* of all edges, first places first */
	struct wf_verdict *words;
	void *places;
	struct wf_held *held;		/* the oldest */
	struct wf_outgoing *outgoing;
	uint64_t wanted;		/* when it asked for credit signals */
};

/* Does the program know its edges by their numbers?  Those of a graph. */
static inline bool wf_set_has_numbers(const struct wf_set *set)
{
	return !set->pair && !set->collective;
}

/*
 * Does it serve collectives, of ranks that may be at odds (comm/accord.h)?  Of
 * lanes those of pairwise ones do.
 */
static inline bool wf_set_is_compared(const struct wf_set *set)
{
	return set->comm->accord &&
	       (set->collective ||
		(set->pair && set->port.number & WF_PORT_PAIRS));
}

/* Makes it and opens its port; no message.  WEFT_ERR_NOMEM. */
int wf_set_create(struct weft_comm *comm, const struct wf_set_shape *shape,
		  struct wf_set **set_p);

/* No epoch comes from here behind those that have begun: others hear so. */
void wf_set_end(struct wf_set *set);

/*
 * Give it up; nothing of it is under way here.  It goes when the credits of
 * its epochs have been paid and received; after an error here, of whatever
 * set, or once a rank is dead, when each peer that holds its addresses has
 * given it up as well.  Where one of these is gone its memory stays until the
 * job closes.
 */
void wf_set_destroy(struct wf_set *set);

/*
 * The end here of an edge to or from this peer, which alone has a say in it;
 * NULL: there is none.
 */
struct wf_out *wf_set_find_out(const struct wf_set *set,
			       const struct wf_peer *peer,
			       const struct wf_edge *edge);
struct wf_in *wf_set_find_in(const struct wf_set *set,
			     const struct wf_peer *peer,
			     const struct wf_edge *edge);

/*
 * An epoch that does not start before something else is known, its sizes say;
 * no later one does so before it, since growth comes in the order of epochs.
 */
struct wf_held {
	struct wf_held *next;		/* a younger one */
	uint64_t epoch;
	bool (*ready)(const struct wf_held *held);
	/* It starts, or never will: the set does not have this any more. */
	void (*end)(struct wf_held *held, bool starts);
};

/* The next epoch. */
void wf_set_hold(struct wf_set *set, struct wf_held *held);

/* The oldest goes. */
struct wf_held *wf_set_unhold(struct wf_set *set);

/* May this epoch start, that one which is held or one before it? */
bool wf_set_admits_held(struct wf_set *set, uint64_t epoch);

/* May this epoch start? */
static inline bool wf_set_admits(struct wf_set *set, uint64_t epoch)
{
	return epoch < set->count.done + (unsigned)set->ahead ||
	       (set->held && wf_set_admits_held(set, epoch));
}

/*
 * Is the place of an epoch free: has the receiver completed the one that had it
 * before?  A reverse edge: that this epoch was admitted implies that epoch - w
 * is complete here, so something of it came from the receiver, who had then
 * completed epoch - 2w, the last user of the place.
 */
static inline bool wf_out_may_begin(const struct wf_out *out, uint64_t epoch)
{
	unsigned window = (unsigned)out->set->window;
	uint64_t before = 2 * (uint64_t)window;

	if (out->has_reverse || epoch < before)
		return true;
	return out->credit &&
	       wf_signal_count(out->credit, out->credit_sig) * window >
	       epoch - before;
}

/*
 * The i-th landing that an edge knows.  Few edges ever know two: the places of
 * the others lie together, and take no memory until one is used.
 */
static inline struct wf_target *wf_out_target(const struct wf_out *out, int i)
{
	return out->target + (size_t)i * (size_t)out->set->nout;
}

/* The one that serves an epoch; NULL: none known yet. */
static inline const struct wf_target *wf_target_of(const struct wf_out *out,
						   uint64_t epoch)
{
	for (int i = out->ntargets; i-- > 0;)
		if (wf_out_target(out, i)->first <= epoch)
			return wf_out_target(out, i);
	return NULL;
}

/* One with others before it that are not, or that only now are counted. */
void wf_count_complete_early(struct wf_count *count, uint64_t epoch);

static inline void wf_count_complete(struct wf_count *count, uint64_t epoch)
{
	if (epoch == count->done && !count->early)
		count->done++;
	else
		wf_count_complete_early(count, epoch);
}

/* Give back what growth has left behind. */
void wf_set_tidy(struct wf_set *set);

/* The epoch is complete here; those of its edges are, if they count. */
static inline void wf_set_complete(struct wf_set *set, uint64_t epoch)
{
	wf_count_complete(&set->count, epoch);
	if (set->untidy)
		wf_set_tidy(set);
}

/* Number and sequence of the next epoch. */
static inline uint64_t wf_set_number(struct wf_set *set, uint32_t *seq_p)
{
	*seq_p = set->next_seq;
	set->next_seq = set->next_seq == UINT32_MAX ? 1 : set->next_seq + 1;
	return set->count.next++;
}

/* A message of this size promotes from the mailbox to channels. */
static inline void wf_count_promote(struct wf_count *count, uint64_t bytes)
{
	if (bytes > WF_MAILED_MAX && count->next < count->mail_end)
		count->mail_end = (uint32_t)count->next;
}

/*
 * Its memory in the segment is not given back: a peer may still hold its
 * addresses, or it goes with the job.
 */
static inline bool wf_set_keeps(const struct wf_set *set)
{
	return set->broken || set->comm->job->closing;
}

/* A credit cannot be paid: who waits for it, or will, is told. */
void wf_set_fails(struct wf_set *set);

/* Credits are due on an edge: progress pays them. */
void wf_set_owes(struct wf_set *set);

#endif
