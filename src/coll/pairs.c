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
#include "base/lack.h"
#include "base/text.h"
#include "plan/lane.h"
#include "plan/request.h"
#include "plan/staged.h"

enum {
	UNDER_WAY = 2 * 16,		/* legs of all calls */
	OWED = 2 * 16
};

/* A refusal that lacked memory for its lane. */
struct owed_leg {
	int rank;
	bool gives;
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
	int nflying;
	struct wf_lane_run *flying[UNDER_WAY];
	int nowed;
	struct owed_leg owed[OWED];	/* in the order of calls */
};

/* One call. */
struct exchange {
	struct weft_request base;
	struct wf_list made, link;
	struct pairs *pairs;
	struct wf_coll_key key;		/* its extents are its own */
	struct wf_coll_memory memory;
	int next;			/* leg to begin */
	int flying;
	bool queued;			/* not all have begun */
	bool over;
	int status;
	char error[WF_ERROR_TEXT];
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

/* What came belongs to where it is wanted. */
static void end_if_over(struct exchange *x)
{
	x->over = !x->queued && !x->flying;
	if (x->over && !x->status && x->memory.staged)
		wf_staged_scatter(x->memory.staged, UINT64_MAX);
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

/* Of a call that was refused there is nobody who wants to know. */
static void finished(struct wf_run *run)
{
	struct wf_lane_run *r = wf_container(run, struct wf_lane_run, run);
	struct weft_comm *comm = run->set->comm;
	struct pairs *pairs = wf_container(comm->pairs, struct pairs, cargo);
	struct exchange *x = r->user;

	not_flying(pairs, r);
	if (x && run->status)
		fail(x, run);
	wf_lane_give_back(r);
	if (!x) {
		wf_comm_drop(comm);
		return;
	}
	x->flying--;
	end_if_over(x);
}

static void begin(struct pairs *pairs, struct wf_lane_run *r,
		  struct exchange *x, int refusal)
{
	r->user = x;
	r->run.finished = finished;
	pairs->flying[pairs->nflying++] = r;
	wf_run_start(&r->run, refusal);
}

/* False: its lane is taken by earlier ones, and has no memory for more. */
static bool begin_leg(struct exchange *x, int leg)
{
	struct pairs *pairs = x->pairs;
	struct wf_pair_leg l = leg_of(pairs->comm, &x->key, leg);
	char *base = gives(leg) ? x->memory.in : x->memory.out;
	struct wf_lane_run *r;

	if (!l.at.bytes)
		return true;
	r = wf_lane_take(wf_lane_of(&pairs->lanes, gives(leg), l.rank),
			 x->key.call);
	if (!r)
		return false;
	wf_lane_aim(r, base + l.at.offset, l.at.bytes);
	x->flying++;
	begin(pairs, r, x, WEFT_OK);
	return true;
}

static void rest(struct pairs *pairs)
{
	wf_poller_del(pairs->comm->job, &pairs->poller);
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

/* To begin one may be progress, too: then those behind it are begun here. */
static bool begin_legs(struct pairs *pairs)
{
	int legs = legs_of(pairs->comm);
	bool moved = false;

	if (pairs->beginning)
		return false;
	pairs->beginning = true;
	while (!wf_list_empty(&pairs->queue) && pairs->nflying < UNDER_WAY) {
		struct exchange *x = wf_container(pairs->queue.next,
						  struct exchange, link);

		if (x->next < legs && !begin_leg(x, x->next))
			break;
		x->next += x->next < legs;
		moved = true;
		if (x->next == legs)
			leave_queue(x);
	}
	pairs->beginning = false;
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

static void destroy(struct exchange *x)
{
	wf_list_del(&x->made);
	wf_staged_free(x->memory.staged);
	free((void *)x->key.pairs);
	free(x);
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

/* Only a job that closes takes those that are not over. */
static void destroy_pairs(struct wf_cargo *cargo)
{
	struct pairs *pairs = wf_container(cargo, struct pairs, cargo);

	if (!wf_list_empty(&pairs->queue))
		rest(pairs);
	while (pairs->nflying)
		wf_lane_run_destroy(pairs->flying[--pairs->nflying]);
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
	pairs = calloc(1, sizeof(*pairs));
	if (!pairs)
		return NULL;
	pairs->cargo.destroy = destroy_pairs;
	pairs->comm = comm;
	pairs->poller.poll = poll;
	pairs->poller.waits_for = waits_for;
	wf_lanes_init(&pairs->lanes, comm, WF_PORT_PAIRS);
	wf_list_init(&pairs->made);
	wf_list_init(&pairs->queue);
	comm->pairs = &pairs->cargo;
	return pairs;
}

/* A lane with a run that will serve; NULL: no memory. */
static struct wf_lane *reserve(struct pairs *pairs, const char *call,
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

static bool reserve_all(struct pairs *pairs, const struct wf_coll_key *key)
{
	for (int i = 0; i < legs_of(pairs->comm); i++) {
		struct wf_pair_leg l = leg_of(pairs->comm, key, i);

		if (l.at.bytes && !reserve(pairs, key->call, gives(i), l.rank))
			return false;
	}
	return true;
}

/* ---- lack of memory ---- */

/* Those that were called before have begun, and a run is free. */
struct turn {
	const struct pairs *pairs;
	const struct wf_lane *lane;	/* NULL: it is not waited for */
};

static bool is_turn(void *arg)
{
	const struct turn *t = arg;

	return wf_list_empty(&t->pairs->queue) &&
	       t->pairs->nflying < UNDER_WAY && (!t->lane || t->lane->spare);
}

static void describe_turn(void *arg, char *text, size_t bytes)
{
	const struct turn *t = arg;

	wf_text_add(text, bytes, "a pairwise collective of context %llu that "
		    "lacks memory, behind earlier ones",
		    (unsigned long long)t->pairs->comm->id);
}

static void await_turn(struct pairs *pairs, const struct wf_lane *lane)
{
	struct turn turn = { pairs, lane };
	struct wf_wait wait = { is_turn, describe_turn, &turn };

	wf_job_wait(pairs->comm->job, &wait);
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

static void end_lanes(struct wf_map *map)
{
	size_t cursor = 0;
	void *value;

	while (wf_map_next(map, &cursor, NULL, &value))
		((struct wf_lane *)value)->set->ended = true;
}

/*
 * This rank does not know with whom it should go on, or cannot tell them: none
 * of it comes any more, and who asks for it hears so.
 */
static void stray(struct weft_comm *comm, int status)
{
	struct pairs *pairs;

	if (comm->pairs) {
		pairs = wf_container(comm->pairs, struct pairs, cargo);
		await_turn(pairs, NULL);
		end_lanes(&pairs->lanes.out);
		end_lanes(&pairs->lanes.in);
	}
	comm->pairs_stray = (int16_t)status;
	wf_ports_clear(comm->job);
}

static void refuse_leg(struct pairs *pairs, struct wf_lane *lane,
		       const char *call, int status)
{
	await_turn(pairs, lane);
	wf_comm_hold(pairs->comm);
	begin(pairs, wf_lane_take(lane, call), NULL, status);
}

/* What former calls owe; false: it still lacks memory. */
static bool settle(struct pairs *pairs, const char *call)
{
	int done = 0;

	for (; done < pairs->nowed; done++) {
		const struct owed_leg *leg = &pairs->owed[done];
		struct wf_lane *lane = reserve(pairs, call, leg->gives,
					       leg->rank);

		if (!lane)
			break;
		refuse_leg(pairs, lane, call, WEFT_ERR_NOMEM);
	}
	pairs->nowed -= done;
	memmove(pairs->owed, pairs->owed + done,
		(size_t)pairs->nowed * sizeof(pairs->owed[0]));
	return !pairs->nowed;
}

static bool owe(struct pairs *pairs, bool gives, int rank)
{
	if (pairs->nowed == OWED)
		return false;
	pairs->owed[pairs->nowed++] = (struct owed_leg){ rank, gives };
	return true;
}

/*
 * Its legs are errors at the other ends, in their turn; those whose lane lacks
 * memory will be.  False: too many.
 */
static bool refuse_legs(struct pairs *pairs, const struct wf_coll_key *key,
			int status)
{
	bool settled = settle(pairs, key->call), told = true;

	for (int i = 0; told && i < legs_of(pairs->comm); i++) {
		struct wf_pair_leg l = leg_of(pairs->comm, key, i);
		struct wf_lane *lane = NULL;

		if (!l.at.bytes)
			continue;
		if (settled)
			lane = reserve(pairs, key->call, gives(i), l.rank);
		if (lane)
			refuse_leg(pairs, lane, key->call, status);
		else
			told = owe(pairs, gives(i), l.rank);
	}
	return told;
}

static int refuse(struct weft_comm *comm, const struct wf_coll_key *key,
		  int status)
{
	struct pairs *pairs = comm->pairs_stray ? NULL : pairs_of(comm);
	bool known = key->pairs || key->bytes;

	if (!comm->pairs_stray &&
	    (!pairs || !known || !refuse_legs(pairs, key, status)))
		stray(comm, status);
	return tell(comm, key->call, status);
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

static struct wf_pair_extents *copy_of(const struct wf_pair_extents *e)
{
	struct wf_pair_extents *copy = wf_pair_extents_make(e->n);

	if (copy)
		memcpy(copy->at, e->at, 2 * (size_t)e->n * sizeof(e->at[0]));
	return copy;
}

/* NULL: no memory. */
static struct exchange *make(struct pairs *pairs,
			     const struct wf_coll_key *key)
{
	struct exchange *x = calloc(1, sizeof(*x));

	if (!x)
		return NULL;
	x->key = *key;
	if (key->pairs)
		x->key.pairs = copy_of(key->pairs);
	if (key->pairs && !x->key.pairs) {
		free(x);
		return NULL;
	}
	x->base.ops = &ops;
	x->pairs = pairs;
	wf_list_add_tail(&pairs->made, &x->made);
	return x;
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

	if (pairs && settle(pairs, key->call) && reserve_all(pairs, key))
		x = make(pairs, key);
	if (!x)
		return refuse(comm, key, WEFT_ERR_NOMEM);
	x->memory = *memory;
	x->base.comm = comm;
	wf_comm_hold(comm);
	copy_own(x);
	if (wf_list_empty(&pairs->queue))
		wf_poller_add(comm->job, &pairs->poller);
	wf_list_add_tail(&pairs->queue, &x->link);
	x->queued = true;
	begin_legs(pairs);
	*req_p = &x->base;
	return WEFT_OK;
}

const struct wf_coll_apart wf_pairs = {
	.start = start, .refuse = refuse, .edges = wf_pairs_edges
};
