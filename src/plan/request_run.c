/* SPDX-License-Identifier: BSD-3-Clause */
/* Life of requests whose work is a run: see request_run.h. */
#include "plan/request_run.h"

#include <stdlib.h>
#include "base/zeroed.h"
#include "plan/plan_staged.h"

enum {
	SPARE_SCRATCH = 64 << 10	/* bytes that a spare one may keep */
};

static const struct wf_run *run_of(const struct weft_request *req)
{
	return &wf_container(req, const struct wf_run_request, base)->run;
}

static void start(struct weft_request *req)
{
	struct wf_run *run = &wf_run_request(req)->run;

	wf_run_gather(run);
	wf_run_start(run, WEFT_OK);
}

static bool *inactive(struct weft_request *req)
{
	return &wf_run_request(req)->inactive;
}

static void wait(struct weft_request *req)
{
	wf_run_wait(&wf_run_request(req)->run);
}

static int status_of(const struct weft_request *req)
{
	const struct wf_run *run = run_of(req);

	return wf_run_is_idle(run) ? run->status : WEFT_INPROGRESS;
}

static const char *error_of(const struct weft_request *req)
{
	return run_of(req)->error;
}

bool wf_request_is_run(const struct weft_request *req)
{
	return req->ops->wait == wait;
}

/* ---- of calls that come and go ---- */

static void drop_plan(struct wf_run_request *req)
{
	if (req->users)
		--*req->users;
	else if (!req->of->keeps_plans)
		wf_plan_destroy(req->run.plan);
	req->users = NULL;
}

static void unstage(struct wf_run_request *req)
{
	struct wf_staged *staged = req->run.staged;

	req->run.staged = NULL;
	if (req->of->reuses)
		wf_staged_leave(staged, &req->of->left);
	else
		wf_staged_free(staged);
}

static void release_once(struct weft_request *base)
{
	struct wf_run_request *req = wf_run_request(base);
	struct weft_comm *comm = base->comm;

	drop_plan(req);
	if (req->run.staged)
		unstage(req);
	/* it may be long until it has another plan */
	if (req->run.scratch_bytes > SPARE_SCRATCH)
		wf_run_drop_scratch(&req->run);
	req->run.finished = NULL;
	base->comm = NULL;
	wf_run_request_unuse(req);
	wf_comm_drop(comm);
}

static const struct wf_request_ops once_ops = {
	.wait = wait, .status = status_of, .error = error_of,
	.release = release_once
};

static int make(struct wf_run_requests *of, struct wf_plan *plan,
		const struct wf_request_ops *ops,
		struct wf_run_request **req_p)
{
	struct wf_run_request *req = wf_zeroed(1, sizeof(*req));
	int status = req ? wf_run_init(&req->run, plan, of->call) :
			   WEFT_ERR_NOMEM;

	if (status) {
		free(req);
		return status;
	}
	req->base.ops = ops;
	req->of = of;
	wf_list_init(&req->link);
	wf_list_add_tail(&of->made, &req->made);
	*req_p = req;
	return WEFT_OK;
}

int wf_run_requests_add(struct wf_run_requests *of, struct wf_plan *plan,
			struct wf_run_request **req_p)
{
	return make(of, plan, &once_ops, req_p);
}

struct wf_run_request *wf_run_requests_spare(struct wf_run_requests *of)
{
	struct wf_list *at = wf_list_pop(&of->spare);

	return at ? wf_container(at, struct wf_run_request, link) : NULL;
}

void wf_run_request_use(struct wf_run_request *req)
{
	req->base.comm = req->of->comm;
	wf_comm_hold(req->of->comm);
}

void wf_run_request_rest(struct wf_run_request *req)
{
	struct weft_comm *comm = req->base.comm;

	req->base.comm = NULL;
	wf_comm_drop(comm);
}

void wf_run_request_unuse(struct wf_run_request *req)
{
	wf_list_add_head(&req->of->spare, &req->link);
}

static void release_finished(struct wf_run *run)
{
	release_once(&wf_container(run, struct wf_run_request, run)->base);
}

void wf_run_request_forget(struct wf_run_request *req)
{
	if (wf_run_is_idle(&req->run))
		release_once(&req->base);
	else
		req->run.finished = release_finished;
}

/* ---- persistent ---- */

static void release_persistent(struct weft_request *base)
{
	struct wf_run_request *req = wf_run_request(base);
	struct weft_comm *comm = base->comm;
	struct wf_set *set = req->run.set;

	wf_list_del(&req->made);
	wf_plan_destroy(req->run.plan);
	wf_run_fini(&req->run);
	free(req);
	wf_set_destroy(set);
	wf_comm_drop(comm);
}

static const struct wf_request_ops persistent_ops = {
	.start = start, .inactive = inactive, .wait = wait,
	.status = status_of, .error = error_of, .release = release_persistent
};

int wf_run_requests_add_persistent(struct wf_run_requests *of,
				   struct wf_plan *plan,
				   struct wf_run_request **req_p)
{
	int status = make(of, plan, &persistent_ops, req_p);

	if (status)
		return status;
	plan->fixed = true;
	(*req_p)->inactive = true;
	wf_run_request_use(*req_p);
	return WEFT_OK;
}

/* ---- all of an owner ---- */

void wf_run_requests_init(struct wf_run_requests *of, struct weft_comm *comm,
			  const char *call)
{
	of->comm = comm;
	of->call = call;
	of->keeps_plans = of->reuses = false;
	of->left = NULL;
	wf_list_init(&of->made);
	wf_list_init(&of->spare);
}

/* One for many calls; a plan of its own goes with who uses it. */
static void destroy_once(struct wf_run_request *req)
{
	bool has_plan = req->of->keeps_plans || req->base.comm;

	if (has_plan && !req->users)
		wf_plan_destroy(req->run.plan);
	wf_run_fini(&req->run);
	free(req);
}

void wf_run_requests_fini(struct wf_run_requests *of)
{
	struct wf_list *at;

	while ((at = wf_list_pop(&of->made))) {
		struct wf_run_request *req =
			wf_container(at, struct wf_run_request, made);

		if (req->base.ops == &once_ops) {
			destroy_once(req);
			continue;
		}
		/* The owner is going already, and not by this one. */
		wf_comm_hold(of->comm);
		release_persistent(&req->base);
	}
	wf_staged_free(of->left);
	of->left = NULL;
}
