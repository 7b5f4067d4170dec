/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The first RDMA device of this machine for the conformance suite; without one
 * its programs skip.  Compiled once for each encoding of lines; the one for
 * LL has short queues and little inline, so that most signals are stored by
 * the peer, and bytes come from bounce memory.
 */
#include <infiniband/verbs.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include "tests/transport/fixture.h"
#include "transport/backends.h"
#include "transport/verbs/verbs.h"

static char transport[] = "WEFT_TRANSPORT=verbs";
#ifdef FIXTURE_VERBS_PLAIN
enum { ENCODING_CAPS = WF_CAP_LINE_PLAIN };
static char order[] = "WEFT_IB_IN_ORDER=y", queue[] = "WEFT_IB_SRQ=1024",
	ring[] = "WEFT_IB_SQ=64", bytes[] = "WEFT_IB_INLINE=128";
#else
enum { ENCODING_CAPS = 0 };
static char order[] = "WEFT_IB_IN_ORDER=n", queue[] = "WEFT_IB_SRQ=64",
	ring[] = "WEFT_IB_SQ=16", bytes[] = "WEFT_IB_INLINE=8";
#endif
static char *const settings[] = {
	transport, order, queue, ring, bytes, NULL
};

/* The kernel works for a device in software; the test device needs no time. */
static void idle(void *world)
{
	struct timespec pause = { 0, 10000 };

	(void)world;
	if (getenv("VERBS_DEVICE"))
		sched_yield();
	else
		nanosleep(&pause, NULL);
}

static const char *lacks(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	bool found = list && *list;

	if (list)
		ibv_free_device_list(list);
	return found ? NULL : "no RDMA device here; make check-rdma has one";
}

static size_t own_receives(const struct wf_device *dev)
{
	const struct wf_verbs *verbs = (const struct wf_verbs *)dev;

	return verbs->rqs.shares ? 0 : wf_verbs_rq_bytes(verbs);
}

const struct fixture_backend fixture_backend = {
	.name = "verbs",
	.tp = &wf_verbs_tp,
	.kind = WF_SEGMENT_MEMFD,
	.environ = settings,
	.lacks = lacks,
	.idle = idle,
	.own_receives = own_receives,
	.caps = WF_CAP_NETWORK | WF_CAP_FENCE | WF_CAP_LOCAL_ANY |
		WF_CAP_PUT_MAIL_ORDER |
		WF_CAP_TARGET_IDLE | WF_CAP_GET | WF_CAP_ATOMIC |
		WF_CAP_OWN_AGENT | WF_CAP_REPORTS | WF_CAP_SEES_CLOSED |
		WF_CAP_REG_PAYS | WF_CAP_ANSWERS | ENCODING_CAPS,
	.wakes = true,
	.pins = true,
	.keyed = true
};
