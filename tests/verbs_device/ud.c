/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Datagrams, and the handles of where they go.  One is complete when it has
 * left (InfiniBand vol. 1, 9.8.3); it may be lost, come late, or come twice, as
 * networks do.  One for which no buffer is posted, or with another queue key,
 * is dropped without a word (9.8.3.2, 10.2.5).
 *
 * The first 40 bytes of a buffer are for the global header, also where there is
 * none: then nothing is said of them (ibv_post_recv(3)).
 */
#include "tests/verbs_device/device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	GRH = 40,
	UNSAID = 0x5a
};

struct datagram {
	struct datagram *next;
	uint64_t due;
	struct vd_qp_state from;	/* which may be gone */
	struct ibv_ah_attr path;
	uint32_t qpn, qkey, imm;
	bool has_imm, solicited;
	uint32_t bytes;
	char data[];			/* behind the header */
};

static struct datagram *under_way;

static void fill_header(struct datagram *d)
{
	memset(d->data, UNSAID, GRH);
	if (!d->path.is_global)
		return;
	d->data[0] = 0x60;
	memcpy(d->data + 24, d->path.grh.dgid.raw, 16);
}

static void put(const struct datagram *d, struct vd_qp_state *to)
{
	const struct vd_recv *recv = vd_rq_take(&vd_world->rq[to->rq]);
	struct vd_cqe e = {
		.wc = { .opcode = IBV_WC_RECV, .qp_num = to->qpn,
			.byte_len = GRH + d->bytes, .src_qp = d->from.qpn,
			.wc_flags = (d->path.is_global ? IBV_WC_GRH : 0u) |
				    (d->has_imm ? IBV_WC_WITH_IMM : 0u) },
		.rq = to->rq, .solicited = d->solicited
	};
	uint64_t left = GRH + d->bytes;
	const char *at = d->data;

	if (!recv)
		return;
	e.wc.wr_id = recv->wr_id;
	e.wc.imm_data = d->imm;
	if (left > vd_sge_bytes(recv->sge, recv->n))
		e.wc.status = IBV_WC_LOC_LEN_ERR;
	else
		e.wc.status = vd_check_sges(to, recv->sge, recv->n,
					    IBV_ACCESS_LOCAL_WRITE);
	for (int i = 0; !e.wc.status && left; i++) {
		uint64_t n = vd_sooner(left, recv->sge[i].length);

		vd_write(to->used, &(struct iovec){ (char *)at, n }, 1,
			 recv->sge[i].addr);
		at += n;
		left -= n;
	}
	vd_complete(&vd_world->cq[to->rcq], &e);
	if (e.wc.status)
		vd_qp_fail(to);
}

static void deliver(const struct datagram *d)
{
	struct vd_qp_state *to = vd_route(&d->from, &d->path, d->qpn);

	if (to && to->attr.qkey == d->qkey)
		put(d, to);
}

static struct datagram *make(struct vd_qp *q, const struct vd_wr *w)
{
	struct datagram *d = calloc(1, sizeof(*d) + GRH + w->bytes);
	char *to;

	if (!d)
		vd_die("no memory");
	d->from = *q->state;
	d->path = ((struct vd_ah *)w->wr.wr.ud.ah)->attr;
	d->qpn = w->wr.wr.ud.remote_qpn;
	d->qkey = w->wr.wr.ud.remote_qkey;
	d->has_imm = w->wr.opcode == IBV_WR_SEND_WITH_IMM;
	d->imm = d->has_imm ? w->wr.imm_data : 0;
	d->solicited = w->wr.send_flags & IBV_SEND_SOLICITED;
	d->bytes = (uint32_t)w->bytes;
	fill_header(d);
	to = d->data + GRH;
	if (w->copy)
		memcpy(to, w->copy, w->bytes);
	for (int i = 0; !w->copy && i < w->wr.num_sge; i++) {
		memcpy(to, (void *)(uintptr_t)w->sge[i].addr,
		       w->sge[i].length);
		to += w->sge[i].length;
	}
	return d;
}

static enum ibv_wc_status check(struct vd_qp *q, const struct vd_wr *w)
{
	const struct vd_port_setup *p = vd_port_setup(q->state->device,
						      q->state->port);
	const struct vd_ah *ah = (struct vd_ah *)w->wr.wr.ud.ah;

	if (w->bytes > (uint64_t)128 << p->attr.active_mtu)
		return IBV_WC_LOC_LEN_ERR;
	if (ah->ibv.pd != q->ibv.pd || ah->attr.port_num != q->state->port) {
		vd_finding("a datagram goes by a handle of another domain or "
			   "port");
		return IBV_WC_LOC_QP_OP_ERR;
	}
	return w->copy ? IBV_WC_SUCCESS :
		vd_check_sges(q->state, w->sge, w->wr.num_sge, 0);
}

enum vd_answer vd_send_datagram(struct vd_qp *q, struct vd_wr *w)
{
	const struct vd_adverse *a = &vd_setup()->adverse;
	enum ibv_wc_status status = check(q, w);
	struct datagram *d;

	if (status) {
		vd_request_ends(w, status);
		return VD_FAILED;
	}
	if (vd_one_in(a->lost))
		return VD_DONE;
	d = make(q, w);
	if (vd_one_in(a->doubled))
		deliver(d);
	if (!vd_one_in(a->delayed)) {
		deliver(d);
		free(d);
		return VD_DONE;
	}
	d->due = vd_now() + vd_delay();
	d->next = under_way;
	under_way = d;
	vd_due(d->due);
	return VD_DONE;
}

/* When the next one is due. */
uint64_t vd_datagrams_due(uint64_t now)
{
	struct datagram **at = &under_way, *d;
	uint64_t due = UINT64_MAX;

	while ((d = *at)) {
		if (d->due > now) {
			due = vd_sooner(due, d->due);
			at = &d->next;
			continue;
		}
		*at = d->next;
		deliver(d);
		free(d);
	}
	return due;
}

/* The process leaves the world. */
void vd_forget_datagrams(void)
{
	struct datagram *d;

	while ((d = under_way)) {
		under_way = d->next;
		free(d);
	}
}

void vd_sends_by(const struct vd_qp *q, struct ibv_ah *ibv)
{
	struct vd_ah *ah = (struct vd_ah *)ibv;

	ah->qpn = q->ibv.qp_num;
	ah->last = q->posted;
}

/* As far as its user can know: the completion was polled. */
static bool has_left(const struct vd_ah *ah)
{
	for (const struct vd_qp *q = vd_qps; q; q = q->next)
		if (q->ibv.qp_num == ah->qpn)
			return (int32_t)(q->freed - ah->last) >= 0;
	return true;
}

static int check_path(const struct vd_context *c,
		      const struct ibv_ah_attr *attr)
{
	const struct vd_device_setup *d = vd_device_setup(c->device);
	const struct vd_port_setup *p;

	if (attr->port_num < 1 || attr->port_num > d->attr.phys_port_cnt)
		return EINVAL;
	p = vd_port_setup(c->device, attr->port_num);
	if (attr->is_global)
		return vd_check_gid(c->device, attr);
	return p->attr.link_layer == IBV_LINK_LAYER_ETHERNET ||
	       p->attr.flags & IBV_QPF_GRH_REQUIRED || !attr->dlid ?
		EINVAL : 0;
}

struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
	struct vd_context *c = vd_context(pd->context);
	struct vd_ah *ah = calloc(1, sizeof(*ah));
	int error = ah ? vd_fails("ibv_create_ah") : ENOMEM;
	bool room;

	vd_lock();
	if (!error)
		error = check_path(c, attr);
	room = !error && vd_has_room(c, VD_AH);
	if (room) {
		ah->attr = vd_path(c->device, attr);
		vd_pd(pd)->users++;
		vd_hold(c, VD_AH, 1);
	}
	vd_unlock();
	if (!room) {
		free(ah);
		errno = error ? error : ENOMEM;
		return NULL;
	}
	ah->ibv.context = pd->context;
	ah->ibv.pd = pd;
	return &ah->ibv;
}

int ibv_destroy_ah(struct ibv_ah *ibv)
{
	bool busy;

	vd_lock();
	busy = !has_left((struct vd_ah *)ibv);
	if (busy) {
		vd_finding("ibv_destroy_ah: a datagram by it may not have "
			   "left");
	} else {
		vd_pd(ibv->pd)->users--;
		vd_hold(vd_context(ibv->context), VD_AH, -1);
		free(ibv);
	}
	vd_unlock();
	return busy ? EBUSY : 0;
}
