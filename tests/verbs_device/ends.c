/* SPDX-License-Identifier: BSD-3-Clause */
/* Two connected queue pairs: see ends.h. */
#include "tests/verbs_device/ends.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum {
	WAIT_S = 10,
	EVENT_MS = 1000
};

struct end ends[2];

int ends_run(int argc, char **argv, const struct tap_case *cases, int n)
{
	char from = 1, to;
	struct iovec a = { &to, 1 }, b = { &from, 1 };

	if (process_vm_readv(getpid(), &a, 1, &b, 1, 0) == 1)
		return tap_run(argc, argv, cases, n);
	printf("1..0 # SKIP the machine forbids process_vm_readv: %s\n",
	       strerror(errno));
	return 0;
}

static void open_end(struct end *e, struct ibv_device *device)
{
	struct ibv_gid_entry gid[8];

	e->context = ibv_open_device(device);
	if (!TAP_CHECK(e->context))
		exit(1);
	TAP_CHECK(ibv_query_gid_table(e->context, gid, 8, 0) > 0);
	e->gid = gid[0].gid;
	TAP_EQUAL(ibv_query_port(e->context, 1, &e->port), 0);
	e->pd = ibv_alloc_pd(e->context);
	e->channel = ibv_create_comp_channel(e->context);
	e->scq = ibv_create_cq(e->context, ENDS_ROOM, NULL, NULL, 0);
	e->rcq = ibv_create_cq(e->context, ENDS_ROOM, NULL, e->channel, 0);
	e->bytes = aligned_alloc(4096, ENDS_BYTES);
	memset(e->bytes, 0, ENDS_BYTES);
	e->mr = ibv_reg_mr(e->pd, e->bytes, ENDS_BYTES,
			   IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
			   IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC);
	TAP_CHECK(e->mr);
}

static void make_qp(struct end *e, enum ibv_qp_type type)
{
	struct ibv_qp_init_attr attr = {
		.send_cq = e->scq, .recv_cq = e->rcq, .qp_type = type,
		.cap = { .max_send_wr = ENDS_ROOM, .max_recv_wr = ENDS_ROOM,
			 .max_send_sge = 1, .max_recv_sge = 1 }
	};

	e->qp = ibv_create_qp(e->pd, &attr);
	if (!TAP_CHECK(e->qp))
		exit(1);
}

void ends_open(const char *description, enum ibv_qp_type type)
{
	struct ibv_device **list;

	setenv("VERBS_DEVICE", description, 1);
	list = ibv_get_device_list(NULL);
	if (!TAP_CHECK(list && *list))
		exit(1);
	for (int i = 0; i < 2; i++) {
		open_end(&ends[i], *list);
		make_qp(&ends[i], type);
	}
	ibv_free_device_list(list);
}

struct ibv_qp_attr ends_to_init(int i, int *mask_p)
{
	bool rc = ends[i].qp->qp_type == IBV_QPT_RC;

	*mask_p = IBV_QP_STATE | IBV_QP_PORT | IBV_QP_PKEY_INDEX |
		  (rc ? IBV_QP_ACCESS_FLAGS : IBV_QP_QKEY);
	return (struct ibv_qp_attr){
		.qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = 77,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE |
			IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC
	};
}

struct ibv_qp_attr ends_to_receive(int i, int *mask_p)
{
	const struct end *peer = &ends[!i];
	bool ethernet = peer->port.link_layer == IBV_LINK_LAYER_ETHERNET;
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_256,
		.dest_qp_num = peer->qp->qp_num,
		.max_dest_rd_atomic = 4, .min_rnr_timer = 1
	};

	*mask_p = IBV_QP_STATE;
	if (ends[i].qp->qp_type == IBV_QPT_RC)
		*mask_p |= IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
			   IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
			   IBV_QP_MIN_RNR_TIMER;
	attr.ah_attr.port_num = 1;
	attr.ah_attr.dlid = peer->port.lid;
	attr.ah_attr.is_global = ethernet;
	attr.ah_attr.grh.dgid = peer->gid;
	return attr;
}

struct ibv_qp_attr ends_to_send(int i, int *mask_p)
{
	*mask_p = IBV_QP_STATE | IBV_QP_SQ_PSN;
	if (ends[i].qp->qp_type == IBV_QPT_RC)
		*mask_p |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
			   IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
	return (struct ibv_qp_attr){
		.qp_state = IBV_QPS_RTS, .timeout = 8, .retry_cnt = 7,
		.rnr_retry = 7, .max_rd_atomic = 4
	};
}

void ends_connect(void)
{
	static struct ibv_qp_attr (*const steps[])(int, int *) = {
		ends_to_init, ends_to_receive, ends_to_send
	};

	for (int step = 0; step < 3; step++)
		for (int i = 0; i < 2; i++) {
			int mask;
			struct ibv_qp_attr attr = steps[step](i, &mask);

			TAP_EQUAL(ibv_modify_qp(ends[i].qp, &attr, mask), 0);
		}
}

void ends_close(void)
{
	for (int i = 0; i < 2; i++) {
		struct end *e = &ends[i];

		TAP_EQUAL(ibv_destroy_qp(e->qp), 0);
		TAP_EQUAL(ibv_dereg_mr(e->mr), 0);
		TAP_EQUAL(ibv_destroy_cq(e->scq), 0);
		TAP_EQUAL(ibv_destroy_cq(e->rcq), 0);
		TAP_EQUAL(ibv_destroy_comp_channel(e->channel), 0);
		TAP_EQUAL(ibv_dealloc_pd(e->pd), 0);
		TAP_EQUAL(ibv_close_device(e->context), 0);
		free(e->bytes);
	}
}

void ends_make(struct ends_post *p, enum ibv_wr_opcode opcode, size_t offset,
	       size_t n)
{
	*p = (struct ends_post){
		.wr = { .num_sge = 1, .opcode = opcode,
			.send_flags = IBV_SEND_SIGNALED },
		.sge = { (uintptr_t)ends[0].bytes + offset, (uint32_t)n,
			 ends[0].mr->lkey }
	};
	if (opcode == IBV_WR_ATOMIC_FETCH_AND_ADD ||
	    opcode == IBV_WR_ATOMIC_CMP_AND_SWP) {
		p->wr.wr.atomic.remote_addr = (uintptr_t)ends[1].bytes +
					      offset;
		p->wr.wr.atomic.rkey = ends[1].mr->rkey;
	} else {
		p->wr.wr.rdma.remote_addr = (uintptr_t)ends[1].bytes + offset;
		p->wr.wr.rdma.rkey = ends[1].mr->rkey;
	}
}

int ends_post(struct ends_post *p)
{
	struct ibv_send_wr *bad;

	p->wr.sg_list = &p->sge;
	return ibv_post_send(ends[0].qp, &p->wr, &bad);
}

int ends_receive(int i, size_t offset, size_t n)
{
	struct ibv_sge sge = { (uintptr_t)ends[i].bytes + offset, (uint32_t)n,
			       ends[i].mr->lkey };
	struct ibv_recv_wr *bad, wr = { .sg_list = &sge, .num_sge = 1 };

	return ibv_post_recv(ends[i].qp, &wr, &bad);
}

bool ends_poll(struct ibv_cq *cq, struct ibv_wc *wc)
{
	time_t until = time(NULL) + WAIT_S;

	while (time(NULL) < until) {
		if (ibv_poll_cq(cq, 1, wc) == 1)
			return true;
		sched_yield();
	}
	return false;
}

int ends_status(struct ibv_cq *cq)
{
	struct ibv_wc wc;

	return ends_poll(cq, &wc) ? (int)wc.status : -1;
}

int ends_event(int i)
{
	struct pollfd fd = { .fd = ends[i].context->async_fd,
			     .events = POLLIN };
	struct ibv_async_event event;

	if (poll(&fd, 1, EVENT_MS) != 1 ||
	    ibv_get_async_event(ends[i].context, &event))
		return -1;
	ibv_ack_async_event(&event);
	return (int)event.event_type;
}
