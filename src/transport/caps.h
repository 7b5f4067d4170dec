/* SPDX-License-Identifier: BSD-3-Clause */
/* What a device of the transport can do: see docs/transport-map.md. */
#ifndef WEFT_TRANSPORT_CAPS_H
#define WEFT_TRANSPORT_CAPS_H

enum wf_tp_cap {
	WF_CAP_FENCE = 1u << 0,		/* fence() ends a peer's writes */
	WF_CAP_LOCAL_ANY = 1u << 1,	/* local operands need no region */
	WF_CAP_PUT_MAIL_ORDER = 1u << 2,/* a mail arrives after earlier puts */
	WF_CAP_TARGET_IDLE = 1u << 3,	/* puts land while the peer computes */
	WF_CAP_LINE_PLAIN = 1u << 4,	/* lines are in the plain encoding */
	WF_CAP_LINE_WAKES = 1u << 5,	/* a line ends a blocking wait */
	WF_CAP_GET = 1u << 6,
	WF_CAP_ATOMIC = 1u << 7,	/* fetch_add and cas */
	WF_CAP_ANYWHERE = 1u << 8,	/* dev->anywhere has keys */
	WF_CAP_OWN_AGENT = 1u << 9,	/* its atomics are no CPU's */
	WF_CAP_REPORTS = 1u << 10,	/* raises of signals take room until
					 * progress has seen them, as long as
					 * there is some: signals.h */
	WF_CAP_SEES_CLOSED = 1u << 11,	/* connect() to who has closed ends */
	WF_CAP_REG_PAYS = 1u << 12,	/* a long source that is in no region
					 * is made one for each op, slowly */
	WF_CAP_NETWORK = 1u << 13,	/* it joins also different nodes */
	WF_CAP_TELLS_LEAVING = 1u << 14,/* tell() can be of oneself */
	WF_CAP_ANSWERS = 1u << 15,	/* posts arrive while the peer's process
					 * lives, in whatever it does, and
					 * no longer */
	WF_CAP_MAPPED = 1u << 16,	/* this process can store into arenas of
					 * its peers: reach() */
	WF_CAP_EMULATED = 1u << 17,	/* the driver emulates the adapter's
					 * work requests by packets */
	WF_CAP_NATIVE = 1u << 18	/* it drives such an adapter itself:
					 * peers are asked by it first */
};

#endif
