/* SPDX-License-Identifier: BSD-3-Clause */
/* What every test of a made-up device starts from: see verbs_made.h. */
#include "tests/unit/verbs_made.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/tap.h"

struct verbs_made made;

static void keep(void *arg, const char *line, size_t n)
{
	size_t used = strlen(made.lines);

	(void)arg;
	if (TAP_CHECK(used + n < sizeof(made.lines)))
		memcpy(made.lines + used, line, n);
}

static void suspect(void *arg, int rank, const char *why)
{
	(void)arg;
	(void)why;
	TAP_EQUAL(rank, made.ep->ep.rank);
}

static void deliver(void *arg, struct wf_ep *ep, const struct wf_mail *mail,
		    const void *payload)
{
	(void)arg;
	(void)mail;
	(void)payload;
	TAP_CHECK(ep == &made.ep->ep);
	made.mails++;
}

static void note(const struct ibv_send_wr *wr)
{
	struct made_post *post = &made.post[made.nposts++];

	if (!TAP_CHECK(made.nposts < MADE_POSTS))
		exit(1);
	*post = (struct made_post){
		.wr = *wr, .reports = wr->send_flags & IBV_SEND_SIGNALED
	};
	if (wr->num_sge)
		memcpy(post->bytes, (void *)(uintptr_t)wr->sg_list->addr,
		       wr->sg_list->length < MADE_BYTES ?
		       wr->sg_list->length : MADE_BYTES);
}

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr,
		     struct ibv_send_wr **bad)
{
	int error = made.refuse;

	TAP_CHECK(qp == made.ep->qp);
	made.refuse = 0;
	*bad = wr;
	for (; !error && wr; wr = wr->next)
		note(wr);
	return error;
}

static int poll_cq(struct ibv_cq *cq, int entries, struct ibv_wc *wc)
{
	(void)cq;
	(void)entries;
	(void)wc;
	return 0;
}

static void give_gid(struct wf_verbs_gids *gids, const char *text)
{
	gids->n = 1;
	TAP_EQUAL(inet_pton(AF_INET6, text, gids->gid[0]), 1);
}

static void make_device(void)
{
	struct wf_verbs *dev = &made.dev;

	strcpy(made.device.name, "mlx5_0");
	dev->port.device.atomic_cap = IBV_ATOMIC_HCA;
	made.context.device = &made.device;
	made.context.ops.post_send = post_send;
	made.context.ops.poll_cq = poll_cq;
	made.cq.context = &made.context;
	dev->rqs.cqs.cq[0].cq = &made.cq;
	dev->rqs.cqs.n = 1;
	made.rq.srq = &made.srq;
	made.rq.cq = &made.room;
	wf_list_init(&made.rq.eps);
	wf_list_init(&made.rq.link);
	TAP_EQUAL(wf_map_put(&dev->rqs.by_number, 0, &made.rq), WEFT_OK);
	dev->buffer_mr = &made.mr;
	dev->sink = (char *)&made.sink;
	dev->port.context = &made.context;
	dev->port.number = 2;
	dev->port.traffic_class = 106;
	dev->port.port.active_mtu = IBV_MTU_4096;
	dev->port.port.max_msg_sz = 1u << 30;
	give_gid(&dev->port.gids, "::ffff:10.9.0.1");
	wf_random_init(&made.random, 1);
	dev->env = (struct wf_tp_env){
		.log = &made.log, .random = &made.random,
		.config = &made.config, .boot = &made.boot,
		.up = { .deliver = deliver, .suspect = suspect }
	};
	wf_list_init(&dev->work);
	wf_list_init(&dev->calling);
	wf_list_init(&dev->leaving);
	wf_list_init(&dev->refusals);
	wf_pool_init(&dev->kept, sizeof(struct wf_verbs_request), 1);
}

static void make_endpoint(void)
{
	struct wf_verbs_ep *ep = calloc(1, wf_verbs_ep_bytes(WF_VERBS_SQ));

	if (!ep)
		exit(1);
	made.ep = ep;
	ep->depth = WF_VERBS_SQ;
	made.qp.context = &made.context;
	made.qp.qp_num = 77;
	ep->qp = &made.qp;
	ep->cq = &made.room;
	ep->qpn = made.qp.qp_num;
	ep->serial = 3;
	ep->ep.dev = &made.dev.dev;
	ep->ep.ops = &wf_verbs_ep_ops;
	ep->ep.rank = 5;
	ep->ep.state = WF_EP_READY;
	ep->inline_max = 64;
	strcpy(ep->host, "n7");
	ep->address.mtu = IBV_MTU_1024;
	give_gid(&ep->address.gids, "::ffff:10.9.0.2");
	wf_list_init(&ep->work);
	wf_list_init(&ep->calling);
	wf_list_init(&ep->receives);
	ep->rq = &made.rq;
	made.rq.neps = 1;
	wf_list_add_tail(&made.rq.eps, &ep->receives);
	TAP_EQUAL(wf_map_put(&made.dev.by_serial, ep->serial, ep), WEFT_OK);
	TAP_EQUAL(wf_map_put(&made.dev.by_qpn, ep->qpn, ep), WEFT_OK);
	TAP_EQUAL(wf_map_put(&made.dev.eps, 5, ep), WEFT_OK);
}

void verbs_made_open(void)
{
	static char *const settings[] = { NULL };
	char why[200];

	memset(&made, 0, sizeof(made));
	TAP_EQUAL(wf_config_read(&made.config, settings, why, sizeof(why)),
		  WEFT_OK);
	wf_log_init(&made.log, WF_LOG_DEBUG, "");
	made.log.write = keep;
	made.boot.size = 8;
	make_device();
	make_endpoint();
}

void verbs_made_complete(int n, enum ibv_wc_status status)
{
	struct ibv_wc wc = {
		.wr_id = made.post[n].wr.wr_id, .status = status,
		.qp_num = made.ep->qpn
	};

	TAP_CHECK(made.post[n].reports || status);
	wf_verbs_complete(&made.dev, &wc);
}

void verbs_made_close(void)
{
	wf_verbs_forget_raised(made.ep);
	free(made.ep);
	wf_verbs_forget_refusals(&made.dev);
	wf_verbs_destroy_handles(&made.dev, true);
	wf_map_fini(&made.dev.eps);
	wf_map_fini(&made.dev.rqs.by_number);
	wf_map_fini(&made.dev.by_serial);
	wf_map_fini(&made.dev.by_qpn);
	wf_pool_fini(&made.dev.kept);
}
