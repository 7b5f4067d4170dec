/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Local operands: where the adapter reads what is put, and writes what was
 * got.  It reaches registered memory only, and the rooms above may give any.
 *
 *   few bytes         go into the work request itself
 *   a region's        by its key; also an address inside of the segment or of
 *                     a region, which is looked for
 *   up to a slot      copied into, or out of, bounce memory
 *   anything else     registered for this one operation, which is slow: who
 *                     sends from the same memory again registers it
 */
#include <errno.h>
#include <string.h>
#include "transport/verbs/verbs.h"

static const struct ibv_mr *segment_mr(struct wf_verbs *dev, uint64_t end)
{
	if (end > dev->covered && wf_verbs_cover(dev))
		return NULL;
	return end <= dev->covered ? dev->mr[dev->nmrs - 1] : NULL;
}

/* The registration that has all n bytes at p; NULL: none. */
static const struct ibv_mr *find(struct wf_verbs *dev, const void *p, size_t n)
{
	uint64_t offset;

	if (wf_segment_has(dev->env.segment, p, n, &offset))
		return segment_mr(dev, offset + n);
	for (struct wf_list *at = dev->regions.next; at != &dev->regions;
	     at = at->next) {
		struct wf_verbs_region *r =
			wf_container(at, struct wf_verbs_region, link);
		uintptr_t from = (uintptr_t)p - (uintptr_t)r->region.base;

		if (from >= r->region.bytes || n > r->region.bytes - from)
			continue;
		/* It is likely to be asked for again. */
		wf_list_del(at);
		wf_list_add_head(&dev->regions, at);
		return r->mr;
	}
	return NULL;
}

static const struct ibv_mr *mr_of(struct wf_verbs *dev, struct wf_loc loc,
				  size_t n)
{
	const struct wf_region *region = loc.region;

	if (!region)
		return find(dev, wf_loc_address(loc), n);
	if (region == &dev->dev.arena)
		return segment_mr(dev, loc.offset + n);
	if (region == &dev->dev.anywhere)
		return find(dev, wf_loc_address(loc), n);
	return ((const struct wf_verbs_region *)region)->mr;
}

static void add_piece(struct wf_verbs_post *p, const void *at, size_t n,
		      uint32_t key)
{
	p->sge[p->wr.num_sge++] = (struct ibv_sge){ (uintptr_t)at,
						    (uint32_t)n, key };
	p->entry.bytes += (uint32_t)n;
}

static int register_for(struct wf_verbs_ep *ep, void *at, size_t n,
			int access, struct wf_verbs_post *p)
{
	struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);

	p->entry.mr = ibv_reg_mr(dev->pd, at, n, access);
	if (!p->entry.mr) {
		/* What is under way gives its own back. */
		if (ep->head != ep->tail)
			return WEFT_AGAIN;
		return wf_verbs_not_registered(dev, n, errno);
	}
	p->entry.holds = true;
	add_piece(p, at, n, p->entry.mr->lkey);
	return WEFT_OK;
}

int wf_verbs_source(struct wf_verbs_ep *ep, struct wf_loc src, size_t n,
		    struct wf_verbs_post *p)
{
	struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);
	void *from = wf_loc_address(src);
	const struct ibv_mr *mr;

	if (n + p->entry.bytes <= ep->inline_max) {
		p->copied = true;
		add_piece(p, from, n, 0);
		return WEFT_OK;
	}
	mr = mr_of(dev, src, n);
	if (mr) {
		p->entry.holds = true;
		add_piece(p, from, n, mr->lkey);
		return WEFT_OK;
	}
	if (n + WF_HEAD_BYTES > WF_VERBS_SLOT)
		return register_for(ep, from, n, 0, p);
	if (!p->entry.slot)
		p->entry.slot = wf_verbs_take_slot(ep);
	if (!p->entry.slot)
		return WEFT_AGAIN;
	memcpy(p->entry.slot + p->entry.bytes, from, n);
	add_piece(p, p->entry.slot + p->entry.bytes, n, dev->buffer_mr->lkey);
	return WEFT_OK;
}

/* In front of a source that is too long to be inline. */
int wf_verbs_head(struct wf_verbs_ep *ep, const char *head,
		  struct wf_verbs_post *p)
{
	struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);

	p->entry.slot = wf_verbs_take_slot(ep);
	if (!p->entry.slot)
		return WEFT_AGAIN;
	memcpy(p->entry.slot, head, WF_HEAD_BYTES);
	add_piece(p, p->entry.slot, WF_HEAD_BYTES, dev->buffer_mr->lkey);
	return WEFT_OK;
}

int wf_verbs_target(struct wf_verbs_ep *ep, struct wf_loc dst, size_t n,
		    struct wf_verbs_post *p)
{
	struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);
	void *to = wf_loc_address(dst);
	const struct ibv_mr *mr = mr_of(dev, dst, n);

	p->entry.holds = true;
	if (mr) {
		add_piece(p, to, n, mr->lkey);
		return WEFT_OK;
	}
	if (n > WF_VERBS_SLOT)
		return register_for(ep, to, n, IBV_ACCESS_LOCAL_WRITE, p);
	p->entry.slot = wf_verbs_take_slot(ep);
	if (!p->entry.slot)
		return WEFT_AGAIN;
	p->entry.to = to;
	add_piece(p, p->entry.slot, n, dev->buffer_mr->lkey);
	return WEFT_OK;
}
