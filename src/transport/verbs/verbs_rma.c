/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the data path posts: lines, puts, signals, gets, flushes.  One work
 * request each, as a rule: a put that raises a signal is one write with
 * immediate data.  More only for what is longer than a part (below), for
 * signals whose words we swap (verbs_raise.c), and for what is long on
 * InfiniBand (verbs_post.h).
 *
 * What the peer's device has acknowledged has arrived; it need not be in memory
 * yet (InfiniBand specification, volume 1, 9.7.5.1).  What was posted before a
 * read is, when the read is answered.
 */
#include "transport/line.h"
#include "transport/stubs.h"
#include "transport/verbs/verbs_post.h"

enum {
	PART_BYTES = (1 << 16) + WF_HEAD_BYTES
};

/* A remote operand of this peer? */
static inline bool is_foreign(const struct wf_verbs_ep *ep,
			      struct wf_rloc rloc)
{
	return rloc.key >> 32 != ep->tag;
}

/*
 * How an op ends: it counts, or nothing of it is staged any more.  If a part of
 * it is with the device and the path is lost, the caller posts it again, and it
 * may come twice: it counts once.
 */
static int settle(struct wf_verbs_ep *ep, uint32_t before, int status)
{
	if (!status) {
		wf_verbs_posted(ep);
		return WEFT_OK;
	}
	wf_verbs_discard(ep);
	if (ep->head != before && !ep->life.lost)
		wf_verbs_break(ep, "a part of a put could not be posted");
	return status;
}

static int verbs_lines(struct wf_ep *base, struct wf_rloc dst,
		       const struct wf_piece *piece, uint32_t n, uint32_t seq)
{
	struct wf_verbs_ep *ep = wf_verbs_ep(base);
	bool ll = !(base->dev->caps & WF_CAP_LINE_PLAIN);
	struct wf_verbs_wr *entry;
	struct wf_image image;
	int status = wf_verbs_room(ep, 1);
	char *to;

	if (status)
		return status;
	if (!wf_pieces_fit(piece, n, base->dev->line_data, dst.addr) ||
	    is_foreign(ep, dst))
		return WEFT_ERR_RANGE;
	entry = wf_verbs_stage(ep, IBV_WR_RDMA_WRITE, WF_VERBS_DO_LINE);
	if (!entry)
		return WEFT_ERR_NOMEM;
	entry->mark.where = dst.addr;
	entry->mark.lines = (uint8_t)n;
	entry->mark.stamp = ep->stamp;
	image = wf_image_of(dst.addr, ll, piece, n);
	wf_verbs_aim(entry, dst.addr + image.at, dst.key);
	to = wf_verbs_copied(ep, entry, image.bytes);
	if (!to)
		return settle(ep, ep->head, WEFT_AGAIN);
	wf_image_pack(&image, to, piece, n, seq);
	return settle(ep, ep->head, wf_verbs_do_one(ep));
}

/*
 * Bytes of a part: what is lost with a path is sent again whole, and where
 * packets get lost a long one would never arrive.  All of them fit into half of
 * the ring.
 */
static size_t part_bytes(const struct wf_verbs_ep *ep, size_t n)
{
	size_t most = wf_verbs_dev(ep->ep.dev)->port.port.max_msg_sz;
	size_t bytes = n / (ep->depth / 2);

	if (bytes < PART_BYTES)
		bytes = PART_BYTES;
	return bytes < most ? bytes : most;
}

/* Of what is longer than a part: as much of it as bounce memory takes. */
static size_t piece_bytes(size_t part)
{
	return part == PART_BYTES ? WF_VERBS_BOUNCED : part;
}

static int stage_write(struct wf_verbs_ep *ep, struct wf_rloc dst,
		       struct wf_verbs_wr **entry_p)
{
	*entry_p = wf_verbs_stage(ep, IBV_WR_RDMA_WRITE, WF_VERBS_DO_PUT);
	if (!*entry_p)
		return WEFT_ERR_NOMEM;
	wf_verbs_aim(*entry_p, dst.addr, dst.key);
	return WEFT_OK;
}

/* All but the last part of what is longer than one. */
static int put_parts(struct wf_verbs_ep *ep, struct wf_loc *src,
		     struct wf_rloc *dst, size_t *n, size_t bytes)
{
	while (*n > bytes) {
		struct wf_verbs_wr *entry;
		int status = stage_write(ep, *dst, &entry);

		if (status)
			return status;
		entry->part = true;
		status = wf_verbs_source(ep, entry, *src, bytes);
		if (!status)
			status = wf_verbs_do(ep);
		if (status)
			return status;
		src->offset += bytes;
		dst->addr += bytes;
		*n -= bytes;
	}
	return WEFT_OK;
}

/* The head and a source behind it, which are one piece at the peer. */
static int gather(struct wf_verbs_ep *ep, struct wf_verbs_wr *entry,
		  struct wf_loc src, size_t n, const uint64_t *head)
{
	size_t front = n ? WF_HEAD_BYTES : sizeof(*head);
	char *to;

	if (head) {
		to = front + n <= ep->inline_max ?
			wf_verbs_copied(ep, entry, front) :
			wf_verbs_slotted(ep, entry, front);
		if (!to)
			return WEFT_AGAIN;
		memset(to, 0, front);
		memcpy(to, head, sizeof(*head));
	}
	if (n)
		return wf_verbs_source(ep, entry, src, n);
	/* Without bytes it need not report. */
	if (!head)
		entry->reports = false;
	return WEFT_OK;
}

/* Of a long one: alone. */
static int put_head(struct wf_verbs_ep *ep, struct wf_rloc *dst,
		    const uint64_t *head)
{
	struct wf_verbs_wr *entry;
	int status = stage_write(ep, *dst, &entry);

	if (status)
		return status;
	entry->part = true;
	status = gather(ep, entry, wf_loc_any(NULL), 0, head);
	dst->addr += WF_HEAD_BYTES;
	return status ? status : wf_verbs_do(ep);
}

/* How many work requests it takes, two behind the bytes included. */
static size_t requests(const struct wf_verbs_ep *ep, size_t n)
{
	return 5 + n / part_bytes(ep, n);
}

/*
 * Stages the last request of it, *entry_p; those before it are posted: all but
 * the last part, and the head of what is that long.
 */
static int stage_put(struct wf_verbs_ep *ep, struct wf_loc src,
		     struct wf_rloc dst, size_t n, const uint64_t *head,
		     struct wf_verbs_wr **entry_p)
{
	size_t most = part_bytes(ep, n);
	int status = WEFT_OK;

	if (n + WF_HEAD_BYTES > most) {
		if (head)
			status = put_head(ep, &dst, head);
		if (!status)
			status = put_parts(ep, &src, &dst, &n,
					   piece_bytes(most));
		head = NULL;
	}
	if (!status)
		status = stage_write(ep, dst, entry_p);
	return status ? status : gather(ep, *entry_p, src, n, head);
}

/*
 * A put or get of several parts, or of a long one, is copied where there is
 * memory for all of them now, and else registered: when one has gone, none may
 * lack it.
 */
static int borrow(struct wf_verbs_ep *ep, struct wf_loc *loc, size_t n,
		  bool written, struct wf_verbs_region *whole)
{
	size_t most = part_bytes(ep, n);

	whole->mr = NULL;
	if (n <= WF_VERBS_BOUNCED && n + WF_HEAD_BYTES <= most)
		return WEFT_OK;
	return wf_verbs_borrow(ep, loc, n, piece_bytes(most), written, whole);
}

/*
 * All of it is posted, or nothing is staged any more: what was borrowed for it
 * goes with the last request.
 */
static int settle_all(struct wf_verbs_ep *ep, uint32_t before,
		      const struct wf_verbs_region *whole, int status)
{
	status = settle(ep, before, status);
	wf_verbs_lend(ep, before, whole);
	return status;
}

static int admit(const struct wf_verbs_ep *ep, struct wf_rloc dst, size_t n)
{
	size_t want = n ? requests(ep, n) : 2;

	if (want > ep->depth || (n && is_foreign(ep, dst)))
		return WEFT_ERR_RANGE;
	return wf_verbs_room(ep, (uint32_t)want);
}

static int verbs_put(struct wf_ep *base, struct wf_loc src,
		     struct wf_rloc dst, size_t n)
{
	struct wf_verbs_ep *ep = wf_verbs_ep(base);
	uint32_t before = ep->head;
	struct wf_verbs_region whole;
	struct wf_verbs_wr *entry;
	int status = admit(ep, dst, n);

	if (!status)
		status = borrow(ep, &src, n, false, &whole);
	if (status)
		return status;
	status = stage_put(ep, src, n ? dst : ep->zero, n, NULL, &entry);
	if (!status)
		status = wf_verbs_do(ep);
	return settle_all(ep, before, &whole, status);
}

/* The usual small one: a write with its bytes, and immediate data. */
static int put_brief(struct wf_verbs_ep *ep, struct wf_loc src,
		     struct wf_rloc dst, size_t n, uint32_t sig)
{
	struct wf_verbs_wr *entry;
	int status = wf_verbs_room(ep, 1);

	if (status)
		return status;
	if (is_foreign(ep, dst))
		return WEFT_ERR_RANGE;
	entry = wf_verbs_stage(ep, IBV_WR_RDMA_WRITE, WF_VERBS_DO_PUT);
	if (!entry)
		return WEFT_ERR_NOMEM;
	wf_verbs_aim(entry, dst.addr, dst.key);
	wf_verbs_copy_inline(entry, wf_loc_address(src), n);
	wf_verbs_let_raise(ep, entry, sig);
	return settle(ep, ep->head, wf_verbs_do_one(ep));
}

static int verbs_put_signal(struct wf_ep *base, struct wf_loc src,
			    struct wf_rloc dst, size_t n, uint32_t sig,
			    const uint64_t *head)
{
	struct wf_verbs_ep *ep = wf_verbs_ep(base);
	size_t bytes = n + (head ? WF_HEAD_BYTES : 0);
	uint32_t before = ep->head;
	struct wf_verbs_region whole;
	struct wf_verbs_wr *entry;
	int status;

	if (n && n <= ep->inline_max && !head && !wf_verbs_stores(sig))
		return put_brief(ep, src, dst, n, sig);
	status = admit(ep, dst, bytes);
	if (!status)
		status = wf_verbs_find_signal(ep, sig);
	if (!status)
		status = borrow(ep, &src, n, false, &whole);
	if (status)
		return status;
	status = stage_put(ep, src, bytes ? dst : ep->zero, n, head, &entry);
	if (!status)
		status = wf_verbs_raise(ep, entry, sig);
	return settle_all(ep, before, &whole, status);
}

static int get(struct wf_verbs_ep *ep, struct wf_loc dst, struct wf_rloc src,
	       size_t n, bool part)
{
	struct wf_verbs_wr *entry = wf_verbs_stage(ep, IBV_WR_RDMA_READ,
						   WF_VERBS_DO_GET);
	int status;

	if (!entry)
		return WEFT_ERR_NOMEM;
	entry->part = part;
	wf_verbs_aim(entry, src.addr, src.key);
	status = wf_verbs_target(ep, entry, dst, n);
	return status ? status : wf_verbs_do(ep);
}

static int verbs_get(struct wf_ep *base, struct wf_loc dst,
		     struct wf_rloc src, size_t n)
{
	struct wf_verbs_ep *ep = wf_verbs_ep(base);
	size_t most = piece_bytes(part_bytes(ep, n));
	uint32_t before = ep->head;
	struct wf_verbs_region whole;
	int status = admit(ep, src, n);

	if (!status)
		status = borrow(ep, &dst, n, true, &whole);
	if (status)
		return status;
	if (!n)
		status = wf_verbs_empty(ep, base->posted + 1, WF_VERBS_DO_GET);
	while (!status && n) {
		size_t bytes = n > most ? most : n;

		status = get(ep, dst, src, bytes, n > most);
		dst.offset += bytes;
		src.addr += bytes;
		n -= bytes;
	}
	return settle_all(ep, before, &whole, status);
}

/* A write of nothing that reports: all posts up to this one have arrived. */
int wf_verbs_empty(struct wf_verbs_ep *ep, uint64_t post,
		   enum wf_verbs_what what)
{
	struct wf_verbs_wr *entry = wf_verbs_stage(ep, IBV_WR_RDMA_WRITE,
						   what);

	if (!entry)
		return WEFT_ERR_NOMEM;
	entry->post = post;
	wf_verbs_aim(entry, ep->zero.addr, ep->zero.key);
	return wf_verbs_do(ep);
}

/* Reads a word of the peer that nobody needs: see above. */
static int look(struct wf_verbs_ep *ep)
{
	struct wf_verbs_wr *entry = wf_verbs_stage(ep, IBV_WR_RDMA_READ,
						   WF_VERBS_DO_FLUSH);
	int status;

	if (!entry)
		return WEFT_ERR_NOMEM;
	entry->post = ep->ep.posted;
	wf_verbs_aim(entry, ep->zero.addr, ep->zero.key);
	wf_verbs_sunk(ep, entry);
	status = wf_verbs_do(ep);
	if (!status)
		ep->looked = ep->ep.posted;
	return status;
}

/*
 * ARRIVED: the last work request shall report, if it does not already.  What
 * holds a source always does.
 */
static int verbs_flush(struct wf_ep *base, enum wf_flush what)
{
	struct wf_verbs_ep *ep = wf_verbs_ep(base);
	bool looks = what == WF_FLUSH_REMOTE;

	if (what == WF_FLUSH_LOCAL || base->broken ||
	    (looks ? ep->looked == base->posted : !ep->silent))
		return WEFT_OK;
	if (wf_verbs_room(ep, 1))
		return WEFT_AGAIN;
	return looks ? look(ep) :
		       wf_verbs_empty(ep, base->posted, WF_VERBS_DO_FLUSH);
}

const struct wf_ep_ops wf_verbs_ep_ops = {
	wf_verbs_mail,
	verbs_lines,
	verbs_put,
	verbs_put_signal,
	verbs_get,
	wf_verbs_fetch_add,
	wf_verbs_cas,
	verbs_flush
};

const struct wf_ep_ops wf_verbs_ep_ops_without_atomics = {
	wf_verbs_mail,
	verbs_lines,
	verbs_put,
	verbs_put_signal,
	verbs_get,
	wf_stub_fetch_add,
	wf_stub_cas,
	verbs_flush
};
