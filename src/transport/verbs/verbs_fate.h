/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What has become of the posts of a queue pair that is no more.  Mails,
 * immediates and atomic ops, also those that raise a signal, are executed in
 * the order in which they were posted, behind all before them; plain writes
 * between two of these may have come in any order.
 *
 * The peer's count of mails and immediates tells most of it.  Of what is behind
 * the last of these it must not be guessed: who has seen a line, or a signal
 * that was raised by its word, may have given the memory to somebody else, or
 * have changed what was put there.  The owner can tell: the count of a signal
 * says how often it was raised, and a line has come if its memory was given
 * back.  A line tells of itself alone, and of the older ones in its memory:
 * they were read before it was written there.  What has not been told to the
 * peer by any of them can be written a second time.
 *
 * Nothing here knows of devices.
 */
#ifndef WEFT_TRANSPORT_VERBS_FATE_H
#define WEFT_TRANSPORT_VERBS_FATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "transport/segment.h"
#include "transport/signals.h"

enum wf_verbs_what {
	WF_VERBS_DO_MAIL,
	WF_VERBS_DO_LINE,
	WF_VERBS_DO_PUT,
	WF_VERBS_DO_GET,
	WF_VERBS_DO_WORD,
	WF_VERBS_DO_FLUSH,
	WF_VERBS_DO_CREDIT,
	WF_VERBS_DO_LOCATE,
	WF_VERBS_DO_SIGNAL
};

/* What a work request is known by. */
struct wf_verbs_mark {
	uint64_t where;			/* address of a line; or a signal */
	uint64_t stamp;			/* of the line's memory; or its count */
	uint32_t number;		/* of a mail or immediate */
	uint8_t what;			/* enum wf_verbs_what */
	uint8_t lines;			/* side by side, from where on */
	bool numbered;
	bool came;			/* the peer has it */
};

/* Those that are under way, the oldest first. */
struct wf_verbs_window {
	const struct wf_verbs_mark *mark;
	int n;
	uint32_t next;			/* number of the next post */
};

/* A question about one of them, on the wire. */
struct wf_verbs_doubt {
	uint64_t where;
	uint64_t stamp;			/* and WF_VERBS_IS_LINE */
};

#define WF_VERBS_IS_LINE (UINT64_C(1) << 63)

_Static_assert(sizeof(struct wf_verbs_doubt) == 16, "wire");

/*
 * How many have come, of whose numbers the peer has received so many; -1: that
 * cannot be, something was lost or doubled.
 */
int wf_verbs_came(const struct wf_verbs_window *w, uint32_t received);

/*
 * Is there one that must not be repeated, and whose answer may be lost, if of
 * those with numbers the came first ones have come?
 */
bool wf_verbs_is_lost(const struct wf_verbs_window *w, int came);

/* What to ask about those behind the came first ones; how many. */
int wf_verbs_doubts(const struct wf_verbs_window *w, int came,
		    struct wf_verbs_doubt *doubt);

/* As sets of the window, bit by bit: the n first ones of it, and those that
 * have come, if answer is the set of the doubts that have. */
uint64_t wf_verbs_first(int n);
uint64_t wf_verbs_answered(const struct wf_verbs_window *w, int came,
			   uint64_t answer);

/*
 * The owner's answer, the set of those that have come.  It is good as long as
 * the segment is held: what has not come, as far as anybody can tell, will be
 * written there.
 */
uint64_t wf_verbs_judge(const struct wf_segment *seg,
			const struct wf_signals *signals,
			const struct wf_verbs_doubt *doubt, size_t n);

#endif
