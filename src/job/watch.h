/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Peers that are watched because any of several may be the one that somebody
 * waits for.  They are not connected for that, and WF_WATCHED at most have a
 * descriptor for it, in turn; where there are no more they keep it, and end a
 * sleep.  A place is given on when its peer was seen to live, half of them also
 * when it has been silent for long.
 */
#ifndef WEFT_JOB_WATCH_H
#define WEFT_JOB_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct wf_peer;

enum {
	WF_WATCHED = 8
};

struct wf_watch {
	struct wf_watch_place {
		struct wf_peer *peer;	/* NULL: none */
		uint64_t taken;		/* when it was given it */
		uint64_t seen;		/* when it was looked at last */
	} place[WF_WATCHED];
	unsigned next;			/* the place that is given next */
	bool turns;			/* there are more than places */
};

/*
 * The peer is about to be probed, at this time: if nobody else has needed a
 * descriptor of it, it gets a place.  False: none is free.
 */
bool wf_watch_take(struct wf_watch *watch, struct wf_peer *peer, uint64_t now);

/* Is its peer known to live, or gone? */
bool wf_watch_has_seen(const struct wf_watch_place *place);

/* Is somebody still at work on it, so that its end would be news? */
bool wf_watch_uses(const struct wf_watch_place *place, uint64_t now);

#endif
