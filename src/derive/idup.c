/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Duplicating without blocking.
 *
 * As a rule all is done within the call.  Where the parent has no ids left the
 * request waits for them in progress.  Copy callbacks are called by the call in
 * any case; delete callbacks, where it fails later, when the request is freed.
 */
#include <stdlib.h>
#include <string.h>
#include "base/handle.h"
#include "base/text.h"
#include "base/zeroed.h"
#include "comm/comm_attr.h"
#include "derive/block.h"
#include "p2p/p2p.h"
#include "plan/inquiry.h"
#include "plan/request.h"

struct idup {
	struct weft_request base;	/* of the parent, which it holds */
	struct wf_leftover leftover;
	struct wf_taker taker;
	const char *call;
	struct weft_comm *made;		/* NULL: the program has it */
	struct weft_comm **dup_p;
	bool placed;			/* it has its context */
	bool copied;			/* the call has called all callbacks */
	int refused;			/* what the call returned */
	int status;
	bool over;
};

/* What a call asks for. */
struct idup_args {
	const char *call;
	const void *where;
	bool has_info;			/* else the hints of the parent */
	const struct weft_info *info;
	struct weft_comm **dup_p;
	struct weft_request **req_p;
};

/* ---- the request ---- */

static struct idup *idup_of(const struct weft_request *req)
{
	return wf_container((struct weft_request *)req, struct idup, base);
}

static void wait(struct weft_request *req)
{
	wf_taker_wait(&idup_of(req)->taker);
}

static int status_of(const struct weft_request *req)
{
	const struct idup *d = idup_of(req);

	return d->over ? d->status : WEFT_INPROGRESS;
}

static const char *error_of(const struct weft_request *req)
{
	return idup_of(req)->taker.error;
}

/* As if it was freed: others may have theirs, and send. */
static void drop_made(struct idup *d)
{
	struct weft_job *job = d->made->job;

	if (d->placed)
		wf_comm_drop(d->made);
	else
		wf_comm_discard(d->made);
	wf_ports_clear(job);
}

static void free_idup(struct idup *d)
{
	if (d->made)
		drop_made(d);
	wf_list_del(&d->leftover.link);
	wf_comm_drop(d->base.comm);
	free(d);
}

static void release(struct weft_request *req)
{
	struct idup *d = idup_of(req);

	if (d->made)
		wf_comm_undo_attrs(d->made);
	/* a callback has forked, and this is the child */
	if (!wf_job_is_child(d->base.comm->job))
		free_idup(d);
}

static const struct wf_request_ops ops = {
	.wait = wait, .status = status_of, .error = error_of,
	.release = release
};

/* The job closes: communicators with a context go by themselves. */
static void drop_leftover(struct wf_leftover *leftover)
{
	struct idup *d = wf_container(leftover, struct idup, leftover);

	if (d->made && !d->placed)
		wf_comm_discard(d->made);
	free(d);
}

/* ---- what is done when the ids are there ---- */

static void fail(struct idup *d, const char *what)
{
	d->status = WEFT_ERR_NOMEM;
	wf_text_add(d->taker.error, sizeof(d->taker.error),
		    "%s: no memory for %s", d->call, what);
}

static void make(struct idup *d)
{
	struct wf_cargo *topo = d->base.comm->topo;

	if (wf_comm_place(d->made, &d->taker.block)) {
		fail(d, "a communicator");
		return;
	}
	d->placed = true;
	if (topo && topo->copy && topo->copy(topo, d->made)) {
		d->made->freed = true;
		fail(d, "the edges of a graph");
		return;
	}
	*d->dup_p = d->made;
	d->made = NULL;
}

/* Once there are ids and the callbacks are over, whichever is the last. */
static void finish(struct idup *d)
{
	const struct wf_cid_block *block = &d->taker.block;

	if (!d->copied || d->taker.phase != WF_TAKER_OVER)
		return;
	d->over = true;
	d->status = d->taker.status;
	if (!d->status && !d->refused)
		make(d);
	else if (!d->status)
		wf_cid_pass_over(&wf_contexts(d->base.comm->job)->ids,
				 block->low, block->end);
	if (d->refused)
		free_idup(d);
}

static void done(struct wf_taker *taker)
{
	finish(wf_container(taker, struct idup, taker));
}

/* ---- the call ---- */

/* Where there is no memory the ids are taken all the same. */
static int starve(struct weft_comm *comm, const char *call)
{
	struct wf_cid_block block;
	int status = wf_block_take(comm, call, &block);

	if (status)
		return status;
	wf_cid_pass_over(&wf_contexts(comm->job)->ids, block.low, block.end);
	wf_ports_clear(comm->job);
	return wf_job_fail(comm->job, WEFT_ERR_NOMEM, "%s: no memory for a "
			   "communicator and its request", call);
}

/* false: no memory. */
static bool set_hints(struct weft_comm *made, const struct weft_comm *parent,
		      const struct idup_args *a)
{
	if (a->has_info)
		return !wf_info_copy(parent->job, a->info, &made->hints);
	made->hints = wf_info_hold(parent->hints);
	return true;
}

static struct idup *new_idup(struct weft_comm *comm,
			     const struct idup_args *a)
{
	struct idup *d = wf_zeroed(1, sizeof(*d));

	if (!d)
		return NULL;
	d->made = wf_comm_new_like(comm);
	if (!d->made || !set_hints(d->made, comm, a)) {
		if (d->made)
			wf_comm_discard(d->made);
		free(d);
		return NULL;
	}
	d->call = a->call;
	d->dup_p = a->dup_p;
	d->base.ops = &ops;
	d->base.comm = comm;
	wf_comm_hold(comm);
	d->made->origin = (struct wf_origin){ a->call, a->where };
	wf_comm_take_errors(d->made, comm);
	d->leftover.drop = drop_leftover;
	wf_list_add_tail(&wf_contexts(comm->job)->leftovers,
			 &d->leftover.link);
	return d;
}

static void take_ids(struct idup *d)
{
	struct wf_taker *t = &d->taker;

	if (wf_block_try(d->base.comm, &t->block) == WEFT_AGAIN)
		wf_taker_start(t, d->base.comm, d->call, done);
	else
		t->phase = WF_TAKER_OVER;
}

/* Ids first, then what callbacks may make of the parent. */
static int duplicate(struct weft_comm *comm, const struct idup_args *a)
{
	struct idup *d = new_idup(comm, a);
	int status;

	if (!d)
		return starve(comm, a->call);
	take_ids(d);
	if (a->dup_p && a->req_p)
		status = wf_comm_copy_attrs(comm, d->made, a->call);
	else
		status = wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: %s is NULL",
				     a->call, a->dup_p ? "req_p" : "dup_p");
	if (wf_job_is_child(comm->job))
		return WEFT_ERR_FORKED;
	d->refused = status;
	d->copied = true;
	if (!status)
		*a->req_p = &d->base;
	finish(d);
	return status;
}

static int idup(struct weft_comm *comm, const struct idup_args *a)
{
	int status = comm ? wf_comm_enter_by(comm, a->call) :
		wf_job_refuse(a->info ? a->info->job : NULL, a->call, "comm");

	wf_no_handle(a->dup_p);
	wf_no_handle(a->req_p);
	if (status)
		return status;
	wf_comm_hold(comm);		/* callbacks may free it */
	wf_inquiry_listen(comm->job);
	wf_office_expect(comm->job);
	status = duplicate(comm, a);
	if (wf_job_is_child(comm->job))
		return status;
	return wf_comm_leave_held(comm, status);
}

int weft_comm_idup(struct weft_comm *comm, struct weft_comm **dup_p,
		   struct weft_request **req_p)
{
	return idup(comm, &(struct idup_args){
		.call = "weft_comm_idup", .where = WF_CALLED_FROM,
		.dup_p = dup_p, .req_p = req_p });
}

int weft_comm_idup_with_info(struct weft_comm *comm,
			     const struct weft_info *info,
			     struct weft_comm **dup_p,
			     struct weft_request **req_p)
{
	return idup(comm, &(struct idup_args){
		.call = "weft_comm_idup_with_info", .where = WF_CALLED_FROM,
		.has_info = true, .info = info,
		.dup_p = dup_p, .req_p = req_p });
}
