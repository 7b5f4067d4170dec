/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pairwise exchanges over lanes.
 *
 * Idea: in its i-th step a rank gives to the one i above it and gets from the
 * one i below; steps without bytes are left out.  All begin their legs in that
 * order, those of an earlier call first, so each lane has the same epochs at
 * both ends; and since the first leg that is not complete, of all ranks, has
 * nothing before it at either end, all go on.
 * Rounds: as many as the partners of a rank need by 16.  Messages and bytes:
 * those of the program.  Copies: one, of what a rank gives to itself.  Memory:
 * 32 bytes for each rank while it is under way, where sizes differ; a lane each
 * way for each partner that there ever was.
 */
#include "coll/pairs.h"

#include <stdlib.h>
#include <string.h>
#include "base/assert.h"
#include "base/clock.h"
#include "base/lack.h"
#include "base/text.h"
#include "base/zeroed.h"
#include "job/liveness.h"
#include "plan/lane.h"
#include "plan/request.h"
#include "plan/staged.h"

enum {
	UNDER_WAY = 2 * 16		/* legs of all calls */
};

/* One call. */
struct exchange {
	struct weft_request base;
	struct wf_list made, link;
	struct pairs *pairs;		/* NULL: that in reserve is not used */
	struct wf_coll_key key;		/* its extents are its own */
	struct wf_coll_memory memory;
	int refusal;			/* status: nobody has its request */
	int next;			/* leg to begin */
	int flying;
	bool queued;			/* not all have begun */
	bool over;
	int status;
	char error[WF_ERROR_TEXT];
};

/* Of a communicator. */
struct pairs {
	struct wf_cargo cargo;
	struct weft_comm *comm;
	struct wf_lanes lanes;
	struct wf_list made;		/* struct exchange: all, */
	struct wf_list queue;		/* and those with legs to begin */
	struct wf_poller poller;	/* while there are such */
	bool beginning;
	uint64_t lacks_since;		/* a lane lacks memory; 0: none does */
	int nflying;
	struct wf_lane_run *flying[UNDER_WAY];
	struct exchange reserve;	/* of one that is refused */
};

/* ---- legs ---- */

/* What comes and what goes in turn, from the nearest on. */
static bool gives(int leg)
{
	return leg % 2;
}

static int legs_of(const struct weft_comm *comm)
{
	return 2 * (comm->size - 1);
}

static struct wf_pair_leg leg_of(const struct weft_comm *comm,
				 const struct wf_coll_key *key, int leg)
{
	return wf_pair_leg(comm, key, gives(leg), 1 + leg / 2);
}

static struct exchange *first(const struct pairs *pairs)
{
	return wf_container(pairs->queue.next, struct exchange, link);
}

static void destroy(struct exchange *x)
{
	struct pairs *pairs = x->pairs;

	wf_list_del(&x->made);
	wf_staged_free(x->memory.staged);
	free((void *)x->key.pairs);
	if (x == &pairs->reserve)
		x->pairs = NULL;
	else
		free(x);
}

/* What came belongs to where it is wanted; a refused one goes. */
static void end_if_over(struct exchange *x)
{
	struct weft_comm *comm = x->pairs->comm;

	x->over = !x->queued && !x->flying;
	if (!x->over)
		return;
	if (!x->status && x->memory.staged)
		wf_staged_scatter(x->memory.staged);
	if (x->refusal) {
		destroy(x);
		wf_comm_drop(comm);
	}
}

static void fail(struct exchange *x, const struct wf_run *run)
{
	if (x->status)
		return;
	x->status = run->status;
	wf_text_add(x->error, sizeof(x->error), "%s", run->error);
}

static void not_flying(struct pairs *pairs, const struct wf_lane_run *r)
{
	int i = 0;

	while (pairs->flying[i] != r)
		i++;
	pairs->flying[i] = pairs->flying[--pairs->nflying];
}

static void finished(struct wf_run *run)
{
	struct wf_lane_run *r = wf_container(run, struct wf_lane_run, run);
	struct exchange *x = r->user;

	not_flying(x->pairs, r);
	if (run->status)
		fail(x, run);
	wf_lane_give_back(r);
	x->flying--;
	end_if_over(x);
}

/* A lane with a run that will serve; NULL: no memory. */
static struct wf_lane *lane_of(struct pairs *pairs, const char *call,
			       bool sends, int rank)
{
	struct wf_lane *lane = wf_lane_of(&pairs->lanes, sends, rank);
	struct wf_lane_run *r;

	if (!lane || lane->made)
		return lane;
	r = wf_lane_take(lane, call);
	if (r)
		wf_lane_give_back(r);
	return r ? lane : NULL;
}

/* False: its lane lacks memory, for more than earlier ones have of it. */
static bool begin_leg(struct exchange *x, int leg)
{
	struct pairs *pairs = x->pairs;
	struct wf_pair_leg l = leg_of(pairs->comm, &x->key, leg);
	char *base = gives(leg) ? x->memory.in : x->memory.out;
	struct wf_lane_run *r = NULL;
	struct wf_lane *lane;

	if (!l.at.bytes)
		return true;
	lane = lane_of(pairs, x->key.call, gives(leg), l.rank);
	if (lane)
		r = wf_lane_take(lane, x->key.call);
	else if (!pairs->lacks_since)
		pairs->lacks_since = wf_job_now(pairs->comm->job);
	if (!r)
		return false;
	/* as numbers: a refused one has no memory */
	wf_lane_aim(r, (void *)((uintptr_t)base + (uintptr_t)l.at.offset),
		    l.at.bytes);
	r->user = x;
	r->run.finished = finished;
	x->flying++;
	pairs->flying[pairs->nflying++] = r;
	wf_run_start(&r->run, x->refusal);
	return true;
}

static void end_lanes(struct wf_map *map)
{
	size_t cursor = 0;
	void *value;

	while (wf_map_next(map, &cursor, NULL, &value))
		wf_set_end(((struct wf_lane *)value)->set);
}

/*
 * Nothing more comes from a rank that is out of step.  That is as an operation
 * that failed: others may start what this rank does not.
 */
static void end_all(struct pairs *pairs)
{
	pairs->comm->job->uneven = true;
	end_lanes(&pairs->lanes.out);
	end_lanes(&pairs->lanes.in);
}

static void rest(struct pairs *pairs)
{
	wf_poller_del(pairs->comm->job, &pairs->poller);
	if (pairs->comm->pairs_stray)
		end_all(pairs);
}

/* All its legs have begun, and it may be over, and freed, at any time. */
static void leave_queue(struct exchange *x)
{
	struct pairs *pairs = x->pairs;

	wf_list_del(&x->link);
	x->queued = false;
	if (wf_list_empty(&pairs->queue))
		rest(pairs);
	end_if_over(x);
}

/* One that cannot be told is not waited for: others may wait behind it. */
static bool is_starved(const struct pairs *pairs)
{
	uint64_t now = wf_job_now(pairs->comm->job);

	return pairs->lacks_since && now - pairs->lacks_since >=
				     WF_LIVE_STARVED_MS * WF_NS_PER_MS;
}

static void give_up(struct exchange *x)
{
	if (!x->status) {
		x->status = WEFT_ERR_NOMEM;
		wf_text_add(x->error, sizeof(x->error), "%s: no memory for "
			    "the lane of an earlier call: pairwise "
			    "collectives of the communicator are out of step, "
			    "free it", x->key.call);
	}
	x->next = legs_of(x->pairs->comm);
	leave_queue(x);
}

/* All that has not begun. */
static void give_all_up(struct pairs *pairs)
{
	struct weft_comm *comm = pairs->comm;

	comm->pairs_stray = true;
	while (!wf_list_empty(&pairs->queue))
		give_up(first(pairs));
	wf_ports_clear(comm->job);
}

/*
 * To begin one may be progress, too: then those behind it are begun here.  The
 * last one may be all that holds the communicator.
 */
static bool begin_legs(struct pairs *pairs)
{
	struct weft_comm *comm = pairs->comm;
	bool moved = false;

	if (pairs->beginning)
		return false;
	wf_comm_hold(comm);
	pairs->beginning = true;
	while (!wf_list_empty(&pairs->queue) && pairs->nflying < UNDER_WAY) {
		struct exchange *x = first(pairs);

		if (x->next < legs_of(comm) && !begin_leg(x, x->next)) {
			if (is_starved(pairs))
				give_all_up(pairs);
			break;
		}
		pairs->lacks_since = 0;
		x->next += x->next < legs_of(comm);
		moved = true;
		if (x->next == legs_of(comm))
			leave_queue(x);
	}
	pairs->beginning = false;
	wf_comm_drop(comm);
	return moved;
}

static bool poll(struct wf_poller *poller)
{
	return begin_legs(wf_container(poller, struct pairs, poller));
}

/* What is under way says so itself. */
static int waits_for(struct wf_poller *poller, int *cursor)
{
	(void)poller;
	(void)cursor;
	return -1;
}

/* ---- requests ---- */

static struct exchange *exchange_of(const struct weft_request *req)
{
	return wf_container(req, struct exchange, base);
}

static bool is_over(void *arg)
{
	return ((struct exchange *)arg)->over;
}

static void describe(void *arg, char *text, size_t bytes)
{
	const struct exchange *x = arg;
	const struct pairs *pairs = x->pairs;
	const char *between = " (";

	wf_text_add(text, bytes, "%s of context %llu, %d of %d legs begun",
		    x->key.call, (unsigned long long)pairs->comm->id, x->next,
		    legs_of(pairs->comm));
	if (pairs->lacks_since)
		wf_text_add(text, bytes, ", the lane of rank %d lacks memory",
			    leg_of(pairs->comm, &first(pairs)->key,
				   first(pairs)->next).rank);
	for (int i = 0, shown = 0; i < pairs->nflying && shown < 4; i++) {
		struct wf_lane_run *r = pairs->flying[i];

		if (r->user != x)
			continue;
		shown++;
		wf_text_add(text, bytes, "%s", between);
		wf_run_tell_step(&r->run, 0, text, bytes);
		between = ", ";
	}
	wf_text_add(text, bytes, "%s", between[0] == ',' ? ")" : "");
}

static void wait(struct weft_request *req)
{
	struct wf_wait wait = { is_over, describe, exchange_of(req) };

	wf_job_wait(req->comm->job, &wait);
}

static int status_of(const struct weft_request *req)
{
	const struct exchange *x = exchange_of(req);

	return x->over ? x->status : WEFT_INPROGRESS;
}

static const char *error_of(const struct weft_request *req)
{
	return exchange_of(req)->error;
}

static void release(struct weft_request *req)
{
	struct weft_comm *comm = req->comm;

	destroy(exchange_of(req));
	wf_comm_drop(comm);
}

static const struct wf_request_ops ops = {
	.wait = wait, .status = status_of, .error = error_of,
	.release = release
};

/* ---- all of a communicator ---- */

/* Whatever is under way holds the communicator, and a job that closes waits. */
static void destroy_pairs(struct wf_cargo *cargo)
{
	struct pairs *pairs = wf_container(cargo, struct pairs, cargo);

	WF_ASSERT(wf_list_empty(&pairs->queue) && !pairs->nflying);
	while (!wf_list_empty(&pairs->made))
		destroy(wf_container(pairs->made.next, struct exchange, made));
	wf_lanes_fini(&pairs->lanes);
	free(pairs);
}

/* NULL: no memory. */
static struct pairs *pairs_of(struct weft_comm *comm)
{
	struct pairs *pairs;

	if (comm->pairs)
		return wf_container(comm->pairs, struct pairs, cargo);
	pairs = wf_zeroed(1, sizeof(*pairs));
	if (!pairs)
		return NULL;
	pairs->cargo.destroy = destroy_pairs;
	pairs->comm = comm;
	pairs->poller.poll = poll;
	pairs->poller.waits_for = waits_for;
	pairs->poller.comm = comm;
	wf_lanes_init(&pairs->lanes, comm, WF_PORT_PAIRS);
	wf_list_init(&pairs->made);
	wf_list_init(&pairs->queue);
	comm->pairs = &pairs->cargo;
	return pairs;
}

/* ---- start ---- */

struct wf_pair_extents *wf_pair_extents_make(int n)
{
	struct wf_pair_extents *e = malloc(sizeof(*e) + 2 * (size_t)n *
					   sizeof(e->at[0]));

	if (e)
		e->n = n;
	return e;
}

/* Extents of its own; false: no memory. */
static bool copy_key(struct exchange *x, const struct wf_coll_key *key)
{
	const struct wf_pair_extents *e = key->pairs;
	struct wf_pair_extents *copy = e ? wf_pair_extents_make(e->n) : NULL;

	if (copy)
		memcpy(copy->at, e->at, 2 * (size_t)e->n * sizeof(e->at[0]));
	x->key = *key;
	x->key.pairs = copy;
	return copy || !e;
}

/* x NULL: no memory. */
static struct exchange *fill(struct exchange *x, struct pairs *pairs,
			     const struct wf_coll_key *key)
{
	if (!x)
		return NULL;
	memset(x, 0, sizeof(*x));
	if (!copy_key(x, key)) {
		if (x != &pairs->reserve)
			free(x);
		return NULL;
	}
	x->base.ops = &ops;
	x->pairs = pairs;
	wf_list_add_tail(&pairs->made, &x->made);
	return x;
}

static void enqueue(struct exchange *x)
{
	struct pairs *pairs = x->pairs;

	wf_comm_hold(pairs->comm);
	if (wf_list_empty(&pairs->queue))
		wf_poller_add(pairs->comm->job, &pairs->poller);
	wf_list_add_tail(&pairs->queue, &x->link);
	x->queued = true;
	begin_legs(pairs);
}

static int tell(struct weft_comm *comm, const char *call, int status)
{
	char why[WF_LACK_TEXT];

	if (status != WEFT_ERR_NOMEM)
		return wf_job_fail(comm->job, status, "%s: no part in it: %s",
				   call, weft_status_name(status));
	wf_segment_why(&comm->job->segment, why, sizeof(why));
	return wf_job_fail(comm->job, status, "%s: no memory for it, of the "
			   "process or of its arena%s: %s", call,
			   comm->pairs_stray ? "; pairwise collectives of "
			   "the communicator are out of step, free it" : "",
			   why);
}

/*
 * This rank does not know with whom it should go on: what is behind those that
 * were called before does not come, and who asks for it hears so.
 */
static void stray(struct weft_comm *comm, struct pairs *pairs)
{
	comm->pairs_stray = true;
	if (pairs && wf_list_empty(&pairs->queue))
		end_all(pairs);
	wf_ports_clear(comm->job);
}

/* It has its turn all the same: its legs are errors at the other ends. */
static int refuse(struct weft_comm *comm, const struct wf_coll_key *key,
		  int status)
{
	struct pairs *pairs = comm->pairs_stray ? NULL : pairs_of(comm);
	bool known = pairs && (key->pairs || key->bytes);
	struct exchange *x = NULL;

	if (known)
		x = fill(malloc(sizeof(*x)), pairs, key);
	if (known && !x && !pairs->reserve.pairs)
		x = fill(&pairs->reserve, pairs, key);
	if (x) {
		x->refusal = x->status = status;
		enqueue(x);
	} else if (!comm->pairs_stray) {
		stray(comm, pairs);
	}
	return tell(comm, key->call, status);
}

static bool reserve_all(struct pairs *pairs, const struct wf_coll_key *key)
{
	for (int i = 0; i < legs_of(pairs->comm); i++) {
		struct wf_pair_leg l = leg_of(pairs->comm, key, i);

		if (l.at.bytes && !lane_of(pairs, key->call, gives(i), l.rank))
			return false;
	}
	return true;
}

static void copy_own(const struct exchange *x)
{
	int me = x->pairs->comm->rank;
	struct wf_extent give = wf_pair_extent(&x->key, true, me);
	struct wf_extent get = wf_pair_extent(&x->key, false, me);

	if (get.bytes)
		memcpy(x->memory.out + get.offset, x->memory.in + give.offset,
		       get.bytes);
	wf_job_copied(x->pairs->comm->job, get.bytes);
}

static int start(struct weft_comm *comm, const struct wf_coll_key *key,
		 const struct wf_coll_memory *memory,
		 struct weft_request **req_p)
{
	struct pairs *pairs = comm->pairs_stray ? NULL : pairs_of(comm);
	struct exchange *x = NULL;

	if (pairs && reserve_all(pairs, key))
		x = fill(malloc(sizeof(*x)), pairs, key);
	if (!x)
		return refuse(comm, key, WEFT_ERR_NOMEM);
	x->memory = *memory;
	x->base.comm = comm;
	copy_own(x);
	enqueue(x);
	*req_p = &x->base;
	return WEFT_OK;
}

const struct wf_coll_apart wf_pairs = {
	.start = start, .refuse = refuse, .edges = wf_pairs_edges
};
