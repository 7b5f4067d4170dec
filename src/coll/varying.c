/* SPDX-License-Identifier: BSD-3-Clause */
/* Lengths first: see varying.h. */
#include "coll/varying.h"

#include <stdlib.h>
#include "base/assert.h"
#include "base/text.h"
#include "base/zeroed.h"
#include "coll/lengths.h"

struct varying {
	struct wf_held held;
	struct wf_schedule *schedule;
	struct wf_lengths lengths;
	struct wf_run_request *first;	/* of the lengths */
	struct wf_run *run;		/* of what is held */
};

static struct varying *varying_of(const struct wf_held *held)
{
	return wf_container(held, struct varying, held);
}

static bool ready(const struct wf_held *held)
{
	return wf_run_is_idle(&varying_of(held)->first->run);
}

/* Of a status other than 0 why says what it is. */
static int settle(struct varying *v, char *why, size_t room)
{
	const struct wf_run *first = &v->first->run;
	int status = first->status;

	if (status)
		wf_text_add(why, room, "%s", first->error);
	else
		status = wf_lengths_settle(&v->lengths, v->schedule->comm, why,
					   room);
	return status;
}

/* The same steps, of their sizes. */
static int size(struct varying *v)
{
	const struct wf_coll_key *key = &v->lengths.key;
	struct wf_plan *unsized = v->run->plan, *plan;
	int status = key->by->build(v->schedule, v->run->set, key, &plan);

	if (status)
		return status;
	WF_ASSERT(plan->nsteps == unsized->nsteps);
	status = wf_run_take(v->run, plan);
	wf_plan_destroy(status ? plan : unsized);
	return status;
}

static void drop(struct varying *v)
{
	wf_lengths_fini(&v->lengths);
	free(v);
}

/* An error here is an epoch without memory of the program, and so told. */
static void end(struct wf_held *held, bool starts)
{
	struct varying *v = varying_of(held);
	struct wf_run *run = v->run;
	int status;

	if (starts) {
		status = settle(v, run->error, sizeof(run->error));
		if (!status)
			status = size(v);
		if (status && !run->error[0])
			wf_text_add(run->error, sizeof(run->error), "%s: no "
				    "memory for what this rank passes on",
				    v->lengths.key.call);
		run->status = run->refusal = status;
		wf_run_request_release(v->first);
	}
	drop(v);
}

/* Everything but the lengths; WEFT_ERR_NOMEM. */
static int prepare(struct varying *v, const struct wf_coll_key *key,
		   struct wf_run_request **req_p)
{
	struct wf_schedule *s = v->schedule;
	struct wf_coll_key unsized = *key;
	struct wf_plan *plan;
	int status;

	unsized.bytes = 0;
	unsized.ends = NULL;
	status = key->by->build(s, s->set, &unsized, &plan);
	if (status)
		return status;
	plan->unsized = true;
	status = wf_run_requests_take(&s->requests, plan, req_p);
	if (status) {
		wf_plan_destroy(plan);
		return status;
	}
	v->run = &(*req_p)->run;
	return WEFT_OK;
}

static int make(struct wf_schedule *s, const struct wf_coll_key *key,
		struct varying **v_p)
{
	struct varying *v = wf_zeroed(1, sizeof(*v));
	int status = v ? wf_lengths_init(&v->lengths, s, key) : WEFT_ERR_NOMEM;

	if (!status)
		status = wf_lengths_request(&v->lengths, s, &v->first);
	if (status) {
		if (v)
			drop(v);
		return status;
	}
	v->held.ready = ready;
	v->held.end = end;
	v->schedule = s;
	*v_p = v;
	return WEFT_OK;
}

int wf_varying_request(struct wf_schedule *s, const struct wf_coll_key *key,
		       struct wf_run_request **req_p)
{
	struct varying *v;
	int status = make(s, key, &v);

	if (status)
		return status;
	status = prepare(v, key, req_p);
	if (status) {
		wf_run_request_release(v->first);
		drop(v);
		return status;
	}
	wf_coll_go(&v->first->run, UINT64_MAX);
	/* which is the one that its caller starts now */
	wf_set_hold(s->set, &v->held);
	return WEFT_OK;
}

static int learn(struct wf_schedule *s, struct varying *v,
		 struct wf_coll_key *key)
{
	struct weft_comm *comm = s->comm;
	char why[WF_ERROR_TEXT] = "";
	int status;

	wf_coll_go(&v->first->run, UINT64_MAX);
	wf_run_wait(&v->first->run);
	status = settle(v, why, sizeof(why));
	wf_run_request_release(v->first);
	if (status)
		return wf_job_fail(comm->job, status, "%s", why);
	if (!key->ends) {
		key->ends = v->lengths.bytes;
		v->lengths.bytes = NULL;
	}
	return WEFT_OK;
}

int wf_varying_learn(struct weft_comm *comm, struct wf_coll_key *key)
{
	const struct wf_coll_key lengths = wf_lengths_key(key);
	struct wf_schedule *s;
	struct varying *v;
	int status = wf_schedule_of(comm, key->by->kind, &s);

	if (!status)
		status = make(s, key, &v);
	if (status)
		return wf_coll_refuse(comm, &lengths, status);
	status = learn(s, v, key);
	drop(v);
	return status;
}
