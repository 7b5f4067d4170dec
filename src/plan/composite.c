/* SPDX-License-Identifier: BSD-3-Clause */
/* Life of requests made of others: see composite.h. */
#include "plan/composite.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/text.h"

static struct wf_composite *composite(const struct weft_request *req)
{
	return wf_container((struct weft_request *)req, struct wf_composite,
			    base);
}

/* ---- the end ---- */

void wf_composite_fail(struct wf_composite *c, int status, const char *fmt, ...)
{
	va_list args;

	if (c->status)
		return;
	c->status = status;
	if (!c->error)
		c->error = malloc(WF_ERROR_TEXT);
	if (!c->error)
		return;
	va_start(args, fmt);
	vsnprintf(c->error, WF_ERROR_TEXT, fmt, args);
	va_end(args);
}

static const char *error_of(const struct weft_request *req)
{
	const struct wf_composite *c = composite(req);

	if (c->failed >= 0)
		return c->part[c->failed]->ops->error(c->part[c->failed]);
	if (!c->status)
		return "";
	return c->error ? c->error :
			  "it failed, and there is no memory for why";
}

static bool are_complete(struct wf_composite *c)
{
	while (c->complete < c->n &&
	       !wf_request_is_under_way(c->part[c->complete]))
		c->complete++;
	return c->complete == c->n;
}

static void take_statuses(struct wf_composite *c)
{
	for (int i = 0; i < c->n; i++) {
		int status = c->part[i]->ops->status(c->part[i]);

		wf_request_told(c->part[i]);
		if (!status || c->failed >= 0)
			continue;
		c->failed = i;
		c->status = status;
	}
}

static void end(struct wf_composite *c)
{
	struct weft_request *req = &c->base;

	take_statuses(c);
	if (c->kind->finish)
		c->kind->finish(c);
	c->active = false;
	if (!c->given_up)
		return;
	if (c->status)
		wf_info(&req->comm->job->log, "a request that nobody waits for "
			"has failed: %s", error_of(req));
	req->ops->release(req);
}

/* ---- while it is active ---- */

static bool poll(struct wf_poller *poller)
{
	struct wf_composite *c = wf_container(poller, struct wf_composite,
					      poller);

	if (!are_complete(c))
		return false;
	wf_poller_del(poller->job, poller);
	end(c);
	return true;
}

/* Whom they wait for the parts say. */
static int waits_for(struct wf_poller *poller, int *cursor)
{
	(void)poller;
	(void)cursor;
	return -1;
}

static void describe(void *arg, char *text, size_t bytes)
{
	const struct wf_composite *c = arg;
	int left = 0;

	for (int i = 0; i < c->n; i++)
		left += wf_request_is_under_way(c->part[i]);
	wf_text_add(text, bytes, "%s of ", c->call);
	wf_comm_tell(c->base.comm, text, bytes);
	wf_text_add(text, bytes, ": %d of %d parts", left, c->n);
}

static void report(struct wf_poller *poller, struct wf_report *to)
{
	char text[WF_ERROR_TEXT] = "";

	describe(wf_container(poller, struct wf_composite, poller), text,
		 sizeof(text));
	wf_report_line(to, "%s", text);
}

static void watch(struct wf_composite *c)
{
	c->complete = 0;
	c->active = true;
	if (are_complete(c))
		end(c);
	else
		wf_poller_add(c->base.comm->job, &c->poller);
}

/* ---- as a request ---- */

static void start(struct weft_request *req)
{
	struct wf_composite *c = composite(req);

	c->status = WEFT_OK;
	c->failed = -1;
	if (c->kind->begin)
		c->kind->begin(c);
	for (int i = 0; i < c->n; i++)
		wf_request_start(c->part[i]);
	watch(c);
}

static bool *inactive(struct weft_request *req)
{
	return &composite(req)->inactive;
}

static bool is_over(void *arg)
{
	return !((struct wf_composite *)arg)->active;
}

static void wait(struct weft_request *req)
{
	struct wf_wait w = { is_over, describe, composite(req) };

	wf_job_wait(req->comm->job, &w);
}

static int status_of(const struct weft_request *req)
{
	const struct wf_composite *c = composite(req);

	return c->active ? WEFT_INPROGRESS : c->status;
}

static void message(const struct weft_request *req,
		    struct weft_message_status *got_p)
{
	const struct wf_composite *c = composite(req);

	if (c->kind->message)
		c->kind->message(c, got_p);
}

static void release(struct weft_request *req)
{
	struct wf_composite *c = composite(req);
	struct weft_comm *comm = req->comm;

	for (int i = 0; i < c->n; i++)
		c->part[i]->ops->release(c->part[i]);
	wf_list_del(&c->leftover.link);
	free(c->error);
	c->kind->destroy(c);
	wf_comm_drop(comm);
}

static void give_up(struct weft_request *req)
{
	composite(req)->given_up = true;
}

/* Whether it may be given up is as with its parts. */
static const struct wf_request_ops ops = {
	.wait = wait, .status = status_of, .error = error_of,
	.message = message, .release = release
}, loose_ops = {
	.wait = wait, .status = status_of, .error = error_of,
	.message = message, .release = release, .give_up = give_up
}, persistent_ops = {
	.start = start, .inactive = inactive, .wait = wait,
	.status = status_of, .error = error_of, .message = message,
	.release = release
}, loose_persistent_ops = {
	.start = start, .inactive = inactive, .wait = wait,
	.status = status_of, .error = error_of, .message = message,
	.release = release, .give_up = give_up
};

/* ---- made ---- */

/* The job closes: it was not given up.  Parts go with their rooms. */
static void drop_leftover(struct wf_leftover *leftover)
{
	struct wf_composite *c = wf_container(leftover, struct wf_composite,
					      leftover);

	free(c->error);
	c->kind->destroy(c);
}

/* Also what is over within its call, for good. */
static bool may_go(const struct weft_request *part)
{
	return part->ops->give_up ||
	       (!part->ops->start && !wf_request_is_under_way(part));
}

static bool may_be_given_up(const struct wf_composite *c)
{
	for (int i = 0; i < c->n; i++)
		if (!may_go(c->part[i]))
			return false;
	return true;
}

static void init(struct wf_composite *c, struct weft_comm *comm)
{
	c->base.comm = comm;
	wf_comm_hold(comm);
	c->failed = -1;
	c->poller = (struct wf_poller){
		.poll = poll, .waits_for = waits_for, .report = report,
		.comm = comm
	};
	wf_list_init(&c->poller.link);
	c->leftover.drop = drop_leftover;
	wf_list_add_tail(&wf_contexts(comm->job)->leftovers,
			 &c->leftover.link);
}

void wf_composite_begin(struct wf_composite *c, struct weft_comm *comm)
{
	init(c, comm);
	c->base.ops = may_be_given_up(c) ? &loose_ops : &ops;
	watch(c);
}

void wf_composite_persist(struct wf_composite *c, struct weft_comm *comm)
{
	init(c, comm);
	c->base.ops = may_be_given_up(c) ? &loose_persistent_ops :
					   &persistent_ops;
	c->inactive = true;
}
