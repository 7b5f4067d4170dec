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
#include "transport/verbs/verbs_post.h"
#include "transport/word.h"

static const struct ibv_mr *segment_mr(struct wf_verbs *dev, uint64_t end)
{
	if (end > dev->covered && wf_verbs_cover(dev))
		return NULL;
	return end <= dev->covered ? dev->mr[dev->nmrs - 1] : NULL;
}

/* The registration that has all n bytes at p for this; NULL: none. */
static const struct ibv_mr *find(struct wf_verbs *dev, const void *p, size_t n,
				 bool written)
{
	uint64_t offset;

	if (wf_segment_has(dev->env.segment, p, n, &offset))
		return segment_mr(dev, offset + n);
	for (struct wf_list *at = dev->regions.next, *next;
	     at != &dev->regions; at = next) {
		struct wf_verbs_region *r =
			wf_container(at, struct wf_verbs_region, link);
		uintptr_t from = (uintptr_t)p - (uintptr_t)r->region.base;

		next = at->next;
		if (r->region.apart) {
			wf_list_del(at);
			continue;
		}
		if (from >= r->region.bytes || n > r->region.bytes - from ||
		    (written && r->read_only))
			continue;
		/* It is likely to be asked for again. */
		wf_list_del(at);
		wf_list_add_head(&dev->regions, at);
		return r->mr;
	}
	return NULL;
}

static const struct ibv_mr *mr_of(struct wf_verbs *dev, struct wf_loc loc,
				  size_t n, bool written)
{
	const struct wf_region *region = loc.region;

	if (!region)
		return find(dev, wf_loc_address(loc), n, written);
	if (region == &dev->dev.arena)
		return segment_mr(dev, loc.offset + n);
	if (region == &dev->dev.anywhere)
		return find(dev, wf_loc_address(loc), n, written);
	return ((const struct wf_verbs_region *)region)->mr;
}

static void add_piece(struct wf_verbs_wr *entry, const void *at, size_t n,
		      uint32_t key)
{
	struct wf_verbs_request *r = entry->request;

	WF_ASSERT(!r->is_inline);
	r->from.sge[r->pieces++] = (struct ibv_sge){ (uintptr_t)at,
						     (uint32_t)n, key };
	entry->bytes += (uint32_t)n;
}

char *wf_verbs_slotted(struct wf_verbs_ep *ep, struct wf_verbs_wr *entry,
		       size_t n)
{
	char *to;

	if (!entry->slot)
		entry->slot = wf_verbs_take_slot(ep);
	if (!entry->slot)
		return NULL;
	to = entry->slot + entry->bytes;
	add_piece(entry, to, n, wf_verbs_dev(ep->ep.dev)->buffer_mr->lkey);
	return to;
}

/* Words that nobody reads come there, also several at once. */
void wf_verbs_sunk(struct wf_verbs_ep *ep, struct wf_verbs_wr *entry)
{
	const struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);

	add_piece(entry, dev->sink, WF_WORD_BYTES, dev->buffer_mr->lkey);
}

static int register_for(struct wf_verbs_ep *ep, struct wf_verbs_wr *entry,
			void *at, size_t n, int access)
{
	struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);

	entry->mr = ibv_reg_mr(dev->pd, at, n, access);
	if (!entry->mr) {
		/* What is under way gives its own back. */
		if (ep->head != ep->tail)
			return WEFT_AGAIN;
		return wf_verbs_not_registered(dev, n, errno);
	}
	entry->holds = true;
	add_piece(entry, at, n, entry->mr->lkey);
	return WEFT_OK;
}

/* True: it has a key. */
static bool by_key(struct wf_verbs_ep *ep, struct wf_verbs_wr *entry,
		   struct wf_loc loc, size_t n, bool written)
{
	const struct ibv_mr *mr = mr_of(wf_verbs_dev(ep->ep.dev), loc, n,
					written);

	if (!mr)
		return false;
	entry->holds = true;
	add_piece(entry, wf_loc_address(loc), n, mr->lkey);
	return true;
}

int wf_verbs_source(struct wf_verbs_ep *ep, struct wf_verbs_wr *entry,
		    struct wf_loc src, size_t n)
{
	void *from = wf_loc_address(src);
	char *to;

	if (!wf_verbs_fits_inline(ep, entry, n)) {
		if (by_key(ep, entry, src, n, false))
			return WEFT_OK;
		if (n + WF_HEAD_BYTES > WF_VERBS_SLOT)
			return register_for(ep, entry, from, n, 0);
	}
	to = wf_verbs_copied(ep, entry, n);
	if (!to)
		return WEFT_AGAIN;
	memcpy(to, from, n);
	return WEFT_OK;
}

int wf_verbs_target(struct wf_verbs_ep *ep, struct wf_verbs_wr *entry,
		    struct wf_loc dst, size_t n)
{
	void *to = wf_loc_address(dst);

	if (by_key(ep, entry, dst, n, true))
		return WEFT_OK;
	if (n > WF_VERBS_SLOT)
		return register_for(ep, entry, to, n, IBV_ACCESS_LOCAL_WRITE);
	entry->holds = true;
	entry->to = to;
	return wf_verbs_slotted(ep, entry, n) ? WEFT_OK : WEFT_AGAIN;
}
