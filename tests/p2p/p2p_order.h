/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Is what the receives of a rank have got in the order of MPI?  A serial
 * matcher that knows what was sent, posted and received on one communicator,
 * and asks whether there is an order of arrivals that leads to just that.
 *
 * A program notes each receive where it posts it, and what became of it when it
 * knows; a probe is noted like a receive, and takes nothing.
 */
#ifndef WEFT_TESTS_P2P_ORDER_H
#define WEFT_TESTS_P2P_ORDER_H

#include <stdbool.h>
#include <stddef.h>

enum {
	ORDER_SENDERS = 6,
	ORDER_EACH = 8,			/* messages of one sender */
	ORDER_TAKES = 1000
};

enum order_end {
	ORDER_OPEN,
	ORDER_GOT,			/* this message */
	ORDER_CANCELLED,
	ORDER_FAILED,			/* or it got one of a dead rank */
	ORDER_SEEN,			/* a probe: this message */
	ORDER_NOTHING			/* a probe: none */
};

struct order_take {
	int source, tag;		/* WEFT_ANY_SOURCE, WEFT_ANY_TAG */
	int posted;			/* moments; */
	int ended;			/* known, or cancelled, by then */
	enum order_end end;
	int from, index;		/* the message */
};

struct order {
	int senders;
	bool dead[ORDER_SENDERS];	/* or is going to be */
	int tag[ORDER_SENDERS][ORDER_EACH];	/* of what each sends */
	int now;
	int takes;
	struct order_take take[ORDER_TAKES];	/* as they were posted */
};

/* A moment behind all so far. */
int order_tick(struct order *o);

/* Posts, now; NULL: there are too many. */
struct order_take *order_post(struct order *o, int source, int tag);

bool order_fits(const struct order_take *take, int source, int tag);

/* false: no order of arrivals explains it, and why. */
bool order_check(const struct order *o, char *why, size_t bytes);

#endif
