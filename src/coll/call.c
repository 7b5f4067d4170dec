/* SPDX-License-Identifier: BSD-3-Clause */
/* The three forms of a collective call: see call.h. */
#include "coll/call.h"

#include <stdlib.h>
#include "base/handle.h"
#include "coll/across_call.h"
#include "coll/agree.h"
#include "coll/fingerprint.h"
#include "coll/lengths.h"
#include "plan/plan_staged.h"

int wf_call_check_root(struct weft_comm *comm, const char *name, int root)
{
	if (root >= 0 && root < comm->size)
		return WEFT_OK;
	return wf_job_fail_for(comm->job, WEFT_ARGUMENT_ROOT, WEFT_ERR_RANGE,
			       "%s: the root is %d, and ranks are 0 to %d",
			       name, root, comm->size - 1);
}

static bool is_packed(const struct wf_coll_call *c)
{
	return !(c->apart && c->get_bytes) &&
	       (!c->give_bytes || c->give.type->dense) &&
	       (!c->get_bytes || c->get.type->dense);
}

static struct wf_staged_part part_of(const struct weft_part *part,
				     uint64_t bytes)
{
	return (struct wf_staged_part){
		.type = part->type, .base = part->base, .bytes = bytes
	};
}

/* A packed copy of both ends, where one of them needs it. */
static int stage(struct weft_comm *comm, const struct wf_coll_call *c,
		 struct wf_staged **staged_p)
{
	const struct wf_combination *with = &c->key.with;
	struct wf_staged_part part[2];
	int given = c->give_bytes > 0, got = c->get_bytes > 0;

	*staged_p = NULL;
	if (c->parts)
		return wf_staged_make(comm->job, c->parts, c->ngiven,
				      c->ngiven + c->ngot, staged_p);
	if (is_packed(c))
		return WEFT_OK;
	if (with->op &&
	    wf_combination_reserve(with, c->give_bytes / with->width))
		return WEFT_ERR_NOMEM;
	if (given)
		part[0] = part_of(&c->give, c->give_bytes);
	part[given] = part_of(&c->get, c->get_bytes);
	return wf_staged_make(comm->job, part, given, given + got, staged_p);
}

static void drop(struct wf_coll_call *c)
{
	free(c->parts);
	free(c->ends);
	free(c->pairs);
}

/*
 * Memory of the program, or the copy in the place of it; of parts one side may
 * have none.
 */
static const void *given(const struct wf_coll_call *c,
			 const struct wf_staged *staged)
{
	bool copied = staged && (!c->parts || c->ngiven);

	return copied ? staged->packed : c->give.base;
}

static void *got(const struct wf_coll_call *c, const struct wf_staged *staged)
{
	bool copied = staged && (!c->parts || c->ngot);

	return copied ? wf_staged_got(staged) : c->get.base;
}

/* ---- blocking ---- */

/* By a request, from start to completion. */
static int run_apart(struct weft_comm *comm, const struct wf_coll_call *c,
		     const struct wf_staged *staged)
{
	const struct wf_coll_memory memory = {
		.in = (char *)given(c, staged), .out = got(c, staged)
	};
	struct weft_request *req;
	int status;

	if (comm->coll.strays[WF_COLL_PROGRAM])
		return wf_coll_refuse_stray(comm, &c->key, true);
	status = c->key.by->apart->start(comm, &c->key, &memory, &req);
	if (status)
		return status;
	req->ops->wait(req);
	status = req->ops->status(req);
	if (status)
		wf_job_fail(comm->job, status, "%s", req->ops->error(req));
	req->ops->release(req);
	return status;
}

int wf_call_run(struct weft_comm *comm, const struct wf_coll_call *c)
{
	struct wf_staged *staged;
	int status = stage(comm, c, &staged);

	if (status)
		return wf_coll_refuse(comm, &c->key, status);
	if (staged)
		wf_staged_gather(staged);
	status = c->key.by->apart ? run_apart(comm, c, staged) :
		 wf_coll_run(comm, &c->key, c->most, given(c, staged),
			     got(c, staged));
	if (!status && staged)
		wf_staged_scatter(staged);
	wf_staged_free(staged);
	return status;
}

/* A call that lacks memory is made at the others, who are not at odds. */
static int refuse(struct weft_comm *comm, const struct wf_coll_key *key,
		  int status)
{
	int odds = wf_fingerprint_any(comm, key->call);

	return odds ? odds : wf_coll_refuse(comm, key, status);
}

/*
 * What is not made here, as for its arguments, may be at others: they put into
 * memory that nobody counts them in.
 */
static int end_call(struct weft_comm *comm, struct wf_coll_call *c, int status)
{
	comm->job->uneven |= status != WEFT_OK;
	drop(c);
	return status;
}

int wf_call_block_held(struct weft_comm *comm, const char *name,
		       wf_coll_reader *read, const void *args)
{
	struct wf_coll_call c = { .key.call = name };
	int status = read(comm, args, &c);

	if (status == WEFT_ERR_NOMEM) {
		status = refuse(comm, &c.key, status);
	} else if (!status) {
		status = wf_fingerprint(comm, &c, WF_MARK_BLOCKS);
		if (!status)
			status = wf_call_run(comm, &c);
	}
	return end_call(comm, &c, status);
}

int wf_call_block(struct weft_comm *comm, const char *name,
		  wf_coll_reader *read, const void *args)
{
	int status;

	if (comm && comm->across)
		return wf_across_block(comm, name, read, args);
	status = wf_comm_enter_by(comm, name);
	if (status)
		return status;
	wf_comm_hold(comm);		/* another thread may free it */
	status = wf_call_block_held(comm, name, read, args);
	return wf_comm_leave_held(comm, status);
}

/* ---- nonblocking ---- */

static int check_req(struct weft_comm *comm, const char *name,
		     struct weft_request **req_p)
{
	return req_p ? WEFT_OK : wf_job_fail(comm->job, WEFT_ERR_ARG,
					     "%s: req_p is NULL", name);
}

static void aim(struct wf_run_request *req, const struct wf_coll_call *c,
		struct wf_staged *staged)
{
	req->run.staged = staged;
	req->run.buffer[WF_BUFFER_SEND] = (char *)given(c, staged);
	req->run.buffer[WF_BUFFER_RECV] = got(c, staged);
}

static int start_apart(struct weft_comm *comm, const struct wf_coll_call *c,
		       struct weft_request **req_p)
{
	struct wf_coll_memory memory = { .staged = NULL };
	int status = stage(comm, c, &memory.staged);

	if (status)
		return wf_coll_refuse_apart(comm, &c->key, status);
	if (memory.staged)
		wf_staged_gather(memory.staged);
	memory.in = (char *)given(c, memory.staged);
	memory.out = got(c, memory.staged);
	status = c->key.by->apart->start(comm, &c->key, &memory, req_p);
	if (status)
		wf_staged_free(memory.staged);
	return status;
}

static int start(struct weft_comm *comm, const struct wf_coll_call *c,
		 struct weft_request **req_p)
{
	struct wf_schedule *s;
	struct wf_run_request *req;
	struct wf_staged *staged = NULL;
	int status;

	if (comm->coll.strays[WF_COLL_PROGRAM])
		return wf_coll_refuse_stray(comm, &c->key, false);
	if (c->key.by->apart)
		return start_apart(comm, c, req_p);
	status = wf_schedule_of(comm, c->key.by->kind, &s);
	if (!status)
		status = stage(comm, c, &staged);
	if (!status)
		status = wf_coll_request(s, &c->key, &req);
	if (status) {
		wf_staged_free(staged);
		return wf_coll_refuse_apart(comm, &c->key, status);
	}
	aim(req, c, staged);
	wf_run_gather(&req->run);
	wf_coll_go(&req->run, c->most);
	*req_p = &req->base;
	return WEFT_OK;
}

static int refuse_apart(struct weft_comm *comm, const struct wf_coll_key *key,
			int status)
{
	int odds = wf_fingerprint_any(comm, key->call);

	return odds ? odds : wf_coll_refuse_apart(comm, key, status);
}

int wf_call_once(struct weft_comm *comm, const char *name,
		 wf_coll_reader *read, const void *args,
		 struct weft_request **req_p)
{
	struct wf_coll_call c = { .key.call = name };
	int status;

	if (comm && comm->across)
		return wf_across_begin(comm, name, read, args, WF_MARK_ONCE,
				       req_p);
	status = wf_comm_enter_by(comm, name);
	wf_no_handle(req_p);
	if (status)
		return status;
	wf_comm_hold(comm);		/* another thread may free it */
	status = read(comm, args, &c);
	if (status == WEFT_ERR_NOMEM)
		status = refuse_apart(comm, &c.key, status);
	else if (!status)
		status = check_req(comm, name, req_p);
	if (!status)
		status = wf_fingerprint(comm, &c, WF_MARK_ONCE);
	if (!status)
		status = start(comm, &c, req_p);
	return wf_comm_leave_held(comm, end_call(comm, &c, status));
}

/* ---- persistent ---- */

/* On a set of its own, so that it may be started in any order. */
static int make_plan(struct weft_comm *comm, const struct wf_coll_key *key,
		     uint32_t number, struct wf_run_request **req_p)
{
	struct wf_schedule *s;
	struct wf_plan *plan = NULL;
	struct wf_set *set;
	int status = wf_schedule_plain(comm, key->by->kind, &s);

	if (!status)
		status = wf_schedule_make_set(s, key, number, &set);
	if (status)
		return status;
	status = key->by->build(s, set, key, &plan);
	if (!status)
		status = wf_run_requests_add_persistent(&s->requests, plan,
							req_p);
	if (status) {
		wf_plan_destroy(plan);
		wf_set_destroy(set);
		return status;
	}
	(*req_p)->run.call = key->call;
	return WEFT_OK;
}

static int make(struct weft_comm *comm, const struct wf_coll_call *c,
		uint32_t number, struct wf_run_request **req_p)
{
	struct wf_staged *staged;
	int status = make_plan(comm, &c->key, number, req_p);

	if (!status)
		status = stage(comm, c, &staged);
	if (!status) {
		aim(*req_p, c, staged);
		wf_run_pin(&(*req_p)->run);
		status = wf_run_prepare(&(*req_p)->run);
	}
	if (status)
		wf_job_fail(comm->job, status, "%s: no memory for it, of the "
			    "process or of its arena", c->key.call);
	return status;
}

/* A status that others may not have, who go on and wait for this rank. */
static void miss_lengths(struct weft_comm *comm, const struct wf_coll_key *key,
			 int status)
{
	const struct wf_coll_key lengths = wf_lengths_key(key);
	const struct wf_failure failure = *wf_failure(comm->job);

	wf_coll_strays(comm, status);
	if (comm->coll.strays[WF_COLL_PROGRAM])
		(void)wf_coll_refuse_apart(comm, &lengths, status);
	*wf_failure(comm->job) = failure;
}

/* What the key lacks so far: all ranks do so, or none. */
static int learn(struct weft_comm *comm, struct wf_coll_call *c, int status)
{
	bool good = !status;

	status = wf_agree(comm, c->key.call, status);
	if (status && good)
		miss_lengths(comm, &c->key, status);
	if (status)
		return status;
	status = c->key.by->learn(comm, &c->key);
	if (!c->ends)
		c->ends = (uint64_t *)c->key.ends;
	return status;
}

/* The set has its number, whatever fails: others may have made theirs. */
static int init(struct weft_comm *comm, wf_coll_reader *read, const void *args,
		struct wf_coll_call *c, struct wf_run_request **req_p)
{
	uint32_t number = comm->sets++;
	int status = read(comm, args, c);

	if (status == WEFT_ERR_NOMEM)
		wf_job_fail(comm->job, status, "%s: no memory for its "
			    "arguments", c->key.call);
	/* what is refused here is an error at all, and not their difference */
	if (status)
		(void)wf_fingerprint_any(comm, c->key.call);
	else
		status = wf_fingerprint(comm, c, WF_MARK_INIT);
	if (c->key.by && c->key.by->learn)
		status = learn(comm, c, status);
	if (!status)
		status = make(comm, c, number, req_p);
	if (status)
		wf_port_pass_over(comm, WF_PORT_SETS + number);
	return status;
}

/* It was made here, and refused by another rank. */
static void give_up(struct wf_run_request *req)
{
	req->run.set->refused = true;
	wf_run_request_release(req);
}

int wf_call_init(struct weft_comm *comm, const char *name,
		 wf_coll_reader *read, const void *args,
		 struct weft_request **req_p)
{
	struct wf_coll_call c = { .key.call = name };
	struct wf_run_request *req = NULL;
	int status;

	if (comm && comm->across)
		return wf_across_begin(comm, name, read, args, WF_MARK_INIT,
				       req_p);
	status = wf_comm_enter_by(comm, name);
	wf_no_handle(req_p);
	if (status)
		return status;
	wf_comm_hold(comm);
	status = init(comm, read, args, &c, &req);
	if (!status)
		status = check_req(comm, name, req_p);
	drop(&c);
	status = wf_agree(comm, name, status);
	if (!status)
		*req_p = &req->base;
	else if (req)
		give_up(req);
	return wf_comm_leave_held(comm, status);
}
