/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where longer messages do better another way: of each device, in bytes, the
 * longest one for a landing slot (slot_max) and the parts of those that go
 * through chunk slots (chunk).  As measured: docs/rationale.md, "plan".
 */
#ifndef WEFT_TRANSPORT_LIMITS_H
#define WEFT_TRANSPORT_LIMITS_H

#include "base/config.h"
#include "transport/objects.h"

enum {
	WF_SLOT_LEAST = 1 << 10,	/* slot_max of none is less by itself */
	WF_SLOT_COLL = 4 << 10,		/* nor that of collectives */

	/* Memory that both ends see: each message crosses to the other core. */
	WF_SLOT_SHARED = 1 << 10,
	WF_SLOT_CROWDED = 16 << 10,	/* who must answer has no core */
	WF_CHUNK_SHARED = 16 << 10,

	/* A ready line takes as long as the way of many bytes. */
	WF_SLOT_NETWORK = 64 << 10,
	WF_CHUNK_NETWORK = 256 << 10
};

/* What the user has set goes before what was measured. */
static inline void wf_limits_set(struct wf_device *dev,
				 const struct wf_config *config)
{
	if (config->slot_max != WF_CONFIG_AUTO)
		dev->slot_max = (uint32_t)config->slot_max;
	if (config->chunk != WF_CONFIG_AUTO)
		dev->chunk = (uint32_t)config->chunk;
}

#endif
