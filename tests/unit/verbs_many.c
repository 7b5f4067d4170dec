/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queue pairs to very many peers, of a device that has nothing behind them:
 * few completion queues hold all that they may post, also where the device has
 * small ones, or no memory for large ones.
 */
#include <errno.h>
#include <stdlib.h>
#include "base/random.h"
#include "tests/tap.h"
#include "tests/unit/verbs_made.h"

enum {
	PEERS = 20000,
	POSTS = WF_VERBS_SQ + WF_VERBS_LETTERS	/* of each */
};

struct ibv_cq *__wrap_ibv_create_cq(struct ibv_context *context, int entries,
				    void *cq_context,
				    struct ibv_comp_channel *channel,
				    int vector);
struct ibv_qp *__wrap_ibv_create_qp(struct ibv_pd *pd,
				    struct ibv_qp_init_attr *attr);
int __wrap_ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask);
int __wrap_ibv_destroy_qp(struct ibv_qp *qp);
int __wrap_ibv_query_ece(struct ibv_qp *qp, struct ibv_ece *ece);

static struct ibv_cq cqs[WF_VERBS_CQS];
static int64_t room[WF_VERBS_CQS];	/* entries that are not taken */
static int ncqs;
static int largest;			/* for which there is memory */
static uint32_t nqps;

struct ibv_cq *__wrap_ibv_create_cq(struct ibv_context *context, int entries,
				    void *cq_context,
				    struct ibv_comp_channel *channel,
				    int vector)
{
	(void)context;
	(void)cq_context;
	(void)channel;
	(void)vector;
	TAP_CHECK(entries <= made.dev.port.device.max_cqe);
	TAP_CHECK(ncqs < WF_VERBS_CQS);
	errno = ENOMEM;
	if (entries > largest)
		return NULL;
	room[ncqs] = entries;
	return &cqs[ncqs++];
}

struct ibv_qp *__wrap_ibv_create_qp(struct ibv_pd *pd,
				    struct ibv_qp_init_attr *attr)
{
	struct ibv_qp *qp = calloc(1, sizeof(*qp));

	(void)pd;
	if (!qp)
		exit(1);
	room[attr->send_cq - cqs] -= attr->cap.max_send_wr;
	TAP_CHECK(room[attr->send_cq - cqs] >= 0);
	qp->qp_num = ++nqps;
	qp->send_cq = attr->send_cq;
	return qp;
}

int __wrap_ibv_query_ece(struct ibv_qp *qp, struct ibv_ece *ece)
{
	(void)qp;
	(void)ece;
	return EOPNOTSUPP;
}

int __wrap_ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	(void)qp;
	(void)attr;
	(void)mask;
	return 0;
}

int __wrap_ibv_destroy_qp(struct ibv_qp *qp)
{
	room[qp->send_cq - cqs] += POSTS;
	free(qp);
	return 0;
}

/* How many of them got one. */
static int connect_all(struct wf_verbs_ep **eps)
{
	int n = 0;

	for (; n < PEERS; n++) {
		eps[n] = calloc(1, sizeof(**eps));
		if (!eps[n])
			exit(1);
		eps[n]->ep.dev = &made.dev.dev;
		eps[n]->rq = &made.rq;
		eps[n]->ep.state = WF_EP_CONNECTING;
		if (wf_verbs_qp_create(&made.dev, eps[n]))
			break;
	}
	return n;
}

static void peers(int max_cqe, int memory, int most)
{
	static struct wf_verbs_ep *eps[PEERS];
	struct wf_random random;
	int n;

	verbs_made_open();
	wf_random_init(&random, 1);
	made.dev.env.random = &random;
	made.dev.depth = WF_VERBS_SQ;
	made.dev.port.device.max_cqe = max_cqe;
	largest = memory;
	ncqs = 0;
	n = connect_all(eps);
	TAP_EQUAL(n, PEERS);
	TAP_CHECK(ncqs <= most);
	for (int i = 0; i < n; i++) {
		wf_verbs_qp_destroy(eps[i]);
		free(eps[i]);
	}
	for (int i = 0; i < WF_VERBS_CQS; i++)
		cqs[i].context = &made.context;
	/* what they have left is polled, and then */
	wf_verbs_complete_all(&made.dev);
	/* all of it is used again */
	TAP_EQUAL(connect_all(eps), PEERS);
	TAP_CHECK(ncqs <= most);
	for (int i = 0; i < PEERS; i++) {
		wf_verbs_qp_destroy(eps[i]);
		free(eps[i]);
	}
	verbs_made_close();
}

static void of_a_large_device(void)
{
	peers(1 << 22, 1 << 22, 9);
}

static void of_a_small_one(void)
{
	peers((1 << 16) - 1, 1 << 16, 26);
}

static void without_memory(void)
{
	peers(1 << 22, 1 << 15, 45);
}

/* Of a device that has one completion queue, for one queue pair. */
static void one_by_one(void)
{
	struct wf_verbs_ep ep = { .ep.dev = &made.dev.dev, .rq = &made.rq,
				  .ep.state = WF_EP_CONNECTING };
	struct wf_random random;

	verbs_made_open();
	wf_random_init(&random, 1);
	made.dev.env.random = &random;
	made.dev.depth = WF_VERBS_SQ;
	made.dev.port.device.max_cqe = POSTS;
	largest = POSTS;
	ncqs = 0;
	for (int i = 0; i < WF_VERBS_CQS; i++)
		cqs[i].context = &made.context;
	for (int i = 0; i < 10; i++) {
		TAP_EQUAL(wf_verbs_qp_create(&made.dev, &ep), WEFT_OK);
		wf_verbs_qp_destroy(&ep);
	}
	TAP_EQUAL(ncqs, 1);
	verbs_made_close();
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "twenty thousand peers", of_a_large_device },
		{ "of a device with small queues", of_a_small_one },
		{ "without memory for large ones", without_memory },
		{ "one behind the other", one_by_one }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
