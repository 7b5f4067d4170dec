/* SPDX-License-Identifier: BSD-3-Clause */
/* Ops on the own segment by a device: see loop.h. */
#include "job/loop.h"

#include <stdlib.h>
#include "job/job.h"
#include "job/peer.h"
#include "transport/word.h"

/* The endpoint to oneself, if it is of this device and ready. */
static int use_peer(struct weft_job *job, struct wf_device *dev)
{
	struct wf_peer *self = wf_peer_get(job, job->rank);

	if (!self)
		return WEFT_ERR_NOMEM;
	wf_peer_connect(self);
	if (self->state == WF_PEER_CONNECTING)
		return WEFT_INPROGRESS;
	if (self->state == WF_PEER_READY && self->ep->dev == dev)
		job->loop->ep = self->ep;
	return WEFT_OK;
}

static int make_ready(struct weft_job *job, struct wf_device *dev)
{
	struct wf_tp_peer whom = { .rank = job->rank, .blob = &job->blob };
	struct wf_loop *loop = job->loop;
	int status;

	if (!loop->ep) {
		status = use_peer(job, dev);
		if (status || loop->ep)
			return status;
		status = dev->ops->connect(dev, &whom, &loop->opened);
		if (status)
			return status;
		wf_debug(&job->log, "%s: an endpoint to itself",
			 dev->ops->name);
		loop->ep = loop->opened;
	}
	if (loop->ep->state == WF_EP_CONNECTING)
		return WEFT_INPROGRESS;
	return loop->ep->state == WF_EP_READY ? WEFT_OK : WEFT_ERR_DEVICE;
}

static int post(struct weft_job *job, uint64_t offset,
		const struct wf_word_op *op)
{
	struct wf_loop *loop = job->loop;
	struct wf_ep *ep = loop->ep;
	struct wf_rloc at;
	int status = ep->dev->ops->key(&ep->dev->arena, offset, &at);

	if (status)
		return status;
	if (op->is_cas)
		return ep->ops->cas(ep, at, op->expected, op->operand,
				    &loop->old);
	return ep->ops->fetch_add(ep, at, op->operand, &loop->old);
}

/* Nobody's op is under way; that of one who has forgotten it may be. */
static int begin(struct weft_job *job, const void *user, uint64_t offset,
		 const struct wf_word_op *op)
{
	struct wf_loop *loop = job->loop;
	int status;

	if (loop->user || !wf_ep_ask_done(loop->ep, loop->mark))
		return WEFT_INPROGRESS;
	status = post(job, offset, op);
	if (status == WEFT_AGAIN)
		return WEFT_INPROGRESS;
	if (status)
		return status;
	loop->user = user;
	loop->mark = loop->ep->posted;
	return WEFT_INPROGRESS;
}

void wf_loop_forget(struct weft_job *job, const void *user)
{
	if (job->loop && job->loop->user == user)
		job->loop->user = NULL;
}

int wf_loop_do(struct weft_job *job, struct wf_device *dev, const void *user,
	       uint64_t offset, const struct wf_word_op *op, uint64_t *old_p)
{
	struct wf_loop *loop;
	int status;

	if (!job->loop)
		job->loop = calloc(1, sizeof(*job->loop));
	loop = job->loop;
	status = loop ? make_ready(job, dev) : WEFT_ERR_NOMEM;
	if (status)
		return status;
	/* One that is lost need not become done. */
	if (loop->ep->broken) {
		wf_loop_forget(job, user);
		return WEFT_ERR_DEVICE;
	}
	if (loop->user != user) {
		status = begin(job, user, offset, op);
		if (loop->user != user)
			return status;
	}
	if (!wf_ep_ask_done(loop->ep, loop->mark))
		return WEFT_INPROGRESS;
	loop->user = NULL;
	*old_p = loop->old;
	return WEFT_OK;
}

void wf_loop_fini(struct weft_job *job)
{
	struct wf_loop *loop = job->loop;

	if (loop && loop->opened)
		loop->opened->dev->ops->disconnect(loop->opened);
	free(loop);
	job->loop = NULL;
}
