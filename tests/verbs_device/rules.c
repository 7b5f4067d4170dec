/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The test device keeps the rules: what it refuses, and how it says so.  A
 * device that lets a mistake pass would let one of the backend pass, too.
 */
#include <errno.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>
#include "tests/verbs_device/ends.h"

static void open_ends(const char *description)
{
	ends_open(description, IBV_QPT_RC);
	ends_connect();
}

static void fill(int i, char value)
{
	memset(ends[i].bytes, value, ENDS_BYTES);
}

static void write_and_read(void)
{
	struct ends_post p;

	open_ends("");
	fill(0, 'a');
	ends_make(&p, IBV_WR_RDMA_WRITE, 100, 5000);
	TAP_EQUAL(ends_post(&p), 0);
	TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_SUCCESS);
	TAP_CHECK(ends[1].bytes[99] == 0 && ends[1].bytes[100] == 'a' &&
		  ends[1].bytes[5099] == 'a' && ends[1].bytes[5100] == 0);
	fill(1, 'b');
	ends_make(&p, IBV_WR_RDMA_READ, 8, 8);
	TAP_EQUAL(ends_post(&p), 0);
	TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_SUCCESS);
	TAP_CHECK(ends[0].bytes[7] == 'a' && ends[0].bytes[8] == 'b');
	ends_close();
}

/* That of a word whose value is 5. */
static void one_atomic(enum ibv_wr_opcode opcode, uint64_t a, uint64_t b,
		       uint64_t then)
{
	struct ends_post p;
	uint64_t *word = (uint64_t *)(void *)(ends[1].bytes + 64);

	*word = 5;
	ends_make(&p, opcode, 64, 8);
	p.wr.wr.atomic.compare_add = a;
	p.wr.wr.atomic.swap = b;
	TAP_EQUAL(ends_post(&p), 0);
	TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_SUCCESS);
	TAP_EQUAL(*(uint64_t *)(void *)(ends[0].bytes + 64), 5);
	TAP_EQUAL(*word, then);
}

static void atomics(void)
{
	open_ends("");
	one_atomic(IBV_WR_ATOMIC_FETCH_AND_ADD, 3, 0, 8);
	one_atomic(IBV_WR_ATOMIC_CMP_AND_SWP, 5, 9, 9);
	one_atomic(IBV_WR_ATOMIC_CMP_AND_SWP, 4, 9, 5);
	ends_close();
}

static void write_imm(size_t n)
{
	struct ends_post p;

	ends_make(&p, IBV_WR_RDMA_WRITE_WITH_IMM, 0, n);
	p.wr.imm_data = 1234;
	TAP_EQUAL(ends_post(&p), 0);
}

/* Sends and immediates take a buffer, in order; one is awaited. */
static void receives(void)
{
	struct ends_post p;
	struct ibv_wc wc;

	open_ends("");
	fill(0, 'c');
	ends_make(&p, IBV_WR_SEND, 0, 10);
	TAP_EQUAL(ends_post(&p), 0);
	TAP_EQUAL(ibv_poll_cq(ends[0].scq, 1, &wc), 0);
	TAP_EQUAL(ends_receive(1, 500, 10), 0);
	TAP_EQUAL(ends_receive(1, 600, 10), 0);
	if (TAP_CHECK(ends_poll(ends[1].rcq, &wc))) {
		TAP_EQUAL(wc.opcode, IBV_WC_RECV);
		TAP_EQUAL(wc.byte_len, 10);
	}
	TAP_CHECK(ends[1].bytes[509] == 'c' && !ends[1].bytes[510]);
	write_imm(3);
	if (TAP_CHECK(ends_poll(ends[1].rcq, &wc))) {
		TAP_EQUAL(wc.opcode, IBV_WC_RECV_RDMA_WITH_IMM);
		TAP_EQUAL(wc.imm_data, 1234);
		TAP_EQUAL(wc.qp_num, ends[1].qp->qp_num);
	}
	TAP_CHECK(ends[1].bytes[2] == 'c' && !ends[1].bytes[600]);
	ends_close();
}

static void no_buffer(void)
{
	struct ibv_qp_attr attr;
	struct ends_post p;
	int mask;

	ends_open("", IBV_QPT_RC);
	ends_connect();
	attr = (struct ibv_qp_attr){ .qp_state = IBV_QPS_RESET };
	TAP_EQUAL(ibv_modify_qp(ends[0].qp, &attr, IBV_QP_STATE), 0);
	attr = ends_to_init(0, &mask);
	TAP_EQUAL(ibv_modify_qp(ends[0].qp, &attr, mask), 0);
	attr = ends_to_receive(0, &mask);
	TAP_EQUAL(ibv_modify_qp(ends[0].qp, &attr, mask), 0);
	attr = ends_to_send(0, &mask);
	attr.rnr_retry = 2;
	TAP_EQUAL(ibv_modify_qp(ends[0].qp, &attr, mask), 0);
	ends_make(&p, IBV_WR_SEND, 0, 10);
	TAP_EQUAL(ends_post(&p), 0);
	TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_RNR_RETRY_EXC_ERR);
	ends_close();
}

/* Of an access that is wrong: what both ends hear, and that nothing came. */
static void denied(struct ends_post *p, const char *what)
{
	struct ends_post behind;

	ends_make(&behind, IBV_WR_RDMA_WRITE, 0, 1);
	behind.wr.send_flags = 0;
	TAP_EQUAL(ends_post(p), 0);
	TAP_EQUAL(ends_post(&behind), 0);
	if (!TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_REM_ACCESS_ERR))
		tap_diag("%s", what);
	TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_WR_FLUSH_ERR);
	TAP_EQUAL(ends_event(1), IBV_EVENT_QP_ACCESS_ERR);
	TAP_CHECK(!ends[1].bytes[0]);
	ends_close();
}

static void begin(struct ends_post *p, enum ibv_wr_opcode opcode)
{
	open_ends("");
	fill(0, 'd');
	ends_make(p, opcode, 0, 8);
}

static void remote_access(void)
{
	struct ibv_mr *mr;
	struct ends_post p;

	begin(&p, IBV_WR_RDMA_WRITE);
	p.wr.wr.rdma.rkey = ends[1].mr->lkey;
	denied(&p, "a local key");
	begin(&p, IBV_WR_RDMA_WRITE);
	p.wr.wr.rdma.rkey = ends[0].mr->rkey;
	denied(&p, "a key of another domain");
	begin(&p, IBV_WR_RDMA_WRITE);
	p.wr.wr.rdma.remote_addr += ENDS_BYTES - 7;
	denied(&p, "past the end");
	begin(&p, IBV_WR_RDMA_READ);
	p.wr.wr.rdma.remote_addr--;
	denied(&p, "before the beginning");
	begin(&p, IBV_WR_RDMA_WRITE);
	mr = ibv_reg_mr(ends[1].pd, ends[1].bytes, ENDS_BYTES,
			IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ);
	p.wr.wr.rdma.rkey = mr->rkey;
	TAP_EQUAL(ibv_dereg_mr(mr), 0);
	denied(&p, "a region that is no more");
}

/* Memory that is not there, or not to be written. */
static void no_memory(void)
{
	unsigned write = IBV_ACCESS_LOCAL_WRITE;
	char *page = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);
	struct ibv_mr *mr;

	open_ends("");
	TAP_EQUAL(munmap(page + 4096, 4096), 0);
	mr = ibv_reg_mr(ends[0].pd, page, 4096, 0);
	if (TAP_CHECK(mr))
		TAP_EQUAL(ibv_dereg_mr(mr), 0);
	TAP_CHECK(!ibv_reg_mr(ends[0].pd, page, 4096, (int)write) &&
		  errno == EFAULT);
	TAP_CHECK(!ibv_reg_mr(ends[0].pd, page, 8192, 0) && errno == EFAULT);
	TAP_EQUAL(mprotect(page, 4096, PROT_READ | PROT_WRITE), 0);
	mr = ibv_reg_mr(ends[0].pd, page, 4096, (int)write);
	if (TAP_CHECK(mr))
		TAP_EQUAL(ibv_dereg_mr(mr), 0);
	TAP_EQUAL(munmap(page, 4096), 0);
	ends_close();
}

static void region_rights(void)
{
	struct ibv_mr *mr;
	struct ends_post p;

	begin(&p, IBV_WR_RDMA_WRITE);
	mr = ibv_reg_mr(ends[1].pd, ends[1].bytes, ENDS_BYTES,
			IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ);
	p.wr.wr.rdma.rkey = mr->rkey;
	TAP_EQUAL(ends_post(&p), 0);
	TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_REM_ACCESS_ERR);
	TAP_EQUAL(ibv_dereg_mr(mr), 0);
	TAP_CHECK(!ibv_reg_mr(ends[1].pd, ends[1].bytes, 8,
			      IBV_ACCESS_REMOTE_WRITE) && errno == EINVAL);
	TAP_CHECK(!ibv_reg_mr(ends[1].pd, (void *)4096, 8, 0) &&
		  errno == EFAULT);
	ends_close();
}

static void own_memory(void)
{
	struct ends_post p;

	begin(&p, IBV_WR_RDMA_WRITE);
	p.sge.lkey = ends[0].mr->rkey;
	TAP_EQUAL(ends_post(&p), 0);
	TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_LOC_PROT_ERR);
	TAP_CHECK(!ends[1].bytes[0]);
	ends_close();
	begin(&p, IBV_WR_RDMA_WRITE);
	p.sge.addr += ENDS_BYTES - 7;
	TAP_EQUAL(ends_post(&p), 0);
	TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_LOC_PROT_ERR);
	ends_close();
}

static void no_path(void)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RESET };
	struct ends_post p;

	begin(&p, IBV_WR_RDMA_WRITE);
	TAP_EQUAL(ibv_modify_qp(ends[1].qp, &attr, IBV_QP_STATE), 0);
	TAP_EQUAL(ends_post(&p), 0);
	TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_RETRY_EXC_ERR);
	TAP_CHECK(!ends[1].bytes[0]);
	ends_close();
}

static void refused(struct ibv_qp_attr *attr, int mask)
{
	TAP_EQUAL(ibv_modify_qp(ends[0].qp, attr, mask), EINVAL);
}

static void states(void)
{
	struct ends_post p;
	struct ibv_qp_attr attr;
	int mask;

	ends_open("", IBV_QPT_RC);
	TAP_EQUAL(ends_receive(0, 0, 8), EINVAL);
	attr = ends_to_receive(0, &mask);
	refused(&attr, mask);
	attr = ends_to_init(0, &mask);
	refused(&attr, mask & ~IBV_QP_ACCESS_FLAGS);
	refused(&attr, mask | IBV_QP_TIMEOUT);
	attr.port_num = 2;
	refused(&attr, mask);
	attr.port_num = 1;
	TAP_EQUAL(ibv_modify_qp(ends[0].qp, &attr, mask), 0);
	attr = ends_to_receive(0, &mask);
	attr.ah_attr.dlid = 0;
	refused(&attr, mask);
	attr = ends_to_receive(0, &mask);
	attr.max_dest_rd_atomic = 17;
	refused(&attr, mask);
	attr = ends_to_receive(0, &mask);
	TAP_EQUAL(ibv_modify_qp(ends[0].qp, &attr, mask), 0);
	ends_make(&p, IBV_WR_RDMA_WRITE, 0, 8);
	TAP_EQUAL(ends_post(&p), EINVAL);
	TAP_EQUAL(ibv_query_qp_data_in_order(ends[0].qp, IBV_WR_RDMA_WRITE, 0),
		  0);
	ends_close();
}

/* A place is free when a completion that tells so has been polled. */
static void full_queue(void)
{
	struct ends_post p;
	struct ibv_wc wc;

	begin(&p, IBV_WR_RDMA_WRITE);
	p.wr.send_flags = 0;
	for (int i = 1; i < ENDS_ROOM; i++)
		TAP_EQUAL(ends_post(&p), 0);
	p.wr.send_flags = IBV_SEND_SIGNALED;
	TAP_EQUAL(ends_post(&p), 0);
	TAP_EQUAL(ends_post(&p), ENOMEM);
	TAP_CHECK(ends_poll(ends[0].scq, &wc));
	for (int i = 0; i < ENDS_ROOM; i++)
		TAP_EQUAL(ends_post(&p), 0);
	ends_close();
}

static void full_queue_of_receives(void)
{
	struct ends_post p;

	begin(&p, IBV_WR_RDMA_WRITE);
	for (int i = 0; i < ENDS_ROOM; i++)
		TAP_EQUAL(ends_receive(1, 0, 8), 0);
	for (int i = 0; i < ENDS_ROOM; i++) {
		write_imm(1);
		TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_SUCCESS);
	}
	/* the buffers have no place: their completions were not polled */
	TAP_EQUAL(ends_receive(1, 0, 8), ENOMEM);
	ends_close();
}

/* Two queue pairs have more room than the queue of their completions. */
static void overrun(void)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };
	struct ibv_qp_init_attr init = {
		.qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = 1, .max_send_sge = 1 }
	};
	struct ibv_send_wr *bad, wr = { .opcode = IBV_WR_RDMA_WRITE };
	struct ends_post p;
	struct ibv_qp *other;

	begin(&p, IBV_WR_RDMA_WRITE);
	init.send_cq = ends[0].scq;
	init.recv_cq = ends[0].rcq;
	other = ibv_create_qp(ends[0].pd, &init);
	TAP_EQUAL(ibv_modify_qp(other, &attr, IBV_QP_STATE), 0);
	for (int i = 0; i < ENDS_ROOM; i++)
		TAP_EQUAL(ends_post(&p), 0);
	TAP_EQUAL(ibv_post_send(other, &wr, &bad), 0);
	TAP_EQUAL(ends_event(0), IBV_EVENT_CQ_ERR);
	TAP_EQUAL(ibv_destroy_qp(other), 0);
	ends_close();
}

/* One event for one request of it, and none for what was there before. */
static void notification(void)
{
	struct pollfd fd;
	struct ibv_cq *cq;
	void *context;

	open_ends("");
	fd = (struct pollfd){ .fd = ends[1].channel->fd, .events = POLLIN };
	for (int i = 0; i < 4; i++)
		TAP_EQUAL(ends_receive(1, 0, 8), 0);
	write_imm(1);
	TAP_EQUAL(ibv_req_notify_cq(ends[1].rcq, 0), 0);
	TAP_EQUAL(poll(&fd, 1, 0), 0);
	write_imm(1);
	write_imm(1);
	TAP_EQUAL(poll(&fd, 1, 1000), 1);
	TAP_EQUAL(ibv_get_cq_event(ends[1].channel, &cq, &context), 0);
	TAP_CHECK(cq == ends[1].rcq);
	TAP_EQUAL(poll(&fd, 1, 0), 0);
	TAP_EQUAL(ibv_destroy_cq(cq), EBUSY);
	ibv_ack_cq_events(cq, 1);
	ends_close();
}

/* Whether the queue tells of something within so many ms. */
static bool is_told(int ms)
{
	struct pollfd fd = { .fd = ends[1].channel->fd, .events = POLLIN };
	struct ibv_cq *cq;
	void *context;

	if (!poll(&fd, 1, ms))
		return false;
	TAP_EQUAL(ibv_get_cq_event(ends[1].channel, &cq, &context), 0);
	ibv_ack_cq_events(cq, 1);
	return true;
}

/* Who asks for those that are solicited hears of no others. */
static void solicited(void)
{
	struct ends_post p;

	open_ends("adverse completions=2 delay=2000");
	for (int i = 0; i < 3; i++)
		TAP_EQUAL(ends_receive(1, 0, 8), 0);
	TAP_EQUAL(ibv_req_notify_cq(ends[1].rcq, 1), 0);
	write_imm(1);
	write_imm(1);
	TAP_CHECK(!is_told(20));
	ends_make(&p, IBV_WR_RDMA_WRITE_WITH_IMM, 0, 1);
	p.wr.send_flags |= IBV_SEND_SOLICITED;
	TAP_EQUAL(ends_post(&p), 0);
	TAP_CHECK(is_told(1000));
	ends_close();
}

/* One that is held back and seen before the request is older than it. */
static void older_than_the_request(void)
{
	struct ends_post p;

	open_ends("adverse completions=1 delay=2000");
	for (int i = 0; i < 2; i++)
		TAP_EQUAL(ends_receive(1, 0, 8), 0);
	write_imm(1);
	usleep(3000);
	TAP_EQUAL(ibv_req_notify_cq(ends[1].rcq, 0), 0);
	/* the device looks at all of its queues meanwhile */
	ends_make(&p, IBV_WR_RDMA_WRITE, 0, 1);
	TAP_EQUAL(ends_post(&p), 0);
	for (int i = 0; i < 2; i++)
		TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_SUCCESS);
	TAP_CHECK(!is_told(20));
	write_imm(1);
	TAP_CHECK(is_told(1000));
	ends_close();
}

/* Of an adapter, for all that have opened it. */
static void limits(void)
{
	struct ibv_qp_init_attr qp = { .qp_type = IBV_QPT_RC };
	struct ibv_srq_init_attr srq = { .attr = { .max_wr = 1 } };
	struct ibv_ah_attr path = { .port_num = 1, .dlid = 16 };
	struct ibv_srq *shared;
	struct ibv_ah *ah;

	open_ends("device max_cq=4 max_mr=2 max_qp=2 max_ah=1 max_srq=1");
	qp.send_cq = qp.recv_cq = ends[0].scq;
	shared = ibv_create_srq(ends[0].pd, &srq);
	TAP_CHECK(shared);
	TAP_CHECK(!ibv_create_srq(ends[1].pd, &srq) && errno == ENOMEM);
	TAP_CHECK(!ibv_create_cq(ends[0].context, 1, NULL, NULL, 0) &&
		  errno == ENOMEM);
	TAP_CHECK(!ibv_create_qp(ends[0].pd, &qp) && errno == ENOMEM);
	TAP_CHECK(!ibv_reg_mr(ends[0].pd, ends[0].bytes, 8, 0) &&
		  errno == ENOMEM);
	for (int i = 0; i < 2; i++) {
		ah = ibv_create_ah(ends[i].pd, &path);
		TAP_CHECK(ah);
		TAP_CHECK(!ibv_create_ah(ends[!i].pd, &path) &&
			  errno == ENOMEM);
		TAP_EQUAL(ibv_destroy_ah(ah), 0);
	}
	TAP_EQUAL(ibv_destroy_srq(shared), 0);
	ends_close();
}

/* A link that is not active takes nothing. */
static void inactive(void)
{
	struct ends_post p;

	open_ends("port state=3");
	ends_make(&p, IBV_WR_RDMA_WRITE, 0, 8);
	TAP_EQUAL(ends_post(&p), 0);
	TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_RETRY_EXC_ERR);
	ends_close();
}

static void busy(void)
{
	struct ibv_async_event event;
	struct ends_post p;

	begin(&p, IBV_WR_RDMA_WRITE);
	p.wr.wr.rdma.remote_addr--;
	TAP_EQUAL(ends_post(&p), 0);
	TAP_EQUAL(ibv_get_async_event(ends[1].context, &event), 0);
	TAP_EQUAL(ibv_destroy_qp(ends[1].qp), EBUSY);
	ibv_ack_async_event(&event);
	TAP_EQUAL(ibv_destroy_cq(ends[0].rcq), EBUSY);
	TAP_EQUAL(ibv_dealloc_pd(ends[0].pd), EBUSY);
	TAP_EQUAL(ibv_destroy_comp_channel(ends[0].channel), EBUSY);
	ends_close();
}

/* Its payload is behind the room of the header; another key is dropped. */
static void datagrams(void)
{
	struct ibv_ah_attr path = { .port_num = 1 };
	struct ends_post p;
	struct ibv_wc wc;

	ends_open("", IBV_QPT_UD);
	ends_connect();
	fill(0, 'e');
	path.dlid = ends[1].port.lid;
	ends_make(&p, IBV_WR_SEND, 0, 16);
	p.wr.wr.ud.ah = ibv_create_ah(ends[0].pd, &path);
	p.wr.wr.ud.remote_qpn = ends[1].qp->qp_num;
	for (p.wr.wr.ud.remote_qkey = 76; p.wr.wr.ud.remote_qkey <= 77;
	     p.wr.wr.ud.remote_qkey++) {
		TAP_EQUAL(ends_receive(1, 0, 56), 0);
		TAP_EQUAL(ends_post(&p), 0);
		/* for all that its user knows it has not left yet */
		TAP_EQUAL(ibv_destroy_ah(p.wr.wr.ud.ah), EBUSY);
		TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_SUCCESS);
	}
	TAP_CHECK(ends_poll(ends[1].rcq, &wc) && wc.byte_len == 56 &&
		  wc.src_qp == ends[0].qp->qp_num);
	TAP_CHECK(ends[1].bytes[39] != 'e' && ends[1].bytes[40] == 'e');
	TAP_EQUAL(ibv_poll_cq(ends[1].rcq, 1, &wc), 0);
	p.wr.wr.ud.remote_qkey = 77;
	p.sge.length = 4097;
	TAP_EQUAL(ends_post(&p), 0);
	TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_LOC_LEN_ERR);
	TAP_EQUAL(ibv_destroy_ah(p.wr.wr.ud.ah), 0);
	ends_close();
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "writes and reads", write_and_read },
		{ "atomics", atomics },
		{ "sends and immediates take a buffer", receives },
		{ "without a buffer for too long", no_buffer },
		{ "remote accesses that are refused", remote_access },
		{ "memory that cannot be pinned", no_memory },
		{ "rights of a region", region_rights },
		{ "local operands that are refused", own_memory },
		{ "nobody answers", no_path },
		{ "states", states },
		{ "a full send queue", full_queue },
		{ "a full receive queue", full_queue_of_receives },
		{ "an overrun of completions", overrun },
		{ "one event for one request", notification },
		{ "an event for what is solicited", solicited },
		{ "no event for what is older", older_than_the_request },
		{ "limits of an adapter", limits },
		{ "a port that is not active", inactive },
		{ "what is in use is not destroyed", busy },
		{ "datagrams", datagrams }
	};

	return ends_run(argc, argv, cases, TAP_COUNT(cases));
}
