/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who is alive.  One detector for all rooms: whoever waits for 200 ms probes
 * whom it waits for and the next rank of a ring; a death is told to all ranks
 * of the node by a store into their memory.  Nothing else declares a death.
 *
 * A tick looks at WF_LIVE_LOOKS peers at most, in turn, so that it costs the
 * same however many are waited for.
 */
#ifndef WEFT_JOB_LIVENESS_H
#define WEFT_JOB_LIVENESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "job/leave.h"

struct weft_job;
struct wf_peer;

/* How life is seen. */
struct wf_live_ops {
	/*
	 * Is the process of this peer dead?  Then why says how that was seen.
	 * Never waits; false is no verdict.
	 */
	bool (*probe)(struct wf_peer *peer, char *why, size_t bytes);
	/*
	 * The peer was connected: prepare to see its end.  True: that is done;
	 * false: the next tick asks again.
	 */
	bool (*meet)(struct wf_peer *peer);
	void (*unwatch)(struct wf_peer *peer);
	/*
	 * This rank has given the path to it up: its process is to hear of it
	 * by another network.  True: it has, or none leads there; false: ask
	 * again.  NULL: none ever does.
	 */
	bool (*say_lost)(struct wf_peer *peer);
	/*
	 * Has nothing ever answered there, for WEFT_HOST_TIMEOUT, or nothing
	 * but what shows that its data path would have?  Then why says what did
	 * not, or did.  NULL: that is never asked.
	 */
	bool (*is_unheard)(struct wf_peer *peer, char *why, size_t bytes);
	/*
	 * One that is watched is not looked at again before its turn: it was
	 * seen to live, or is gone.  NULL: each probe finds out.
	 */
	bool (*is_seen)(const struct wf_peer *peer);
	/* Does it seem to have ended, unproven?  NULL: that is never so. */
	bool (*is_refused)(const struct wf_peer *peer);
	/* Go on with what is told or asked (leave.h); NULL: nothing is. */
	enum wf_said (*talk)(struct wf_peer *peer, struct wf_life_talk *talk);
	void (*hush)(struct weft_job *job);
};

extern const struct wf_live_ops wf_live_tcp;	/* a real job */
extern const struct wf_live_ops wf_live_pidfd;	/* its part on the node */
extern const struct wf_live_ops wf_live_told;	/* only upcalls tell */

enum {
	WF_LIVE_AGE_MS = 200,	/* a wait older than this probes */
	WF_LIVE_BROKEN_MS = 2000, /* then one with a broken endpoint is lost */
	WF_LIVE_STARVED_MS = 10000, /* and one for which there is no memory, nor
				     * a descriptor: for mails, or to connect */
	WF_LIVE_TICK_MS = 10,
	WF_LIVE_LOOKS = 256	/* at peers, in a tick */
};

/*
 * Has something waited for WF_LIVE_AGE_MS, counted from the first look behind
 * its beginning, when job->live_looks was this?  Told at once, or up to half as
 * long and a look later.
 */
bool wf_live_is_old(const struct weft_job *job, uint32_t born);

/* Before there are peers. */
void wf_live_init(struct weft_job *job);

/* By progress; looks at the clock only, most of the time. */
void wf_live_progress(struct weft_job *job);

/* A connection has come about: the next ticks meet the peer. */
void wf_live_connected(struct wf_peer *peer);

/* A rank is dead: drain its mails (a bye wins), then mark it and tell. */
void wf_live_died(struct weft_job *job, int rank, const char *why);

/*
 * It lives, and nothing leads to it any more: what is under way to it ends, and
 * it is told, so that what waits there for this rank ends, too.
 */
void wf_live_cut_off(struct wf_peer *peer, const char *why);

/* Upcall of the lifeline: a rank has done that to this one. */
void wf_live_told_lost(void *arg, int rank);

/* The next tick probes it, however long anybody has waited. */
void wf_live_look_at(struct wf_peer *peer);

/*
 * The same at a time that is the tick's: for those who use a peer over and
 * over and never wait, because its memory outlives it.
 */
void wf_live_visit(struct wf_peer *peer);

/* The same for one that is waited for: it need not have been met before. */
void wf_live_await(struct wf_peer *peer);

/*
 * The same for one of several ranks any of which would do, a share of which is
 * looked at in each tick: without connecting to it where its leaving is told.
 */
void wf_live_watch(struct weft_job *job, int rank);
int wf_live_share(struct weft_job *job, int among);

/* Is it known here when it closes its job, also if it was never met? */
bool wf_live_tells_leaving(struct wf_peer *peer);

/* Upcall: a device has trouble with a peer; the next tick probes it. */
void wf_live_suspect(void *arg, int rank, const char *why);

/* Upcall: another rank of the node told us; left: that itself, of itself. */
void wf_live_told_by_node(void *arg, int rank, bool left);

#endif
