/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random programs of matched messages: what all ranks of a run know, what one
 * of them does, and its steps.
 *
 * All that is sent is known to all ranks, and each receives all of it before it
 * closes.  As long as a rank has something to send it waits for nobody, and
 * afterwards only for a message that no receive of its own takes from it.
 */
#ifndef WEFT_TESTS_SIM_P2P_PLAY_H
#define WEFT_TESTS_SIM_P2P_PLAY_H

#include "tests/sim/p2p_order.h"
#include "tests/sim/p2p_scene.h"

enum {
	PLAY_RANKS = ORDER_SENDERS,
	PLAY_EACH = ORDER_EACH,		/* messages of a pair, in each */
	PLAY_COMMS = 2,			/* the world, and a duplicate */
	PLAY_TAGS = 3,
	PLAY_SENDS = PLAY_COMMS * PLAY_RANKS * PLAY_EACH,
	PLAY_HELD = 48,			/* receives at once */
	PLAY_MOST = 4 << 20,		/* bytes */
	PLAY_SHIFTS = 4096		/* where a content may begin */
};

/* Its number is its bytes modulo PLAY_EACH. */
struct message {
	size_t bytes;
	size_t shift;
	int tag;
};

/* What a rank has sent to another one, taken of it, and may. */
struct ledger {
	bool closed;
	uint64_t messages, content, messages_end, content_end;
	uint64_t taken, content_taken, told, content_told;
};

/* What all ranks of a run know. */
struct show {
	uint64_t dice;
	int ranks;
	bool dies[PLAY_RANKS];
	int victim;			/* of the simulator, at any event;
					   others die by themselves; -1: none */
	bool late;			/* what a dead rank has sent may come
					   when nobody waits for it any more */
	size_t most;
	unsigned char *content;		/* of all messages */
	struct message message[PLAY_COMMS][PLAY_RANKS][PLAY_RANKS][PLAY_EACH];
	struct ledger ledger[PLAY_RANKS][PLAY_RANKS];
	struct sights {
		unsigned long early, cancelled, late, cut, failed, large,
			      full;
	} *seen;			/* over all runs */
};

/* A receive, or a message that a probe has taken. */
struct held {
	struct weft_request *req;
	struct weft_message *msg;	/* not yet received */
	unsigned char *at;
	size_t room;
	int comm;
	struct order_take *take;
	int tried;			/* to cancel it; 0: never */
};

/* One rank. */
struct play {
	struct scene s;
	struct show *show;
	struct wf_random random;
	int me, ranks;
	struct weft_comm *comm[PLAY_COMMS];	/* NULL: still to be made */
	struct order order[PLAY_COMMS];
	struct held held[PLAY_HELD];
	int nheld;
	struct weft_request *sent[PLAY_SENDS];
	int to[PLAY_SENDS];
	int nsent;
	int next[PLAY_COMMS][PLAY_RANKS];	/* to be sent */
	int unsent;
	int got[PLAY_COMMS][PLAY_RANKS];
};

static inline int play_draw(struct play *p, int n)
{
	return (int)wf_random_below(&p->random, (uint64_t)n);
}

/* ---- p2p_play.c ---- */

/* But for who dies; content and seen stay. */
void play_draw_show(struct show *show, uint64_t dice, int ranks);

/* Of a rank that has its job. */
void play_init(struct play *p, struct show *show);

/* A place and memory for one more; NULL: there are enough. */
struct held *play_hold(struct play *p, int comm, struct order_take *take);

/* It is over, which is noted and checked, and its place is gone. */
void play_conclude(struct play *p, struct held *h, int status,
		   const char *text, const struct weft_received *got);

/* The same of a request, once it is. */
void play_finish(struct play *p, struct held *h);

/* Does a sentence name it? */
bool play_names(const char *text, int rank);

/* A wait for one of this rank (WEFT_ANY_SOURCE) may fail, like this. */
void play_check_failure(struct play *p, int status, const char *text,
			int source);

/* Which message is it?  false: none, which is told. */
bool play_identify(struct play *p, int comm, const struct weft_received *got,
		   struct order_take *take);

/* ---- p2p_steps.c ---- */

/* So many of any kind. */
void play_steps(struct play *p, int n);

/* If it was not made yet. */
void play_dup(struct play *p);

/* To anybody, if there is one for it. */
void play_send(struct play *p);

/* Some time goes by, with progress or without. */
void play_pause(struct play *p);

void play_start_taken(struct play *p, struct held *h);
void play_cancel(struct play *p, struct held *h);

/* By some call that waits for a message; false: it failed. */
bool play_wait_from(struct play *p, int comm, int source);

#endif
