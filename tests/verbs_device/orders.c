/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The test device uses the liberties that it was given, and no others: each is
 * seen, and what the specification promises holds all the same.  And what goes
 * wrong when the description says so.
 */
#include <errno.h>
#include <sched.h>
#include <unistd.h>
#include "tests/verbs_device/ends.h"

enum {
	ROUNDS = 200,
	LONG = 2048			/* 8 packets */
};

static void open_ends(const char *description)
{
	ends_open(description, IBV_QPT_RC);
	ends_connect();
}

static char at_peer(size_t offset)
{
	return __atomic_load_n(&ends[1].bytes[offset], __ATOMIC_ACQUIRE);
}

/* The value is that of the round. */
static void post(enum ibv_wr_opcode opcode, size_t offset, size_t n,
		 unsigned flags)
{
	struct ends_post p;

	ends_make(&p, opcode, offset, n);
	p.wr.send_flags = flags;
	TAP_EQUAL(ends_post(&p), 0);
}

/* What has been found out. */
struct seen {
	int passed;			/* a later one was there first */
	int late;			/* complete, and not there */
	int broken;			/* what must not be */
};

/*
 * A write of a byte, then another one; which is there first?  Each time to
 * another place: a late one may come after those of the next round.
 */
static void two_writes(struct seen *seen, size_t at)
{
	memset(ends[0].bytes, 1, LONG);
	post(IBV_WR_RDMA_WRITE, at, 1, 0);
	post(IBV_WR_RDMA_WRITE, at + 1, 1, IBV_SEND_SIGNALED);
	while (!at_peer(at) && !at_peer(at + 1))
		sched_yield();
	seen->passed += !at_peer(at);
	TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_SUCCESS);
	seen->late += !at_peer(at) || !at_peer(at + 1);
}

static struct seen many_writes(const char *description)
{
	struct seen seen = { 0 };

	open_ends(description);
	for (size_t i = 0; i < ROUNDS; i++)
		two_writes(&seen, 2 * i);
	ends_close();
	return seen;
}

static void separate_writes(void)
{
	struct seen seen = many_writes("");

	TAP_EQUAL(seen.passed, 0);
	TAP_EQUAL(seen.late, 0);
	seen = many_writes("adverse reorder=4 delay=100");
	TAP_CHECK(seen.passed > 0);
	TAP_EQUAL(seen.late, 0);
	/* the promise is of one work request */
	seen = many_writes("device in_order=1;adverse reorder=4 delay=100");
	TAP_CHECK(seen.passed > 0);
	seen = many_writes("adverse reorder=4 late=2 delay=100");
	TAP_CHECK(seen.late > 0);
}

/* Is the last byte of a long write there while another one is not? */
static int count_packets(const char *description)
{
	int broken = 0;

	open_ends(description);
	for (int i = 1; i <= ROUNDS; i++) {
		memset(ends[0].bytes, i, LONG);
		post(IBV_WR_RDMA_WRITE, 0, LONG, IBV_SEND_SIGNALED);
		while (at_peer(LONG - 1) != (char)i)
			sched_yield();
		for (int k = 0; k < LONG; k++)
			if (at_peer((size_t)k) != (char)i) {
				broken++;
				break;
			}
		TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_SUCCESS);
		TAP_CHECK(at_peer(0) == (char)i && at_peer(300) == (char)i);
	}
	ends_close();
	return broken;
}

static void packets(void)
{
	TAP_EQUAL(count_packets(""), 0);
	TAP_CHECK(count_packets("adverse packets=1 delay=100") > 0);
	TAP_EQUAL(count_packets("device in_order=1;adverse packets=1"), 0);
}

/* Four writes, and what is complete when they are there. */
static void tell(enum ibv_wr_opcode opcode, struct ibv_cq *cq, char value)
{
	memset(ends[0].bytes, value, LONG);
	for (size_t k = 0; k < 4; k++)
		post(IBV_WR_RDMA_WRITE, k * 8, 8, 0);
	post(opcode, 32, 8, IBV_SEND_SIGNALED);
	TAP_EQUAL(ends_status(cq), IBV_WC_SUCCESS);
	for (size_t k = 0; k < 32; k++)
		TAP_EQUAL(at_peer(k), value);
}

/* At the peer, by the buffer that is taken. */
static void told_by(enum ibv_wr_opcode opcode)
{
	for (int i = 1; i <= ROUNDS; i++) {
		TAP_EQUAL(ends_receive(1, LONG, 8), 0);
		tell(opcode, ends[1].rcq, (char)i);
		TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_SUCCESS);
	}
}

/* Here, by what was fetched. */
static void known_by(enum ibv_wr_opcode opcode)
{
	for (int i = 1; i <= ROUNDS; i++)
		tell(opcode, ends[0].scq, (char)i);
}

static void what_tells(void)
{
	open_ends("adverse reorder=2 late=2 packets=2 delay=100 seed=5");
	told_by(IBV_WR_RDMA_WRITE_WITH_IMM);
	told_by(IBV_WR_SEND);
	known_by(IBV_WR_RDMA_READ);
	known_by(IBV_WR_ATOMIC_FETCH_AND_ADD);
	ends_close();
}

/* What is acknowledged, and then late, finds its region gone. */
static void region_gone(void)
{
	char before[4];
	struct ibv_mr *mr;

	open_ends("adverse reorder=1 late=1 delay=400000");
	mr = ibv_reg_mr(ends[1].pd, ends[1].bytes, ENDS_BYTES,
			IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
	memset(ends[0].bytes, 7, LONG);
	for (size_t i = 0; i < sizeof(before); i++) {
		struct ends_post p;

		ends_make(&p, IBV_WR_RDMA_WRITE, i, 1);
		p.wr.wr.rdma.rkey = mr->rkey;
		TAP_EQUAL(ends_post(&p), 0);
		TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_SUCCESS);
	}
	TAP_EQUAL(ibv_dereg_mr(mr), 0);
	memcpy(before, ends[1].bytes, sizeof(before));
	usleep(400000);
	TAP_CHECK(!memcmp(before, ends[1].bytes, sizeof(before)));
	ends_close();
}

/* A read, and a write behind it to the same place; which was first? */
static int passed_reads(unsigned fence)
{
	struct ends_post p;
	int passed = 0;

	open_ends("adverse reads=2 delay=100");
	for (int i = 1; i <= ROUNDS; i++) {
		ends[1].bytes[0] = 0;
		memset(ends[0].bytes, i, LONG);
		post(IBV_WR_RDMA_READ, 0, 1, IBV_SEND_SIGNALED);
		ends_make(&p, IBV_WR_RDMA_WRITE, 0, 1);
		p.sge.addr += 100;	/* not what is read into */
		p.wr.send_flags |= fence;
		TAP_EQUAL(ends_post(&p), 0);
		TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_SUCCESS);
		passed += ends[0].bytes[0] == (char)i;
		TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_SUCCESS);
	}
	ends_close();
	return passed;
}

static void reads(void)
{
	TAP_CHECK(passed_reads(0) > 0);
	TAP_EQUAL(passed_reads(IBV_SEND_FENCE), 0);
}

static void late_completions(void)
{
	struct ibv_wc wc[4];
	int together = 0;

	open_ends("adverse completions=3 delay=200");
	for (int i = 1; i <= ROUNDS; i++) {
		int n = 0, once;

		memset(ends[0].bytes, i, LONG);
		for (int k = 0; k < 4; k++)
			post(IBV_WR_RDMA_WRITE, 0, 1, IBV_SEND_SIGNALED);
		while (n < 4) {
			once = ibv_poll_cq(ends[0].scq, 4, wc);
			together += once > 1 && n;
			n += once;
		}
	}
	TAP_CHECK(together > 0);
	ends_close();
}

/* Of 200 datagrams; more than one buffer each, so that none lacks one. */
static int arrived(const char *description)
{
	struct ibv_ah_attr path = { .port_num = 1 };
	struct ends_post p;
	struct ibv_wc wc;
	int n = 0;

	ends_open(description, IBV_QPT_UD);
	ends_connect();
	path.dlid = ends[1].port.lid;
	ends_make(&p, IBV_WR_SEND, 0, 16);
	p.wr.wr.ud.ah = ibv_create_ah(ends[0].pd, &path);
	p.wr.wr.ud.remote_qpn = ends[1].qp->qp_num;
	p.wr.wr.ud.remote_qkey = 77;
	for (int i = 0; i < 8; i++)
		TAP_EQUAL(ends_receive(1, 0, 64), 0);
	for (int i = 0; i < ROUNDS; i++) {
		TAP_EQUAL(ends_post(&p), 0);
		TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_SUCCESS);
		while (ibv_poll_cq(ends[1].rcq, 1, &wc) == 1) {
			TAP_EQUAL(ends_receive(1, 0, 64), 0);
			n++;
		}
	}
	TAP_EQUAL(ibv_destroy_ah(p.wr.wr.ud.ah), 0);
	ends_close();
	return n;
}

static void datagrams(void)
{
	TAP_EQUAL(arrived(""), ROUNDS);
	TAP_EQUAL(arrived("adverse lost=1"), 0);
	TAP_EQUAL(arrived("adverse doubled=1"), 2 * ROUNDS);
	TAP_CHECK(arrived("adverse lost=4") < ROUNDS);
}

static void failing_call(void)
{
	struct ibv_mr *mr;

	open_ends("fail call=ibv_reg_mr n=4 times=2 errno=EAGAIN");
	mr = ibv_reg_mr(ends[0].pd, ends[0].bytes, 8, 0);
	TAP_CHECK(mr);
	for (int i = 0; i < 2; i++)
		TAP_CHECK(!ibv_reg_mr(ends[0].pd, ends[0].bytes, 8, 0) &&
			  errno == EAGAIN);
	TAP_EQUAL(ibv_dereg_mr(mr), 0);
	mr = ibv_reg_mr(ends[0].pd, ends[0].bytes, 8, 0);
	TAP_CHECK(mr);
	TAP_EQUAL(ibv_dereg_mr(mr), 0);
	ends_close();
}

static enum ibv_port_state state(void)
{
	struct ibv_port_attr port;

	TAP_EQUAL(ibv_query_port(ends[0].context, 1, &port), 0);
	return port.state;
}

static void link_down(void)
{
	open_ends("mishap down=1 after=20000");
	TAP_EQUAL(ends_event(0), IBV_EVENT_PORT_ERR);
	TAP_EQUAL(state(), IBV_PORT_DOWN);
	memset(ends[0].bytes, 9, LONG);
	post(IBV_WR_RDMA_WRITE, 0, 8, IBV_SEND_SIGNALED);
	TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_RETRY_EXC_ERR);
	TAP_EQUAL(at_peer(0), 0);
	ends_close();
}

/* Who waits long enough notices nothing. */
static void link_up(void)
{
	open_ends("mishap down=1 after=20000 for=5000");
	TAP_EQUAL(ends_event(0), IBV_EVENT_PORT_ERR);
	TAP_EQUAL(ends_event(0), IBV_EVENT_PORT_ACTIVE);
	TAP_EQUAL(state(), IBV_PORT_ACTIVE);
	post(IBV_WR_RDMA_WRITE, 0, 8, IBV_SEND_SIGNALED);
	TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_SUCCESS);
	ends_close();
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "separate writes", separate_writes },
		{ "the packets of one write", packets },
		{ "what tells of writes comes after them", what_tells },
		{ "what is late finds its region gone", region_gone },
		{ "reads are passed unless there is a fence", reads },
		{ "completions are seen late and together", late_completions },
		{ "datagrams are lost and doubled", datagrams },
		{ "a call fails", failing_call },
		{ "a link is down", link_down },
		{ "a link is down for a time", link_up }
	};

	return ends_run(argc, argv, cases, TAP_COUNT(cases));
}
