/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matched messages: what a job, a pair of ranks and a communicator keep of
 * them, and the requests.
 *
 * A short message goes by mail, whole, in pieces.  A long one only says that
 * it is there; once its receive is known both ends exchange the content by an
 * epoch of a set of their own (p2p_long.c).  What is short is bounded: of each
 * peer a rank holds so much content, and so many messages, that no receive has
 * taken.  Beyond the content messages go as long ones, beyond their number they
 * stay with their sender (p2p_pair.c).
 *
 * Handlers of mails match, copy and owe; what starts an epoch is left to
 * progress.
 */
#ifndef WEFT_P2P_P2P_H
#define WEFT_P2P_P2P_H

#include <weft/mprobe.h>
#include <weft/sendrecv.h>
#include "comm/across.h"
#include "p2p/match.h"
#include "p2p/p2p_pair.h"
#include "p2p/p2p_wire.h"
#include "plan/lane.h"
#include "plan/request.h"

struct wf_p2p_request;

/* A message that has come, at least its first mail. */
struct wf_p2p_message {
	struct wf_match_message match;
	struct wf_list link;		/* early ones, or that answer */
	struct wf_p2p_pair *pair;
	uint64_t context;
	struct wf_p2p_note note;
	uint64_t come;			/* bytes of content */
	struct wf_p2p_request *to;	/* NULL: it waits */
	struct wf_owed answer;
	struct wf_p2p_note answered;
	char content[];			/* of a short one that waits */
};

/* One that a matched probe has found, in the request that will receive it. */
struct weft_message {
	struct wf_p2p_message *msg;	/* NULL: none, or of nobody */
};

/* Of a job. */
struct wf_office {
	struct wf_cargo cargo;
	struct weft_job *job;
	struct wf_list all;		/* struct wf_p2p_pair */
	size_t n_pairs;			/* of them */
	struct wf_p2p_pair **awaited;	/* room for all; those of which */
	size_t n_awaited;		/* something is awaited, or was */
	struct wf_list open;		/* struct wf_p2p: some for anybody */
	struct wf_list early;		/* messages for contexts to come */
	struct wf_list answers;		/* messages whose answer is owed */
	struct wf_list requests;	/* all, also */
	struct wf_p2p_request *spare;	/* those that the program gave back, */
	struct wf_p2p_request *spent;	/* and while they were active */
	size_t active;			/* requests */
	struct wf_list begin;		/* long ones to be started */
	struct weft_request sent;	/* of all that left within their call */
	struct wf_p2p_buffer *buffer;	/* of the job; NULL: none */
	bool beginning;			/* they are being started */
	bool awake;			/* the job polls it */
	bool lost;			/* a message of some peer, for lack of
					 * memory: then it is unheard */
	int waited;			/* receives and probes of anybody */
	bool wanted;			/* some pair wants more */
	bool alone;			/* nobody but this rank is left to send
					 * what some receive awaits */
	struct wf_listener listener;
	uint32_t gone_noticed, gone_seen;	/* of job->gone */
};

enum {
	WF_P2P_RECENT = 8		/* a power of two */
};

/* Of a communicator. */
struct wf_p2p {
	struct wf_cargo cargo;
	struct weft_comm *comm;
	struct wf_office *office;
	struct wf_match match;
	struct wf_list open;		/* in office->open */
	struct wf_list anybody;		/* requests for that, oldest first */
	struct {
		int rank;
		struct wf_p2p_pair *pair;	/* NULL: none so far */
	} recent[WF_P2P_RECENT];	/* by the last bits of the rank */
	struct wf_lanes lanes;		/* of long ones: p2p_long.c */
	struct wf_p2p_buffer *buffer;	/* its own; NULL: the job's */
	int standing;			/* persistent receives */
};

enum wf_p2p_mode {
	WF_P2P_STANDARD,
	WF_P2P_SYNCHRONOUS,
	WF_P2P_BUFFERED
};

/* How one is on its way. */
enum wf_p2p_way {
	WF_P2P_UNDECIDED,
	WF_P2P_BY_MAIL,
	WF_P2P_BY_SET
};

/* What a receive of a short message touches comes first. */
struct wf_p2p_request {
	struct weft_request base;
	struct wf_list link;		/* in the list of all */
	struct wf_p2p_request *next;	/* spare, or spent */
	struct wf_match_receive receive;
	struct wf_p2p *p2p;
	struct wf_p2p_pair *pair;		/* NULL: anybody's */
	const char *call;
	char *data;
	uint64_t bytes;			/* of the buffer */
	int rank, tag;
	int status;
	bool sends, active;
	bool given_up;			/* by the program, while active */
	bool inactive;			/* of a persistent one */
	uint32_t born;			/* job->live_looks, when it began */
	enum wf_p2p_mode mode;		/* of a persistent send */
	struct wf_p2p_got {
		int source, tag;
		uint64_t bytes;
		bool cancelled;
	} got;				/* by a receive */
	struct wf_p2p_place *place;	/* of its data; NULL: the program's */
	struct wf_lane_run *run;		/* NULL: no long one */
	struct wf_p2p_message *msg;	/* that it takes, as long as it lives */
	struct wf_list queue;		/* of its pair, p2p, or office->begin */
	bool synchronous;
	bool begun;			/* its first mail has left */
	enum wf_p2p_way way;
	uint64_t sent;
	uint64_t wanted;		/* by a long one */
	uint64_t serial;
	struct weft_message held;	/* for it, not begun */
	struct wf_pins *pins;		/* of a persistent one; NULL: none */
	const struct weft_type *type;	/* held, where data has gaps; or NULL */
	struct wf_staged *staged;	/* has its data; NULL: the program */
	char *error;			/* NULL: none, or no memory for it */
};

/* That with a rank of the communicator; NULL: no memory. */
static inline struct wf_p2p_pair *wf_pair_with(struct wf_p2p *p2p, int rank)
{
	int at = rank & (WF_P2P_RECENT - 1);

	return p2p->recent[at].rank == rank && p2p->recent[at].pair ?
	       p2p->recent[at].pair : wf_pair_find(p2p, rank);
}

/* It waits for anybody, and no more. */
void wf_anybody(struct wf_p2p_request *req);
void wf_anybody_not(struct wf_p2p_request *req);

/*
 * It is in none any more.  A probe that has failed still waits until its thread
 * goes on, which others may be before.
 */
void wf_p2p_leave_queue(struct wf_p2p_request *req);

/* The end of wf_pair_await(). */
static inline void wf_pair_await_not(struct wf_p2p_request *req)
{
	if (req->pair)
		req->pair->waited--;
	else
		wf_anybody_not(req);
}

/* ---- office (p2p_office.c) ---- */

/* What a communicator needs, made at the first call or message. */
struct wf_p2p *wf_p2p_make(struct weft_comm *comm);

/* NULL: no memory. */
static inline struct wf_p2p *wf_p2p_of(struct weft_comm *comm)
{
	return comm->p2p ? wf_container(comm->p2p, struct wf_p2p, cargo) :
			   wf_p2p_make(comm);
}

/* Listens from now on; NULL: no memory. */
struct wf_office *wf_office_of(struct weft_job *job);

/*
 * Others may send from now on, to communicators that this rank frees without a
 * call of p2p/: somebody must tell them.  Takes no memory before they do.
 */
void wf_office_expect(struct weft_job *job);

/* ---- long messages (p2p_long.c) ---- */

/* What one needs; WEFT_ERR_NOMEM. */
int wf_long_prepare(struct wf_p2p_request *req);

/* The epoch of what is wanted of it. */
void wf_long_start(struct wf_p2p_request *req);
bool wf_long_is_active(const struct wf_p2p_request *req);
void wf_long_free(struct wf_p2p_request *req);

/* The same when the job has taken its communicator already. */
void wf_long_discard(struct wf_p2p_request *req);

/* ---- requests (p2p_request.c) ---- */

void wf_p2p_free(struct wf_p2p_request *req);

/* What is sent is packed in its copy, if that is still needed. */
void wf_p2p_gather(struct wf_p2p_request *req);

/* One for all sends of a job that need nothing any more: freed, it stays. */
void wf_p2p_init_sent(struct weft_request *req, struct weft_job *job);

/* The first error counts, unless it is that the message was cut off. */
void wf_p2p_fail(struct wf_p2p_request *req, int status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Its other end is not there any more. */
void wf_p2p_fail_for(struct wf_p2p_request *req, const struct wf_peer *peer);

/* Fails one that waits for somebody who is not there any more. */
void wf_p2p_look_at_gone(struct wf_p2p_request *req);

/* Until it is complete; and then its status, told, and it is freed. */
void wf_p2p_wait(struct wf_p2p_request *req);
int wf_p2p_finish(struct wf_p2p_request *req,
		  struct weft_message_status *got_p);

static inline struct wf_p2p_request *wf_p2p_request(
	const struct weft_request *req)
{
	return wf_container((struct weft_request *)req, struct wf_p2p_request,
			    base);
}

#include "p2p/p2p_message.h"

#endif
