/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an asynchronous event of the device does to the endpoints, and what is
 * said of it.
 */
#include <errno.h>
#include <string.h>
#include "tests/tap.h"
#include "tests/unit/verbs_made.h"

/* The port cannot be asked, as far as the library has it from its header. */
int (ibv_query_port)(struct ibv_context *context, uint8_t port,
		     struct _compat_ibv_port_attr *attr)
{
	(void)context;
	(void)port;
	(void)attr;
	return ENODEV;
}

/* The one that comes next; then there is none. */
static struct ibv_async_event event;
static int to_come, acknowledged;

int ibv_get_async_event(struct ibv_context *context,
			struct ibv_async_event *event_p)
{
	TAP_CHECK(context == &made.context);
	if (!to_come) {
		errno = EAGAIN;
		return -1;
	}
	to_come--;
	*event_p = event;
	return 0;
}

void ibv_ack_async_event(struct ibv_async_event *seen)
{
	TAP_EQUAL(seen->event_type, event.event_type);
	acknowledged++;
}

static void comes(enum ibv_event_type type)
{
	event.event_type = type;
	to_come = 1;
	acknowledged = 0;
	wf_verbs_look_at_events(&made.dev);
	TAP_EQUAL(acknowledged, 1);
}

static void says(const char *part)
{
	if (!TAP_CHECK(strstr(made.lines, part)))
		tap_diag("\"%s\" lacks \"%s\"", made.lines, part);
}

/* Which endpoint is what the union means. */
static void aim(enum ibv_event_type type)
{
	switch (type) {
	case IBV_EVENT_QP_FATAL:
	case IBV_EVENT_QP_REQ_ERR:
	case IBV_EVENT_QP_ACCESS_ERR:
		event.element.qp = &made.qp;
		break;
	default:
		event.element.port_num = made.dev.port.number;
	}
}

static void each_has_one(void)
{
	for (int i = IBV_EVENT_CQ_ERR; i <= IBV_EVENT_WQ_FATAL; i++) {
		verbs_made_open();
		aim((enum ibv_event_type)i);
		comes((enum ibv_event_type)i);
		TAP_CHECK(strlen(made.lines) > 40);
		TAP_CHECK(!strstr(made.lines, "does not know"));
		TAP_CHECK(!strstr(made.lines, "(null)"));
		verbs_made_close();
	}
}

static void unknown(void)
{
	verbs_made_open();
	aim((enum ibv_event_type)(IBV_EVENT_WQ_FATAL + 1));
	comes((enum ibv_event_type)(IBV_EVENT_WQ_FATAL + 1));
	says("an event that this weft does not know");
	TAP_CHECK(!made.ep->ep.broken && !made.ep->life.lost);
	verbs_made_close();
}

static void queue_pair(enum ibv_event_type type)
{
	struct ibv_qp other = { .qp_num = 78 };

	verbs_made_open();
	event.element.qp = &other;
	comes(type);
	TAP_CHECK(!made.ep->life.lost);
	event.element.qp = &made.qp;
	comes(type);
	TAP_CHECK(made.ep->life.lost && !made.ep->ep.broken);
	TAP_CHECK(!wf_list_empty(&made.dev.work));
	says("queue pair of rank 5: ");
	TAP_CHECK(*made.ep->why);
	verbs_made_close();
}

static void queue_pairs(void)
{
	queue_pair(IBV_EVENT_QP_FATAL);
	queue_pair(IBV_EVENT_QP_REQ_ERR);
	queue_pair(IBV_EVENT_QP_ACCESS_ERR);
}

/* Without it nobody could make contact any more. */
static void datagrams(void)
{
	struct ibv_qp ud = { .qp_num = 79 };

	verbs_made_open();
	made.dev.ud = &ud;
	event.element.qp = &ud;
	comes(IBV_EVENT_QP_FATAL);
	TAP_CHECK(made.dev.ud_failed);
	TAP_CHECK(!made.ep->life.lost);
	verbs_made_close();
}

static void everybody(enum ibv_event_type type, const char *text)
{
	verbs_made_open();
	comes(type);
	TAP_CHECK(made.ep->ep.broken);
	says("weft: error: verbs: device mlx5_0 port 2: ");
	says(text);
	TAP_CHECK(strstr(made.ep->why, text));
	verbs_made_close();
}

/* Another backend may do: it is not broken, and says why. */
static void connecting(enum ibv_event_type type, const char *why)
{
	verbs_made_open();
	made.ep->ep.state = WF_EP_CONNECTING;
	made.ep->ep.where = made.ep->why;
	/* no other queue pair is tried any more */
	made.ep->life.tries = UINT8_MAX;
	aim(type);
	comes(type);
	TAP_EQUAL(made.ep->ep.state, WF_EP_REFUSED);
	TAP_CHECK(!made.ep->ep.broken && !made.ep->ep.where);
	TAP_CHECK(made.ep->ep.lack && strstr(made.ep->ep.lack, why));
	verbs_made_close();
}

/* First others are tried, when the event is acknowledged. */
static void before_others_are_tried(void)
{
	verbs_made_open();
	made.ep->ep.state = WF_EP_CONNECTING;
	aim(IBV_EVENT_QP_FATAL);
	comes(IBV_EVENT_QP_FATAL);
	TAP_EQUAL(made.ep->ep.state, WF_EP_CONNECTING);
	TAP_CHECK(made.ep->life.unfit && !wf_list_empty(&made.ep->work));
	TAP_EQUAL(made.ep->life.tries, 1);
	verbs_made_close();
}

static void before_it_is_ready(void)
{
	before_others_are_tried();
	connecting(IBV_EVENT_QP_FATAL, "the device has ended the queue pair");
	connecting(IBV_EVENT_DEVICE_FATAL, "the device has failed");
}

static void removed(void)
{
	everybody(IBV_EVENT_DEVICE_FATAL,
		  "the device has failed or was removed: see the kernel log");
}

static void shared_queues(void)
{
	everybody(IBV_EVENT_CQ_ERR,
		  "a completion queue has failed or overrun");
	event.element.srq = &made.srq;
	everybody(IBV_EVENT_SRQ_ERR, "a shared receive queue has failed");
}

static void port(void)
{
	verbs_made_open();
	event.element.port_num = made.dev.port.number;
	comes(IBV_EVENT_PORT_ERR);
	says("weft: warn: verbs: device mlx5_0 port 2: the port is down: "
	     "operations wait until it is up again, for WEFT_IB_RECONNECT at "
	     "most");
	TAP_CHECK(!made.ep->life.lost && !made.ep->ep.broken);
	comes(IBV_EVENT_PORT_ACTIVE);
	says("weft: warn: verbs: device mlx5_0 port 2: the port is up");
	verbs_made_close();
}

static void other_port(void)
{
	verbs_made_open();
	event.element.port_num = made.dev.port.number - 1;
	comes(IBV_EVENT_PORT_ERR);
	comes(IBV_EVENT_PORT_ACTIVE);
	TAP_EQUAL(*made.lines, '\0');
	verbs_made_close();
}

static void several(void)
{
	verbs_made_open();
	event.element.port_num = made.dev.port.number;
	event.event_type = IBV_EVENT_SM_CHANGE;
	acknowledged = 0;
	to_come = 3;
	wf_verbs_look_at_events(&made.dev);
	TAP_EQUAL(acknowledged, 3);
	verbs_made_close();
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "each event has a sentence", each_has_one },
		{ "an event that is unknown", unknown },
		{ "a queue pair loses its path", queue_pairs },
		{ "the queue pair of datagrams is revived", datagrams },
		{ "a contact ends before it is ready", before_it_is_ready },
		{ "the device is removed", removed },
		{ "a queue of all fails", shared_queues },
		{ "the port is down, and up", port },
		{ "another port of the device", other_port },
		{ "several at once", several }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
