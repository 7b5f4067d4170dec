/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bounce memory of the verbs backend for what does not fit into a slot: 1 MiB,
 * registered once, when it is first needed.  What is put from memory that is
 * not registered is copied there, up to 256 KiB in parts of 64: that takes less
 * time than to register it, and its source is free at once.
 */
#ifndef WEFT_TRANSPORT_VERBS_BOUNCE_H
#define WEFT_TRANSPORT_VERBS_BOUNCE_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wf_verbs;
struct wf_verbs_ep;

enum {
	WF_VERBS_BOUNCED = 64 << 10,	/* bytes, at most */
	WF_VERBS_BOUNCE_UNIT = 8 << 10,	/* what is copied takes some in a row */
	WF_VERBS_BOUNCE_UNITS = 128,
	WF_VERBS_BOUNCE_OP = 32,	/* of them, for one operation, */
	WF_VERBS_BOUNCE_EP = 64		/* and for one endpoint */
};

struct wf_verbs_bounce {
	char *memory;			/* NULL: not needed so far */
	struct ibv_mr *mr;
	bool lacks;			/* it could not be made */
	uint8_t run[WF_VERBS_BOUNCE_UNITS];	/* units of what begins there,
						   or 0 */
};

/*
 * Room for n bytes.  WEFT_AGAIN: what the endpoint has under way gives back its
 * own.  *to_p is NULL where there is none, and it has nothing to wait for: it
 * has to register then.
 */
int wf_verbs_bounce_take(struct wf_verbs_ep *ep, size_t n, char **to_p);

/* Does it take n bytes in parts of so many now, with all that goes along? */
bool wf_verbs_bounce_fits(struct wf_verbs_ep *ep, size_t n, size_t part);

void wf_verbs_bounce_give(struct wf_verbs_ep *ep, const char *at);

void wf_verbs_bounce_fini(struct wf_verbs *dev);

/* What it takes by now. */
static inline size_t wf_verbs_bounce_bytes(const struct wf_verbs_bounce *b)
{
	return b->memory ? WF_VERBS_BOUNCE_UNITS * WF_VERBS_BOUNCE_UNIT : 0;
}

#endif
