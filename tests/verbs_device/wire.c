/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests at the peer: is there somebody, may it be done, and the doing.  It
 * is the sender who does it, under the world's lock, while the peer computes.
 */
#include "tests/verbs_device/device.h"

#include <stdlib.h>
#include <string.h>

/* The queue pair that is connected with this one. */
static struct vd_qp_state *peer_of(const struct vd_qp_state *q)
{
	struct vd_qp_state *to = vd_route(q, &q->attr.ah_attr,
					  q->attr.dest_qp_num);

	if (!to || to->attr.dest_qp_num != q->qpn)
		return NULL;
	if (to->attr.rq_psn != q->attr.sq_psn) {
		vd_finding("queue pair 0x%x: its first packet is not the one "
			   "that 0x%x expects", (unsigned)q->qpn,
			   (unsigned)to->qpn);
		return NULL;
	}
	if (to->attr.path_mtu != q->attr.path_mtu) {
		vd_finding("queue pairs 0x%x and 0x%x differ in their MTU",
			   (unsigned)q->qpn, (unsigned)to->qpn);
		return NULL;
	}
	if (vd_ece(to) != vd_ece(q)) {
		vd_finding("queue pairs 0x%x and 0x%x differ in the options of "
			   "their vendor", (unsigned)q->qpn, (unsigned)to->qpn);
		return NULL;
	}
	return to;
}

static enum vd_answer fail(struct vd_wr *w, enum ibv_wc_status status)
{
	vd_request_ends(w, status);
	return VD_FAILED;
}

/* InfiniBand vol. 1, 9.9.3: the responder is in error, too. */
static enum vd_answer refuse(struct vd_wr *w, struct vd_qp_state *to,
			     enum ibv_wc_status status)
{
	vd_announce(to, status == IBV_WC_REM_ACCESS_ERR ?
		    IBV_EVENT_QP_ACCESS_ERR : IBV_EVENT_QP_REQ_ERR);
	vd_qp_fail(to);
	return fail(w, status);
}

/* InfiniBand vol. 1, 9.7.5.2.8: how long the sender waits then; us. */
static uint64_t rnr_us(unsigned timer)
{
	static const uint32_t table[32] = {
		655360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640,
		960, 1280, 1920, 2560, 3840, 5120, 7680, 10240, 15360, 20480,
		30720, 40960, 61440, 81920, 122880, 163840, 245760, 327680,
		491520
	};

	return table[timer % 32];
}

static enum vd_answer not_ready(struct vd_qp *q, struct vd_wr *w,
				const struct vd_qp_state *to)
{
	unsigned tries = q->state->attr.rnr_retry;

	if (!q->rnr_tries && vd_setup()->adverse.unready)
		vd_finding("queue pair 0x%x: what it sends finds no receive "
			   "buffer", (unsigned)q->state->qpn);
	if (q->rnr_tries++ >= tries && tries != 7)
		return fail(w, IBV_WC_RNR_RETRY_EXC_ERR);
	w->ready = vd_now() + rnr_us(to->attr.min_rnr_timer) * 1000;
	return VD_WAIT;
}

static bool has_imm(const struct vd_wr *w)
{
	return w->wr.opcode == IBV_WR_RDMA_WRITE_WITH_IMM ||
	       w->wr.opcode == IBV_WR_SEND_WITH_IMM;
}

static void received(struct vd_qp *q, struct vd_wr *w, struct vd_qp_state *to,
		     const struct vd_recv *recv, enum ibv_wc_status status)
{
	bool write = w->wr.opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
	struct vd_cqe e = {
		.wc = { .wr_id = recv->wr_id, .status = status,
			.opcode = write ? IBV_WC_RECV_RDMA_WITH_IMM :
					  IBV_WC_RECV,
			.byte_len = (uint32_t)w->bytes, .qp_num = to->qpn,
			.src_qp = q->ibv.qp_num,
			.wc_flags = has_imm(w) ? IBV_WC_WITH_IMM : 0 },
		.rq = to->rq,
		.solicited = w->wr.send_flags & IBV_SEND_SOLICITED
	};

	if (has_imm(w))
		e.wc.imm_data = w->wr.imm_data;
	q->rnr_tries = 0;
	vd_complete(&vd_world->cq[to->rcq], &e);
}

/* Bytes from the sender into the pieces of a receive buffer; an errno. */
static int scatter(const struct vd_wr *w, const struct vd_recv *recv,
		    const struct vd_qp_state *to)
{
	struct iovec from[VD_SGES];
	char *bytes = malloc(w->bytes + 1), *at = bytes;
	uint64_t left = w->bytes;
	int error = 0;

	if (!bytes)
		vd_die("no memory");
	if (w->copy)
		memcpy(bytes, w->copy, w->bytes);
	for (int i = 0; !error && !w->copy &&
	     i < vd_gather(w->sge, w->wr.num_sge, from); i++) {
		error = vd_read(vd_me(), &(struct iovec){
					at, from[i].iov_len }, 1,
				(uintptr_t)from[i].iov_base);
		at += from[i].iov_len;
	}
	at = bytes;
	for (int i = 0; !error && left && i < recv->n; i++) {
		uint64_t n = vd_sooner(left, recv->sge[i].length);

		error = vd_write(to->used, &(struct iovec){ at, n }, 1,
				 recv->sge[i].addr);
		at += n;
		left -= n;
	}
	free(bytes);
	return error;
}

/* InfiniBand vol. 1, 9.9.3.1: what both ends say of a buffer that is wrong. */
static enum vd_answer spoil(struct vd_qp *q, struct vd_wr *w,
			    struct vd_qp_state *to, const struct vd_recv *recv,
			    enum ibv_wc_status there)
{
	received(q, w, to, recv, there);
	vd_qp_fail(to);
	return fail(w, there == IBV_WC_LOC_LEN_ERR ?
		    IBV_WC_REM_INV_REQ_ERR : IBV_WC_REM_OP_ERR);
}

static enum vd_answer send(struct vd_qp *q, struct vd_wr *w,
			   struct vd_qp_state *to)
{
	const struct vd_recv *recv = vd_rq_take(&vd_world->rq[to->rq]);
	int error;

	if (!recv)
		return not_ready(q, w, to);
	if (w->bytes > vd_sge_bytes(recv->sge, recv->n))
		return spoil(q, w, to, recv, IBV_WC_LOC_LEN_ERR);
	if (vd_check_sges(to, recv->sge, recv->n, IBV_ACCESS_LOCAL_WRITE))
		return spoil(q, w, to, recv, IBV_WC_LOC_PROT_ERR);
	error = scatter(w, recv, to);
	if (error && vd_has_died(to->used, recv->sge[0].addr, error))
		return VD_SILENT;
	if (error)
		return spoil(q, w, to, recv, IBV_WC_LOC_PROT_ERR);
	received(q, w, to, recv, IBV_WC_SUCCESS);
	return VD_DONE;
}

static enum vd_answer write_bytes(struct vd_qp *q, struct vd_wr *w,
				  struct vd_qp_state *to)
{
	const struct vd_rq_state *rq = &vd_world->rq[to->rq];
	bool imm = has_imm(w);

	if (!vd_may_reach(to, w->wr.wr.rdma.rkey, w->wr.wr.rdma.remote_addr,
			  w->bytes, IBV_ACCESS_REMOTE_WRITE))
		return refuse(w, to, IBV_WC_REM_ACCESS_ERR);
	if (!imm) {
		vd_launch(q, w, to);
		return VD_DONE;
	}
	if (rq->tail == rq->head)
		return not_ready(q, w, to);
	vd_place_now(w, to);
	received(q, w, to, vd_rq_take(&vd_world->rq[to->rq]), IBV_WC_SUCCESS);
	return VD_DONE;
}

static enum vd_answer read_bytes(struct vd_wr *w, struct vd_qp_state *to)
{
	uint64_t from = w->wr.wr.rdma.remote_addr;
	struct iovec iov[VD_SGES];
	int n = vd_gather(w->sge, w->wr.num_sge, iov), error;

	if (!vd_may_reach(to, w->wr.wr.rdma.rkey, from, w->bytes,
			  IBV_ACCESS_REMOTE_READ))
		return refuse(w, to, IBV_WC_REM_ACCESS_ERR);
	error = vd_read(to->used, iov, n, from);
	return error && vd_has_died(to->used, from, error) ? VD_SILENT :
							     VD_DONE;
}

/* Atomic for all that goes through the device, as IBV_ATOMIC_HCA says. */
static enum vd_answer change_word(struct vd_wr *w, struct vd_qp_state *to)
{
	uint64_t at = w->wr.wr.atomic.remote_addr, old = 0, new;
	uint64_t operand = w->wr.wr.atomic.compare_add;
	struct iovec iov = { &old, sizeof(old) };
	int error;

	if (w->bytes != sizeof(old))
		return fail(w, IBV_WC_LOC_LEN_ERR);
	/* InfiniBand vol. 1, 9.4.5: aligned, and offered. */
	if (at % sizeof(old) || vd_device_of(to->host, to->device)
		->attr.atomic_cap == IBV_ATOMIC_NONE)
		return refuse(w, to, IBV_WC_REM_INV_REQ_ERR);
	if (!vd_may_reach(to, w->wr.wr.atomic.rkey, at, sizeof(old),
			  IBV_ACCESS_REMOTE_ATOMIC))
		return refuse(w, to, IBV_WC_REM_ACCESS_ERR);
	error = vd_read(to->used, &iov, 1, at);
	if (w->wr.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD)
		new = old + operand;
	else
		new = old == operand ? w->wr.wr.atomic.swap : old;
	iov.iov_base = &new;
	if (!error)
		error = vd_write(to->used, &iov, 1, at);
	if (error)
		return vd_has_died(to->used, at, error) ? VD_SILENT :
			refuse(w, to, IBV_WC_REM_OP_ERR);
	iov.iov_base = &old;
	vd_write(vd_me(), &iov, 1, w->sge[0].addr);
	return VD_DONE;
}

static enum ibv_wc_status check_own(struct vd_qp *q, const struct vd_wr *w)
{
	const struct vd_port_setup *p = vd_port_setup(q->state->device,
						      q->state->port);
	bool fetches = w->wr.opcode == IBV_WR_RDMA_READ ||
		       w->wr.opcode == IBV_WR_ATOMIC_CMP_AND_SWP ||
		       w->wr.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;

	if (w->bytes > p->attr.max_msg_sz)
		return IBV_WC_LOC_LEN_ERR;
	if (fetches && !q->state->attr.max_rd_atomic)
		return IBV_WC_LOC_QP_OP_ERR;
	return w->copy ? IBV_WC_SUCCESS :
		vd_check_sges(q->state, w->sge, w->wr.num_sge, fetches ?
			      IBV_ACCESS_LOCAL_WRITE : 0);
}

static enum vd_answer answer(struct vd_qp *q, struct vd_wr *w,
			     struct vd_qp_state *to)
{
	switch (w->wr.opcode) {
	case IBV_WR_RDMA_WRITE:
	case IBV_WR_RDMA_WRITE_WITH_IMM:
		return write_bytes(q, w, to);
	case IBV_WR_SEND:
	case IBV_WR_SEND_WITH_IMM:
		return send(q, w, to);
	default:
		break;
	}
	if (q->state->attr.max_rd_atomic > to->attr.max_dest_rd_atomic) {
		vd_finding("queue pair 0x%x asks for more reads at once than "
			   "0x%x answers", (unsigned)q->ibv.qp_num,
			   (unsigned)to->qpn);
		return refuse(w, to, IBV_WC_REM_INV_REQ_ERR);
	}
	return w->wr.opcode == IBV_WR_RDMA_READ ? read_bytes(w, to) :
						  change_word(w, to);
}

enum vd_answer vd_execute(struct vd_qp *q, struct vd_wr *w)
{
	enum ibv_wc_status own = check_own(q, w);
	struct vd_qp_state *to;

	if (own)
		return fail(w, own);
	to = peer_of(q->state);
	if (!to)
		return VD_SILENT;
	if (to->state == IBV_QPS_RTR && !to->established) {
		to->established = true;
		vd_announce(to, IBV_EVENT_COMM_EST);
	}
	return answer(q, w, to);
}
