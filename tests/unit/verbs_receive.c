/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Receive queues of very many peers, of a device that has nothing behind them:
 * there are buffers for what each may send, completion queues hold all of them,
 * and peers that leave give their place to others.
 */
#include <errno.h>
#include <stdlib.h>
#include "tests/tap.h"
#include "tests/unit/verbs_made.h"

enum {
	PEERS = 20000,
	LEAST = 11,			/* buffers for each */
	HELD = 46			/* of 1024 buffers, half for peers */
};

struct ibv_cq *__wrap_ibv_create_cq(struct ibv_context *context, int entries,
				    void *cq_context,
				    struct ibv_comp_channel *channel,
				    int vector);
int __wrap_ibv_destroy_cq(struct ibv_cq *cq);
struct ibv_srq *__wrap_ibv_create_srq(struct ibv_pd *pd,
				      struct ibv_srq_init_attr *attr);
int __wrap_ibv_destroy_srq(struct ibv_srq *srq);
struct ibv_mr *__wrap_ibv_reg_mr(struct ibv_pd *pd, void *address, size_t n,
				 int access);
int __wrap_ibv_dereg_mr(struct ibv_mr *mr);

static struct wf_signals signals;
static int ncqs, nsrqs, most_srqs, nmrs, most_mrs;
static int made_errno;			/* of the next shared queue */
static size_t nposted;

static struct wf_verbs_ep *eps[PEERS];

struct ibv_cq *__wrap_ibv_create_cq(struct ibv_context *context, int entries,
				    void *cq_context,
				    struct ibv_comp_channel *channel,
				    int vector)
{
	struct ibv_cq *cq = calloc(1, sizeof(*cq));

	(void)context;
	(void)cq_context;
	(void)channel;
	(void)vector;
	if (!cq)
		exit(1);
	ncqs++;
	cq->cqe = entries;
	return cq;
}

int __wrap_ibv_destroy_cq(struct ibv_cq *cq)
{
	ncqs--;
	free(cq);
	return 0;
}

struct ibv_srq *__wrap_ibv_create_srq(struct ibv_pd *pd,
				      struct ibv_srq_init_attr *attr)
{
	struct ibv_srq *srq;

	TAP_EQUAL(attr->attr.max_wr, 1024 + WF_VERBS_SPENT);
	errno = made_errno ? made_errno : ENOMEM;
	if (made_errno || nsrqs == most_srqs)
		return NULL;
	nsrqs++;
	srq = calloc(1, sizeof(*srq));
	if (!srq)
		exit(1);
	srq->context = pd->context;
	return srq;
}

int __wrap_ibv_destroy_srq(struct ibv_srq *srq)
{
	nsrqs--;
	free(srq);
	return 0;
}

struct ibv_mr *__wrap_ibv_reg_mr(struct ibv_pd *pd, void *address, size_t n,
				 int access)
{
	(void)pd;
	(void)address;
	(void)n;
	(void)access;
	errno = ENOMEM;
	if (nmrs == most_mrs)
		return NULL;
	nmrs++;
	return calloc(1, sizeof(struct ibv_mr));
}

int __wrap_ibv_dereg_mr(struct ibv_mr *mr)
{
	nmrs--;
	free(mr);
	return 0;
}

static int post_srq(struct ibv_srq *srq, struct ibv_recv_wr *wr,
		    struct ibv_recv_wr **bad)
{
	(void)srq;
	(void)bad;
	for (; wr; wr = wr->next)
		nposted++;
	return 0;
}

static int post_qp(struct ibv_qp *qp, struct ibv_recv_wr *wr,
		   struct ibv_recv_wr **bad)
{
	(void)qp;
	return post_srq(NULL, wr, bad);
}

static void set_up(int max_srq)
{
	static struct ibv_pd pd;

	verbs_made_open();
	signals = (struct wf_signals){ .nrooms = 1 };
	made.dev.env.signals = &signals;
	made.dev.rcqs.n = 0;
	made.dev.pd = &pd;
	pd.context = &made.context;
	made.context.ops.post_srq_recv = post_srq;
	made.context.ops.post_recv = post_qp;
	made.config.ib_srq = 1024;
	made.dev.port.device.max_srq = max_srq;
	made.dev.port.device.max_srq_wr = 1 << 15;
	made.dev.port.device.max_qp_wr = 1 << 15;
	made.dev.port.device.max_cqe = 1 << 22;
	made.dev.shares = max_srq > 0;
	wf_list_init(&made.dev.shared);
	most_srqs = max_srq;
	most_mrs = PEERS;
	made_errno = ncqs = nsrqs = nmrs = 0;
	nposted = 0;
}

static int join(int i)
{
	const char *what;
	int error;

	eps[i] = calloc(1, sizeof(**eps));
	if (!eps[i])
		exit(1);
	eps[i]->ep.dev = &made.dev.dev;
	wf_list_init(&eps[i]->receives);
	error = wf_verbs_rq_join(&made.dev, eps[i], &what);
	if (error)
		free(eps[i]);
	return error;
}

static void leave(int i)
{
	wf_verbs_rq_leave(eps[i]);
	free(eps[i]);
}

static void tear_down(void)
{
	wf_verbs_rqs_close(&made.dev);
	wf_verbs_cqs_close(&made.dev.rcqs);
	TAP_EQUAL(ncqs, 0);
	TAP_EQUAL(nsrqs, 0);
	TAP_EQUAL(nmrs, 0);
	free(signals.room);
	verbs_made_close();
}

/* Completion queues have room for so many, which are all that is posted. */
static void expect_held(const struct wf_verbs_cqs *cqs, size_t entries)
{
	size_t held = 0;

	for (int i = 0; i < cqs->n; i++)
		held += (size_t)cqs->cq[i].cq->cqe - cqs->cq[i].room;
	TAP_EQUAL(held, entries);
	TAP_EQUAL(made.dev.buffers_posted, entries);
}

static void shared(void)
{
	int queues = (PEERS + HELD - 1) / HELD, most = 0;

	set_up(1 << 20);
	for (int i = 0; i < PEERS; i++)
		TAP_EQUAL(join(i), 0);
	TAP_EQUAL(nsrqs, queues);
	TAP_CHECK(nposted >= (size_t)PEERS * LEAST);
	TAP_EQUAL(nposted, (size_t)queues * (1024 + WF_VERBS_SPENT));
	TAP_CHECK(made.dev.rcqs.n <= 8);
	expect_held(&made.dev.rcqs, nposted);
	for (int i = 0; i < PEERS; i++)
		if ((int)eps[i]->rq->neps > most)
			most = (int)eps[i]->rq->neps;
	TAP_EQUAL(most, HELD);
	/* signals that one queue has room for take none from another */
	TAP_CHECK(eps[0]->ep.room && eps[PEERS - 1]->ep.room);
	TAP_CHECK(eps[0]->ep.room != eps[PEERS - 1]->ep.room);
	for (int i = 0; i < 1000; i++)
		leave(i);
	for (int i = 0; i < 1000; i++)
		TAP_EQUAL(join(i), 0);
	TAP_EQUAL(nsrqs, queues);
	for (int i = 0; i < PEERS; i++)
		leave(i);
	tear_down();
}

/* The device gives no more: all have as many peers. */
static void shared_by_more(void)
{
	set_up(3);
	for (int i = 0; i < 300; i++)
		TAP_EQUAL(join(i), 0);
	TAP_EQUAL(nsrqs, 3);
	for (int i = 0; i < 300; i++)
		TAP_EQUAL(eps[i]->rq->neps, 100);
	TAP_CHECK(strstr(made.lines, "gives no further shared receive queue"));
	TAP_CHECK(!strstr(strstr(made.lines, "gives no further") + 1,
			  "gives no further"));
	for (int i = 0; i < 300; i++)
		leave(i);
	tear_down();
}

/* Without memory for its buffers nothing is left of it. */
static void no_memory(void)
{
	set_up(100);
	most_mrs = 1;
	for (int i = 0; i < 100; i++)
		TAP_EQUAL(join(i), 0);
	TAP_EQUAL(nsrqs, 1);
	expect_held(&made.dev.rcqs, 1024 + WF_VERBS_SPENT);
	for (int i = 0; i < 100; i++)
		leave(i);
	tear_down();
	set_up(100);
	most_mrs = 0;
	TAP_EQUAL(join(0), ENOMEM);
	TAP_EQUAL(nsrqs, 0);
	expect_held(&made.dev.rcqs, 0);
	tear_down();
}

static void announced(void)
{
	const char *what;

	set_up(100);
	made_errno = EOPNOTSUPP;
	TAP_EQUAL(wf_verbs_rq_open(&made.dev, &what), 0);
	TAP_CHECK(!made.dev.shares);
	TAP_EQUAL(join(0), 0);
	TAP_CHECK(!eps[0]->rq->srq);
	leave(0);
	tear_down();
}

/* Each has some of its own, which go with it. */
static void own(void)
{
	const uint32_t each = WF_VERBS_OWN_RQ + WF_VERBS_SPENT;

	set_up(0);
	for (int i = 0; i < 2000; i++) {
		TAP_EQUAL(join(i), 0);
		made.qp.qp_num = 100 + (uint32_t)i;
		TAP_EQUAL(wf_verbs_rq_start(eps[i]->rq, &made.qp), 0);
		TAP_CHECK(eps[i]->ep.room);
	}
	TAP_EQUAL(nposted, 2000 * each);
	expect_held(&made.dev.rcqs, 2000 * each);
	for (int i = 0; i < 2000; i++)
		leave(i);
	expect_held(&made.dev.rcqs, 0);
	for (int i = 0; i < 2000; i++)
		TAP_EQUAL(join(i), 0);
	TAP_CHECK(made.dev.rcqs.n <= 6);
	for (int i = 0; i < 2000; i++)
		leave(i);
	tear_down();
}

static void comes(uint64_t id, enum ibv_wc_status status, uint32_t qpn)
{
	struct ibv_wc wc = { .wr_id = id, .status = status, .qp_num = qpn,
			     .opcode = IBV_WC_RECV };

	wf_verbs_received(&made.dev, &wc);
}

/*
 * Of a queue pair that has failed, or is gone, nothing is posted: the next one
 * is given all of them.
 */
static void of_a_former_one(void)
{
	struct wf_verbs_rq *rq;
	uint64_t id;

	set_up(0);
	TAP_EQUAL(join(0), 0);
	rq = eps[0]->rq;
	id = (uint64_t)rq->number << 32;
	made.qp.qp_num = 500;
	TAP_EQUAL(wf_verbs_rq_start(rq, &made.qp), 0);
	nposted = 0;
	for (uint32_t i = 0; i < 20; i++)
		comes(id | i, IBV_WC_WR_FLUSH_ERR, 500);
	for (uint32_t i = 0; i < 20; i++)
		comes(id | i, IBV_WC_SUCCESS, 499);
	comes(id + (UINT64_C(1) << 32), IBV_WC_SUCCESS, 500);
	TAP_EQUAL(nposted, 0);
	TAP_EQUAL(rq->nspent, 0);
	for (uint32_t i = 0; i < WF_VERBS_SPENT; i++)
		comes(id | i, IBV_WC_SUCCESS, 500);
	TAP_EQUAL(nposted, WF_VERBS_SPENT);
	leave(0);
	tear_down();
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "twenty thousand peers share queues", shared },
		{ "more share what the device gives", shared_by_more },
		{ "without memory for another one", no_memory },
		{ "announced, but not there", announced },
		{ "each has its own", own },
		{ "buffers of a former queue pair", of_a_former_one }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
