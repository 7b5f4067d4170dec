/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queue pairs: how they are made, fail, and go; their states are in
 * qp_state.c.
 */
#include "tests/verbs_device/device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct vd_qp *vd_qps;

/* Of another queue pair that had this number: none. */
struct vd_qp_state *vd_qp_of(uint32_t qpn)
{
	struct vd_qp_state *q = &vd_world->qp[qpn % VD_QPS];

	return q->used && q->qpn == qpn ? q : NULL;
}

static int check_qp(const struct vd_context *c,
		    const struct ibv_qp_init_attr *attr)
{
	const struct vd_device_setup *d = vd_device_setup(c->device);
	const struct ibv_qp_cap *cap = &attr->cap;
	int error = vd_fails("ibv_create_qp");

	if (error)
		return error;
	if (attr->qp_type != IBV_QPT_RC && attr->qp_type != IBV_QPT_UD)
		return EOPNOTSUPP;
	if (!attr->send_cq || !attr->recv_cq ||
	    cap->max_send_wr > (uint32_t)d->attr.max_qp_wr ||
	    cap->max_send_sge > d->max_sge ||
	    cap->max_inline_data > d->max_inline)
		return EINVAL;
	return !attr->srq && (cap->max_recv_sge > d->max_sge ||
			      cap->max_recv_wr > (uint32_t)d->attr.max_qp_wr) ?
		EINVAL : 0;
}

static struct vd_qp_state *free_qp(const struct vd_context *c)
{
	for (uint32_t i = 0; vd_has_room(c, VD_QP) && i < VD_QPS; i++) {
		uint32_t at = (vd_world->last_qp + 1 + i) % VD_QPS;

		if (at && !vd_world->qp[at].used)
			return &vd_world->qp[at];
	}
	return NULL;
}

/* The number of the entry, and above it a count of its uses. */
static uint32_t next_number(const struct vd_qp_state *q)
{
	uint32_t uses = (q->qpn >> VD_QP_BITS) + 1;

	return (uses << VD_QP_BITS | (uint32_t)(q - vd_world->qp)) & 0xffffff;
}

static int enter(struct vd_qp *qp, const struct ibv_qp_init_attr *attr)
{
	struct vd_context *c = vd_context(qp->ibv.context);
	struct vd_qp_state *q = free_qp(c);
	uint32_t rq = attr->srq ? vd_srq(attr->srq)->rq :
		vd_rq_create(vd_pd(qp->ibv.pd)->id, attr->cap.max_recv_wr,
			     false);

	if (!q || !rq) {
		if (rq && !attr->srq)
			vd_rq_destroy(rq);
		return ENOMEM;
	}
	vd_world->last_qp = (uint32_t)(q - vd_world->qp);
	*q = (struct vd_qp_state){
		.qpn = next_number(q), .type = attr->qp_type,
		.pd = vd_pd(qp->ibv.pd)->id, .rq = rq,
		.scq = (uint32_t)(vd_cq(attr->send_cq)->state - vd_world->cq),
		.rcq = (uint32_t)(vd_cq(attr->recv_cq)->state - vd_world->cq),
		.host = c->host, .device = c->device, .local = qp
	};
	qp->state = q;
	qp->ibv.qp_num = q->qpn;
	__atomic_store_n(&q->used, vd_me(), __ATOMIC_RELEASE);
	return 0;
}

/* What must not be destroyed before it. */
static void hold(struct vd_qp *qp, int by)
{
	vd_pd(qp->ibv.pd)->users += by;
	vd_cq(qp->ibv.send_cq)->users += by;
	vd_cq(qp->ibv.recv_cq)->users += by;
	if (qp->ibv.srq)
		vd_srq(qp->ibv.srq)->users += by;
	vd_hold(vd_context(qp->ibv.context), VD_QP, by);
}

static struct vd_qp *make_qp(struct ibv_pd *pd,
			     const struct ibv_qp_init_attr *attr)
{
	struct vd_qp *qp = calloc(1, sizeof(*qp));

	if (!qp)
		return NULL;
	qp->ibv.context = pd->context;
	qp->ibv.qp_context = attr->qp_context;
	qp->ibv.pd = pd;
	qp->ibv.send_cq = attr->send_cq;
	qp->ibv.recv_cq = attr->recv_cq;
	qp->ibv.srq = attr->srq;
	qp->ibv.qp_type = attr->qp_type;
	qp->cap = attr->cap;
	qp->all_signaled = attr->sq_sig_all;
	qp->last = &qp->first;
	return qp;
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	int error = check_qp(vd_context(pd->context), attr);
	struct vd_qp *qp = error ? NULL : make_qp(pd, attr);

	if (!qp) {
		errno = error ? error : ENOMEM;
		return NULL;
	}
	vd_lock();
	error = enter(qp, attr);
	if (!error) {
		hold(qp, 1);
		qp->next = vd_qps;
		vd_qps = qp;
	}
	vd_unlock();
	if (!error)
		return &qp->ibv;
	free(qp);
	errno = error;
	return NULL;
}

/* All of it that is under way, and its completions. */
void vd_qp_reset(struct vd_qp *qp)
{
	struct vd_qp_state *q = qp->state;
	struct vd_rq_state *r = &vd_world->rq[q->rq];

	vd_land_acknowledged(qp);
	vd_drop_requests(qp);
	if (!vd_device_setup(q->device)->keeps) {
		vd_forget_completions(&vd_world->cq[q->scq], q->qpn);
		vd_forget_completions(&vd_world->cq[q->rcq], q->qpn);
	}
	if (!r->shared)
		r->tail = r->freed = r->head;
	qp->freed = qp->posted;
	qp->silent_until = 0;
	qp->rnr_tries = 0;
	q->established = false;
}

int ibv_destroy_qp(struct ibv_qp *ibv)
{
	struct vd_qp *qp = vd_qp(ibv), **at = &vd_qps;
	int error = vd_fails("ibv_destroy_qp");

	if (error)
		return error;
	vd_lock();
	if (vd_is_unacked("ibv_destroy_qp", qp->unacked)) {
		vd_unlock();
		return EBUSY;
	}
	vd_qp_reset(qp);
	vd_forget_news(qp);
	vd_box_purge(&vd_context(ibv->context)->box, qp);
	while (*at != qp)
		at = &(*at)->next;
	*at = qp->next;
	if (!ibv->srq)
		vd_rq_destroy(qp->state->rq);
	qp->state->used = 0;
	hold(qp, -1);
	vd_unlock();
	free(qp);
	return 0;
}

/* Its owner flushes what is in it. */
void vd_qp_fail(struct vd_qp_state *q)
{
	if (q->state == IBV_QPS_ERR)
		return;
	q->state = IBV_QPS_ERR;
	vd_flush_receives(q);
	/* InfiniBand vol. 1, 11.6.3.1. */
	if (vd_world->rq[q->rq].shared)
		vd_announce(q, IBV_EVENT_QP_LAST_WQE_REACHED);
	vd_ring_process(q->used);
}
