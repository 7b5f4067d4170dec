/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Receive queues, of a queue pair or shared: buffers that are posted, taken by
 * messages in this order, and whose place is free again when the completion has
 * been polled, as drivers count it.
 */
#include "tests/verbs_device/model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct vd_recv *place(const struct vd_rq_state *r, uint32_t at)
{
	return (struct vd_recv *)vd_ring(r->ring) + at % r->size;
}

/* 0: there is no room. */
uint32_t vd_rq_create(uint32_t pd, uint32_t size, bool shared)
{
	size_t bytes = (size ? size : 1) * sizeof(struct vd_recv);
	uint32_t ring = vd_take_pages(bytes);

	for (uint32_t i = 1; ring && i < VD_RQS; i++) {
		struct vd_rq_state *r = &vd_world->rq[i];

		if (r->used)
			continue;
		*r = (struct vd_rq_state){
			.pd = pd, .size = size, .ring = ring,
			.pages = vd_pages_for(bytes), .shared = shared
		};
		__atomic_store_n(&r->used, vd_me(), __ATOMIC_RELEASE);
		return i;
	}
	if (ring)
		vd_give_pages(ring, vd_pages_for(bytes));
	return 0;
}

void vd_rq_destroy(uint32_t rq)
{
	struct vd_rq_state *r = &vd_world->rq[rq];

	vd_give_pages(r->ring, r->pages);
	r->used = 0;
}

static int post(struct vd_rq_state *r, const struct ibv_recv_wr *wr)
{
	struct vd_recv *to = place(r, r->head);

	if (wr->num_sge < 0 || wr->num_sge > VD_SGES)
		return EINVAL;
	if (r->head - r->freed >= r->size)
		return ENOMEM;
	to->wr_id = wr->wr_id;
	to->n = wr->num_sge;
	memcpy(to->sge, wr->sg_list, (size_t)to->n * sizeof(to->sge[0]));
	__atomic_store_n(&r->head, r->head + 1, __ATOMIC_RELEASE);
	return 0;
}

/* Those before *bad are posted. */
int vd_rq_post(uint32_t rq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	int error = 0;

	for (; wr && !error; wr = error ? wr : wr->next) {
		error = post(&vd_world->rq[rq], wr);
		if (error)
			*bad = wr;
	}
	return error;
}

/* NULL: there is none. */
struct vd_recv *vd_rq_take(struct vd_rq_state *r)
{
	return r->tail == r->head ? NULL : place(r, r->tail++);
}

int vd_post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr,
		     struct ibv_recv_wr **bad)
{
	int error = vd_fails("ibv_post_srq_recv");

	*bad = wr;
	if (error)
		return error;
	vd_lock();
	error = vd_rq_post(vd_srq(srq)->rq, wr, bad);
	vd_unlock();
	vd_model_doorbell();
	return error;
}

int vd_post_recv(struct ibv_qp *ibv, struct ibv_recv_wr *wr,
		 struct ibv_recv_wr **bad)
{
	struct vd_qp_state *q = vd_qp(ibv)->state;
	int error = vd_fails("ibv_post_recv");

	*bad = wr;
	if (error)
		return error;
	vd_lock();
	/* InfiniBand vol. 1, 10.8.3.2: not before INIT. */
	if (q->state == IBV_QPS_RESET || ibv->srq) {
		vd_finding("ibv_post_recv: the queue pair takes none");
		error = EINVAL;
	} else {
		error = vd_rq_post(q->rq, wr, bad);
		vd_flush_receives(q);
	}
	vd_unlock();
	vd_model_doorbell();
	return error;
}

/* InfiniBand vol. 1, 10.3.1: a queue pair in error gives back what it has. */
void vd_flush_receives(struct vd_qp_state *q)
{
	struct vd_rq_state *r = &vd_world->rq[q->rq];
	struct vd_recv *recv;

	while (q->state == IBV_QPS_ERR && !r->shared &&
	       (recv = vd_rq_take(r))) {
		struct vd_cqe e = {
			.wc = { .wr_id = recv->wr_id, .qp_num = q->qpn,
				.status = IBV_WC_WR_FLUSH_ERR,
				.opcode = IBV_WC_RECV },
			.rq = q->rq
		};

		vd_complete(&vd_world->cq[q->rcq], &e);
	}
}

static int check_srq(const struct vd_context *c,
		     const struct ibv_srq_init_attr *attr)
{
	const struct ibv_device_attr *can = &vd_device_setup(c->device)->attr;
	int error = vd_fails("ibv_create_srq");

	if (error)
		return error;
	if (!can->max_srq)
		return EOPNOTSUPP;
	return attr->attr.max_wr < 1 ||
	       attr->attr.max_wr > (uint32_t)can->max_srq_wr ||
	       attr->attr.max_sge > (uint32_t)can->max_srq_sge ? EINVAL : 0;
}

struct ibv_srq *ibv_create_srq(struct ibv_pd *pd,
			       struct ibv_srq_init_attr *attr)
{
	struct vd_srq *srq = calloc(1, sizeof(*srq));
	int error = check_srq(vd_context(pd->context), attr);

	vd_lock();
	if (srq && !error && vd_has_room(vd_context(pd->context), VD_SRQ))
		srq->rq = vd_rq_create(vd_pd(pd)->id, attr->attr.max_wr, true);
	if (srq && srq->rq) {
		vd_pd(pd)->users++;
		vd_hold(vd_context(pd->context), VD_SRQ, 1);
	}
	vd_unlock();
	if (!srq || !srq->rq) {
		free(srq);
		errno = error ? error : ENOMEM;
		return NULL;
	}
	srq->ibv.context = pd->context;
	srq->ibv.srq_context = attr->srq_context;
	srq->ibv.pd = pd;
	return &srq->ibv;
}

int ibv_destroy_srq(struct ibv_srq *ibv)
{
	struct vd_srq *srq = vd_srq(ibv);

	if (srq->users) {
		vd_finding("ibv_destroy_srq: %d queue pairs use it",
			   srq->users);
		return EBUSY;
	}
	vd_lock();
	vd_rq_destroy(srq->rq);
	vd_pd(ibv->pd)->users--;
	vd_hold(vd_context(ibv->context), VD_SRQ, -1);
	vd_unlock();
	free(srq);
	return 0;
}
