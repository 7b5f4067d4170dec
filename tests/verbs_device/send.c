/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Send queues: what is posted, when each work request may begin, and their
 * completions, which come in the order of the posts.
 *
 * Requests are executed at the peer in this order (InfiniBand vol. 1, 9.5),
 * with two liberties: a read may be passed by what is behind it and has no
 * fence (10.8.3.3, table of ordering rules), and the bytes of a plain write may
 * be in memory later than it was executed (place.c).  What tells the peer of
 * them, and what reads or changes memory there, waits until they are.
 */
#include "tests/verbs_device/model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	AGAIN_NS = 500000		/* while nobody answers */
};

static bool is_atomic(enum ibv_wr_opcode opcode)
{
	return opcode == IBV_WR_ATOMIC_CMP_AND_SWP ||
	       opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
}

static bool fetches(const struct vd_wr *w)
{
	return w->wr.opcode == IBV_WR_RDMA_READ || is_atomic(w->wr.opcode);
}

static bool is_offered(const struct vd_qp *q, enum ibv_wr_opcode opcode)
{
	if (q->ibv.qp_type == IBV_QPT_UD)
		return opcode == IBV_WR_SEND || opcode == IBV_WR_SEND_WITH_IMM;
	return opcode <= IBV_WR_ATOMIC_FETCH_AND_ADD;
}

/* Why it cannot be posted; NULL: it can. */
static const char *refuse(const struct vd_qp *q, const struct ibv_send_wr *wr)
{
	enum ibv_qp_state state = q->state->state;

	/* InfiniBand vol. 1, 10.3.1: not before RTS. */
	if (state != IBV_QPS_RTS && state != IBV_QPS_ERR)
		return "the queue pair does not send yet";
	if (!is_offered(q, wr->opcode))
		return "the operation is not one of the queue pair";
	if (is_atomic(wr->opcode) &&
	    !vd_device_setup(q->state->device)->attr.atomic_cap)
		return "the device has no atomics";
	if (wr->num_sge < 0 || (uint32_t)wr->num_sge > q->cap.max_send_sge)
		return "it has more pieces than was agreed";
	if (wr->send_flags & IBV_SEND_INLINE &&
	    vd_sge_bytes(wr->sg_list, wr->num_sge) > q->cap.max_inline_data)
		return "it has more bytes inline than was agreed";
	return NULL;
}

static void free_request(struct vd_wr *w)
{
	free(w->copy);
	free(w);
}

/* What is inline is the device's own from now on. */
static bool copy_inline(struct vd_wr *w)
{
	char *to = w->copy = malloc(w->bytes + 1);

	for (int i = 0; to && i < w->wr.num_sge; i++) {
		memcpy(to, (void *)(uintptr_t)w->sge[i].addr,
		       w->sge[i].length);
		to += w->sge[i].length;
	}
	return w->copy;
}

static struct vd_wr *make_request(const struct ibv_send_wr *wr)
{
	struct vd_wr *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->wr = *wr;
	w->wr.next = NULL;
	if (wr->num_sge)
		memcpy(w->sge, wr->sg_list,
		       (size_t)wr->num_sge * sizeof(w->sge[0]));
	w->wr.sg_list = w->sge;
	w->bytes = vd_sge_bytes(w->sge, wr->num_sge);
	if (wr->send_flags & IBV_SEND_INLINE && !copy_inline(w)) {
		free_request(w);
		return NULL;
	}
	return w;
}

static int post(struct vd_qp *q, const struct ibv_send_wr *wr)
{
	const char *why = refuse(q, wr);
	struct vd_wr *w;

	if (!why && q->posted - q->freed >= q->cap.max_send_wr) {
		vd_finding("queue pair 0x%x: its send queue of %u overflows",
			   (unsigned)q->ibv.qp_num,
			   (unsigned)q->cap.max_send_wr);
		return ENOMEM;
	}
	if (why) {
		vd_finding("queue pair 0x%x: ibv_post_send: %s",
			   (unsigned)q->ibv.qp_num, why);
		return EINVAL;
	}
	w = make_request(wr);
	if (!w)
		return ENOMEM;
	w->number = ++q->posted;
	if (q->ibv.qp_type == IBV_QPT_UD)
		vd_sends_by(q, wr->wr.ud.ah);
	vd_model_request(q, w);
	*q->last = w;
	q->last = &w->next;
	return 0;
}

int vd_post_send(struct ibv_qp *ibv, struct ibv_send_wr *wr,
		 struct ibv_send_wr **bad)
{
	struct vd_qp *q = vd_qp(ibv);
	int error = 0;

	vd_lock();
	for (; wr && !error; wr = wr->next) {
		*bad = wr;
		error = vd_fails("ibv_post_send");
		if (!error)
			error = post(q, wr);
	}
	vd_pump(q);
	vd_unlock();
	vd_model_doorbell();
	return error;
}

static enum ibv_wc_opcode opcode_of(const struct vd_wr *w)
{
	switch (w->wr.opcode) {
	case IBV_WR_RDMA_WRITE:
	case IBV_WR_RDMA_WRITE_WITH_IMM:
		return IBV_WC_RDMA_WRITE;
	case IBV_WR_RDMA_READ:
		return IBV_WC_RDMA_READ;
	case IBV_WR_ATOMIC_CMP_AND_SWP:
		return IBV_WC_COMP_SWAP;
	case IBV_WR_ATOMIC_FETCH_AND_ADD:
		return IBV_WC_FETCH_ADD;
	default:
		return IBV_WC_SEND;
	}
}

/* Of one with an error few fields have a meaning (ibv_poll_cq(3)). */
static void complete(struct vd_qp *q, struct vd_wr *w,
		     enum ibv_wc_status status)
{
	struct vd_cqe e = {
		.wc = { .wr_id = w->wr.wr_id, .status = status,
			.qp_num = q->ibv.qp_num },
		.frees = w->number
	};

	if (status) {
		e.wc.opcode = (enum ibv_wc_opcode)0x55;
		e.wc.byte_len = 0x55555555;
	} else {
		e.wc.opcode = opcode_of(w);
		e.wc.byte_len = fetches(w) ? (uint32_t)w->bytes : 0;
	}
	if (status || w->wr.send_flags & IBV_SEND_SIGNALED || q->all_signaled)
		vd_complete(&vd_world->cq[q->state->scq], &e);
}

static void pop(struct vd_qp *q)
{
	struct vd_wr *w = q->first;

	q->first = w->next;
	if (!q->first)
		q->last = &q->first;
	free_request(w);
}

void vd_drop_requests(struct vd_qp *q)
{
	while (q->first)
		pop(q);
}

/* InfiniBand vol. 1, 10.3.1: each is completed, whether it asked or not. */
static void flush(struct vd_qp *q)
{
	vd_land_acknowledged(q);
	while (q->first) {
		complete(q, q->first, IBV_WC_WR_FLUSH_ERR);
		pop(q);
	}
}

/* Who sent it has heard that it is there. */
static bool is_known(const struct vd_wr *w)
{
	bool known = !w->known || vd_now() >= w->known;

	if (!known)
		vd_due(w->known);
	return known;
}

static void retire(struct vd_qp *q)
{
	while (q->first && q->first->done && is_known(q->first)) {
		enum ibv_wc_status status = q->first->status;

		complete(q, q->first, status);
		pop(q);
		if (status)
			vd_qp_fail(q->state);
	}
	if (q->state->state == IBV_QPS_ERR)
		flush(q);
}

void vd_request_ends(struct vd_wr *w, enum ibv_wc_status status)
{
	w->done = true;
	w->status = status;
}

/* InfiniBand vol. 1, 9.7.6.1.3: so long, and so often. */
static void nobody_answers(struct vd_qp *q, struct vd_wr *w, uint64_t now)
{
	const struct ibv_qp_attr *a = &q->state->attr;
	uint64_t wait = (uint64_t)4096 << a->timeout;

	if (!q->silent_until)
		q->silent_until = now + wait * (a->retry_cnt + 1u);
	if (a->timeout && now >= q->silent_until)
		vd_request_ends(w, IBV_WC_RETRY_EXC_ERR);
	else
		vd_due(vd_sooner(now + AGAIN_NS, q->silent_until));
}

/* What the wait for something else says of those behind it. */
struct order {
	uint64_t now;
	bool read_waits;		/* an earlier one */
};

/* False: nothing behind it may begin. */
static bool begin(struct vd_qp *q, struct vd_wr *w, struct order *o)
{
	bool plain = w->wr.opcode == IBV_WR_RDMA_WRITE;

	if (o->read_waits &&
	    (fetches(w) || w->wr.send_flags & IBV_SEND_FENCE))
		return false;
	if (w->wr.opcode == IBV_WR_RDMA_READ && !w->drawn) {
		w->drawn = true;
		if (vd_one_in(vd_setup()->adverse.reads) && o->now >= w->ready)
			w->ready = o->now + vd_delay();
	}
	if (o->now < w->ready) {
		vd_due(w->ready);
		o->read_waits = w->wr.opcode == IBV_WR_RDMA_READ;
		return o->read_waits;
	}
	if (!plain && vd_is_under_way(q))
		return false;
	switch (q->ibv.qp_type == IBV_QPT_UD ? vd_send_datagram(q, w) :
					       vd_execute(q, w)) {
	case VD_DONE:
		q->silent_until = 0;
		vd_model_done(q, w, o->now);
		w->begun = true;
		w->done |= !w->pieces;
		return true;
	case VD_WAIT:
		vd_due(w->ready);
		return false;
	case VD_SILENT:
		nobody_answers(q, w, o->now);
		return false;
	default:
		return false;
	}
}

void vd_pump(struct vd_qp *q)
{
	struct order o = { .now = vd_now() };

	if (q->state->state == IBV_QPS_ERR) {
		flush(q);
		return;
	}
	if (q->pieces)
		vd_due(vd_place_due(q, o.now));
	for (struct vd_wr *w = q->first; w; w = w->next)
		if ((w->done && w->status) ||
		    (!w->begun && !w->done && !begin(q, w, &o)))
			break;
	retire(q);
}
