/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrivals are not seen, so that they are the unknowns.  MPI's rules are: a
 * message is taken by the receive that was posted first of those that wait and
 * fit, a receive takes the message that came first of those that wait and fit,
 * and messages of one sender come in the order in which they were sent.
 *
 * Call m a rival of a receive r if it fits r and was taken by a receive posted
 * later than r, or by none.  Where r took n, n came before each of its rivals:
 * one that was there before would have been taken by r when it was posted, and
 * one that came while r waited would have been given to r, or to an earlier
 * receive, which did not get it.
 *
 * Together with the order of each sender this is all.  Given arrivals that keep
 * it, let m come: if the first receive that waits for it, r, is another one
 * than that which took m, then m is a rival of r, so that the message of r came
 * before and r does not wait; the same where r is posted.
 *
 * A receive that was cancelled has no rival that came before it was cancelled,
 * and a probe that found nothing none that came before.  A probe that found n
 * is a receive of n that takes nothing.  What was received, or seen, had come
 * by then.  A receive that failed did so at some moment behind its post, or it
 * had taken a message whose sender died before all of it was there; nobody says
 * which, so that any that fits and nobody has got may be the one.
 *
 * So each message has an earliest moment, which grows by these rules until
 * nothing changes, and must lie before the moment at which it was there.
 */
#include "tests/p2p/p2p_order.h"

#include <stdio.h>
#include <weft/p2p.h>

enum {
	MESSAGES = ORDER_SENDERS * ORDER_EACH,
	STEP = 2 * MESSAGES		/* of arrivals between two moments */
};

struct solver {
	const struct order *o;
	int taker[ORDER_SENDERS][ORDER_EACH];	/* -1: none */
	int earliest[ORDER_SENDERS][ORDER_EACH];
	bool changed;
	int latest;
};

int order_tick(struct order *o)
{
	return ++o->now;
}

struct order_take *order_post(struct order *o, int source, int tag)
{
	struct order_take *take;

	if (o->takes == ORDER_TAKES)
		return NULL;
	take = &o->take[o->takes++];
	*take = (struct order_take){
		.source = source, .tag = tag, .posted = order_tick(o)
	};
	return take;
}

bool order_fits(const struct order_take *take, int source, int tag)
{
	return (take->source == source || take->source == WEFT_ANY_SOURCE) &&
	       (take->tag == tag || take->tag == WEFT_ANY_TAG);
}

/* Nobody has got it, but this receive, which failed, may have taken it. */
static bool may_have_lost(const struct solver *v, const struct order_take *take,
			  int s, int i)
{
	return take->end == ORDER_FAILED && v->o->dead[s] &&
	       v->taker[s][i] < 0 && order_fits(take, s, v->o->tag[s][i]);
}

/* r or one in front of it may have. */
static bool may_be_lost(const struct solver *v, int r, int s, int i)
{
	for (int q = 0; q <= r; q++)
		if (may_have_lost(v, &v->o->take[q], s, i))
			return true;
	return false;
}

static bool is_rival(const struct solver *v, int r, int s, int i)
{
	int taker = v->taker[s][i];

	if (!order_fits(&v->o->take[r], s, v->o->tag[s][i]))
		return false;
	return taker < 0 ? !may_be_lost(v, r, s, i) : taker > r;
}

static bool is_of(const struct order_take *take, int s, int i)
{
	return take->from == s && take->index == i;
}

/* It came behind this. */
static void raise(struct solver *v, int s, int i, int behind)
{
	if (v->earliest[s][i] > behind)
		return;
	v->earliest[s][i] = behind + 1;
	v->changed = true;
	if (behind >= v->latest)
		v->latest = behind + 1;
}

static bool has_message(const struct order_take *take)
{
	return take->end == ORDER_GOT || take->end == ORDER_SEEN;
}

/* Behind its post, or what it may have lost. */
static int bound_of_failed(const struct solver *v,
			   const struct order_take *take)
{
	int least = take->posted * STEP;

	for (int s = 0; s < v->o->senders; s++)
		for (int i = 0; i < ORDER_EACH; i++)
			if (may_have_lost(v, take, s, i) &&
			    v->earliest[s][i] < least)
				least = v->earliest[s][i];
	return least;
}

/* Behind what did the rivals of a receive come? */
static int bound(const struct solver *v, const struct order_take *take)
{
	switch (take->end) {
	case ORDER_GOT:
	case ORDER_SEEN:
		return v->earliest[take->from][take->index];
	case ORDER_FAILED:
		return bound_of_failed(v, take);
	default:
		return take->ended * STEP;
	}
}

static void apply(struct solver *v, int r)
{
	const struct order_take *take = &v->o->take[r];
	int behind = bound(v, take);

	for (int s = 0; s < v->o->senders; s++)
		for (int i = 0; i < ORDER_EACH; i++)
			if (v->earliest[s][i] <= behind &&
			    is_rival(v, r, s, i) &&
			    !(has_message(take) && is_of(take, s, i)))
				raise(v, s, i, behind);
}

static void apply_all(struct solver *v)
{
	v->changed = false;
	for (int s = 0; s < v->o->senders; s++)
		for (int i = 1; i < ORDER_EACH; i++)
			raise(v, s, i, v->earliest[s][i - 1]);
	for (int r = 0; r < v->o->takes; r++)
		apply(v, r);
}

static bool find_takers(struct solver *v, char *why, size_t bytes)
{
	for (int s = 0; s < v->o->senders; s++)
		for (int i = 0; i < ORDER_EACH; i++)
			v->taker[s][i] = -1;
	for (int r = 0; r < v->o->takes; r++) {
		const struct order_take *take = &v->o->take[r];
		int *taker = &v->taker[take->from][take->index];

		if (take->end == ORDER_OPEN || (has_message(take) &&
		    !order_fits(take, take->from,
				v->o->tag[take->from][take->index]))) {
			snprintf(why, bytes, "receive %d is open, or has what "
				 "does not fit", r);
			return false;
		}
		if (take->end != ORDER_GOT)
			continue;
		if (*taker >= 0) {
			snprintf(why, bytes, "message %d of rank %d comes "
				 "twice", take->index, take->from);
			return false;
		}
		*taker = r;
	}
	return true;
}

bool order_check(const struct order *o, char *why, size_t bytes)
{
	struct solver v = { .o = o, .changed = true };

	if (!find_takers(&v, why, bytes))
		return false;
	/* in a circle they would grow for ever, and not just behind the end */
	while (v.changed && v.latest <= o->now * STEP + MESSAGES)
		apply_all(&v);
	if (v.changed) {
		snprintf(why, bytes, "messages overtake each other, or "
			 "receives do");
		return false;
	}
	for (int r = 0; r < o->takes; r++) {
		const struct order_take *take = &o->take[r];

		if (!has_message(take) || v.earliest[take->from][take->index] <
		    take->ended * STEP)
			continue;
		snprintf(why, bytes, "receive %d has message %d of rank %d "
			 "too early", r, take->index, take->from);
		return false;
	}
	return true;
}
