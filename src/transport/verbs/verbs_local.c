/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Local operands: where the adapter reads what is put, and writes what was
 * got.  It reaches registered memory only, and the rooms above may give any.
 *
 *   few bytes         go into the work request itself
 *   a region's        by its key; also an address inside of the segment or of
 *                     a region, which is looked for
 *   up to 64 KiB      copied into, or out of, a slot or bounce memory; up to
 *                     256 KiB, too, as long as there is some for all of it
 *   anything else     registered for this one operation, all of it at once
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

static int register_memory(const struct wf_verbs_ep *ep, void *at, size_t n,
			   int access, struct ibv_mr **mr_p)
{
	struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);

	*mr_p = ibv_reg_mr(dev->pd, at, n, access);
	if (*mr_p)
		return WEFT_OK;
	/* What is under way, and reports, gives its own back. */
	return ep->head - ep->tail > ep->silent ? WEFT_AGAIN :
		wf_verbs_not_registered(dev, n, errno);
}

static int register_for(const struct wf_verbs_ep *ep,
			struct wf_verbs_wr *entry, void *at, size_t n,
			int access)
{
	struct ibv_mr *mr;
	int status = register_memory(ep, at, n, access, &mr);

	if (status)
		return status;
	entry->mr = mr;
	entry->lent = WF_VERBS_LENT_MR;
	entry->holds = true;
	add_piece(entry, at, n, mr->lkey);
	return WEFT_OK;
}

int wf_verbs_borrow(struct wf_verbs_ep *ep, struct wf_loc *loc, size_t n,
		    size_t part, bool written, struct wf_verbs_region *whole)
{
	struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);
	void *at = wf_loc_address(*loc);
	int status;

	if (mr_of(dev, *loc, n, written) || wf_verbs_bounce_fits(ep, n, part))
		return WEFT_OK;
	status = register_memory(ep, at, n, written ? IBV_ACCESS_LOCAL_WRITE :
				 0, &whole->mr);
	if (status)
		return status;
	whole->region = (struct wf_region){ &dev->dev, at, n, true };
	*loc = (struct wf_loc){ &whole->region, 0 };
	return WEFT_OK;
}

void wf_verbs_lend(struct wf_verbs_ep *ep, uint32_t before,
		   const struct wf_verbs_region *whole)
{
	struct wf_verbs_wr *last = NULL;

	if (!whole->mr)
		return;
	for (uint32_t at = before; at != ep->head; at++)
		if (wf_verbs_at(ep, at)->holds)
			last = wf_verbs_at(ep, at);
	if (!last) {
		ibv_dereg_mr(whole->mr);
		return;
	}
	last->mr = whole->mr;
	last->lent = WF_VERBS_LENT_MR;
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

/* Room of ours for what is too long for a slot; NULL: none for that. */
static int bounce(struct wf_verbs_ep *ep, struct wf_verbs_wr *entry, size_t n,
		  char **to_p)
{
	int status = wf_verbs_bounce_take(ep, n, to_p);

	if (status || !*to_p)
		return status;
	entry->bounce = *to_p;
	entry->lent = WF_VERBS_LENT_BOUNCE;
	add_piece(entry, *to_p, n,
		  wf_verbs_dev(ep->ep.dev)->bounce.mr->lkey);
	return WEFT_OK;
}

/* Where n bytes are copied to; NULL: they have to be registered. */
static int make_copy(struct wf_verbs_ep *ep, struct wf_verbs_wr *entry,
		     size_t n, char **to_p)
{
	if (n + WF_HEAD_BYTES > WF_VERBS_SLOT)
		return bounce(ep, entry, n, to_p);
	*to_p = wf_verbs_copied(ep, entry, n);
	return *to_p ? WEFT_OK : WEFT_AGAIN;
}

int wf_verbs_source(struct wf_verbs_ep *ep, struct wf_verbs_wr *entry,
		    struct wf_loc src, size_t n)
{
	void *from = wf_loc_address(src);
	char *to;
	int status;

	if (!wf_verbs_fits_inline(ep, entry, n) &&
	    by_key(ep, entry, src, n, false))
		return WEFT_OK;
	status = make_copy(ep, entry, n, &to);
	if (status)
		return status;
	if (!to)
		return register_for(ep, entry, from, n, 0);
	memcpy(to, from, n);
	return WEFT_OK;
}

int wf_verbs_target(struct wf_verbs_ep *ep, struct wf_verbs_wr *entry,
		    struct wf_loc dst, size_t n)
{
	void *at = wf_loc_address(dst);
	char *from = NULL;
	int status = WEFT_OK;

	if (by_key(ep, entry, dst, n, true))
		return WEFT_OK;
	if (n > WF_VERBS_SLOT)
		status = bounce(ep, entry, n, &from);
	else if (!(from = wf_verbs_slotted(ep, entry, n)))
		status = WEFT_AGAIN;
	if (status)
		return status;
	if (!from)
		return register_for(ep, entry, at, n, IBV_ACCESS_LOCAL_WRITE);
	entry->holds = true;
	entry->to = at;
	return WEFT_OK;
}
