/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of context ids, and refills of pools: see block.h. */
#include "derive/block.h"

#include <stdarg.h>
#include <stdio.h>
#include "base/text.h"
#include "coll/schedule.h"
#include "type/op.h"
#include "type/type.h"

static void fail(struct wf_taker *t, int status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void fail(struct wf_taker *t, int status, const char *fmt, ...)
{
	va_list args;

	if (t->status)
		return;
	t->status = status;
	va_start(args, fmt);
	vsnprintf(t->error, sizeof(t->error), fmt, args);
	va_end(args);
}

/* ---- a refill ---- */

/* What rank 0 takes; nothing if it has no more.  All others add zeros. */
static void mint(struct wf_taker *t)
{
	struct weft_comm *parent = t->parent;
	struct wf_cid_space *ids = &wf_contexts(parent->job)->ids;

	t->range[0] = t->range[1] = 0;
	if (parent->rank == 0 &&
	    wf_cid_mint_refill(ids, &parent->pool, &t->range[0], &t->range[1]))
		t->range[0] = t->range[1] = 0;
}

static void reduce(struct wf_taker *t, const struct weft_op *op,
		   const struct weft_type *type, uint64_t *at, size_t n)
{
	struct wf_coll_key key = {
		.call = t->call, .by = wf_coll_choose(WF_COLL_ALLREDUCE),
		.bytes = n * wf_type_bytes(type),
		.with = { .kernel = wf_kernel_find(op, type),
			  .width = wf_type_bytes(type) }
	};

	t->run = wf_coll_start(t->coll, &key, key.bytes, at, at);
}

static int reduced(struct wf_taker *t)
{
	int status = t->run->status;

	if (status)
		fail(t, status, "%s: a refill of context ids: %s", t->call,
		     t->run->error);
	return status;
}

static void begin_refill(struct wf_taker *t)
{
	mint(t);
	t->phase = WF_TAKER_TELLS;
	reduce(t, &weft_op_sum, &weft_type_uint64, t->range, 2);
}

/*
 * The worst status is that of all, so that nobody refills where one could not:
 * their pools would differ from then on.
 */
static void begin_agreement(struct wf_taker *t)
{
	t->told = !reduced(t) && t->range[0] < t->range[1];
	t->worst = t->status;
	t->phase = WF_TAKER_AGREES;
	reduce(t, &weft_op_min, &weft_type_int64, (uint64_t *)&t->worst, 1);
}

/*
 * A transport may have failed the agreement here alone: then the others have
 * refilled, or have not, and this rank takes no part any more.  Who waits for
 * it, in a later refill or in a child with ids of this one, hears of that.
 */
static void give_up(struct wf_taker *t, int status)
{
	struct weft_comm *parent = t->parent;

	parent->coll.strays[WF_COLL_IDS] = status;
	wf_schedule_end(parent, WF_COLL_IDS);
	if (t->told)
		wf_cid_pass_over(&wf_contexts(parent->job)->ids, t->range[0],
				 t->range[1]);
	wf_ports_clear(parent->job);
}

static void end_refill(struct wf_taker *t)
{
	struct weft_comm *parent = t->parent;
	int status = reduced(t);

	if (status == WEFT_ERR_DEVICE || status == WEFT_ERR_GRAPH)
		give_up(t, status);
	else if (!status && t->worst)
		fail(t, (int)t->worst, "%s: another rank of the communicator "
		     "failed with %s", t->call,
		     weft_status_name((int)t->worst));
	if (t->range[0] == t->range[1])
		fail(t, WEFT_ERR_NOMEM, "%s: rank 0 of the communicator has no "
		     "context ids left, and none is given twice: make fewer "
		     "communicators, and keep them", t->call);
	if (t->status)
		return;
	wf_cid_refill(&parent->pool, t->range[0], t->range[1]);
	wf_contexts(parent->job)->refills++;
}

/* ---- whose turn it is ---- */

static bool is_first(const struct wf_taker *t)
{
	return wf_list_first(&t->parent->takers) == &t->link;
}

static bool carve(struct wf_taker *t)
{
	return wf_cid_carve(&t->parent->pool, &t->block.low, &t->block.end) !=
	       WEFT_AGAIN;
}

static void end(struct wf_taker *t)
{
	t->phase = WF_TAKER_OVER;
	wf_list_del(&t->link);
	wf_poller_del(t->parent->job, &t->poller);
	if (t->done)
		t->done(t);
}

/* True: it has to wait; false: it has its block, or an error. */
static bool go_on(struct wf_taker *t)
{
	int strays = t->parent->coll.strays[WF_COLL_IDS];

	if (t->phase == WF_TAKER_TELLS) {
		begin_agreement(t);
		return true;
	}
	if (t->phase == WF_TAKER_AGREES)
		end_refill(t);
	if (t->status || carve(t))
		return false;
	if (strays)
		fail(t, strays, "%s: a refill of context ids has failed with "
		     "%s before: free the communicator", t->call,
		     weft_status_name(strays));
	else if (!wf_schedule_of(t->parent, WF_COLL_IDS, &t->coll))
		begin_refill(t);
	return !t->status;
}

static bool poll(struct wf_poller *poller)
{
	struct wf_taker *t = wf_container(poller, struct wf_taker, poller);
	enum wf_taker_phase phase = t->phase;

	if (!is_first(t) || (t->run && !wf_run_is_idle(t->run)))
		return false;
	if (go_on(t))
		return t->phase != phase;
	end(t);
	return true;
}

/* Its allreduce is looked after by itself. */
static int waits_for(struct wf_poller *poller, int *cursor)
{
	(void)poller;
	(void)cursor;
	return -1;
}

void wf_taker_start(struct wf_taker *t, struct weft_comm *parent,
		    const char *call, void (*done)(struct wf_taker *taker))
{
	t->parent = parent;
	t->call = call;
	t->done = done;
	t->phase = WF_TAKER_QUEUED;
	t->status = WEFT_OK;
	t->run = NULL;
	t->coll = NULL;
	t->told = false;
	t->poller = (struct wf_poller){
		.poll = poll, .waits_for = waits_for, .comm = parent
	};
	wf_list_add_tail(&parent->takers, &t->link);
	wf_poller_add(parent->job, &t->poller);
}

static bool is_over(void *arg)
{
	return ((struct wf_taker *)arg)->phase == WF_TAKER_OVER;
}

static void describe(void *arg, char *text, size_t bytes)
{
	const struct wf_taker *t = arg;

	wf_text_add(text, bytes, "%s: context ids of ", t->call);
	wf_comm_tell(t->parent, text, bytes);
	wf_text_add(text, bytes, !is_first(t) ? ", behind another constructor" :
		    t->phase == WF_TAKER_QUEUED ? ", without memory for "
		    "channels to ask for them" : ", which rank 0 tells");
}

void wf_taker_wait(struct wf_taker *t)
{
	struct wf_wait wait = { is_over, describe, t };

	wf_job_wait(t->parent->job, &wait);
}

int wf_block_try(struct weft_comm *parent, struct wf_cid_block *block_p)
{
	if (!wf_list_empty(&parent->takers))
		return WEFT_AGAIN;
	return wf_cid_carve(&parent->pool, &block_p->low, &block_p->end);
}

int wf_block_take(struct weft_comm *parent, const char *call,
		  struct wf_cid_block *block_p)
{
	int status = wf_block_try(parent, block_p);
	struct wf_taker t;

	if (status != WEFT_AGAIN)
		return status;
	wf_taker_start(&t, parent, call, NULL);
	wf_taker_wait(&t);
	if (t.status)
		return wf_job_fail(parent->job, t.status, "%s", t.error);
	*block_p = t.block;
	return WEFT_OK;
}
