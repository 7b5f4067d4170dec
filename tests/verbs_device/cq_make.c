/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Completion queues and channels: how they are made and destroyed.
 */
#include "tests/verbs_device/device.h"

#include <errno.h>
#include <stdlib.h>

struct vd_cq *vd_cqs;

static struct vd_cq_state *enter(struct vd_cq *cq, uint32_t size)
{
	size_t bytes = size * sizeof(struct vd_cqe);
	uint32_t ring = vd_take_pages(bytes);

	for (int i = 1; ring && i < VD_CQS; i++) {
		struct vd_cq_state *c = &vd_world->cq[i];

		if (c->used)
			continue;
		*c = (struct vd_cq_state){
			.size = size, .ring = ring,
			.pages = vd_pages_for(bytes), .local = cq
		};
		__atomic_store_n(&c->used, vd_me(), __ATOMIC_RELEASE);
		return c;
	}
	if (ring)
		vd_give_pages(ring, vd_pages_for(bytes));
	return NULL;
}

static int check_cq(const struct vd_context *c, int size, int vector)
{
	int error = vd_fails("ibv_create_cq");

	if (error)
		return error;
	return size < 1 || size > vd_device_setup(c->device)->attr.max_cqe ||
	       vector < 0 || vector >= c->ex.context.num_comp_vectors ?
	       EINVAL : 0;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int size,
			     void *cq_context,
			     struct ibv_comp_channel *channel, int vector)
{
	struct vd_cq *cq = calloc(1, sizeof(*cq));
	int error = check_cq(vd_context(context), size, vector);

	vd_lock();
	if (cq && !error && vd_has_room(vd_context(context), VD_CQ))
		cq->state = enter(cq, (uint32_t)size);
	if (!cq || !cq->state) {
		vd_unlock();
		free(cq);
		errno = error ? error : ENOMEM;
		return NULL;
	}
	cq->ibv.context = context;
	cq->ibv.channel = channel;
	cq->ibv.cq_context = cq_context;
	cq->ibv.cqe = size;
	cq->channel = (struct vd_channel *)channel;
	if (channel)
		channel->refcnt++;
	cq->next = vd_cqs;
	vd_cqs = cq;
	vd_hold(vd_context(context), VD_CQ, 1);
	vd_unlock();
	return &cq->ibv;
}

static int busy_cq(const struct vd_cq *cq)
{
	if (cq->users)
		vd_finding("ibv_destroy_cq: %d queue pairs use it", cq->users);
	return cq->users || vd_is_unacked("ibv_destroy_cq", cq->unacked) ?
		EBUSY : 0;
}

int ibv_destroy_cq(struct ibv_cq *ibv)
{
	struct vd_cq *cq = vd_cq(ibv), **at = &vd_cqs;
	int error;

	vd_lock();
	error = busy_cq(cq);
	if (!error) {
		while (*at != cq)
			at = &(*at)->next;
		*at = cq->next;
		vd_forget_news(cq);
		vd_box_purge(&vd_context(ibv->context)->box, cq);
		if (cq->channel) {
			vd_box_purge(&cq->channel->box, cq);
			cq->channel->ibv.refcnt--;
		}
		cq->state->used = 0;
		vd_give_pages(cq->state->ring, cq->state->pages);
		vd_hold(vd_context(ibv->context), VD_CQ, -1);
	}
	vd_unlock();
	if (!error)
		free(cq);
	return error;
}

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context)
{
	struct vd_channel *channel = calloc(1, sizeof(*channel));
	int error = vd_fails("ibv_create_comp_channel");

	if (channel && !error)
		error = vd_box_open(&channel->box);
	if (!channel || error) {
		free(channel);
		errno = error ? error : ENOMEM;
		return NULL;
	}
	channel->ibv.context = context;
	channel->ibv.fd = channel->box.fd;
	vd_lock();
	vd_context(context)->objects++;
	vd_unlock();
	return &channel->ibv;
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *ibv)
{
	struct vd_channel *channel = (struct vd_channel *)ibv;

	if (ibv->refcnt) {
		vd_finding("ibv_destroy_comp_channel: %d queues use it",
			   ibv->refcnt);
		return EBUSY;
	}
	vd_lock();
	vd_context(ibv->context)->objects--;
	vd_unlock();
	vd_box_close(&channel->box);
	free(channel);
	return 0;
}

int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq_p,
		     void **cq_context_p)
{
	void *item;
	int kind;

	if (!vd_box_get(&((struct vd_channel *)channel)->box, &item, &kind))
		return -1;
	*cq_p = &((struct vd_cq *)item)->ibv;
	*cq_context_p = (*cq_p)->cq_context;
	vd_lock();
	((struct vd_cq *)item)->unacked++;
	vd_unlock();
	return 0;
}

void ibv_ack_cq_events(struct ibv_cq *cq, unsigned n)
{
	vd_lock();
	vd_cq(cq)->unacked -= n;
	vd_unlock();
}
