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
static int ncqs, nsrqs, most_srqs, nmrs, most_mrs, mr_errno;
static int made_errno;			/* of the next shared queue */
static int ntries;			/* in vain, of shared queues */
static int post_errno;			/* of the next buffers */
static size_t nposted;

static struct wf_verbs_ep *eps[PEERS];

struct ibv_cq *__wrap_ibv_create_cq(struct ibv_context *context, int entries,
				    void *cq_context,
				    struct ibv_comp_channel *channel,
				    int vector)
{
	struct ibv_cq *cq = calloc(1, sizeof(*cq));

	(void)cq_context;
	(void)channel;
	(void)vector;
	if (!cq)
		exit(1);
	ncqs++;
	cq->cqe = entries;
	cq->context = context;
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
	if (made_errno || nsrqs == most_srqs) {
		ntries++;
		return NULL;
	}
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
	errno = mr_errno;
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
	*bad = wr;
	for (; wr && !post_errno; wr = wr->next)
		nposted++;
	return post_errno;
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
	made.dev.rqs.cqs.n = 0;
	wf_map_del(&made.dev.rqs.by_number, 0);
	made.dev.pd = &pd;
	pd.context = &made.context;
	made.context.ops.post_srq_recv = post_srq;
	made.context.ops.post_recv = post_qp;
	made.config.ib_srq = 1024;
	made.dev.port.device.max_srq = max_srq;
	made.dev.port.device.max_srq_wr = 1 << 15;
	made.dev.port.device.max_qp_wr = 1 << 15;
	made.dev.port.device.max_cqe = 1 << 22;
	made.dev.rqs.shares = max_srq > 0;
	wf_list_init(&made.dev.rqs.shared);
	most_srqs = max_srq;
	most_mrs = PEERS;
	mr_errno = ENOMEM;
	made_errno = post_errno = ncqs = nsrqs = nmrs = ntries = 0;
	nposted = 0;
}

static const char *what;			/* has failed */

static int join(int i)
{
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
	wf_verbs_cqs_close(&made.dev.rqs.cqs);
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
	TAP_EQUAL(made.dev.rqs.posted, entries);
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
	TAP_CHECK(made.dev.rqs.cqs.n <= 8);
	expect_held(&made.dev.rqs.cqs, nposted);
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

/* Buffers that signals have are not promised once more. */
static void beside_signals(void)
{
	const uint32_t left = 1024 - 20 * LEAST;

	set_up(100);
	for (int i = 0; i < 20; i++)
		TAP_EQUAL(join(i), 0);
	TAP_EQUAL(nsrqs, 1);
	signals.room[eps[0]->ep.room - 1].raises = left - LEAST;
	TAP_EQUAL(join(20), 0);
	TAP_EQUAL(nsrqs, 1);
	TAP_EQUAL(join(21), 0);
	TAP_EQUAL(nsrqs, 2);
	TAP_CHECK(eps[21]->rq != eps[20]->rq);
	for (int i = 0; i < 22; i++)
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
	TAP_CHECK(strstr(made.lines, "mlx5_0 has no further receive queue "
			 "(shared receive queue: Cannot allocate memory"));
	TAP_CHECK(!strstr(strstr(made.lines, "no further") + 1, "no further"));
	TAP_EQUAL(ntries, 1);
	leave(0);
	TAP_EQUAL(join(0), 0);
	TAP_EQUAL(ntries, 2);
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
	wf_verbs_receive(&made.dev);
	expect_held(&made.dev.rqs.cqs, 1024 + WF_VERBS_SPENT);
	for (int i = 0; i < 100; i++)
		leave(i);
	tear_down();
	set_up(100);
	most_mrs = 0;
	TAP_EQUAL(join(0), ENOMEM);
	TAP_CHECK(!strcmp(what, "registration of receive buffers"));
	TAP_EQUAL(nsrqs, 0);
	wf_verbs_receive(&made.dev);
	expect_held(&made.dev.rqs.cqs, 0);
	tear_down();
}

static void announced(void)
{
	set_up(100);
	made_errno = EOPNOTSUPP;
	TAP_EQUAL(wf_verbs_rq_open(&made.dev, &what), 0);
	TAP_CHECK(!made.dev.rqs.shares);
	TAP_CHECK(strstr(made.lines, "mlx5_0 has no shared receive queues"));
	/* nobody raises those by reports that have no limit */
	TAP_EQUAL(signals.nrooms, 2);
	TAP_EQUAL(join(0), 0);
	TAP_CHECK(!eps[0]->rq->srq);
	leave(0);
	tear_down();
	/* without room in a queue pair either it is said at once */
	set_up(100);
	made_errno = EOPNOTSUPP;
	made.dev.port.device.max_qp_wr = WF_VERBS_RQ_LEAST - 1;
	TAP_EQUAL(wf_verbs_rq_open(&made.dev, &what), EOPNOTSUPP);
	tear_down();
	/* what else is not supported is not taken for that */
	set_up(100);
	most_mrs = 0;
	mr_errno = EOPNOTSUPP;
	TAP_EQUAL(wf_verbs_rq_open(&made.dev, &what), EOPNOTSUPP);
	TAP_CHECK(made.dev.rqs.shares);
	tear_down();
}

/* Each has some of its own, which go with it. */
static void own(void)
{
	const uint32_t each = WF_VERBS_OWN_RQ + WF_VERBS_SPENT;
	uint32_t held;

	set_up(0);
	for (int i = 0; i < 2000; i++) {
		TAP_EQUAL(join(i), 0);
		made.qp.qp_num = 100 + (uint32_t)i;
		TAP_EQUAL(wf_verbs_rq_start(eps[i]->rq, &made.qp), 0);
		TAP_CHECK(eps[i]->ep.room);
	}
	TAP_EQUAL(nposted, 2000 * each);
	expect_held(&made.dev.rqs.cqs, 2000 * each);
	for (int i = 0; i < 2000; i++)
		leave(i);
	/* what they have left there has places until it is polled */
	held = made.dev.rqs.cqs.cq[0].room;
	TAP_CHECK(held < each);
	wf_verbs_receive(&made.dev);
	TAP_CHECK(made.dev.rqs.cqs.cq[0].room > held);
	expect_held(&made.dev.rqs.cqs, 0);
	for (int i = 0; i < 2000; i++)
		TAP_EQUAL(join(i), 0);
	TAP_CHECK(made.dev.rqs.cqs.n <= 6);
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

/* By the device, which refuses buffers of one in error, or by its events. */
static void of_a_failed_one(void)
{
	struct wf_verbs_rq *rq;

	set_up(0);
	TAP_EQUAL(join(0), 0);
	rq = eps[0]->rq;
	made.qp.qp_num = 500;
	TAP_EQUAL(wf_verbs_rq_start(rq, &made.qp), 0);
	nposted = 0;
	eps[0]->ep.state = WF_EP_READY;
	eps[0]->life.lost = true;
	strcpy(eps[0]->why, "the link is down");
	post_errno = EINVAL;
	for (uint32_t i = 0; i < 2 * WF_VERBS_MOST_SPENT; i++)
		comes((uint64_t)rq->number << 32 | i, IBV_WC_SUCCESS, 500);
	TAP_CHECK(!strcmp(eps[0]->why, "the link is down"));
	/* the next one has all of them, and keeps them while it mends */
	post_errno = 0;
	made.qp.qp_num = 501;
	TAP_EQUAL(wf_verbs_rq_start(rq, &made.qp), 0);
	TAP_EQUAL(nposted, WF_VERBS_OWN_RQ + WF_VERBS_SPENT);
	eps[0]->life.fresh = true;
	nposted = 0;
	for (uint32_t i = 0; i < 2 * WF_VERBS_SPENT; i++)
		comes((uint64_t)rq->number << 32 | i, IBV_WC_SUCCESS, 501);
	TAP_EQUAL(nposted, 2 * WF_VERBS_SPENT);
	leave(0);
	tear_down();
}

/* Its peers end, those of others do not, and nobody joins it. */
static void one_fails(void)
{
	struct wf_verbs_rq *rq;

	set_up(100);
	for (int i = 0; i < 2 * HELD; i++) {
		TAP_EQUAL(join(i), 0);
		eps[i]->ep.state = WF_EP_READY;
		wf_list_init(&eps[i]->work);
	}
	rq = eps[0]->rq;
	post_errno = EIO;
	for (uint32_t i = 0; i < WF_VERBS_MOST_SPENT; i++)
		comes((uint64_t)rq->number << 32 | i, IBV_WC_SUCCESS, 500);
	for (int i = 0; i < 2 * HELD; i++)
		TAP_EQUAL(eps[i]->ep.broken, i < HELD);
	TAP_CHECK(!strcmp(eps[0]->why, "device mlx5_0 takes no receive "
			  "buffers: Input/output error"));
	post_errno = 0;
	leave(0);
	TAP_EQUAL(join(0), 0);
	TAP_CHECK(eps[0]->rq != rq);
	TAP_EQUAL(nsrqs, 3);
	wf_list_init(&made.dev.work);
	for (int i = 0; i < HELD; i++)
		leave(i);
	/* the one that joined anew was of another queue; that of all others
	 * goes when a place for another one is needed */
	TAP_EQUAL(nsrqs, 3);
	for (int i = 0; i < HELD; i++)
		TAP_EQUAL(join(i), 0);
	TAP_EQUAL(nsrqs, 3);
	TAP_EQUAL(join(2 * HELD), 0);
	TAP_EQUAL(nsrqs, 3);
	leave(2 * HELD);
	for (int i = 0; i < HELD; i++)
		leave(i);
	for (int i = HELD; i < 2 * HELD; i++)
		leave(i);
	tear_down();
}

/* The only one: who comes then is refused, and does not wait for a place. */
static void the_only_one_fails(void)
{
	set_up(1);
	TAP_EQUAL(join(0), 0);
	eps[0]->ep.state = WF_EP_READY;
	wf_list_init(&eps[0]->work);
	wf_verbs_rq_fail(&made.dev, eps[0]->rq, "it has failed");
	TAP_EQUAL(join(1), EIO);
	wf_list_init(&made.dev.work);
	leave(0);
	TAP_EQUAL(join(0), 0);
	leave(0);
	tear_down();
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "twenty thousand peers share queues", shared },
		{ "signals keep their buffers", beside_signals },
		{ "more share what the device gives", shared_by_more },
		{ "without memory for another one", no_memory },
		{ "announced, but not there", announced },
		{ "each has its own", own },
		{ "buffers of a former queue pair", of_a_former_one },
		{ "buffers of a failed queue pair", of_a_failed_one },
		{ "one shared queue fails", one_fails },
		{ "the only shared queue fails", the_only_one_fails }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
