/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A simulated rank with a device and no job.
 */
#include "tests/sim/node.h"

#include <string.h>
#include "transport/line.h"

static void deliver(void *arg, struct wf_ep *ep, const struct wf_mail *mail,
		    const void *payload)
{
	struct node *node = arg;

	(void)payload;
	if (mail->kind == NODE_BYE) {
		node->bye[ep->rank] = true;
		return;
	}
	node->from[node->mails % NODE_MAILS] = ep->rank;
	node->mail[node->mails++ % NODE_MAILS] = *mail;
}

/* node_open() connects to everybody anyway. */
static void contact(void *arg, int rank)
{
	(void)arg;
	(void)rank;
}

static void suspect(void *arg, int rank, const char *why)
{
	struct node *node = arg;

	node->suspected++;
	if (!node->may_suspect)
		wf_sim_fail(node->rank, "suspects rank %d: %s", rank, why);
}

static void told(void *arg, int rank, bool left)
{
	struct node *node = arg;

	(void)left;
	node->told = rank;
}

bool node_open_alone(struct node *node, struct wf_sim_rank *rank)
{
	char *none[] = { NULL };
	struct wf_tp_env env = {
		.log = &node->log, .config = &node->config,
		.segment = &node->segment, .signals = &node->signals,
		.random = &node->random,
		.up = { deliver, contact, suspect, told, node },
		.world = wf_sim_world(rank),
	};
	char why[200] = "";

	memset(node, 0, sizeof(*node));
	node->rank = rank;
	node->told = -1;
	wf_log_init(&node->log, WF_LOG_WARN, "node");
	wf_random_init(&node->random, wf_sim_seed(rank));
	if (wf_config_read(&node->config, none, why, sizeof(why)) ||
	    wf_segment_open(&node->segment, WF_SEGMENT_ANONYMOUS, 1 << 20,
			    16 << 20) ||
	    wf_signals_init(&node->signals, &node->segment) ||
	    wf_sim_tp.query(&env, why, sizeof(why)) ||
	    wf_sim_tp.open(&env, &node->dev)) {
		wf_sim_fail(rank, "no device: %s", why);
		return false;
	}
	return true;
}

bool node_open(struct node *node, struct wf_sim_rank *rank)
{
	int size = wf_sim_size(rank);

	if (!node_open_alone(node, rank))
		return false;
	for (int i = 0; i < size; i++) {
		const struct wf_tp_peer peer = { .rank = i };

		if (wf_sim_tp.connect(node->dev, &peer, &node->ep[i])) {
			wf_sim_fail(rank, "no endpoint to rank %d", i);
			return false;
		}
	}
	for (int i = 0; i < size; i++)
		while (node->ep[i]->state == WF_EP_CONNECTING &&
		       node->told != i)
			node_wait(node);
	return true;
}

void node_wait(struct node *node)
{
	if (!wf_sim_tp.progress(node->dev))
		wf_sim_idle(node->rank, UINT64_MAX);
}

static bool lives(const struct node *node, int rank)
{
	return rank != node->told;
}

static void part(struct node *node, int i)
{
	struct wf_ep *ep = node->ep[i];

	while (ep->ops->flush(ep, WF_FLUSH_REMOTE) == WEFT_AGAIN ||
	       (lives(node, i) && !(node->bye[i] &&
				    wf_ep_flushed(ep, ep->posted))))
		node_wait(node);
	if (!lives(node, i))
		while (wf_sim_tp.fence(ep) == WEFT_INPROGRESS)
			node_wait(node);
	wf_sim_tp.disconnect(ep);
}

void node_close(struct node *node)
{
	int size = wf_sim_size(node->rank);

	/* A bye comes after all that was posted before is visible. */
	for (int i = 0; i < size; i++) {
		struct wf_ep *ep = node->ep[i];

		while (lives(node, i) &&
		       (ep->ops->flush(ep, WF_FLUSH_REMOTE) ||
			!wf_ep_flushed(ep, ep->posted)))
			node_wait(node);
	}
	for (int i = 0; i < size; i++)
		if (lives(node, i) && node->ep[i]->state == WF_EP_READY)
			node_mail(node, i, NODE_BYE, 0);
	for (int i = 0; i < size; i++)
		part(node, i);
	wf_sim_tp.close(node->dev);
	wf_signals_fini(&node->signals);
	wf_segment_close(&node->segment);
}

/* True: the op has to be repeated. */
static bool again(struct node *node, int to, int status)
{
	if (!status || !lives(node, to))
		return false;
	if (status != WEFT_AGAIN) {
		wf_sim_fail(node->rank, "an op to rank %d: %s", to,
			    weft_status_name(status));
		return false;
	}
	node_wait(node);
	return true;
}

void node_mail(struct node *node, int to, uint8_t kind, uint32_t word)
{
	const struct wf_mail mail = { .kind = kind, .word = word };
	struct wf_ep *ep = node->ep[to];

	while (again(node, to, ep->ops->mail(ep, &mail, NULL)))
		;
}

void node_line(struct node *node, int to, struct wf_rloc dst,
	       const void *data, uint32_t n, uint32_t seq)
{
	struct wf_ep *ep = node->ep[to];

	while (again(node, to, wf_ep_line(ep, dst, data, n, seq)))
		;
}

void node_put(struct node *node, int to, const void *src, struct wf_rloc dst,
	      size_t n, uint32_t sig)
{
	struct wf_ep *ep = node->ep[to];

	while (again(node, to, ep->ops->put_signal(ep, wf_loc_any(src), dst, n,
						   sig, NULL)))
		;
}
