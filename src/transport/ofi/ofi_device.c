/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The device: domain, endpoint, queues and buffers, and the table of the
 * backend.  It is opened only if the job has several nodes, or if
 * WEFT_TRANSPORT names it: the look for providers alone takes 0.1 s.
 */
#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>
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
#include "transport/ofi/ofi_choose.h"
#include "transport/region.h"
#include "transport/segment.h"
#include "transport/stubs.h"

enum {
	CQ_ENTRIES = 256,
	AV_ENTRIES = 64,
	PAGE = 4096,
	NOWHERE_BYTES = 64		/* a cache line that nobody reads */
};

static const size_t buffer_bytes = (size_t)WF_OFI_TX * WF_OFI_BOUNCE;

static int ofi_query(const struct wf_tp_env *env, char *why, size_t why_bytes)
{
	struct wf_ofi_lib lib;
	struct fi_info *info;
	int status;

	if (wf_boot_node_count(env->boot) <= 1 &&
	    !wf_tp_is_named(env->config, "ofi")) {
		snprintf(why, why_bytes, "all ranks are on one node, and "
			 "WEFT_TRANSPORT does not name it");
		return WEFT_ERR_UNSUPPORTED;
	}
	status = wf_ofi_load(&lib, why, why_bytes);
	if (status)
		return status;
	/* open() chooses again, and says what it sees. */
	status = wf_ofi_choose(env, &lib, NULL, &info);
	if (!status) {
		lib.freeinfo(info);
		return WEFT_OK;
	}
	if (status == WEFT_ERR_NOMEM) {
		snprintf(why, why_bytes, "no memory for what libfabric has");
		return WEFT_ERR_UNSUPPORTED;
	}
	wf_ofi_choose(env, &lib, env->log, &info);
	snprintf(why, why_bytes, "libfabric has no provider that fits%s%s%s%s",
		 *env->config->ofi_provider ? "; WEFT_OFI_PROVIDER is " : "",
		 env->config->ofi_provider,
		 *env->config->ofi_interface ? "; WEFT_OFI_INTERFACE is " : "",
		 env->config->ofi_interface);
	return WEFT_ERR_UNSUPPORTED;
}

int wf_ofi_open_failed(const struct wf_ofi *dev, const struct fi_info *info,
		       const char *call, int result)
{
	char reason[WF_OFI_WHY];

	wf_ofi_reason(dev, result, reason);
	wf_error(dev->env.log, "ofi: %s of provider %s on %s failed: %s",
		 call, info->fabric_attr->prov_name, info->domain_attr->name,
		 reason);
	return result == -FI_ENOMEM ? WEFT_ERR_NOMEM : WEFT_ERR_DEVICE;
}

static int open_objects(struct wf_ofi *dev)
{
	struct fi_av_attr av = { .type = FI_AV_TABLE, .count = AV_ENTRIES };
	int result = dev->lib.fabric(dev->info->fabric_attr, &dev->fabric,
				     NULL);

	if (result)
		return wf_ofi_open_failed(dev, dev->info, "fi_fabric", result);
	result = fi_domain(dev->fabric, dev->info, &dev->domain, NULL);
	if (result)
		return wf_ofi_open_failed(dev, dev->info, "fi_domain", result);
	result = wf_ofi_open_cq(dev, CQ_ENTRIES);
	if (result)
		return wf_ofi_open_failed(dev, dev->info, "fi_cq_open", result);
	result = fi_av_open(dev->domain, &av, &dev->av, NULL);
	return result ? wf_ofi_open_failed(dev, dev->info, "fi_av_open",
					   result) : WEFT_OK;
}

static int make_buffers(struct wf_ofi *dev)
{
	char *at = aligned_alloc(PAGE, (buffer_bytes + PAGE - 1) /
				 PAGE * PAGE);

	dev->buffers = at;
	if (!at)
		return WEFT_ERR_NOMEM;
	for (int i = 0; i < WF_OFI_TX; i++, at += WF_OFI_BOUNCE) {
		dev->tx[i].bounce = at;
		wf_list_add_tail(&dev->free, &dev->tx[i].link);
	}
	return WEFT_OK;
}

static bool is_rxm(const struct wf_ofi *dev)
{
	return strstr(dev->info->fabric_attr->prov_name, "ofi_rxm");
}

/*
 * A connection that breaks is made anew, and nobody is told: what has no
 * completion is lost without a word.  tcp has its own RDM endpoints since 1.18.
 */
static bool makes_anew(const struct wf_ofi *dev)
{
	return is_rxm(dev) || wf_ofi_is_tcp(dev->info);
}

/* What the provider promises decides how lines and flushes are done. */
static void fill_device(struct wf_ofi *dev)
{
	uint64_t order = dev->info->tx_attr->msg_order;
	uint64_t wanted = FI_ORDER_WAW | FI_ORDER_WAS | FI_ORDER_SAW;
	bool plain;

	/* Their order may be promised for short ones only. */
	dev->ordered = (order & wanted) == wanted &&
		dev->info->ep_attr->max_order_waw_size >= WF_OFI_MOST;
	/* A guard needs the order. */
	dev->guarded = dev->ordered && makes_anew(dev);
	/*
	 * An injected operation has no context, and ofi_rxm (1.17 at least)
	 * looks into it when the connection breaks: the process would end.
	 * tcp says nothing of one that is lost.
	 */
	if (dev->ordered && !makes_anew(dev))
		dev->inject = dev->info->tx_attr->inject_size;
	/*
	 * FI_ORDER_WAW says nothing of the bytes of one write.  A provider
	 * that writes what it reads from a stream, in the target's own
	 * progress, keeps their order all the same.
	 */
	plain = dev->ordered && !dev->env.config->ofi_ll &&
		wf_ofi_is_tcp(dev->info);
	dev->dev.ops = &wf_ofi_tp;
	dev->dev.caps = WF_CAP_NETWORK | WF_CAP_LOCAL_ANY | WF_CAP_GET |
		WF_CAP_ATOMIC |
		(wf_ofi_is_native(dev->info) ? WF_CAP_NATIVE : 0) |
		(order & FI_ORDER_SAW ? WF_CAP_PUT_MAIL_ORDER : 0) |
		(plain ? WF_CAP_LINE_PLAIN : 0) |
		(wf_ofi_lines_wake(dev) ? WF_CAP_LINE_WAKES : 0) |
		(wf_ofi_can_knock(dev) ? WF_CAP_SEES_CLOSED : 0);
	dev->dev.line_data = plain ? WF_LINE_DATA : WF_LL_DATA;
	dev->dev.mail_max = WF_MAIL_PAYLOAD;
	dev->dev.slot_max = WF_SLOT_NETWORK;
	dev->dev.chunk = WF_CHUNK_NETWORK;
	dev->dev.arena.dev = &dev->dev;
	dev->dev.arena.base = dev->env.segment->base;
	dev->dev.arena.bytes = dev->env.segment->limit;
	WF_ASSERT(wf_tp_check(&wf_ofi_tp, &wf_ofi_ep_ops, dev->dev.caps));
}

static void take_down(struct wf_ofi *dev)
{
	size_t cursor = 0;
	void *hello;

	if (dev->buffers && is_rxm(dev) && !wf_ofi_is_tcp(dev->info))
		wf_ofi_empty(dev);
	wf_ofi_close_sources(dev);
	while (dev->nmrs)
		fi_close(&dev->mr[--dev->nmrs]->fid);
	if (dev->av)
		fi_close(&dev->av->fid);
	if (dev->cq)
		fi_close(&dev->cq->fid);
	if (dev->domain)
		fi_close(&dev->domain->fid);
	if (dev->fabric)
		fi_close(&dev->fabric->fid);
	if (dev->info)
		dev->lib.freeinfo(dev->info);
	if (dev->nowhere)
		wf_segment_free(dev->env.segment, dev->nowhere);
	while (wf_map_next(&dev->strangers, &cursor, NULL, &hello))
		free(hello);
	wf_map_fini(&dev->strangers);
	wf_map_fini(&dev->eps);
	free(dev->buffers);
	free(dev);
}

static int set_up(struct wf_ofi *dev)
{
	char why[WF_OFI_WHY];
	struct wf_rloc nowhere;
	int status = wf_ofi_load(&dev->lib, why, sizeof(why));

	if (!status)
		status = wf_ofi_choose(&dev->env, &dev->lib, dev->env.log,
				       &dev->info);
	if (!status)
		status = open_objects(dev);
	if (status)
		return status;
	fill_device(dev);
	status = make_buffers(dev);
	if (!status)
		status = wf_ofi_open_sources(dev);
	if (!status)
		status = wf_segment_alloc(dev->env.segment, NOWHERE_BYTES,
					  NOWHERE_BYTES, &dev->nowhere);
	/* Its key goes into each hello. */
	return status ? status : wf_ofi_key(&dev->dev.arena, dev->nowhere,
					    &nowhere);
}

static int ofi_open(const struct wf_tp_env *env, struct wf_device **dev_p)
{
	struct wf_ofi *dev = calloc(1, sizeof(*dev));
	int status;

	if (!dev)
		return WEFT_ERR_NOMEM;
	dev->env = *env;
	dev->wait_fd = -1;
	wf_map_init(&dev->eps);
	wf_map_init(&dev->strangers);
	wf_list_init(&dev->free);
	wf_list_init(&dev->work);
	wf_list_init(&dev->unguarded);
	wf_list_init(&dev->doubtful);
	status = set_up(dev);
	if (status) {
		take_down(dev);
		return status;
	}
	*dev_p = &dev->dev;
	return WEFT_OK;
}

static void ofi_close(struct wf_device *base)
{
	WF_ASSERT(!wf_map_count(&wf_ofi_dev(base)->eps));
	take_down(wf_ofi_dev(base));
}

static int add_name(const struct wf_ofi *dev, struct wf_ofi_address *a, int i)
{
	struct sockaddr_storage name = { .ss_family = AF_UNSPEC };
	size_t n = sizeof(name);
	int result = wf_ofi_name_source(dev, i, &name, &n);

	if (result == -FI_ETOOSMALL ||
	    (!result && !wf_ofi_address_add(a, dev->info->addr_format, &name,
					    n)))
		return wf_tp_too_long(&dev->env,
				      dev->info->fabric_attr->prov_name, n,
				      sizeof(a->name));
	return result ? wf_ofi_open_failed(dev, dev->source[i].info,
					   "fi_getname", result) : WEFT_OK;
}

uint8_t wf_ofi_address_flags(const struct wf_ofi *dev)
{
	bool plain = dev->dev.caps & WF_CAP_LINE_PLAIN;

	return (uint8_t)((plain ? WF_OFI_LINES_PLAIN : 0) |
			 (is_rxm(dev) ? WF_OFI_LAYERED : 0));
}

static int ofi_address(struct wf_device *base, void *to, size_t bytes,
		       size_t *n_p)
{
	const struct wf_ofi *dev = wf_ofi_dev(base);
	struct wf_ofi_address a = { .version = WF_OFI_VERSION,
				    .flags = wf_ofi_address_flags(dev) };
	int status = WEFT_OK;

	for (int i = 0; !status && i < dev->nsources; i++)
		status = add_name(dev, &a, i);
	if (status)
		return status;
	if (bytes < sizeof(a))
		return wf_tp_too_long(&dev->env, "ofi", sizeof(a), bytes);
	wf_ofi_provider_name(dev->info, a.provider);
	memcpy(to, &a, sizeof(a));
	*n_p = sizeof(a);
	return WEFT_OK;
}

/* Without what libfabric holds, which grows with connections, too. */
static void ofi_memory(const struct wf_device *base, struct wf_tp_memory *m_p)
{
	const struct wf_ofi *dev = (const struct wf_ofi *)base;

	m_p->fixed = sizeof(*dev) + buffer_bytes;
	for (int i = 0; i < dev->nsources; i++)
		if (dev->source[i].buffers)
			m_p->fixed += (size_t)WF_OFI_RX * WF_OFI_RX_BYTES;
	m_p->per_ep = sizeof(struct wf_ofi_ep);
}

const struct wf_tp_ops wf_ofi_tp = {
	"ofi",
	ofi_query,
	wf_stub_offer,
	wf_stub_forget,
	ofi_open,
	ofi_close,
	wf_region_reg,
	wf_region_release,
	wf_ofi_key,
	wf_stub_reach,
	ofi_address,
	wf_ofi_connect,
	wf_ofi_disconnect,
	wf_stub_fence,
	wf_ofi_progress,
	wf_ofi_arm,
	wf_stub_disarm,
	wf_ofi_descriptor,
	wf_stub_joined,
	wf_stub_tell,
	wf_stub_board,
	ofi_memory
};
