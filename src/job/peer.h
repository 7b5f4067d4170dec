/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Peers: the other ranks that this process talks to, made on demand, and
 * connected by the first thing that is owed to them or by their contact.
 */
#ifndef WEFT_JOB_PEER_H
#define WEFT_JOB_PEER_H

#include "boot/blob.h"
#include "job/job.h"

enum {
	WF_PEER_WHY = 600		/* bytes of a sentence */
};

enum wf_peer_state {
	WF_PEER_NEW,
	WF_PEER_CONNECTING,
	WF_PEER_READY,		/* its endpoint may be used */
	WF_PEER_LEFT,		/* it has said bye */
	WF_PEER_DEAD,
	WF_PEER_UNREACHABLE	/* no common backend, or no longer */
};

struct wf_peer {
	struct weft_job *job;
	int rank;
	enum wf_peer_state state;
	struct wf_ep *ep;		/* NULL before the first connect */
	int device;			/* job->dev[] that it uses or tries */
	bool has_blob, has_asked;	/* for its host alone */
	struct wf_list owed;		/* struct wf_owed, in order */
	struct wf_list busy;		/* in job->busy_peers */
	struct wf_owed bye;
	void *matched;			/* what p2p/ keeps of it; NULL: nothing
					 * yet */
	bool bye_sent;
	bool unheard;			/* one of its mails of p2p/ was lost */
	bool late;			/* it made contact while we close: */
	bool aloof;			/* its bye said that of us */
	bool ended;			/* its process had, before we met */
	bool starved;			/* of memory, or a descriptor, that is
					 * lacking, here or there */
	bool no_backend;		/* none reaches it, and it is there */
	uint64_t retry_at;		/* of a starved one */
	uint64_t lost;			/* when no backend was left to try, or
					 * the close began to wait for it */
	uint64_t unsent_since;		/* its mails fail; 0: they do not */
	struct wf_list suspect;		/* in job->suspects: */
	bool suspected;			/* it is to be probed, */
	bool awaited;			/* and by somebody who tests; */
	bool watched;			/* by one who awaits any of several; */
	bool strange;			/* the detector has not met it yet; */
	bool untold;			/* given up, and it does not know */
	bool broken;			/* a device had trouble with it */
	int live_fd;			/* of the detector; -1: none */
	bool live_wakes;		/* a sleep ends by it */
	bool live_other;		/* its process has dropped this file: */
	uint64_t live_file;		/* of its segment; 0: not seen yet */
	uint32_t live_looked;		/* ms, when that was looked for last */
	uint32_t answered;		/* ms, when its lifeline did last */
	uint32_t doubted;		/* ms, since when nobody knows how it
					 * has ended; 0: not */
	struct wf_probe *probe;		/* of its lifeline; NULL: none */
	struct wf_owed obituary;	/* deaths that it is to hear of */
	size_t deaths_told;		/* of job->deaths */
	size_t deaths_mailed;		/* once the obituary has left */
	char *why;			/* how it was seen to be gone; before
					 * that the reasons of the backends */
	struct wf_blob blob;
};

/* "is dead: its process 12 has ended", of one that is not there any more. */
const char *wf_peer_why(const struct wf_peer *peer);

/*
 * What ends because of one that is not there: WEFT_ERR_DEVICE if it lives, as
 * far as anybody knows, and no device leads to it; else WEFT_ERR_PEER.
 */
int wf_peer_status(const struct wf_peer *peer);

/* The peer of a world rank, made if need be; NULL: no memory. */
struct wf_peer *wf_peer_get(struct weft_job *job, int rank);

/* The peer if it is known already; NULL otherwise. */
struct wf_peer *wf_peer_find(const struct weft_job *job, int rank);

/* Start to connect; nothing if that is done or under way. */
void wf_peer_connect(struct wf_peer *peer);

/* Upcall of a device: a rank has made contact. */
void wf_peer_contact(void *arg, int rank);

/*
 * Sends a mail at once; false: something is owed to the peer, it is not
 * connected, or its device takes none now.  Not in a handler.
 */
bool wf_peer_mail_now(struct wf_peer *peer, const struct wf_mail *head,
		      const void *payload);

/*
 * Drive connecting and send what is owed, as far as it may go: what a rank owes
 * to itself can go on when it was delivered, and pollers, which may have many
 * edges to look at, should not be asked for each ring of mails.  Not for ever:
 * a peer may be as busy.  True: something happened.
 */
bool wf_peers_progress(struct weft_job *job);

/* Has its connection come about, or failed?  True: its state has changed. */
bool wf_peer_look(struct wf_peer *peer);

/* Neither dead nor gone nor out of reach. */
static inline bool wf_peer_is_there(const struct wf_peer *peer)
{
	return peer->state < WF_PEER_LEFT;
}

/* A device has taken it, and has no connection yet. */
static inline bool wf_peer_is_connecting(const struct wf_peer *peer)
{
	return peer->state == WF_PEER_CONNECTING && peer->ep;
}

/*
 * Its process has ended without a bye: what is under way to it may never be
 * done.  One that has left still answers.
 */
static inline bool wf_peer_is_silent(const struct wf_peer *peer)
{
	return peer->state == WF_PEER_DEAD ||
	       (peer->state == WF_PEER_UNREACHABLE && peer->ended);
}

/*
 * Does anything here need it?  News alone are no reason to find out whether one
 * that was never met still lives.
 */
bool wf_peer_is_wanted(const struct wf_peer *peer);

/* Its host name, of one that was never met, too; "?": the launcher has none. */
const char *wf_peer_host(const struct wf_peer *peer);

/* Reads its blob; one that does not fit puts it out of reach. */
int wf_peer_read_blob(struct wf_peer *peer);

/*
 * Reads the blob of a rank that may be no peer yet.  What is missing, damaged
 * or of another kind of rank is an error, whose sentence is logged.
 */
int wf_peer_fetch_blob(struct weft_job *job, int rank, struct wf_blob *blob,
		       char *why, size_t bytes) WEFT_MUST_CHECK;

/* It said bye, is dead, or cannot be reached: what is owed is settled. */
void wf_peer_gone(struct wf_peer *peer, enum wf_peer_state state,
		  const char *why);

/*
 * WEFT_OK: nothing from this peer, which is gone, is written here any more.
 * WEFT_INPROGRESS: ask again.
 */
int wf_peer_fence(struct wf_peer *peer);

/* Has all that was posted to it arrived there?  Asks it, where need be. */
bool wf_peer_has_all(const struct wf_peer *peer);

/* Disconnect and free them all. */
void wf_peers_fini(struct weft_job *job);

#endif
