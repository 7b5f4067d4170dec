/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random programs of matched messages over the public interface: what all ranks
 * of a run know, what one of them does, and its steps.
 *
 * All that is sent is known to all ranks, and each receives all of it before it
 * is done; what it has received is in the order of MPI (p2p_order.h).  As long
 * as a rank has something to send it waits for nobody, but for all together in
 * the making of a communicator; afterwards only for a message that no receive
 * of its own takes from it, and for its last send.
 *
 * The same source runs over simulated ranks and over processes: those that call
 * it differ in the hooks only.
 */
#ifndef WEFT_TESTS_P2P_PLAY_H
#define WEFT_TESTS_P2P_PLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <weft.h>

#include "tests/p2p/p2p_order.h"

enum {
	PLAY_RANKS = ORDER_SENDERS,
	PLAY_EACH = ORDER_EACH,		/* messages of a pair, in each */
	PLAY_COMMS = 2,			/* the world, and one that is made */
	PLAY_TAGS = 3,
	PLAY_SENDS = PLAY_COMMS * PLAY_RANKS * PLAY_EACH,
	PLAY_HELD = 48,			/* receives at once */
	PLAY_SHORT = 8192,		/* leaves at once, if there is room */
	PLAY_MOST = 4 << 20,		/* bytes */
	PLAY_SHIFTS = 4096,		/* where a content may begin */
	PLAY_BUFFER = 200000		/* for buffered sends */
};

/* Its number is its bytes modulo PLAY_EACH. */
struct message {
	size_t bytes;
	size_t shift;
	int tag;
};

/* How the second communicator is made; the first ones wait for nobody. */
enum play_maker {
	PLAY_DUP,
	PLAY_IDUP,
	PLAY_CREATE,			/* this and all others turn the ranks */
	PLAY_CREATE_GROUP,
	PLAY_SPLIT,
	PLAY_MAKERS
};

/* What has happened, over all runs. */
struct sights {
	unsigned long cancelled, late, cut, failed, large, buffered, exchanged;
};

/* What all ranks of a run know. */
struct show {
	uint64_t dice;
	int ranks;
	bool deaths;			/* there are some, at last: */
	bool dies[PLAY_RANKS];
	enum play_maker maker;
	size_t most;
	unsigned char *content;		/* of all messages */
	struct message message[PLAY_COMMS][PLAY_RANKS][PLAY_RANKS][PLAY_EACH];
	struct sights *seen;
};

/* What others do for a program, with its argument. */
struct play_hooks {
	/* Something is wrong at this rank; one line. */
	void (*fail)(void *arg, const char *text);
	/* So much time goes by, with progress or without. */
	void (*pause)(void *arg, uint64_t ns, bool progress);
	/* This rank is one that dies, and may do it now. */
	void (*die)(void *arg);
	/*
	 * The second communicator is going to be made; a step is over; all
	 * sends are but those that were given up.  Each may be NULL.
	 */
	void (*makes)(void *arg);
	void (*looks)(void *arg);
	void (*rests)(void *arg);
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

/* One rank.  All ranks in it are those of the world. */
struct play {
	const struct play_hooks *hooks;
	void *arg;
	struct show *show;
	struct weft_job *job;
	uint64_t random;
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
	unsigned char *buffer;		/* for buffered sends, and how much of
					   it none had so far */
	size_t buffer_left;
};

/* ---- p2p_play.c ---- */

unsigned char *play_make_content(void);

/* But for who dies; content and seen stay. */
void play_draw_show(struct show *show, uint64_t dice, int ranks, bool deaths);

/* All of it, in a job whose ranks do it, too; then it is checked. */
void play_run(struct play *p, struct show *show, struct weft_job *job);

/* Memory goes, and the communicator. */
void play_end(struct play *p);

uint64_t play_random(uint64_t *state);

static inline int play_draw(struct play *p, int n)
{
	return (int)(play_random(&p->random) % (uint64_t)n);
}

void play_fail(struct play *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A call that must succeed has. */
void play_ok(struct play *p, int status, const char *what);

/* A rank of the world in a communicator, and the other way round. */
static inline int play_place(const struct play *p, int comm, int rank)
{
	if (!comm || rank < 0 || p->show->maker < PLAY_CREATE)
		return rank;
	return p->ranks - 1 - rank;
}

/* A place and so much memory for one more; NULL: there are enough. */
struct held *play_hold(struct play *p, int comm, struct order_take *take,
		       size_t room);

/* As much memory as any receive may have. */
size_t play_room(struct play *p);

/* It is over, which is noted and checked, and its place is gone. */
void play_conclude(struct play *p, struct held *h, int status,
		   const char *text, const struct weft_message_status *got);

/* The same of a request, once it is. */
void play_finish(struct play *p, struct held *h);

/* A wait for one of this rank (WEFT_ANY_SOURCE) may fail, like this; */
void play_check_failure(struct play *p, int status, const char *text,
			int source);

/* a send to it, too. */
void play_check_sent(struct play *p, int status, const char *text, int to);

/* Which message is it?  false: none, which is told. */
bool play_identify(struct play *p, int comm,
		   const struct weft_message_status *got,
		   struct order_take *take);

/* ---- p2p_send.c ---- */

/* To anybody, if there is one for it. */
void play_send(struct play *p);

/* ---- p2p_steps.c ---- */

/* So many of any kind. */
void play_steps(struct play *p, int n);

/* The second communicator, if it was not made yet. */
void play_make(struct play *p);

/* Some time goes by. */
void play_pause(struct play *p);

/* Is there room for one more receive? */
bool play_may_take(const struct play *p, int comm);

/* Receives under way that may take a message of a rank, or anybody. */
int play_open(const struct play *p, int comm, int source);

/* Messages that none of them takes. */
int play_left(const struct play *p, int comm, int source);

void play_start_taken(struct play *p, struct held *h);
void play_cancel(struct play *p, struct held *h);

/* By some call that waits for a message; false: it failed. */
bool play_wait_from(struct play *p, int comm, int source);

#endif
