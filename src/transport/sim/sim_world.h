/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inside of the simulator: the world that all ranks share.
 *
 * An event is a time, a kind and a rank; where more must be known it has an
 * op, which belongs to the one event, inbox or post that refers to it. A link
 * is one direction of a connection and outlives both endpoints, so that what
 * is in flight always has something to refer to. Times without a unit are in
 * picoseconds.
 */
#ifndef WEFT_TRANSPORT_SIM_WORLD_H
#define WEFT_TRANSPORT_SIM_WORLD_H

#include "base/list.h"
#include "base/map.h"
#include "base/pool.h"
#include "base/random.h"
#include "transport/sim/sim.h"
#include "transport/sim/sim_coro.h"
#include "transport/sim/sim_fetch.h"
#include "transport/sim/sim_put.h"
#include "transport/sim/sim_queue.h"
#include "transport/sim/sim_ring.h"
#include "transport/transport.h"

enum {
	SIM_CREDITS = 4,	/* mails under way per endpoint, */
	SIM_RESERVED = 1,	/* and one more for revokes */
	SIM_CREDIT_UNIT = 2,	/* mails that one credit flight gives back */
	SIM_INLINE = 64,	/* bytes of a mail within its op */
	WF_PS_PER_NS = 1000
};

enum sim_state {
	SIM_PLAYED,		/* by the caller, it never waits */
	SIM_READY,		/* its SIM_RUN event is in the heap */
	SIM_RUNNING,
	SIM_IDLE,		/* until something happens, or its deadline */
	SIM_FINISHED,
	SIM_DEAD
};

struct sim_mail {
	struct wf_mail mail;
	void *payload;		/* of a pool, or `bytes`; NULL: empty */
	bool reserved;		/* went with the reserved credit */
	char bytes[SIM_INLINE];	/* the payload of a small one */
};

struct sim_op {
	struct sim_op *next;	/* in an inbox; the second of two lines */
	struct sim_link *link;
	uint64_t post;		/* its number at the endpoint */
	uint64_t number, start;	/* of the post an observer saw; or 0 */
	uint32_t kind;
	int amount;		/* credits, or the rank that is dead */
	union {
		struct sim_line line;
		struct sim_put put;
		struct sim_fetch fetch;
		struct sim_mail mail;
	};
};

/* A flight that has come where the target must progress. */
struct sim_held {
	struct sim_held *next;
	struct sim_event event;
};

struct sim_link {
	struct wf_sim_rank *from;
	struct wf_sim_rank *to;
	struct sim_ep *ep;	/* of from; NULL: it has disconnected */
	uint64_t last_mail;	/* latest landing of a mail, */
	uint64_t last_put;	/* of anything else */
	const struct wf_sim_net *net;	/* NULL: random flights */
	int switches;		/* on the way */
	bool weak;		/* it is the one that is down for a time */
	bool cut;		/* fenced, or the receiver has disconnected */
	bool mails_cut;		/* a mail of the dead was lost, so all are */
};

struct sim_ep {
	struct wf_ep ep;
	struct sim_link *link;
	struct wf_list dirty;	/* in the device's list: progress looks */
	uint64_t local;		/* posts <= local are reusable, */
	uint64_t remote;	/* posts <= remote visible at the peer */
	uint64_t asked;		/* are to tell that they are done, */
	uint64_t want;		/* flushed at the peer up to here */
	int credits;
	int reserved;
	int consumed;		/* mails of the peer not yet given back */
	bool full, starved;	/* no room for a post; no credit for a mail */
	bool suspected;		/* broken, and reported */
	struct sim_ring reusable, visible;
};

struct sim_device {
	struct wf_device dev;
	struct wf_tp_env env;
	struct wf_sim_rank *rank;
	struct wf_map eps;	/* peer's rank to endpoint */
	struct wf_map contacted;/* peer's rank to link: it has connected */
	struct wf_list dirty;
};

struct wf_sim_rank {
	struct wf_sim *world;
	int rank;
	enum sim_state state;
	struct wf_coro coro;
	struct sim_device *dev;	/* NULL: not open */
	bool closed;		/* and will not be opened again */
	bool wanted;		/* something happened since it waited */
	bool retries;		/* it tries again, and no event says when */
	bool posting;		/* it has posted since it waited */
	int fruitless;		/* calls of progress in a row, no wait yet */
	bool in_upcall;
	bool doomed;		/* it will die: what it leaves is no leak */
	bool death_told;	/* of this rank, to the others */
	bool mails_starved;	/* no memory for them */
	uint64_t board[WF_BOARD_WORDS];	/* its words of the node */
	unsigned int slowness;	/* its time passes so many times slower */
	unsigned int post_fault;	/* one in so many fails */
	unsigned int mail_fault;
	uint64_t ready_at;	/* idle: not before, */
	uint64_t deadline;	/* and not after */
	uint64_t timer;		/* its one valid SIM_TIMER */
	uint64_t idle_since;
	uint64_t backoff;	/* of waits without events */
	uint64_t retry;		/* of waits in a row that retry */
	uint64_t now;		/* with windows: when it was here last */
	uint64_t clock;		/* its CPU is busy until then, */
	uint64_t to_look;	/* and with what has arrived so long */
	uint64_t copies_until;	/* inside the node */
	uint64_t nic_until;	/* of the first of a node: its NIC is busy */
	uint64_t steps;		/* ops and waits so far */
	uint64_t messages;	/* posted, of those of the world */
	struct sim_op *inbox;	/* arrived, for progress */
	struct sim_op **inbox_end;
	struct sim_held *held;	/* flights that wait for its progress */
	struct sim_held **held_end;
};

struct wf_sim {
	struct wf_sim_options options;
	struct wf_sim_result result;
	struct wf_sim_rank *ranks;
	struct wf_sim_rank *running;
	struct weft_inproc *inproc;
	void (*program)(struct wf_sim_rank *rank, void *arg);
	void *arg;
	struct wf_random random;
	struct wf_random extra;	/* of what wf_sim_options_harden() brings */
	uint64_t now;		/* of the rank to which something happens */
	uint64_t latest;	/* of all that has happened */
	uint64_t moved;		/* when anything but a run happened last */
	uint64_t polls;		/* runs since then */
	uint64_t observed;	/* posts */
	int unfinished;		/* ranks that still run */
	int coros;		/* made so far */
	char *stacks;		/* of all ranks; NULL: each has its own map */
	size_t stacks_bytes;
	bool no_memory;
	struct sim_queue queue;
	struct wf_map links;	/* from << 32 | to */
	struct wf_pool link_pool;
	struct wf_pool op_pool;
	struct wf_pool ep_pool;
	struct wf_pool payload_pool, short_pool;
	struct wf_pool held_pool;
};

static inline struct sim_device *sim_device(struct wf_device *dev)
{
	return (struct sim_device *)dev;
}

static inline struct sim_ep *sim_ep(struct wf_ep *ep)
{
	return (struct sim_ep *)ep;
}

/* Bytes of the payload of a mail. */
static inline uint32_t wf_sim_mail_max(const struct wf_sim_options *options)
{
	return options->long_mails ? WF_MAIL_LONGEST : WF_MAIL_PAYLOAD;
}

static inline uint64_t wf_sim_later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static inline bool wf_sim_lacks_memory(const struct wf_sim *world)
{
	return world->no_memory || world->queue.no_memory;
}

/* sim_world.c */
void wf_sim_violate(struct wf_sim *world, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void wf_sim_trace(struct wf_sim *world, const uint64_t *words, int n);
bool wf_sim_chance(struct wf_sim *world, unsigned int one_in);

/* An op of a link; NULL: no memory, and the run ends. */
struct sim_op *wf_sim_op(struct wf_sim *world, struct sim_link *link);

/* sim_sched.c */
void wf_sim_schedule(struct wf_sim *world, struct sim_event event);
void wf_sim_wake(struct wf_sim_rank *rank);
void wf_sim_schedule_all(struct wf_sim *world);

/* A fruitless poll of the device: what lands during it ends the next wait. */
void wf_sim_poll(struct wf_sim_rank *rank);

/* Once per death: all who live, but one, hear of it, each in its own time. */
void wf_sim_tell_all(struct wf_sim *world, int dead, int but);

/* At the entry of each op: the rank may die here, or lose the CPU. */
void wf_sim_step(struct wf_sim_rank *rank);

/* sim_land.c: a flight arrives. */
void wf_sim_land(struct wf_sim *world, const struct sim_event *event);

/* What the rank's progress has to land; returns how many. */
int wf_sim_land_held(struct wf_sim_rank *rank);

#endif
