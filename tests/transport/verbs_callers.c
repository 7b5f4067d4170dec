/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * First contact over verbs with thousands of ranks, which no machine of ours
 * can start: rank 0 is real, and so is the device of rank 1, by which a script
 * plays all others.  A caller is a queue pair and the hellos of one; it calls
 * until it is answered, joins, and reads a word.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/status.h>
#include "base/clock.h"
#include "tests/transport/fixture.h"
#include "transport/verbs/verbs.h"

enum {
	CALLERS = 10000,
	SOME = 1000,
	FIRST = 2,			/* rank of the first one */
	ROOM = 256,			/* datagrams to come, and to go */
	FEW = 100,
	UNANSWERED = 50,		/* ROOM for what they hear at once */
	OWN_KEY = 0x63616c6c,
	LONGEST_S = 25
};

struct caller {
	struct ibv_qp *qp;
	struct wf_ep *ep;		/* of rank 0 to it */
	bool contacted, joined, refused;
	uint64_t at, pause;		/* of its next call */
};

static struct fixture f;
static struct caller callers[CALLERS];
static struct wf_blob blob;		/* of a caller, but for its key */
static struct {
	struct wf_random random;
	struct ibv_cq *cq, *rcq;	/* of datagrams; of reads */
	struct ibv_qp *ud;
	struct ibv_mr *mr;
	struct wf_verbs_handle *to;	/* rank 0 */
	uint64_t sent, gone, calls;
	int turn;			/* who may call next */
	int nrefused, nclosed, nread;
	char buffers[2 * ROOM][WF_VERBS_UD_BYTES];
	char word[8];			/* behind them */
} script;

static struct wf_verbs *device(int rank)
{
	return wf_verbs_dev(f.rank[rank].dev);
}

static void on_contact(void *arg, int rank)
{
	struct caller *c = &callers[rank - FIRST];

	(void)arg;
	TAP_CHECK(!c->contacted && !c->ep);
	c->contacted = true;
}

/* Rank 0 asks for whoever has called, as its job would. */
static void connect_callers(void)
{
	for (int i = 0; i < CALLERS; i++) {
		struct caller *c = &callers[i];
		struct wf_tp_peer peer = {
			.rank = FIRST + i, .blob = &blob, .last = true
		};

		if (!c->contacted)
			continue;
		c->contacted = false;
		blob.key.word[0] = (uint64_t)i;
		(void)device(0)->dev.ops->connect(&device(0)->dev, &peer,
						  &c->ep);
	}
}

static void receive(uint64_t i)
{
	struct ibv_sge sge = { (uintptr_t)script.buffers[i],
			       WF_VERBS_UD_BYTES, script.mr->lkey };
	struct ibv_recv_wr *bad, wr = {
		.wr_id = i, .sg_list = &sge, .num_sge = 1
	};

	TAP_EQUAL(ibv_post_recv(script.ud, &wr, &bad), 0);
}

static struct ibv_qp *make_qp(enum ibv_qp_type type, struct ibv_cq *cq)
{
	bool ud = type == IBV_QPT_UD;
	struct ibv_qp_init_attr init = {
		.send_cq = cq, .recv_cq = cq, .qp_type = type,
		.cap = { .max_send_wr = ud ? ROOM : 1, .max_send_sge = 1,
			 .max_recv_wr = ud ? ROOM : 0,
			 .max_recv_sge = ud ? 1 : 0 }
	};
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT, .port_num = device(1)->port.number,
		.pkey_index = device(1)->port.pkey_index,
		.qkey = WF_VERBS_QKEY
	};
	struct ibv_qp *qp = ibv_create_qp(device(1)->pd, &init);

	if (qp)
		TAP_EQUAL(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PORT |
					IBV_QP_PKEY_INDEX |
					(ud ? IBV_QP_QKEY :
					      IBV_QP_ACCESS_FLAGS)), 0);
	return qp;
}

static void open_datagrams(void)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTR };

	script.ud = make_qp(IBV_QPT_UD, script.cq);
	for (uint64_t i = 0; i < ROOM; i++)
		receive(i);
	TAP_EQUAL(ibv_modify_qp(script.ud, &attr, IBV_QP_STATE), 0);
	attr.qp_state = IBV_QPS_RTS;
	TAP_EQUAL(ibv_modify_qp(script.ud, &attr, IBV_QP_STATE |
				IBV_QP_SQ_PSN), 0);
}

/* A device without room for all has none for rank 0 either. */
static int open_callers(int most)
{
	struct ibv_context *context = device(1)->port.context;
	struct wf_verbs_address own, to;
	int n = 0;

	memset(callers, 0, sizeof(callers));
	memset(&script, 0, sizeof(script));
	wf_random_init(&script.random, 1);
	script.cq = ibv_create_cq(context, 2 * ROOM, NULL, NULL, 0);
	script.rcq = ibv_create_cq(context, CALLERS, NULL, NULL, 0);
	script.mr = ibv_reg_mr(device(1)->pd, script.buffers,
			       sizeof(script.buffers) + sizeof(script.word),
			       IBV_ACCESS_LOCAL_WRITE);
	open_datagrams();
	while (n < most && (callers[n].qp = make_qp(IBV_QPT_RC, script.rcq)))
		n++;
	wf_verbs_fill_address(device(0), &to);
	script.to = wf_verbs_make_handle(device(1), &to);
	TAP_CHECK(script.to);
	fixture_blob(&f.rank[0], 1, &blob);
	wf_verbs_fill_address(device(1), &own);
	own.qpn = script.ud->qp_num;
	memcpy((void *)wf_blob_find(&blob, "verbs")->bytes, &own, sizeof(own));
	blob.key.word[1] = OWN_KEY;
	f.rank[0].boot.base.size = FIRST + CALLERS;
	device(0)->env.up.contact = on_contact;
	return n;
}

static void close_callers(void)
{
	/* the last one is found first */
	for (int i = CALLERS; i-- > 0;) {
		if (callers[i].ep)
			device(0)->dev.ops->disconnect(callers[i].ep);
		if (callers[i].qp)
			TAP_EQUAL(ibv_destroy_qp(callers[i].qp), 0);
	}
	TAP_EQUAL(ibv_destroy_qp(script.ud), 0);
	TAP_EQUAL(ibv_destroy_ah(script.to->ah), 0);
	free(script.to);
	TAP_EQUAL(ibv_dereg_mr(script.mr), 0);
	TAP_EQUAL(ibv_destroy_cq(script.cq), 0);
	TAP_EQUAL(ibv_destroy_cq(script.rcq), 0);
}

static void call(int i)
{
	const struct wf_blob_key *key = &f.rank[0].blob.key;
	uint64_t slot = ROOM + script.sent % ROOM;
	struct wf_verbs_hello hello = {
		.version = WF_VERBS_VERSION,
		.flags = callers[i].joined ? WF_VERBS_SEEN | WF_VERBS_DONE : 0,
		.from = (uint32_t)(FIRST + i),
		.key = { key->word[0], key->word[1] },
		.own_key = { (uint64_t)i, OWN_KEY },
		.qpn = callers[i].qp->qp_num, .psn = (uint32_t)i
	};
	struct ibv_sge sge = { (uintptr_t)script.buffers[slot], sizeof(hello),
			       script.mr->lkey };
	struct ibv_send_wr *bad, wr = {
		.wr_id = slot, .sg_list = &sge, .num_sge = 1,
		.opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED
	};

	if (script.sent - script.gone == ROOM)
		return;
	wf_verbs_fill_address(device(1), &hello.address);
	hello.address.qpn = script.ud->qp_num;
	memcpy(script.buffers[slot], &hello, sizeof(hello));
	wr.wr.ud.ah = script.to->ah;
	wr.wr.ud.remote_qpn = device(0)->ud->qp_num;
	wr.wr.ud.remote_qkey = WF_VERBS_QKEY;
	TAP_EQUAL(ibv_post_send(script.ud, &wr, &bad), 0);
	script.sent++;
}

static void join(int i, const struct wf_verbs_hello *hello)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = (enum ibv_mtu)hello->address.mtu,
		.dest_qp_num = hello->qpn, .rq_psn = hello->psn,
		.max_dest_rd_atomic = 1, .min_rnr_timer = 12
	};

	wf_verbs_path(device(1), &hello->address, &attr.ah_attr);
	TAP_EQUAL(ibv_modify_qp(callers[i].qp, &attr, IBV_QP_STATE |
				IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
				IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
				IBV_QP_MIN_RNR_TIMER), 0);
	attr = (struct ibv_qp_attr){
		.qp_state = IBV_QPS_RTS, .sq_psn = (uint32_t)i,
		.timeout = 14, .retry_cnt = 7, .rnr_retry = 7,
		.max_rd_atomic = 1
	};
	TAP_EQUAL(ibv_modify_qp(callers[i].qp, &attr, IBV_QP_STATE |
				IBV_QP_SQ_PSN | IBV_QP_TIMEOUT |
				IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
				IBV_QP_MAX_QP_RD_ATOMIC), 0);
	callers[i].joined = true;
}

/* Of its segment. */
static void read_word(int i, const struct wf_verbs_hello *hello)
{
	struct ibv_sge sge = { (uintptr_t)script.word, 8, script.mr->lkey };
	struct ibv_send_wr *bad, wr = {
		.wr_id = (uint64_t)i, .sg_list = &sge, .num_sge = 1,
		.opcode = IBV_WR_RDMA_READ, .send_flags = IBV_SEND_SIGNALED,
		.wr.rdma = { hello->zero.addr, (uint32_t)hello->zero.key }
	};

	TAP_EQUAL(ibv_post_send(callers[i].qp, &wr, &bad), 0);
}

static void hear(const struct wf_verbs_hello *hello)
{
	struct caller *c;
	int i;

	if (!TAP_CHECK(hello->key[1] == OWN_KEY && hello->key[0] < CALLERS))
		return;
	i = (int)hello->key[0];
	c = &callers[i];
	if (hello->flags & WF_VERBS_CLOSED) {
		script.nclosed++;
	} else if (hello->flags & WF_VERBS_REFUSED) {
		TAP_CHECK(!c->joined);
		script.nrefused += !c->refused;
		c->refused = true;
	} else if (!c->joined) {
		join(i, hello);
		read_word(i, hello);
		call(i);
	} else if (!(hello->flags & WF_VERBS_DONE)) {
		call(i);
	}
}

static void look(void)
{
	struct wf_verbs_hello hello;
	struct ibv_wc wc;

	while (ibv_poll_cq(script.cq, 1, &wc) == 1) {
		TAP_EQUAL(wc.status, IBV_WC_SUCCESS);
		if (wc.wr_id >= ROOM) {
			script.gone++;
			continue;
		}
		memcpy(&hello, script.buffers[wc.wr_id] + WF_VERBS_GRH,
		       sizeof(hello));
		hear(&hello);
		receive(wc.wr_id);
	}
	while (ibv_poll_cq(script.rcq, 1, &wc) == 1) {
		TAP_EQUAL(wc.status, IBV_WC_SUCCESS);
		script.nread++;
	}
}

static bool is_due(const struct caller *c, uint64_t now)
{
	return !c->joined && !c->refused && c->at <= now;
}

/* Those without an answer, as the backend does: all begin at once. */
static void call_some(int n)
{
	uint64_t now = wf_clock_ns();

	for (int k = 0; k < n && script.sent - script.gone < ROOM; k++) {
		struct caller *c = &callers[script.turn];

		if (is_due(c, now)) {
			call(script.turn);
			script.calls++;
			c->at = now + wf_verbs_pause(&script.random,
						     &c->pause);
		}
		script.turn = (script.turn + 1) % n;
	}
}

static int count_ready(void)
{
	int n = 0;

	for (int i = 0; i < CALLERS; i++)
		n += callers[i].ep && callers[i].ep->state == WF_EP_READY;
	return n;
}

/* Each is connected, or told that it is not. */
static void run(int n)
{
	uint64_t since = wf_clock_ns();

	while ((script.nread + script.nrefused < n ||
		count_ready() < script.nread) &&
	       wf_clock_ns() - since < LONGEST_S * WF_NS_PER_S) {
		call_some(n);
		fixture_pump(&f);
		connect_callers();
		look();
	}
	tap_diag("%d callers are answered after %.0f ms, at %.1f calls each",
		 n, (double)(wf_clock_ns() - since) / WF_NS_PER_MS,
		 (double)script.calls / n);
	fixture_settle(&f);
	TAP_EQUAL(script.nread + script.nrefused, n);
	TAP_EQUAL(count_ready(), script.nread);
	TAP_CHECK(wf_list_empty(&device(0)->calling));
	TAP_EQUAL(wf_map_count(&device(0)->strangers), 0);
	TAP_EQUAL(wf_map_count(&device(0)->refused), (size_t)script.nrefused);
}

static void all_call(int n, const char *description)
{
	setenv("VERBS_DEVICE", description, 1);
	fixture_open(&f, 2, 20);
	TAP_EQUAL(open_callers(n), n);
	run(n);
	TAP_EQUAL(script.nrefused, 0);
	close_callers();
	fixture_close(&f);
}

static void some(void)
{
	all_call(SOME, "port link=eth");
}

static void thousands(void)
{
	all_call(CALLERS, "port link=eth");
}

static void some_unheard(void)
{
	all_call(2 * SOME, "adverse lost=5 doubled=5 delayed=5 seed=3");
}

/* Of an adapter with queue pairs for all callers, and FEW for rank 0. */
static void too_many(void)
{
	int n;

	setenv("VERBS_DEVICE", "device max_qp=1000", 1);
	fixture_open(&f, 2, 21);
	n = open_callers(CALLERS) - FEW;
	for (int i = n; i < n + FEW; i++) {
		TAP_EQUAL(ibv_destroy_qp(callers[i].qp), 0);
		callers[i].qp = NULL;
	}
	run(n);
	TAP_EQUAL(script.nread, FEW);
	close_callers();
	fixture_close(&f);
}

/* With so many address handles; how many have been told. */
static int close_by(int handles)
{
	uint64_t since = wf_clock_ns();
	int ncontacted = 0;
	char description[40];

	snprintf(description, sizeof(description), "device max_ah=%d", handles);
	setenv("VERBS_DEVICE", description, 1);
	fixture_open(&f, 2, 22);
	TAP_EQUAL(open_callers(SOME), SOME);
	while (ncontacted < UNANSWERED &&
	       wf_clock_ns() - since < LONGEST_S * WF_NS_PER_S) {
		call(ncontacted);
		fixture_pump(&f);
		look();
		ncontacted += callers[ncontacted].contacted;
	}
	TAP_EQUAL(ncontacted, UNANSWERED);
	fixture_leave(&f, 0);
	look();
	close_callers();
	fixture_close(&f);
	return script.nclosed;
}

/* A close has 100 ms for it, of which a busy machine may leave it nothing. */
static void closes(void)
{
	int handles = 8, told = 0;

	for (int tries = 5; tries > 0 && told <= handles; tries--)
		told = close_by(handles);
	TAP_CHECK(told > handles);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a thousand call", some },
		{ "ten thousand call", thousands },
		{ "some call, and are not heard", some_unheard },
		{ "more call than there are queue pairs for", too_many },
		{ "who closes uses address handles again", closes }
	};

	if (!getenv("VERBS_DEVICE") || fixture_backend.lacks()) {
		puts("1..0 # SKIP only the test device has room for them");
		return 0;
	}
	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
