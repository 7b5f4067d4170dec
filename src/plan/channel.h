/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Channels: the wire part of an edge, one for each directed edge of a set.
 *
 * An exchange set numbers its exchanges, its epochs, in start order; at most w
 * of them are in flight at a rank, and each edge has 2w lines, landing slots
 * and signals: epoch n uses number n mod 2w of each.  What an edge does in an
 * epoch depends on its bytes alone, which both ends know:
 *
 *   up to line_max   one line into the receiver's lines
 *   up to slot_max   one put into a landing slot, which the receiver copies
 *                    out; it chose the limit when it opened the edge
 *   above            the receiver's ready line names where to put: the user's
 *                    memory if peers can write it, else four chunk slots; in
 *                    lanes of messages (lane.h) all of them
 *
 * Epoch n may be written at the receiver once anything of an epoch >= n - w
 * came back from it.  On an edge with a reverse edge the window implies that;
 * others have credits.  docs/wire.md draws the mails and lines.
 */
#ifndef WEFT_PLAN_CHANNEL_H
#define WEFT_PLAN_CHANNEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "job/mailbox.h"
#include "job/peer.h"
#include "plan/edge.h"
#include "plan/leg.h"
#include "transport/line.h"

struct wf_arrived;
struct wf_set;

/* The sender's end; what each epoch looks at comes first. */
struct wf_out {
	struct wf_set *set;
	struct wf_count *count;		/* that of the set, or its own */
	struct wf_ep *ep;		/* NULL until the edge is open */
	struct wf_rloc lines;		/* 2w lines at the receiver */
	struct wf_verdict *verdict;	/* 2w of them; NULL: never needed */
	uint32_t line_max;		/* of this edge, once it is open */
	bool ll, has_reverse;		/* ll: encoding of its ready lines */
	bool told;			/* its READY mail is owed or sent */
	bool spread;			/* a twin's lines lie between them */
	uint32_t credit_sig, area_credit_sig;
	const _Atomic uint64_t *credit;	/* of one-way edges */
	struct wf_record record[WF_SLOTS_MAX];
	struct wf_target *target;	/* see wf_out_target() */
	uint32_t slot_max;		/* of this edge, as line_max */
	uint8_t ntargets;		/* 2w at most, the newest last */
	bool closed;			/* no ready line comes any more, */
	bool unpaid;			/* nor credits, which are due */
	bool has_twin;			/* whose send is next to its own */
	uint64_t short_since;		/* epoch that waits for growth */
	struct wf_line *ready;		/* 2w lines here; NULL: none yet */
	uint64_t ready_offset;
	uint32_t area_sig[WF_AREA_CHUNKS];
	const _Atomic uint64_t *area_credit;
	uint64_t area_sent;		/* chunks ever put, */
	uint64_t area_due;		/* of them with a credit, */
	uint64_t area_free;		/* without, of earlier epochs */
	struct wf_owed mail;		/* READY */
	struct wf_owed grown;
	struct wf_talk talk;
	struct wf_peer *peer;
	struct wf_edge edge;
};

/* The receiver's end; the same. */
struct wf_in {
	struct wf_set *set;
	struct wf_count *count;		/* the same */
	struct wf_line *lines;		/* 2w lines here: wf_in_line() */
	struct wf_verdict *verdict;	/* 2w of them; NULL: never needed */
	struct wf_arrived *arrived;	/* by mail, not consumed yet */
	struct wf_landing *landing;	/* newest first */
	uint32_t line_max, slot_max;	/* of this edge, once it is told */
	bool ll, has_reverse;		/* ll: encoding of its lines */
	bool told;			/* its LANDING mail is owed or sent */
	bool heard;			/* the sender's READY mail came: */
	bool anywhere;			/* it may write all our memory */
	bool has_twin;			/* whose lines lie between these */
	uint32_t early;			/* bit i: consumed + i is consumed */
	int32_t failed;			/* a credit could not be paid */
	uint64_t consumed;		/* all epochs below are consumed */
	struct wf_peer *peer;
	struct wf_record record[WF_SLOTS_MAX];
	struct wf_ep *ep;		/* NULL until the edge is open */
	struct wf_rloc ready;		/* 2w lines at the sender, or 0 */
	struct wf_owed closed;
	struct wf_talk talk;
	uint32_t credit_sig, area_credit_sig;
	uint32_t credits_due, area_credits_due;
	uint64_t lines_offset;
	uint64_t area_offset;		/* chunk area; 0: none yet */
	uint32_t chunk;			/* bytes of a chunk slot */
	uint8_t area_used[WF_AREA_CHUNKS];	/* see next_chunk() */
	uint32_t area_sig[WF_AREA_CHUNKS];
	const _Atomic uint64_t *area_word[WF_AREA_CHUNKS];
	uint64_t area_taken;		/* chunks ever copied out */
	uint64_t area_user;		/* epoch that uses the area, + 1 */
	struct wf_arrived *places;	/* for short mails without memory */
	struct wf_edge edge;
};

/*
 * Go on; true: this edge is through with the epoch (see move->status).  The
 * engine does it (plan_run.c), and who revokes memory (inquiry.c).
 */
bool wf_in_advance(struct wf_in *in, const struct wf_leg *leg);

/* The same for a large message (channel_large.c). */
bool wf_out_large(struct wf_out *out, const struct wf_leg *leg);
bool wf_in_large(struct wf_in *in, const struct wf_leg *leg);

/* Await unwanted chunks, up to so many since the edge was opened. */
bool wf_in_drop_chunks(struct wf_in *in, const struct wf_leg *leg,
		       uint64_t chunks);

/*
 * The same for the epochs on the mailbox (channel_mail.c); drop: what has come
 * is not wanted.
 */
bool wf_out_mail(struct wf_out *out, const struct wf_leg *leg);
bool wf_in_mail(struct wf_in *in, const struct wf_leg *leg, bool drop);
bool wf_in_has_mail(struct wf_in *in, uint64_t epoch);
void wf_in_mail_deliver(struct wf_set *set, const struct wf_letter *letter);
int wf_mail_reserve(struct wf_set *set);
void wf_in_mail_release(struct wf_in *in);

/* One put of the whole message; true: its source is reusable already. */
bool wf_out_post(struct wf_out *out, const struct wf_leg *leg,
		 struct wf_rloc dst, uint32_t sig, const uint64_t *head);

/* All of it is posted; true: its source is reusable already. */
bool wf_out_posted(struct wf_out *out, const struct wf_leg *leg);

/*
 * The landing whose signal of this epoch has risen, NULL if none has: the one
 * that serves it, or an older one if the sender had not heard of growth.
 */
struct wf_landing *wf_in_landed(const struct wf_in *in, uint64_t epoch);

/* No ready line of an epoch is under way when it ends; else one is flushed. */
bool wf_in_ready_landed(struct wf_in *in, const struct wf_leg *leg);

/*
 * Take what has landed there.  Returns the length in front of it, 0 if it was
 * a direct put, and clears it, so that a later direct put has none.
 */
uint64_t wf_in_take(const struct wf_in *in, struct wf_landing *from,
		    uint64_t epoch);

/*
 * Before the first use in an epoch (channel_open.c): allocate what the edge
 * needs for so many bytes and owe the mails that tell the other end.  Not on
 * the data path: nothing happens if all is there.  WEFT_ERR_NOMEM.
 */
int wf_out_prepare(struct wf_out *out, uint64_t bytes);
int wf_in_prepare(struct wf_in *in, const struct wf_leg *leg);

/* Give back landings that growth has replaced; true: none is left. */
bool wf_in_tidy(struct wf_in *in);

/*
 * The set is closing: the sender hears that no ready line comes any more, or
 * that a device fails here, and with it the credits.
 */
void wf_in_close(struct wf_in *in);

/* Give back what an edge owns; only when no write can be under way. */
void wf_out_release(struct wf_out *out);
void wf_in_release(struct wf_in *in);

/*
 * The other end has lost the mail that opens the edge, for lack of memory: it
 * is owed once more.
 */
void wf_in_tell_again(struct wf_in *in);
void wf_out_tell_again(struct wf_out *out);

/* Mails of the edges of a set: LANDING, READY, GROWTH, GROWN, CLOSED. */
void wf_channel_deliver(struct wf_set *set, const struct wf_letter *letter);

/* The receiver has consumed an epoch: credits may be due now, and are paid. */
void wf_in_give_back(struct wf_in *in, uint64_t epoch);

/*
 * It has; where a reverse edge says so, that is all.  One that the sender has
 * not begun, and freed the edge, gives no credits: there may be no signal for
 * them any more.
 */
static inline void wf_in_consumed(struct wf_in *in, uint64_t epoch, bool begun)
{
	if (in->area_user == epoch + 1)
		in->area_user = 0;
	if (!in->has_reverse && begun)
		wf_in_give_back(in, epoch);
}

/*
 * Are credits due?  For what came by mail none are before the channel is used.
 */
bool wf_in_owes(const struct wf_in *in);

/*
 * Pay the credits that are due; true: all are paid, or, if the transport fails,
 * none will be, and all further epochs of the edge are refused.
 */
bool wf_in_pay(struct wf_in *in);

/* The peer is connected: its backend is used, and says what lines are like. */
void wf_out_encode(struct wf_out *out);

/* Is the other end's memory known, and the peer connected? */
static inline bool wf_out_is_open(struct wf_out *out)
{
	if (!out->ep && out->ntargets && out->peer->state == WF_PEER_READY)
		wf_out_encode(out);
	return out->ep;
}

static inline bool wf_in_is_open(struct wf_in *in)
{
	if (!in->ep && in->heard && in->peer->state == WF_PEER_READY)
		in->ep = in->peer->ep;
	return in->ep;
}

/* Lines (channel_lines.c): that of an epoch mod 2w; twins share memory. */
void wf_set_find_twins(struct wf_set *set);
struct wf_out *wf_out_twin(const struct wf_out *out);
int wf_in_make_lines(struct wf_in *in);
void wf_in_free_lines(struct wf_in *in);

static inline struct wf_line *wf_in_line(const struct wf_in *in, uint64_t at)
{
	return &in->lines[in->has_twin ? 2 * at : at];
}

#endif
