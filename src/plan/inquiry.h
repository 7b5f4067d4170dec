/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When the two ends of an edge differ about an epoch: sizes that do not
 * match, a refused call, memory that must be quiet because a peer died.
 *
 * Two mails.  A question says what this end has in an epoch and that it waits:
 * a receiver for the put, a sender to be allowed to put.  The other end
 * compares with its record; equal sizes need no answer, unless all has left by
 * mail, where it may be lost for lack of memory.  An answer of the
 * sender is final: put, and then the receiver awaits and drops it, or not put.
 * What comes about an epoch not started yet is kept until its start.
 *
 * After an error nobody knows what others have started: who gives the set up
 * then asks each end that holds an address of it about all epochs to come.
 * That end answers when it gives its own up, or has, behind its last put: so
 * long memory is kept.  Who asks has given up, and owes nothing any more.
 */
#ifndef WEFT_PLAN_INQUIRY_H
#define WEFT_PLAN_INQUIRY_H

#include "plan/channel.h"

static inline bool wf_verdict_on(const struct wf_verdict *verdict,
				 unsigned at, uint64_t epoch)
{
	return verdict && verdict[at].known && verdict[at].epoch == epoch;
}

/* Tell the other end what the record of an epoch says (inquiry_mail.c). */
void wf_inquiry_from_out(struct wf_out *out, bool question, uint64_t epoch);
void wf_inquiry_from_in(struct wf_in *in, bool question, uint64_t epoch);

/*
 * Ask about an epoch that lacks its credit: the record is still that of the
 * one before it in its place.
 */
void wf_inquiry_early(struct wf_out *out, const struct wf_leg *leg);

/* Answer that nothing goes along the edge in it; with or without a record. */
void wf_inquiry_withdrawn_out(struct wf_out *out, uint64_t epoch);
void wf_inquiry_withdrawn_in(struct wf_in *in, uint64_t epoch);

/*
 * An epoch begins: what was to be told of the one that had its place, which
 * the other end has completed, is told no more.
 */
void wf_inquiry_forget(struct wf_talk *talk, unsigned at);

static inline void wf_inquiry_begin(struct wf_talk *talk, unsigned at)
{
	if (talk->due[at])
		wf_inquiry_forget(talk, at);
}

#define WF_ASK_AGAIN_NS UINT64_C(1000000000)

/* Ask about an epoch that has been waited for too long; once until then. */
void wf_out_ask(struct wf_out *out, const struct wf_leg *leg);
void wf_in_ask(struct wf_in *in, const struct wf_leg *leg);

/* The other end has `theirs` bytes: sets the status of the edge. */
void wf_out_differs(struct wf_out *out, const struct wf_leg *leg,
		    uint64_t theirs);
void wf_in_differs(struct wf_in *in, const struct wf_leg *leg,
		   uint64_t theirs);

/*
 * True: a verdict or a refusal governs this epoch, and *over says whether it
 * is through; false: send, or receive, as usual.
 */
bool wf_out_settles(struct wf_out *out, const struct wf_leg *leg, bool *over);
bool wf_in_settles(struct wf_in *in, const struct wf_leg *leg, bool *over);

/* Has the receiver no memory for this epoch?  Then nothing is to be written. */
bool wf_out_is_refused(const struct wf_out *out, const struct wf_leg *leg);

/*
 * An op of the transport, named what, has not succeeded.  WEFT_AGAIN: false,
 * try again; an error ends the edge, and the other end is told.  The sender
 * gets true if it is through, the receiver always false: it waits for the
 * sender's verdict.
 */
bool wf_out_stops(struct wf_out *out, const struct wf_leg *leg,
		  const char *what, int status);
bool wf_in_stops(struct wf_in *in, const struct wf_leg *leg,
		 const char *what, int status);

/*
 * Was this epoch's answer given by one who does not know it any more?  Then
 * what has landed counts: all that was put has, when the answer comes.
 */
bool wf_in_may_have_landed(const struct wf_in *in, const struct wf_leg *leg);

/* A refused call: asks the sender for its verdict. */
void wf_in_refuse(struct wf_in *in, const struct wf_leg *leg);

/*
 * An operation fails, and this edge has not begun: who asks for it, or has
 * asked, is answered with the status.
 */
void wf_out_withdraw(struct wf_out *out, const struct wf_leg *leg);
void wf_in_withdraw(struct wf_in *in, const struct wf_leg *leg);

/*
 * An operation fails: make the user's memory quiet.  True: it is, or nothing
 * was given away; false: go on with wf_in_advance() or ask again.
 */
bool wf_in_revoke(struct wf_in *in, const struct wf_leg *leg);

/*
 * A question about a context, set or edge that this rank does not have, or has
 * no more: the answer is WEFT_ERR_GRAPH.  Whoever gets it has heard before of
 * the deaths that this rank knows: if one of them is the reason, it says so.
 */
void wf_inquiry_orphan(struct weft_job *job, const struct wf_letter *letter);

/*
 * From now on such questions are answered: called before anything of a first
 * graph can fail, because others may have theirs, and ask.
 */
void wf_inquiry_listen(struct weft_job *job);

/*
 * Credits are due, and the sender has not said where: its mail was lost.  Any
 * question makes it tell again.
 */
void wf_inquiry_want(struct wf_in *in);

/* Memory of both ends of all edges, for the life of the set. */
int wf_inquiry_reserve(struct wf_set *set);

/* Of a set whose later epochs do not come: who has asked for one hears so. */
void wf_inquiry_answer_vain(struct wf_set *set);

/*
 * The set is given up: the same for questions that wait for a start, and, if
 * something has failed, those about all epochs to come.
 */
void wf_inquiry_close(struct wf_set *set);

/* These ask again: who had no memory has not answered. */
void wf_inquiry_remind(struct wf_set *set);

/*
 * The other end has given the edge up, as its question (asked) or its answer
 * says: nothing of it comes any more, and it owes no credit.
 */
void wf_inquiry_ended(const struct wf_set *set, struct wf_peer *peer,
		      struct wf_talk *talk, bool asked);

/* Has the other end said that nothing comes, or does it not hold an address? */
bool wf_inquiry_out_ended(const struct wf_out *out);
bool wf_inquiry_in_ended(const struct wf_in *in);

/* QUESTION and ANSWER mails of the edges of a set. */
void wf_inquiry_deliver(struct wf_set *set, const struct wf_letter *letter);

#endif
