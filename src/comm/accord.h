/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Do all ranks of a communicator make the same collective calls?  With
 * WEFT_CHECK=2 each call of each rank is marked (comm/mark.h), and the marks go
 * to both neighbours in the ring of ranks: ranks that disagree may use
 * schedules without a common edge, but if any two do, some two neighbours do.
 *
 * Those who see it log a sentence that names both calls, and pass it on round
 * the ring.  Whoever has it is *at odds*: its collectives end with it, and it
 * begins none any more.
 *
 * Made with the communicator, so that lack of memory is an error of whoever
 * makes that, and what neighbours say is heard before the first call.
 */
#ifndef WEFT_COMM_ACCORD_H
#define WEFT_COMM_ACCORD_H

#include "comm/comm.h"
#include "comm/mark_queue.h"

enum { WF_ACCORD_SIDES = 2 };		/* the rank above, and the one below */

/* A neighbour. */
struct wf_accord_side {
	struct wf_accord *accord;
	struct wf_peer *peer;
	int rank;
	struct wf_owed owed;		/* a mark */
	struct wf_mark_queue out;	/* own ones, that are to be sent, */
	struct wf_mark_queue own;	/* or compared */
	struct wf_mark_queue theirs;	/* of calls that are still to come */
	uint64_t heard;			/* order of the last that came */
	bool sends;			/* one of out, as the mail was built */
	bool asks, answers;		/* that the last one is sent again */
	struct wf_owed news;
};

struct wf_accord {
	struct weft_comm *comm;
	struct wf_port port;
	struct wf_mark last;		/* of this rank; its order: calls */
	bool holds;			/* the communicator, while it owes */
	int nsides;
	struct wf_accord_side side[WF_ACCORD_SIDES];
	char odds[WF_ERROR_TEXT];	/* "": all agree so far */
};

/*
 * Of a new communicator, with WEFT_CHECK=2: none where it has one rank.
 * WEFT_ERR_NOMEM.  Its port is opened when there is an id.
 */
int wf_accord_make(struct weft_comm *comm);

/*
 * The communicator goes, which has it: held by it until all that it says has
 * left, but in a close.  Sets that end ask it until it goes with that.
 */
void wf_accord_end(struct weft_comm *comm);
void wf_accord_free(struct weft_comm *comm);

/*
 * A call begins, with the job entered and the communicator held: its mark gets
 * its order.  waits: until both neighbours have made theirs, or do not come.
 * WEFT_ERR_ARG, told: at odds, and it is not to begin.
 */
int wf_accord_call(struct weft_comm *comm, struct wf_mark *mark, bool waits);

/* What its ranks are at odds about; NULL: they are not. */
static inline const char *wf_comm_odds(const struct weft_comm *comm)
{
	const struct wf_accord *accord = comm->accord;

	return accord && accord->odds[0] ? accord->odds : NULL;
}

/* ---- mails (accord_mail.c) ---- */

void wf_accord_deliver(struct wf_port *port, const struct wf_letter *letter);

/* What is owed to a side is sent as it may. */
void wf_accord_send(struct wf_accord_side *side);
bool wf_accord_owes(const struct wf_accord *accord);

/* Marks on both sides of it: those of one order go. */
void wf_accord_compare(struct wf_accord_side *side);

#endif
