/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The device: protection domain, queues and buffers, and the table of the
 * backend.  It is opened only if the job has several nodes, or if
 * WEFT_TRANSPORT names it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/assert.h"
#include "base/config.h"
#include "base/log.h"
#include "boot/boot.h"
#include "transport/backends.h"
#include "transport/limits.h"
#include "transport/line.h"
#include "transport/memlock.h"
#include "transport/stubs.h"
#include "transport/verbs/verbs.h"
#include "transport/verbs/verbs_search.h"
#include "transport/word.h"

enum {
	PAGE = 4096,
	AMPLE = 1 << 30		/* bytes for the arena and the program */
};

static int open_failed(const struct wf_verbs *dev, const char *what, int error)
{
	char text[WF_VERBS_WHY] = "";

	if (error == ENOMEM || error == EAGAIN || error == EPERM)
		wf_memlock_tell(text, sizeof(text));
	wf_error(dev->env.log, "verbs: device %s gives no %s: %s%s",
		 ibv_get_device_name(dev->port.context->device), what,
		 strerror(error), text);
	return error == ENOMEM ? WEFT_ERR_NOMEM : WEFT_ERR_DEVICE;
}

static void unblock(int fd)
{
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

/* The interrupts of the device are spread over the ranks of the node. */
static int choose_vector(const struct wf_verbs *dev)
{
	int n = dev->port.context->num_comp_vectors;

	return n > 1 ? wf_boot_node_rank(dev->env.boot) % n : 0;
}

static int open_queues(struct wf_verbs *dev)
{
	const char *what;
	int error;

	dev->pd = ibv_alloc_pd(dev->port.context);
	if (!dev->pd)
		return open_failed(dev, "protection domain", errno);
	wf_forked_hold();
	dev->channel = ibv_create_comp_channel(dev->port.context);
	wf_forked_let_go();
	if (!dev->channel)
		return open_failed(dev, "completion channel", errno);
	unblock(dev->channel->fd);
	unblock(dev->port.context->async_fd);
	dev->vector = choose_vector(dev);
	error = wf_verbs_rq_open(dev, &what);
	return error ? open_failed(dev, what, error) : WEFT_OK;
}

static size_t buffer_bytes(void)
{
	size_t slots = (size_t)WF_VERBS_SLOTS * WF_VERBS_SLOT;
	size_t datagrams = (size_t)2 * WF_VERBS_UD * WF_VERBS_UD_BYTES;
	size_t all = slots + datagrams + WF_WORD_BYTES;

	return (all + PAGE - 1) / PAGE * PAGE;
}

/*
 * Before anything is registered: what is needed now, without the queues of the
 * driver; where little is left the first rank of a node warns of what may be
 * needed later.
 */
static int check_memlock(const struct wf_verbs *dev)
{
	uint64_t bytes = dev->buffer_bytes + wf_verbs_rq_bytes(dev) +
			 dev->env.segment->size;
	const char *name = ibv_get_device_name(dev->port.context->device);
	char text[WF_VERBS_WHY] = "";

	if (wf_memlock_allows(bytes + AMPLE))
		return WEFT_OK;
	wf_memlock_tell(text, sizeof(text));
	if (!wf_memlock_allows(bytes)) {
		wf_error(dev->env.log, "verbs: device %s needs %llu KiB of "
			 "locked memory%s", name,
			 (unsigned long long)bytes / 1024, text);
		return WEFT_ERR_NOMEM;
	}
	if (wf_boot_node_rank(dev->env.boot) == 0)
		wf_warn(dev->env.log, "verbs: device %s needs %llu KiB of "
			"locked memory for each rank, and more when the arena "
			"grows or memory is registered%s", name,
			(unsigned long long)bytes / 1024, text);
	return WEFT_OK;
}

/* What is bounced, said and thrown away. */
static int make_buffers(struct wf_verbs *dev)
{
	dev->buffers = aligned_alloc(PAGE, dev->buffer_bytes);
	if (!dev->buffers)
		return WEFT_ERR_NOMEM;
	dev->buffer_mr = ibv_reg_mr(dev->pd, dev->buffers, dev->buffer_bytes,
				    IBV_ACCESS_LOCAL_WRITE);
	if (!dev->buffer_mr)
		return open_failed(dev, "registration of its buffers", errno);
	dev->slots = dev->buffers;
	dev->datagrams = dev->slots + (size_t)WF_VERBS_SLOTS * WF_VERBS_SLOT;
	dev->sink = dev->datagrams + (size_t)2 * WF_VERBS_UD *
				     WF_VERBS_UD_BYTES;
	for (int i = WF_VERBS_SLOTS; i-- > 0;)
		dev->free_slot[dev->nfree++] = dev->slots +
			(size_t)i * WF_VERBS_SLOT;
	return WEFT_OK;
}

/* A queue pair that is joined to itself, and back again. */
static bool promises_order(struct wf_verbs *dev, struct wf_verbs_ep *ep)
{
	struct wf_verbs_hello hello = {
		.address = { .mtu = (uint8_t)dev->port.port.active_mtu,
			     .reads = 1, .lid = dev->port.port.lid,
			     .gids = dev->port.gids }
	};
	const char *what;
	bool promises;

	ep->ep.dev = &dev->dev;
	if (wf_verbs_rq_join(dev, ep, &what) || wf_verbs_qp_create(dev, ep))
		return false;
	hello.qpn = ep->qpn;
	hello.psn = ep->psn;
	hello.ece = ep->ece;
	promises = !wf_verbs_qp_join(dev, ep, &hello) &&
		   ibv_query_qp_data_in_order(ep->qp, IBV_WR_RDMA_WRITE,
					      0) == 1;
	wf_verbs_qp_destroy(ep);
	return promises;
}

/*
 * The promise is the device's, for what others write through a queue pair; it
 * is asked of one that could send, since before that some answer no.
 */
static bool keeps_order(struct wf_verbs *dev)
{
	struct wf_verbs_ep *ep;
	bool keeps;

	if (dev->env.config->ib_in_order)
		return true;
	ep = calloc(1, sizeof(*ep));
	if (!ep)
		return false;
	keeps = promises_order(dev, ep);
	wf_verbs_rq_leave(ep);
	if (dev->no_ece) {
		keeps = promises_order(dev, ep);
		wf_verbs_rq_leave(ep);
	}
	free(ep);
	return keeps;
}

static void fill_device(struct wf_verbs *dev)
{
	bool plain = keeps_order(dev);

	dev->dev.ops = &wf_verbs_tp;
	dev->dev.caps = WF_CAP_NETWORK | WF_CAP_FENCE | WF_CAP_LOCAL_ANY |
		WF_CAP_PUT_MAIL_ORDER | WF_CAP_TARGET_IDLE | WF_CAP_GET |
		WF_CAP_REPORTS | WF_CAP_SEES_CLOSED | WF_CAP_REG_PAYS |
		WF_CAP_ANSWERS | (plain ? WF_CAP_LINE_PLAIN : 0);
	if (wf_verbs_has_atomics(dev))
		dev->dev.caps |= WF_CAP_ATOMIC | WF_CAP_OWN_AGENT;
	if (wf_verbs_port_is_omni_path(&dev->port))
		dev->dev.caps |= WF_CAP_EMULATED;
	dev->dev.line_data = plain ? WF_LINE_DATA : WF_LL_DATA;
	dev->dev.mail_max = WF_MAIL_PAYLOAD;
	dev->dev.slot_max = WF_SLOT_NETWORK;
	dev->dev.chunk = WF_CHUNK_NETWORK;
	wf_info(dev->env.log, "verbs: device %s: lines carry %u bytes, "
		"completion vector %d of %d",
		ibv_get_device_name(dev->port.context->device),
		(unsigned)dev->dev.line_data, dev->vector,
		dev->port.context->num_comp_vectors);
	dev->dev.arena.dev = &dev->dev;
	dev->dev.arena.base = dev->env.segment->base;
	dev->dev.arena.bytes = dev->env.segment->limit;
	WF_ASSERT(wf_tp_check(&wf_verbs_tp, wf_verbs_has_atomics(dev) ?
			      &wf_verbs_ep_ops :
			      &wf_verbs_ep_ops_without_atomics,
			      dev->dev.caps));
}

static void free_queues(struct wf_verbs *dev)
{
	if (dev->ud)
		ibv_destroy_qp(dev->ud);
	wf_verbs_rqs_close(dev);
	wf_verbs_cqs_close(&dev->scqs);
	wf_verbs_cqs_close(&dev->rqs.cqs);
	if (dev->ucq)
		ibv_destroy_cq(dev->ucq);
	if (dev->channel)
		ibv_destroy_comp_channel(dev->channel);
}

static void take_down(struct wf_verbs *dev)
{
	size_t cursor = 0;
	void *hello;

	wf_verbs_unguard(dev);
	free_queues(dev);
	wf_verbs_forget_refusals(dev);
	wf_verbs_destroy_handles(dev, true);
	while (dev->nmrs)
		ibv_dereg_mr(dev->mr[--dev->nmrs]);
	if (dev->buffer_mr)
		ibv_dereg_mr(dev->buffer_mr);
	wf_verbs_bounce_fini(dev);
	if (dev->pd)
		ibv_dealloc_pd(dev->pd);
	ibv_close_device(dev->port.context);
	if (dev->door)
		wf_segment_free(dev->env.segment, dev->door);
	while (wf_map_next(&dev->strangers, &cursor, NULL, &hello))
		free(hello);
	wf_map_fini(&dev->strangers);
	wf_map_fini(&dev->eps);
	wf_map_fini(&dev->by_serial);
	wf_map_fini(&dev->by_qpn);
	wf_pool_fini(&dev->kept);
	free(dev->buffers);
	free(dev);
}

/* A power of two: the numbers of work requests wrap around. */
static uint32_t depth(const struct wf_verbs *dev)
{
	const struct ibv_device_attr *d = &dev->port.device;
	int most = d->max_qp_wr < d->max_cqe ? d->max_qp_wr : d->max_cqe;
	uint32_t n = WF_VERBS_SQ_LEAST;

	while (2 * n <= dev->env.config->ib_sq &&
	       2 * n + WF_VERBS_LETTERS <= (uint32_t)most)
		n *= 2;
	return n;
}

static int set_up(struct wf_verbs *dev)
{
	int status, error;

	dev->rqs.shares = wf_verbs_port_shares(&dev->port);
	dev->few_handles = wf_verbs_has_few_handles(dev);
	dev->depth = depth(dev);
	dev->buffer_bytes = buffer_bytes();
	status = check_memlock(dev);
	if (status)
		return status;
	status = wf_segment_alloc(dev->env.segment,
				  sizeof(struct wf_verbs_door), 64,
				  &dev->door);
	if (!status)
		status = open_queues(dev);
	if (!status)
		status = make_buffers(dev);
	if (status)
		return status;
	fill_device(dev);
	error = wf_verbs_ud_open(dev);
	if (error)
		return open_failed(dev, "datagram queue pair", error);
	/* The key of its beginning goes into each hello. */
	return wf_verbs_cover(dev);
}

/*
 * Before anything is registered.  Where the kernel gives a child copies of the
 * pages that a device writes to, it would only take them from the child.
 */
static void make_forks_safe(void)
{
	if (ibv_is_fork_initialized() != IBV_FORK_UNNEEDED)
		ibv_fork_init();
}

static struct wf_verbs *make(const struct wf_tp_env *env)
{
	struct wf_verbs *dev = calloc(1, sizeof(*dev));

	if (!dev)
		return NULL;
	dev->env = *env;
	wf_map_init(&dev->eps);
	wf_map_init(&dev->by_serial);
	wf_map_init(&dev->by_qpn);
	wf_map_init(&dev->strangers);
	wf_map_init(&dev->refused);
	wf_map_init(&dev->rqs.by_number);
	wf_list_init(&dev->rqs.shared);
	wf_list_init(&dev->work);
	wf_list_init(&dev->calling);
	wf_list_init(&dev->leaving);
	wf_list_init(&dev->refusals);
	wf_list_init(&dev->regions);
	wf_pool_init(&dev->kept, sizeof(struct wf_verbs_request),
		     WF_VERBS_KEPT);
	return dev;
}

/* With the best port of those that were found open, and nothing else. */
static struct wf_verbs *choose(const struct wf_tp_env *env,
			       struct wf_verbs_search *s)
{
	struct wf_verbs *dev = make(env);

	s->env = env;
	if (dev)
		wf_verbs_choose(s, &dev->port);
	wf_forked_hold();
	wf_verbs_search_end(s, dev ? dev->port.context : NULL);
	if (dev)
		wf_verbs_guard(dev);
	wf_forked_let_go();
	return dev;
}

/* By the last query of this thread, for open(), which opens nothing again. */
static _Thread_local struct wf_verbs_search *found;

static struct wf_verbs_search *take_found(void)
{
	struct wf_verbs_search *s = found;

	found = NULL;
	return s;
}

static void verbs_forget(void)
{
	struct wf_verbs_search *s = take_found();

	if (!s)
		return;
	wf_forked_hold();
	wf_verbs_search_end(s, NULL);
	wf_forked_let_go();
}

/* A machine without memory for it is told so by open(). */
static int verbs_query(const struct wf_tp_env *env, char *why,
		       size_t why_bytes)
{
	int status;

	verbs_forget();
	if (wf_boot_node_count(env->boot) <= 1 &&
	    !wf_tp_is_named(env->config, "verbs")) {
		snprintf(why, why_bytes, "all ranks are on one node, and "
			 "WEFT_TRANSPORT does not name it");
		return WEFT_ERR_UNSUPPORTED;
	}
	status = wf_verbs_look(env, env->log, &found, why, why_bytes);
	return status == WEFT_ERR_NOMEM ? WEFT_OK : status;
}

static size_t verbs_offer(const struct wf_tp_env *env, void *to, size_t bytes)
{
	struct wf_verbs_networks own;
	size_t n;

	(void)env;
	if (!found)
		return 0;
	wf_verbs_search_networks(found, &own);
	n = (size_t)own.n * sizeof(own.at[0]);
	if (n > bytes)
		n = bytes / sizeof(own.at[0]) * sizeof(own.at[0]);
	memcpy(to, own.at, n);
	return n;
}

static int verbs_open(const struct wf_tp_env *env, struct wf_device **dev_p)
{
	struct wf_verbs_search *s = take_found();
	char why[WF_VERBS_WHY];
	struct wf_verbs *dev;
	int status = WEFT_OK;

	/* before anything is registered */
	make_forks_safe();
	if (!s)
		status = wf_verbs_look(env, env->log, &s, why, sizeof(why));
	if (status)
		return status;
	dev = choose(env, s);
	if (!dev)
		return WEFT_ERR_NOMEM;
	/* Other ranks may have let this one wait since it was found. */
	if (wf_boot_node_count(env->boot) > 1)
		wf_verbs_look_again(dev);
	dev->ud_failed = false;
	/* The first block of it, so that no post has to allocate one. */
	wf_pool_put(&dev->kept, wf_pool_get(&dev->kept));
	status = set_up(dev);
	if (status) {
		take_down(dev);
		return status;
	}
	*dev_p = &dev->dev;
	return WEFT_OK;
}

static void verbs_close(struct wf_device *base)
{
	struct wf_verbs *dev = wf_verbs_dev(base);

	WF_ASSERT(!wf_map_count(&dev->eps));
	wf_verbs_ud_close(dev);
	take_down(dev);
}

static int verbs_address(struct wf_device *base, void *to, size_t bytes,
			 size_t *n_p)
{
	struct wf_verbs_address a;

	if (bytes < sizeof(a))
		return wf_tp_too_long(&wf_verbs_dev(base)->env, "verbs",
				      sizeof(a), bytes);
	wf_verbs_fill_address(wf_verbs_dev(base), &a);
	memcpy(to, &a, sizeof(a));
	*n_p = sizeof(a);
	return WEFT_OK;
}

/*
 * Without what the driver holds: the send queues, and completion queues.
 * Shared receive queues are those that are there: peers may bring more.
 */
static void verbs_memory(const struct wf_device *base,
			 struct wf_tp_memory *m_p)
{
	const struct wf_verbs *dev = (const struct wf_verbs *)base;

	m_p->fixed = sizeof(*dev) + dev->buffer_bytes +
		     (dev->rqs.shares ? dev->rqs.posted * WF_VERBS_SLOT : 0) +
		     wf_verbs_bounce_bytes(&dev->bounce) +
		     WF_VERBS_KEPT * sizeof(struct wf_verbs_request);
	m_p->per_ep = wf_verbs_ep_bytes(dev->depth) +
		      (dev->rqs.shares ? 0 : wf_verbs_rq_bytes(dev));
}

const struct wf_tp_ops wf_verbs_tp = {
	"verbs",
	verbs_query,
	verbs_offer,
	verbs_forget,
	verbs_open,
	verbs_close,
	wf_verbs_reg,
	wf_verbs_release,
	wf_verbs_key,
	wf_stub_reach,
	verbs_address,
	wf_verbs_connect,
	wf_verbs_disconnect,
	wf_verbs_fence,
	wf_verbs_progress,
	wf_verbs_arm,
	wf_verbs_disarm,
	wf_verbs_descriptor,
	wf_stub_joined,
	wf_stub_tell,
	wf_stub_board,
	verbs_memory
};
