/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What has become of the posts of a queue pair that is no more.  They are
 * executed in the order in which they were posted, so of those that are not
 * known to be complete some first ones have come, and the others have not.
 *
 * The peer's count of mails and immediates tells most of it.  Between two of
 * these it must not be guessed: who has seen a line, or a signal that was
 * stored, may have given the memory to somebody else, or have changed what was
 * put there.  The owner can tell: the count of a signal says how often it was
 * raised, and a line has come if its memory was given back.  What has not been
 * told to the peer by any of them can be written a second time.
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

/* From the came first ones on, where those in doubt end. */
int wf_verbs_doubt_end(const struct wf_verbs_window *w, int came);

/* Is there one that must not be repeated, and whose answer may be lost? */
bool wf_verbs_is_lost(const struct wf_verbs_window *w, int end);

/* What to ask about those in [came, end); how many. */
int wf_verbs_doubts(const struct wf_verbs_window *w, int came, int end,
		    struct wf_verbs_doubt *doubt);

/* How many have come, of whose doubts the first `answer` have. */
int wf_verbs_answered(const struct wf_verbs_window *w, int came, int end,
		      uint32_t answer);

/*
 * The owner's answer.  It is good as long as the segment is held: what has not
 * come, as far as anybody can tell, will be written there.
 */
uint32_t wf_verbs_judge(const struct wf_segment *seg,
			const struct wf_signals *signals,
			const struct wf_verbs_doubt *doubt, size_t n);

#endif
