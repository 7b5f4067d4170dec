/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * States of queue pairs (InfiniBand vol. 1, 10.3.1).  What each transition
 * needs is in the table of 11.2.5.2; ibv_modify_qp(3) has the same.
 */
#include "tests/verbs_device/device.h"

#include <errno.h>

/* A transition, and the attributes that it needs and takes. */
static const struct transition {
	enum ibv_qp_type type;
	enum ibv_qp_state from, to;
	int needs, takes;
} transitions[] = {
	{ IBV_QPT_RC, IBV_QPS_RESET, IBV_QPS_INIT,
	  IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS, 0 },
	{ IBV_QPT_RC, IBV_QPS_INIT, IBV_QPS_INIT, 0,
	  IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS },
	{ IBV_QPT_RC, IBV_QPS_INIT, IBV_QPS_RTR,
	  IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
	  IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER,
	  IBV_QP_ACCESS_FLAGS | IBV_QP_PKEY_INDEX },
	{ IBV_QPT_RC, IBV_QPS_RTR, IBV_QPS_RTS,
	  IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
	  IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC,
	  IBV_QP_ACCESS_FLAGS | IBV_QP_MIN_RNR_TIMER },
	{ IBV_QPT_RC, IBV_QPS_RTS, IBV_QPS_RTS, 0,
	  IBV_QP_ACCESS_FLAGS | IBV_QP_MIN_RNR_TIMER },
	{ IBV_QPT_UD, IBV_QPS_RESET, IBV_QPS_INIT,
	  IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY, 0 },
	{ IBV_QPT_UD, IBV_QPS_INIT, IBV_QPS_RTR, 0,
	  IBV_QP_PKEY_INDEX | IBV_QP_QKEY },
	{ IBV_QPT_UD, IBV_QPS_RTR, IBV_QPS_RTS, IBV_QP_SQ_PSN, IBV_QP_QKEY },
	{ IBV_QPT_UD, IBV_QPS_RTS, IBV_QPS_RTS, 0, IBV_QP_QKEY }
};

static const struct transition *find(const struct vd_qp_state *q,
				     enum ibv_qp_state to)
{
	for (size_t i = 0; i < sizeof(transitions) / sizeof(transitions[0]);
	     i++)
		if (transitions[i].type == q->type &&
		    transitions[i].from == q->state && transitions[i].to == to)
			return &transitions[i];
	return NULL;
}

static bool is_path(const struct vd_qp_state *q, const struct ibv_ah_attr *a,
		    int port)
{
	const struct vd_port_setup *p = vd_port_setup(q->device, port);
	bool global = p->attr.link_layer == IBV_LINK_LAYER_ETHERNET ||
		      p->attr.flags & IBV_QPF_GRH_REQUIRED;

	return a->port_num == port &&
	       (a->is_global || (!global && a->dlid)) &&
	       (!a->is_global || !vd_check_gid(q->device, a));
}

static const char *refuse_init(const struct vd_qp_state *q,
			       const struct ibv_qp_attr *a, int mask)
{
	const struct vd_device_setup *d = vd_device_setup(q->device);

	if (mask & IBV_QP_PORT &&
	    (a->port_num < 1 || a->port_num > d->attr.phys_port_cnt))
		return "there is no such port";
	if (mask & IBV_QP_PKEY_INDEX &&
	    a->pkey_index >= vd_port_setup(q->device, mask & IBV_QP_PORT ?
					   a->port_num : q->port)->npkeys)
		return "there is no such partition";
	return NULL;
}

static const char *refuse_path(const struct vd_qp_state *q,
			       const struct ibv_qp_attr *a, int mask)
{
	if (mask & IBV_QP_AV && !is_path(q, &a->ah_attr, q->port))
		return "the path lacks a LID, or a global route";
	if (mask & IBV_QP_PATH_MTU &&
	    (a->path_mtu < IBV_MTU_256 ||
	     a->path_mtu > vd_port_setup(q->device, q->port)->attr.active_mtu))
		return "the MTU is not one of the port";
	return NULL;
}

static const char *refuse_limits(const struct vd_qp_state *q,
				 const struct ibv_qp_attr *a, int mask)
{
	const struct ibv_device_attr *can = &vd_device_setup(q->device)->attr;

	if (mask & IBV_QP_MAX_DEST_RD_ATOMIC &&
	    a->max_dest_rd_atomic > can->max_qp_rd_atom)
		return "more reads to answer than the device can";
	if (mask & IBV_QP_MAX_QP_RD_ATOMIC &&
	    a->max_rd_atomic > can->max_qp_init_rd_atom)
		return "more reads to ask than the device can";
	return NULL;
}

/* As wide as the fields on the wire, or in 11.2.5.2. */
static const char *refuse_numbers(const struct ibv_qp_attr *a, int mask)
{
	const struct { int bit; uint32_t value, most; } numbers[] = {
		{ IBV_QP_TIMEOUT, a->timeout, 31 },
		{ IBV_QP_RETRY_CNT, a->retry_cnt, 7 },
		{ IBV_QP_RNR_RETRY, a->rnr_retry, 7 },
		{ IBV_QP_MIN_RNR_TIMER, a->min_rnr_timer, 31 },
		{ IBV_QP_RQ_PSN, a->rq_psn, 0xffffff },
		{ IBV_QP_SQ_PSN, a->sq_psn, 0xffffff },
		{ IBV_QP_DEST_QPN, a->dest_qp_num, 0xffffff }
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (mask & numbers[i].bit && numbers[i].value > numbers[i].most)
			return "a number has too many bits";
	return NULL;
}

/* NULL: it may be done. */
static const char *refuse(const struct vd_qp_state *q,
			  const struct ibv_qp_attr *a, int mask)
{
	const struct transition *t = find(q, a->qp_state);
	int given = mask & ~(IBV_QP_STATE | IBV_QP_CUR_STATE);
	const char *why;

	if (!(mask & IBV_QP_STATE))
		return "no state is given";
	if (a->qp_state == IBV_QPS_ERR || a->qp_state == IBV_QPS_RESET)
		return NULL;
	if (!t)
		return "there is no such transition";
	if ((given & t->needs) != t->needs)
		return "an attribute is lacking";
	if (given & ~(t->needs | t->takes))
		return "an attribute is not of this transition";
	why = refuse_init(q, a, mask);
	if (!why)
		why = refuse_path(q, a, mask);
	if (!why)
		why = refuse_limits(q, a, mask);
	return why ? why : refuse_numbers(a, mask);
}

static void take_numbers(struct ibv_qp_attr *to, const struct ibv_qp_attr *a,
			 int mask)
{
	if (mask & IBV_QP_DEST_QPN)
		to->dest_qp_num = a->dest_qp_num;
	if (mask & IBV_QP_RQ_PSN)
		to->rq_psn = a->rq_psn;
	if (mask & IBV_QP_SQ_PSN)
		to->sq_psn = a->sq_psn;
	if (mask & IBV_QP_MAX_DEST_RD_ATOMIC)
		to->max_dest_rd_atomic = a->max_dest_rd_atomic;
	if (mask & IBV_QP_MAX_QP_RD_ATOMIC)
		to->max_rd_atomic = a->max_rd_atomic;
	if (mask & IBV_QP_MIN_RNR_TIMER)
		to->min_rnr_timer = a->min_rnr_timer;
	if (mask & IBV_QP_TIMEOUT)
		to->timeout = a->timeout;
	if (mask & IBV_QP_RETRY_CNT)
		to->retry_cnt = a->retry_cnt;
	if (mask & IBV_QP_RNR_RETRY)
		to->rnr_retry = a->rnr_retry;
}

static void take(struct vd_qp_state *q, const struct ibv_qp_attr *a, int mask)
{
	if (mask & IBV_QP_PORT)
		q->port = a->port_num;
	if (mask & IBV_QP_PKEY_INDEX)
		q->attr.pkey_index = a->pkey_index;
	if (mask & IBV_QP_QKEY)
		q->attr.qkey = a->qkey;
	if (mask & IBV_QP_ACCESS_FLAGS)
		q->attr.qp_access_flags = a->qp_access_flags;
	if (mask & IBV_QP_AV)
		q->attr.ah_attr = vd_path(q->device, &a->ah_attr);
	if (mask & IBV_QP_PATH_MTU)
		q->attr.path_mtu = a->path_mtu;
	take_numbers(&q->attr, a, mask);
}

static void modify(struct vd_qp *qp, const struct ibv_qp_attr *a, int mask)
{
	struct vd_qp_state *q = qp->state;

	if (a->qp_state == IBV_QPS_ERR) {
		vd_qp_fail(q);
		vd_pump(qp);
	} else if (a->qp_state == IBV_QPS_RESET) {
		vd_qp_reset(qp);
		q->state = IBV_QPS_RESET;
	} else {
		take(q, a, mask);
		q->state = a->qp_state;
	}
	qp->ibv.state = q->state;
}

int ibv_modify_qp(struct ibv_qp *ibv, struct ibv_qp_attr *attr, int mask)
{
	struct vd_qp *qp = vd_qp(ibv);
	int error = vd_fails("ibv_modify_qp");
	enum ibv_qp_state from;
	const char *why;

	if (error)
		return error;
	vd_lock();
	from = qp->state->state;
	why = refuse(qp->state, attr, mask);
	if (!why)
		modify(qp, attr, mask);
	vd_unlock();
	/* That it is in error nobody may know yet. */
	if (why && from != IBV_QPS_ERR)
		vd_finding("ibv_modify_qp: from state %d to %d: %s",
			   (int)from, (int)attr->qp_state, why);
	return why ? EINVAL : 0;
}

/*
 * The man page has it of each data of one write.  A queue pair that is not
 * connected has no answer: providers say 0.
 */
int ibv_query_qp_data_in_order(struct ibv_qp *ibv, enum ibv_wr_opcode opcode,
			       uint32_t flags)
{
	const struct vd_qp_state *q = vd_qp(ibv)->state;

	(void)opcode;
	return !flags && q->state == IBV_QPS_RTS &&
	       vd_device_setup(q->device)->in_order;
}

/* Of those that were asked for, what the device can do. */
static uint32_t accepted(const struct vd_qp_state *q)
{
	return q->ece & vd_device_of(q->host, q->device)->ece;
}

uint64_t vd_ece(const struct vd_qp_state *q)
{
	const struct vd_device_setup *d = vd_device_of(q->host, q->device);
	uint32_t options = accepted(q);

	return options ? (uint64_t)d->attr.vendor_id << 32 | options : 0;
}

int ibv_query_ece(struct ibv_qp *ibv, struct ibv_ece *ece)
{
	const struct vd_qp_state *q = vd_qp(ibv)->state;
	const struct vd_device_setup *d = vd_device_setup(q->device);
	uint32_t can = d->ece;

	if (!can)
		return EOPNOTSUPP;
	*ece = (struct ibv_ece){
		.vendor_id = d->attr.vendor_id,
		.options = q->ece ? accepted(q) : can
	};
	return 0;
}

/* ibv_set_ece(3): used by the transitions behind it. */
int ibv_set_ece(struct ibv_qp *ibv, struct ibv_ece *ece)
{
	struct vd_qp_state *q = vd_qp(ibv)->state;
	const struct vd_device_setup *d = vd_device_setup(q->device);
	int error = vd_fails("ibv_set_ece");

	if (error)
		return error;
	if (!d->ece)
		return EOPNOTSUPP;
	if (ece->comp_mask || ece->vendor_id != d->attr.vendor_id) {
		vd_finding("ibv_set_ece: options of vendor 0x%x for a device "
			   "of 0x%x", ece->vendor_id, d->attr.vendor_id);
		return EINVAL;
	}
	if (q->state == IBV_QPS_RTR || q->state == IBV_QPS_RTS)
		vd_finding("ibv_set_ece: queue pair 0x%x receives already",
			   q->qpn);
	q->ece = ece->options;
	ece->options = accepted(q);
	return 0;
}
