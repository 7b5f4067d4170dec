/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Asynchronous events of the device: what each means, and whose trouble it is.
 * That of a queue pair is mended like any lost path; that of the device, or of
 * a queue that several share, ends their endpoints, since nothing comes by it
 * any more.  Of a port its LID, GIDs and partitions are read again.  One that
 * is down takes no action here: paths over it get lost, and are made anew for
 * WEFT_IB_RECONNECT.
 */
#include <stdio.h>
#include <string.h>
#include "base/config.h"
#include "base/log.h"
#include "boot/boot.h"
#include "transport/verbs/verbs.h"

enum whose {
	NOBODY,				/* all goes on */
	QUEUE_PAIR,
	RECEIVERS,			/* of a shared receive queue */
	EVERYBODY,
	PORT				/* of the device, perhaps not ours */
};

/* The level is that of ours. */
static const struct kind {
	enum whose whose;
	enum wf_log_level level;
	const char *text;
} kinds[] = {
	[IBV_EVENT_CQ_ERR] = { EVERYBODY, WF_LOG_ERROR,
		"a completion queue has failed or overrun: nothing can be "
		"known of what is under way" },
	[IBV_EVENT_QP_FATAL] = { QUEUE_PAIR, WF_LOG_DEBUG,
		"the device has ended the queue pair" },
	[IBV_EVENT_QP_REQ_ERR] = { QUEUE_PAIR, WF_LOG_DEBUG,
		"the peer has sent what the queue pair does not take" },
	[IBV_EVENT_QP_ACCESS_ERR] = { QUEUE_PAIR, WF_LOG_DEBUG,
		"the peer has named memory that it may not reach" },
	[IBV_EVENT_COMM_EST] = { NOBODY, WF_LOG_DEBUG,
		"something came before the connection was complete" },
	[IBV_EVENT_SQ_DRAINED] = { NOBODY, WF_LOG_DEBUG,
		"a send queue is drained" },
	[IBV_EVENT_PATH_MIG] = { NOBODY, WF_LOG_DEBUG,
		"a path has migrated" },
	[IBV_EVENT_PATH_MIG_ERR] = { NOBODY, WF_LOG_DEBUG,
		"a path could not migrate" },
	[IBV_EVENT_DEVICE_FATAL] = { EVERYBODY, WF_LOG_ERROR,
		"the device has failed or was removed: see the kernel log of "
		"this host" },
	[IBV_EVENT_PORT_ACTIVE] = { PORT, WF_LOG_WARN, "the port is up" },
	[IBV_EVENT_PORT_ERR] = { PORT, WF_LOG_WARN,
		"the port is down: operations wait until it is up again, for "
		"WEFT_IB_RECONNECT at most; is its cable in, and its switch "
		"on?" },
	[IBV_EVENT_LID_CHANGE] = { PORT, WF_LOG_WARN,
		"the LID has changed: those that are connected are called by "
		"the new one, and others may not find this rank" },
	[IBV_EVENT_PKEY_CHANGE] = { PORT, WF_LOG_INFO,
		"the table of partitions has changed" },
	[IBV_EVENT_SM_CHANGE] = { PORT, WF_LOG_INFO,
		"the subnet manager has changed" },
	[IBV_EVENT_SRQ_ERR] = { RECEIVERS, WF_LOG_ERROR,
		"a shared receive queue has failed: nothing can come by it "
		"any more" },
	[IBV_EVENT_SRQ_LIMIT_REACHED] = { NOBODY, WF_LOG_DEBUG,
		"a shared receive queue runs low" },
	[IBV_EVENT_QP_LAST_WQE_REACHED] = { NOBODY, WF_LOG_DEBUG,
		"a queue pair in error takes no more receive buffers" },
	[IBV_EVENT_CLIENT_REREGISTER] = { PORT, WF_LOG_INFO,
		"the subnet manager asks for registrations" },
	[IBV_EVENT_GID_CHANGE] = { PORT, WF_LOG_INFO,
		"the table of GIDs has changed" },
	[IBV_EVENT_WQ_FATAL] = { NOBODY, WF_LOG_DEBUG,
		"a work queue has failed, and weft has none" }
};

static const struct kind *kind_of(enum ibv_event_type type)
{
	static const struct kind unknown = {
		NOBODY, WF_LOG_INFO, "an event that this weft does not know"
	};

	return type < sizeof(kinds) / sizeof(kinds[0]) ? &kinds[type] :
							 &unknown;
}

static void say(struct wf_verbs *dev, const struct kind *kind,
		enum ibv_event_type type)
{
	const char *name = ibv_get_device_name(dev->port.context->device);

	WF_LOG_IF(dev->env.log, kind->level, "verbs: device %s port %d: %s "
		  "(event \"%s\")", name, dev->port.number, kind->text,
		  ibv_event_type_str(type));
}

/* Of oneself: another queue pair would fail in the same way. */
static bool is_own_fault(const struct wf_verbs *dev,
			 const struct wf_verbs_ep *ep, enum ibv_event_type type)
{
	return ep->ep.rank == wf_boot_rank(dev->env.boot) &&
	       type != IBV_EVENT_QP_FATAL;
}

/* The one of datagrams is revived by the next look at it. */
static void end_queue_pair(struct wf_verbs *dev,
			   const struct ibv_async_event *event,
			   const struct kind *kind)
{
	const struct ibv_qp *qp = event->element.qp;
	struct wf_verbs_ep *ep = wf_map_get(&dev->by_qpn, qp->qp_num);

	if (qp == dev->ud)
		dev->ud_failed = true;
	if (!ep)
		return;
	wf_debug(dev->env.log, "verbs: queue pair of rank %d: %s",
		 ep->ep.rank, kind->text);
	if (is_own_fault(dev, ep, event->event_type))
		wf_verbs_break(ep, kind->text);
	else if (!ep->life.lost)
		wf_verbs_lose(ep, kind->text);
}

/* Nor does anybody connect any more. */
void wf_verbs_break_all(struct wf_verbs *dev, const char *why)
{
	size_t cursor = 0;
	void *ep;

	snprintf(dev->failed, sizeof(dev->failed), "%s", why);
	while (wf_map_next(&dev->eps, &cursor, NULL, &ep))
		wf_verbs_break(ep, why);
}

static void end_receivers(struct wf_verbs *dev, const struct ibv_srq *srq,
			  const struct kind *kind)
{
	struct wf_verbs_rq *rq = wf_verbs_rq_of(dev, srq);
	char why[WF_VERBS_WHY];

	if (!rq)
		return;
	snprintf(why, sizeof(why), "device %s: %s",
		 ibv_get_device_name(dev->port.context->device), kind->text);
	wf_verbs_rq_fail(dev, rq, why);
}

static void end_device(struct wf_verbs *dev, const struct kind *kind)
{
	char why[WF_VERBS_WHY];

	snprintf(why, sizeof(why), "device %s: %s",
		 ibv_get_device_name(dev->port.context->device), kind->text);
	wf_verbs_break_all(dev, why);
}

/* By the former one nothing comes any more. */
static void leave_lid(struct wf_verbs *dev)
{
	size_t cursor = 0;
	void *at;

	while (wf_map_next(&dev->eps, &cursor, NULL, &at)) {
		struct wf_verbs_ep *ep = at;

		if (ep->ep.state == WF_EP_READY && !ep->life.lost &&
		    !ep->ep.gone)
			wf_verbs_lose(ep, "the LID of the own port has "
				      "changed");
	}
}

/*
 * By an index that somebody has chosen there may be another GID now, whose
 * place is looked for when it is used; so it is with one of another kind.
 */
static bool keeps_gids(const struct wf_verbs *dev,
		       const struct wf_verbs_port *now)
{
	return dev->env.config->ib_gid_index != WF_CONFIG_AUTO ||
	       now->roce_v1 != dev->port.roce_v1;
}

/* Hellos, and queue pairs from now on, are of the port as it is. */
void wf_verbs_look_again(struct wf_verbs *dev)
{
	struct wf_verbs_port was = dev->port, now = {
		.context = was.context, .device = was.device,
		.number = was.number, .pkey = was.pkey,
		.pkey_index = was.pkey_index, .tried = was.gids,
		.traffic_class = was.traffic_class
	};

	if (wf_verbs_judge_port(&dev->env, NULL, &now))
		return;
	if (keeps_gids(dev, &now)) {
		now.gids = was.gids;
		now.roce_v1 = was.roce_v1;
		memcpy(now.gid_index, was.gid_index, sizeof(now.gid_index));
	}
	dev->port = now;
	if (now.pkey_index != was.pkey_index)
		dev->ud_failed = true;
	if (now.port.lid != was.port.lid)
		leave_lid(dev);
}

static void handle(struct wf_verbs *dev, const struct ibv_async_event *event)
{
	const struct kind *kind = kind_of(event->event_type);

	if (kind->whose == QUEUE_PAIR) {
		end_queue_pair(dev, event, kind);
		return;
	}
	if (kind->whose == PORT && event->element.port_num != dev->port.number)
		return;
	say(dev, kind, event->event_type);
	if (kind->whose == PORT)
		wf_verbs_look_again(dev);
	if (kind->whose == RECEIVERS)
		end_receivers(dev, event->element.srq, kind);
	if (kind->whose == EVERYBODY)
		end_device(dev, kind);
}

void wf_verbs_look_at_events(struct wf_verbs *dev)
{
	struct ibv_async_event event;

	while (!ibv_get_async_event(dev->port.context, &event)) {
		handle(dev, &event);
		ibv_ack_async_event(&event);
	}
}
