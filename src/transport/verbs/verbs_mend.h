/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inside of the verbs backend: a path that is lost while the peer lives, and
 * the life of an endpoint that begins then.
 */
#ifndef WEFT_TRANSPORT_VERBS_MEND_H
#define WEFT_TRANSPORT_VERBS_MEND_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/log.h"
#include "transport/verbs/verbs_fate.h"
#include "transport/verbs/verbs_wire.h"

struct wf_verbs;
struct wf_verbs_ep;

/* In ids of work requests that are not in the ring. */
#define WF_VERBS_LETTER (UINT64_C(1) << 63)

/* Each is that of one queue pair, and both ends count them alike. */
struct wf_verbs_life {
	uint32_t number;
	uint32_t received;		/* of the peer's, when it began */
	uint32_t acknowledged;		/* of ours, by the peer, likewise */
	bool lost;			/* nothing is posted */
	bool fresh;			/* the queue pair is of this life */
	bool met;			/* the peer's receives, too */
	bool reported;			/* the trouble, not its end */
	bool vain;			/* lost before anything got through */
	bool called;			/* the peer has, ever */
	bool unfit;			/* failed before it was connected */
	uint8_t tries;			/* to connect another one instead */
	/* As the one who asks: */
	bool asked, answered;
	uint64_t answer;		/* set of what was asked about */
	char *question;			/* a slot */
	/* As the one who is asked: */
	bool judged, answers;		/* the answer is known; is due */
	bool holds;			/* the segment */
	uint64_t verdict;
	char *reply;			/* a slot */
	/* When it called first; or was lost since something got through; by
	 * wf_verbs_time_of_calls(): */
	uint64_t since;
	uint32_t tail, heard;
	uint64_t again;			/* not sooner; that to oneself */
};

/* What comes back at each try is told once. */
static inline enum wf_log_level wf_verbs_level(const struct wf_verbs_life *life)
{
	return life->vain ? WF_LOG_DEBUG : WF_LOG_WARN;
}

/* verbs_mend.c */
void wf_verbs_lose(struct wf_verbs_ep *ep, const char *why);
void wf_verbs_renew(struct wf_verbs *dev, struct wf_verbs_ep *ep,
		    uint32_t number);
void wf_verbs_settle(struct wf_verbs_ep *ep, uint32_t received);
void wf_verbs_mend(struct wf_verbs *dev, struct wf_verbs_ep *ep);
void wf_verbs_connect_another(struct wf_verbs *dev, struct wf_verbs_ep *ep);
bool wf_verbs_mends_by_itself(const struct wf_verbs_ep *ep);
void wf_verbs_look_at_clock(struct wf_verbs_ep *ep, uint64_t now);
struct wf_verbs_window wf_verbs_window(struct wf_verbs_ep *ep,
				       struct wf_verbs_mark *mark);
void wf_verbs_have_come(struct wf_verbs_ep *ep, uint64_t came);

/* verbs_connect.c: joins its queue pair to itself */
int wf_verbs_meet_oneself(struct wf_verbs *dev, struct wf_verbs_ep *ep);

/* verbs_ask.c: letters between two lives, outside of the ring */
bool wf_verbs_ask(struct wf_verbs_ep *ep);
void wf_verbs_say_replayed(struct wf_verbs_ep *ep);
bool wf_verbs_reply(struct wf_verbs_ep *ep);
void wf_verbs_hear(struct wf_verbs_ep *ep, const struct wf_verbs_letter *letter,
		   const char *payload);
void wf_verbs_said(struct wf_verbs_ep *ep, const struct ibv_wc *wc);
void wf_verbs_end_letters(struct wf_verbs_ep *ep);

#endif
