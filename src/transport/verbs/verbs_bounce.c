/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounce memory: see verbs_bounce.h. */
#include "transport/verbs/verbs_bounce.h"

#include <stdlib.h>
#include "transport/verbs/verbs.h"

enum {
	PAGE = 4096,
	BYTES = WF_VERBS_BOUNCE_UNITS * WF_VERBS_BOUNCE_UNIT
};

/* Without it messages are registered one by one, and those that fail tell. */
static bool make(struct wf_verbs *dev)
{
	struct wf_verbs_bounce *b = &dev->bounce;

	b->memory = aligned_alloc(PAGE, BYTES);
	if (b->memory)
		b->mr = ibv_reg_mr(dev->pd, b->memory, BYTES,
				   IBV_ACCESS_LOCAL_WRITE);
	if (b->mr)
		return true;
	free(b->memory);
	b->memory = NULL;
	b->lacks = true;
	return false;
}

/* The first of n free units in a row; WF_VERBS_BOUNCE_UNITS: there are none. */
static int find(const struct wf_verbs_bounce *b, int n)
{
	int free = 0;

	for (int i = 0; i < WF_VERBS_BOUNCE_UNITS; i++) {
		if (b->run[i]) {
			free = 0;
			i += b->run[i] - 1;
		} else if (++free == n) {
			return i + 1 - n;
		}
	}
	return WF_VERBS_BOUNCE_UNITS;
}

static int units_of(size_t n)
{
	return (int)((n + WF_VERBS_BOUNCE_UNIT - 1) / WF_VERBS_BOUNCE_UNIT);
}

static bool is_there(struct wf_verbs *dev)
{
	return dev->bounce.memory || (!dev->bounce.lacks && make(dev));
}

/* How many runs of so many free units are there? */
static size_t count_runs(const struct wf_verbs_bounce *b, int n)
{
	size_t runs = 0;
	int free = 0;

	for (int i = 0; i < WF_VERBS_BOUNCE_UNITS; i++) {
		free++;
		if (b->run[i]) {
			free = 0;
			i += b->run[i] - 1;
		} else if (free == n) {
			free = 0;
			runs++;
		}
	}
	return runs;
}

/* A last part that is short takes a slot, and a head that is not inline. */
static bool has_slots(const struct wf_verbs_ep *ep)
{
	int needed = ep->inline_max < sizeof(uint64_t) ? 2 : 1;

	return wf_verbs_has_slots(ep, needed);
}

bool wf_verbs_bounce_fits(struct wf_verbs_ep *ep, size_t n, size_t part)
{
	struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);
	size_t parts = (n + part - 1) / part, units = (size_t)units_of(part);
	size_t all = parts * units;

	return part <= WF_VERBS_BOUNCED && all <= WF_VERBS_BOUNCE_OP &&
	       all <= (size_t)(WF_VERBS_BOUNCE_EP - ep->bounced) &&
	       has_slots(ep) && is_there(dev) &&
	       count_runs(&dev->bounce, (int)units) >= parts;
}

/* What other endpoints have may be on a path that is lost, for long. */
int wf_verbs_bounce_take(struct wf_verbs_ep *ep, size_t n, char **to_p)
{
	struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);
	struct wf_verbs_bounce *b = &dev->bounce;
	int units = units_of(n), at;

	*to_p = NULL;
	if (n > WF_VERBS_BOUNCED || !is_there(dev))
		return WEFT_OK;
	if (ep->bounced + units > WF_VERBS_BOUNCE_EP)
		return WEFT_AGAIN;
	at = find(b, units);
	if (at == WF_VERBS_BOUNCE_UNITS)
		return ep->bounced ? WEFT_AGAIN : WEFT_OK;
	b->run[at] = (uint8_t)units;
	ep->bounced += units;
	*to_p = b->memory + (size_t)at * WF_VERBS_BOUNCE_UNIT;
	return WEFT_OK;
}

void wf_verbs_bounce_give(struct wf_verbs_ep *ep, const char *at)
{
	struct wf_verbs_bounce *b = &wf_verbs_dev(ep->ep.dev)->bounce;
	size_t unit = (size_t)(at - b->memory) / WF_VERBS_BOUNCE_UNIT;

	ep->bounced -= b->run[unit];
	b->run[unit] = 0;
}

void wf_verbs_bounce_fini(struct wf_verbs *dev)
{
	if (dev->bounce.mr)
		ibv_dereg_mr(dev->bounce.mr);
	free(dev->bounce.memory);
}
