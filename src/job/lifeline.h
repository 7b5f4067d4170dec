/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lifelines: how processes of different nodes see each other live and end.
 *
 * Each process listens on a TCP port that its boot blob names.  Nothing but
 * the kernel has to work for it: a connection that is accepted means alive,
 * also busy or stopped; a refused one means dead, provided that this address
 * is known to lead to that host.  So at first contact both ends show half of
 * the listener's key of lifelines, which is good for nothing else: whoever
 * listens at a port or on the wire reads it.  Silence is no verdict before the
 * host has been silent for WEFT_HOST_TIMEOUT.
 */
#ifndef WEFT_JOB_LIFELINE_H
#define WEFT_JOB_LIFELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/forked.h"
#include "base/list.h"
#include "boot/blob.h"

struct wf_log;
struct wf_rangeset;
struct wf_life_talk;

enum {
	WF_CALLERS = 512,		/* accepted connections at most */
	WF_STRANGERS = 64,		/* that have not shown the key yet */
	WF_LINE_FDS = WF_CALLERS + WF_STRANGERS + 64,
	WF_PROBES = 32			/* own connections at most */
};

/* ---- the end that listens ---- */

struct wf_lifeline {
	int fd;				/* -1: none; by wf_forked_hold() */
	int events;			/* epoll of it and its callers */
	struct wf_blob_key key;		/* shown half by half */
	struct wf_blob_key secret;	/* the blob's other one, not shown */
	void (*lost)(void *arg, int rank);	/* it has given this process up;
						 * NULL: nobody cares */
	/* These have closed their jobs; false: no memory for that. */
	bool (*left)(void *arg, int first, int last);
	void *arg;
	const struct wf_rangeset *gone;	/* who has, as far as is known here */
	bool parting;			/* what is known is handed on: neither
					 * heard nor told any more */
	int n_asking;			/* callers that wait for an answer */
	uint64_t serves;		/* so far */
	struct wf_list callers;		/* that have shown the key */
	struct wf_list strangers;	/* that have not, the oldest first */
	int n_callers, n_strangers;
	uint64_t dropped;		/* strangers without the key */
	struct wf_forked forked;	/* a child would answer in its place */
	int fds[WF_LINE_FDS];		/* of callers, -1: none; the same */
};

/* None yet: nothing to serve, nothing to close. */
void wf_lifeline_init(struct wf_lifeline *line);

/*
 * Listen, and add up to WF_BLOB_LIFELINES addresses of this host to the blob,
 * whose keys are set; behind others a loopback address, for those who share it.
 * alone: there are no others, so that may be all.
 * WEFT_ERR_DEVICE: no socket, or the host has no address; logged.
 */
int wf_lifeline_open(struct wf_lifeline *line, struct wf_blob *blob,
		     bool alone, const struct wf_log *log);

/*
 * Accept and answer; never waits.  Who asks is answered two serves later: what
 * others have said before that is heard first.
 */
void wf_lifeline_serve(struct wf_lifeline *line, uint64_t now);
void wf_lifeline_close(struct wf_lifeline *line);

/* ---- the end that asks ---- */

struct wf_probe;

/* All probes of a process. */
struct wf_prober {
	const struct wf_log *log;
	const struct wf_identity *self;
	uint64_t host_timeout_ns;
	struct wf_list open;		/* with a socket, the oldest first */
	int n_open;
	int spare;			/* a descriptor; -1: it is used */
	struct wf_proven *proven;	/* addresses that lead where they say */
	size_t n_proven, proven_max;
	struct wf_blob_lifeline *own;	/* of this host, tried for it alone */
	size_t n_own;
};

/*
 * self and log outlive it.  WEFT_ERR_NOMEM, WEFT_ERR_DEVICE (the interfaces
 * cannot be listed).
 */
int wf_prober_init(struct wf_prober *prober, const struct wf_identity *self,
		   uint64_t host_timeout_ns, const struct wf_log *log);
void wf_prober_fini(struct wf_prober *prober);

/* Has a lifeline of this host shown its key at one of these addresses? */
bool wf_prober_knows(const struct wf_prober *prober,
		     const struct wf_blob *blob);

bool wf_prober_has_proven(const struct wf_prober *prober,
			  const struct wf_blob *blob, int at);

/* Without memory for it a death of that host is learned from others. */
void wf_prober_prove(struct wf_prober *prober, const struct wf_blob *blob,
		     int at);

/*
 * Does its address lead to it, as far as this host can tell?  Those of this one
 * lead only to peers that share them.
 */
bool wf_prober_may_call(const struct wf_prober *prober,
			const struct wf_blob *blob, int at);

/*
 * For a probe; it must be: the spare descriptor may go for it, which is taken
 * again when a probe hangs up.  -1: there is none; errno tells why.
 */
int wf_prober_socket(struct wf_prober *prober, int family, bool must);
void wf_prober_spare(struct wf_prober *prober);

/* The peer's blob outlives the probe.  NULL: no memory. */
struct wf_probe *wf_probe_create(struct wf_prober *prober, int rank,
				 const struct wf_blob *blob);

/* Its first addresses are nearer than all others: what refuses there counts. */
void wf_probe_set_near(struct wf_probe *probe, int near);
void wf_probe_free(struct wf_probe *probe);

/* What the data path knows of the peer. */
struct wf_probe_data {
	uint64_t moved;		/* any number that changes when it has moved */
	bool answers;		/* it moves while the process lives, by itself:
				 * what is put there is acknowledged */
	bool broken;		/* it says that the connection is */
	bool connecting;	/* there is none yet */
	uint64_t others;	/* connections that have come about */
};

/*
 * Go on; never waits.  True: the peer is dead, and why says how that was seen.
 */
bool wf_probe_step(struct wf_probe *probe, uint64_t now,
		   struct wf_probe_data data, char *why, size_t bytes);

/*
 * Has it never answered, for so long as makes a host lost?  Or has its process
 * made progress all that time, as its greetings tell, and the data path has not
 * come about, nor any other one, as it does in a crowd?  Then why says where it
 * was called, and what became of that.
 */
bool wf_probe_is_unheard(const struct wf_probe *probe, char *why,
			 size_t bytes);

/*
 * What changes when a step would find something, and by which events of poll();
 * -1: only time does.
 */
int wf_probe_descriptor(const struct wf_probe *probe, short *events_p);

/*
 * Its process is to hear that the rank of the caller has given the path to it
 * up, once.  A step goes on with it while it has not said so, and could.
 */
void wf_probe_say_lost(struct wf_probe *probe, int own_rank);
bool wf_probe_has_said(const struct wf_probe *probe);

/*
 * Is something to be put there, so that it answers, or is seen to be broken?
 * True about once a second, where a refusal is no proof, or all is silent.
 */
bool wf_probe_asks_data(struct wf_probe *probe, uint64_t now);

/* Is it a death, unless something moves now?  NULL: no. */
bool wf_probe_is_doubted(const struct wf_probe *probe);

/* One at a time; from now on steps go on with it.  NULL: none any more. */
void wf_probe_talk(struct wf_probe *probe, struct wf_life_talk *talk);

/* Has the host there all that was said, whoever reads it? */
bool wf_probe_has_delivered(const struct wf_probe *probe);

/* connect(). */
int wf_life_dial(int fd, const struct wf_blob_lifeline *to, uint16_t port);

/* Does this process lack what a call needs?  Then nobody was asked. */
bool wf_life_lacks(int error);

/*
 * Has it been heard of, and is its address known to lead to it, or too busy to
 * show that?
 */
bool wf_probe_has_heard(const struct wf_probe *probe);

/* Do all its addresses, or all near ones, refuse, proven or not? */
bool wf_probe_is_refused(const struct wf_probe *probe);

/* ---- both ----
 *
 * On the wire, little-endian, from the one who asks: "weftlife", the first word
 * of the listener's life_key; from the listener: "weftlife", the second.  Then
 * words (lifeline_talk.h).
 */
enum {
	WF_GREETING = 16
};

void wf_greeting_write(uint8_t bytes[WF_GREETING], uint64_t word);
bool wf_greeting_is(const uint8_t bytes[WF_GREETING], uint64_t word);

/*
 * The addresses of this host whose interfaces are up, those of bridges for
 * containers behind others, of the loopback interface last, and more of an
 * interface behind one of each: malloc'ed, ports 0.
 */
int wf_host_addresses(struct wf_blob_lifeline **list_p, size_t *n_p);
bool wf_host_is_loopback(const struct wf_blob_lifeline *at);

/*
 * Those of another host in the order in which they are to be tried here; how
 * many at the front are in subnets of this one.
 */
int wf_host_sort(struct wf_blob *blob);

enum {
	WF_HOST_NAME = 64		/* bytes of an address for people */
};

/* "10.0.0.1 port 40000" */
void wf_host_name(const struct wf_blob_lifeline *at, char text[WF_HOST_NAME]);

#endif
