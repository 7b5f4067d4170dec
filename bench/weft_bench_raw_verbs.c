/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The raw loop over libibverbs: RDMA writes on one queue pair, inline where
 * the device allows it, in chunks of 64 KiB above; the last word of a message
 * is its number, on which the receiver polls.
 *
 * That the last word lands last is what such loops assume; weft does not, and
 * pays for it.
 */
#include "bench/weft_bench_raw.h"

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WF_HAVE_VERBS
#include <infiniband/verbs.h>

enum {
	CHUNK = 65536,
	DEPTH = 16,			/* writes under way */
	INLINE = 64,
	GIDS = 256
};

/* What each rank tells the other. */
struct card {
	uint64_t gid[2];
	uint64_t base, rkey, qpn, lid;
};

struct raw {
	struct bench_run *run;
	bool sends, receives;
	bool turns;			/* by turns, rank 0 begins */
	struct ibv_context *context;
	struct ibv_port_attr port;
	uint8_t port_number, gid_index;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct ibv_mr *mr_out, *mr_in;
	struct card mine, theirs;
	char *out, *in;
	size_t bytes;
	uint64_t posted, done;		/* writes */
	uint64_t number;		/* of the message */
};

static struct ibv_device *find_device(struct ibv_device **list,
				      const char *name)
{
	size_t n = strcspn(name, ":");

	for (; list && *list; list++) {
		const char *known = ibv_get_device_name(*list);

		if (strlen(known) == n && !memcmp(known, name, n))
			return *list;
	}
	return NULL;
}

bool bench_raw_is_rdma(const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	bool found = find_device(list, name);

	if (list)
		ibv_free_device_list(list);
	return found;
}

static int open_device(struct raw *raw, const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_device *device = find_device(list, name);
	const char *port = strchr(name, ':');

	if (device)
		raw->context = ibv_open_device(device);
	if (list)
		ibv_free_device_list(list);
	raw->port_number = port ? (uint8_t)atoi(port + 1) : 1;
	if (!raw->context ||
	    ibv_query_port(raw->context, raw->port_number, &raw->port))
		return bench_raw_fail("the device or its port cannot be "
				      "opened");
	return WEFT_OK;
}

/* The index that weft is to take; NULL: it chooses. */
static const char *told_gid(void)
{
	const char *told = getenv("WEFT_IB_GID_INDEX");

	return told && *told && strcmp(told, "auto") ? told : NULL;
}

/* Of that index, else of RoCE v2 and IPv4. */
static bool is_good(const struct ibv_gid_entry *e)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	const char *told = told_gid();

	if (told)
		return e->gid_index == strtoul(told, NULL, 10);
	return e->gid_type == IBV_GID_TYPE_ROCE_V2 &&
	       !memcmp(e->gid.raw, mapped, sizeof(mapped));
}

/* The first one if none is good, and weft was told none. */
static int choose_gid(struct raw *raw)
{
	struct ibv_gid_entry entry[GIDS];
	ssize_t n = ibv_query_gid_table(raw->context, entry, GIDS, 0);
	const struct ibv_gid_entry *best = NULL;

	for (ssize_t i = 0; i < n; i++) {
		const struct ibv_gid_entry *e = &entry[i];
		bool good = is_good(e);

		if (e->port_num == raw->port_number &&
		    (good || (!best && !told_gid()))) {
			best = e;
			if (good)
				break;
		}
	}
	if (!best)
		return bench_raw_fail("the port has no GID, or none of the "
				      "index in WEFT_IB_GID_INDEX");
	raw->gid_index = (uint8_t)best->gid_index;
	memcpy(raw->mine.gid, best->gid.raw, sizeof(raw->mine.gid));
	return WEFT_OK;
}

static int open_objects(struct raw *raw, size_t bytes)
{
	int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE;
	struct ibv_qp_init_attr attr = {
		.qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = 2 * DEPTH, .max_recv_wr = 1,
			 .max_send_sge = 1, .max_recv_sge = 1,
			 .max_inline_data = INLINE }
	};

	raw->pd = ibv_alloc_pd(raw->context);
	raw->cq = ibv_create_cq(raw->context, 2 * DEPTH, NULL, NULL, 0);
	if (!raw->pd || !raw->cq)
		return bench_raw_fail("its objects cannot be made");
	attr.send_cq = attr.recv_cq = raw->cq;
	raw->qp = ibv_create_qp(raw->pd, &attr);
	raw->mr_out = ibv_reg_mr(raw->pd, raw->out, bytes, access);
	raw->mr_in = ibv_reg_mr(raw->pd, raw->in, bytes, access);
	if (!raw->qp || !raw->mr_out || !raw->mr_in)
		return bench_raw_fail("its objects cannot be made");
	return WEFT_OK;
}

/* Both cards to both: each rank adds zeros for the other's. */
static int swap_cards(struct raw *raw)
{
	struct card card[2];
	int me = raw->run->rank, status;

	raw->mine.base = (uintptr_t)raw->in;
	raw->mine.rkey = raw->mr_in->rkey;
	raw->mine.qpn = raw->qp->qp_num;
	raw->mine.lid = raw->port.lid;
	memset(card, 0, sizeof(card));
	card[me] = raw->mine;
	status = weft_allreduce(raw->run->world, WEFT_IN_PLACE,
				weft_part(card,
					  sizeof(card) / (sizeof(uint64_t)),
					  &weft_type_uint64), &weft_op_sum);
	raw->theirs = card[!me];
	return status;
}

static struct ibv_qp_attr ready_to_receive(const struct raw *raw)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR, .path_mtu = raw->port.active_mtu,
		.dest_qp_num = (uint32_t)raw->theirs.qpn,
		.min_rnr_timer = 12,
		.ah_attr = { .dlid = (uint16_t)raw->theirs.lid,
			     .port_num = raw->port_number }
	};

	if (raw->port.link_layer == IBV_LINK_LAYER_ETHERNET) {
		attr.ah_attr.is_global = 1;
		attr.ah_attr.grh.sgid_index = raw->gid_index;
		attr.ah_attr.grh.hop_limit = 64;
		memcpy(attr.ah_attr.grh.dgid.raw, raw->theirs.gid,
		       sizeof(raw->theirs.gid));
	}
	return attr;
}

static int connect_pair(struct raw *raw)
{
	struct ibv_qp_attr init = {
		.qp_state = IBV_QPS_INIT, .port_num = raw->port_number,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE
	};
	struct ibv_qp_attr rtr = ready_to_receive(raw);
	struct ibv_qp_attr rts = {
		.qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 6,
		.rnr_retry = 7
	};

	if (ibv_modify_qp(raw->qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX |
			  IBV_QP_PORT | IBV_QP_ACCESS_FLAGS) ||
	    ibv_modify_qp(raw->qp, &rtr, IBV_QP_STATE | IBV_QP_AV |
			  IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
			  IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER) ||
	    ibv_modify_qp(raw->qp, &rts, IBV_QP_STATE | IBV_QP_TIMEOUT |
			  IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
			  IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC))
		return bench_raw_fail("the queue pair cannot be connected");
	return WEFT_OK;
}

static int reap(struct raw *raw)
{
	struct ibv_wc wc[DEPTH];
	int n = ibv_poll_cq(raw->cq, DEPTH, wc);

	for (int i = 0; i < n; i++) {
		if (wc[i].status != IBV_WC_SUCCESS)
			return bench_raw_fail(ibv_wc_status_str(wc[i].status));
		raw->done = wc[i].wr_id;
	}
	return WEFT_OK;
}

/* Every DEPTH / 2 writes, and the last of a message that is longer, report. */
static int write_chunk(struct raw *raw, size_t at, size_t n)
{
	uint64_t id = raw->posted + 1;
	struct ibv_sge sge = {
		(uintptr_t)raw->out + at, (uint32_t)n, raw->mr_out->lkey
	};
	struct ibv_send_wr *bad, wr = {
		.wr_id = id, .sg_list = &sge, .num_sge = 1,
		.opcode = IBV_WR_RDMA_WRITE,
		.send_flags = (n <= INLINE ? IBV_SEND_INLINE : 0) |
			      (n > INLINE || id % (DEPTH / 2) == 0 ?
			       IBV_SEND_SIGNALED : 0),
		.wr.rdma = { raw->theirs.base + at, (uint32_t)raw->theirs.rkey }
	};
	int status = WEFT_OK;

	while (!status && raw->posted - raw->done >= DEPTH)
		status = reap(raw);
	if (!status && ibv_post_send(raw->qp, &wr, &bad))
		return bench_raw_fail("a write failed");
	raw->posted = id;
	return status;
}

/* Bytes of a message with its number. */
static size_t whole(const struct raw *raw)
{
	size_t word = sizeof(raw->number);

	return raw->bytes < word ? word : raw->bytes / word * word;
}

static int send_one(struct raw *raw, uint64_t number)
{
	size_t n = whole(raw);
	int status = WEFT_OK;

	memcpy(raw->out + n - sizeof(number), &number, sizeof(number));
	for (size_t at = 0; at < n && !status; at += CHUNK)
		status = write_chunk(raw, at, n - at < CHUNK ? n - at : CHUNK);
	return status;
}

/* In a stream a later one may have overwritten it. */
static int receive_one(struct raw *raw, uint64_t number)
{
	volatile uint64_t *word = (volatile uint64_t *)
		(raw->in + whole(raw) - sizeof(number));
	int status = WEFT_OK;

	for (long i = 1; !status && *word < number; i++) {
		if (!raw->run->ratios)
			sched_yield();
		if (i % 1024 == 0)
			status = reap(raw);
	}
	return status;
}

static int do_one(struct raw *raw)
{
	bool answers = raw->turns && raw->run->rank == 1;
	int status = WEFT_OK;

	raw->number++;
	if (answers)
		status = receive_one(raw, raw->number);
	if (!status && raw->sends)
		status = send_one(raw, raw->number);
	if (!status && raw->receives && !answers)
		status = receive_one(raw, raw->number);
	return status;
}

static int timed(void *arg, long n, double *us_p)
{
	struct raw *raw = arg;
	double start = bench_now();
	int status = WEFT_OK;

	for (long i = 0; i < n && !status; i++)
		status = do_one(raw);
	while (!status && raw->posted - raw->done >= DEPTH / 2)
		status = reap(raw);
	*us_p = (bench_now() - start) / (double)(raw->turns ? 2 * n : n);
	return status;
}

static void take_down(struct raw *raw)
{
	if (raw->qp)
		ibv_destroy_qp(raw->qp);
	if (raw->mr_out)
		ibv_dereg_mr(raw->mr_out);
	if (raw->mr_in)
		ibv_dereg_mr(raw->mr_in);
	if (raw->cq)
		ibv_destroy_cq(raw->cq);
	if (raw->pd)
		ibv_dealloc_pd(raw->pd);
	if (raw->context)
		ibv_close_device(raw->context);
	free(raw->out);
	free(raw->in);
}

static int set_up(struct raw *raw)
{
	size_t bytes = bench_raw_most(raw->run);
	int status;

	raw->out = aligned_alloc(64, bytes);
	raw->in = aligned_alloc(64, bytes);
	if (!raw->out || !raw->in)
		return WEFT_ERR_NOMEM;
	memset(raw->out, 0, bytes);
	memset(raw->in, 0, bytes);
	status = open_device(raw, raw->run->options->raw);
	if (!status)
		status = choose_gid(raw);
	if (!status)
		status = open_objects(raw, bytes);
	if (!status)
		status = swap_cards(raw);
	if (!status)
		status = connect_pair(raw);
	/* Nobody writes to one that is not connected yet. */
	return status ? status : weft_barrier(raw->run->world);
}

int bench_raw_verbs(struct bench_run *run, bool sends, bool receives)
{
	struct raw raw = { .run = run, .sends = sends, .receives = receives,
			   .turns = run->options->command == BENCH_SIGNAL };
	char title[160];
	int status = set_up(&raw);

	if (!status) {
		snprintf(title, sizeof(title), "RDMA writes alone, device %s, "
			 "buffers untouched", run->options->raw);
		bench_report_case(run->report, title);
		status = bench_raw_lines(run, timed, &raw, &raw.bytes);
	}
	if (!status)
		status = weft_barrier(run->world);
	take_down(&raw);
	return status;
}

#else

int bench_raw_verbs(struct bench_run *run, bool sends, bool receives)
{
	(void)run;
	(void)sends;
	(void)receives;
	return bench_raw_fail("built without libibverbs");
}

bool bench_raw_is_rdma(const char *name)
{
	(void)name;
	return false;
}

#endif
