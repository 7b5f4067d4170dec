/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the data path posts: lines, puts, signals, gets, flushes.  One work
 * request each, as a rule: a put that raises a signal is one write with
 * immediate data.  More only for what is longer than a part (below), and for
 * signals whose words we store (verbs_raise.c).
 *
 * Visible at the peer is what its device has acknowledged.
 */
#include <string.h>
#include "base/assert.h"
#include "transport/line.h"
#include "transport/verbs/verbs.h"

enum {
	PARTS = 32,			/* of a long put, or of PART_BYTES */
	PART_BYTES = (1 << 16) + WF_HEAD_BYTES
};

/* A remote operand of this peer? */
static inline bool is_foreign(const struct wf_verbs_ep *ep,
			      struct wf_rloc rloc)
{
	return rloc.key >> 32 != ep->tag;
}

static void aim(struct wf_verbs_post *p, struct wf_rloc dst)
{
	p->wr.wr.rdma.remote_addr = dst.addr;
	p->wr.wr.rdma.rkey = (uint32_t)dst.key;
}

static int verbs_line(struct wf_ep *base, struct wf_rloc dst,
		      const void *data, uint32_t n, uint32_t seq)
{
	struct wf_verbs_ep *ep = wf_verbs_ep(base);
	struct wf_line line;
	struct wf_verbs_post p = {
		.wr = { .opcode = IBV_WR_RDMA_WRITE },
		.entry = { .post = base->posted + 1,
			   .mark = { .where = dst.addr, .stamp = ep->stamp,
				     .what = WF_VERBS_DO_LINE } }
	};
	uint32_t bytes, at;
	int status = wf_verbs_room(ep, 1);

	if (status)
		return status;
	if (n > base->dev->line_data || dst.addr % WF_LINE_BYTES ||
	    is_foreign(ep, dst))
		return WEFT_ERR_RANGE;
	bytes = wf_line_pack(&line, !(base->dev->caps & WF_CAP_LINE_PLAIN),
			     data, n, seq, &at);
	dst.addr += at;
	aim(&p, dst);
	status = wf_verbs_source(ep, wf_loc_any((char *)&line + at), bytes, &p);
	if (!status)
		status = wf_verbs_do(ep, &p);
	if (!status)
		wf_verbs_posted(ep);
	return status;
}

/*
 * Bytes of a part: what is lost with a path is sent again whole, and where
 * packets get lost a long one would never arrive.
 */
static size_t part_bytes(const struct wf_verbs_ep *ep, size_t n)
{
	size_t most = wf_verbs_dev(ep->ep.dev)->port.port.max_msg_sz;
	size_t bytes = n / PARTS > PART_BYTES ? n / PARTS : PART_BYTES;

	return bytes < most ? bytes : most;
}

/* All but the last part of what is longer than one. */
static int put_parts(struct wf_verbs_ep *ep, struct wf_loc *src,
		     struct wf_rloc *dst, size_t *n, size_t bytes)
{
	while (*n > bytes) {
		struct wf_verbs_post p = {
			.wr = { .opcode = IBV_WR_RDMA_WRITE },
			.entry = { .post = ep->ep.posted + 1, .part = true,
				   .mark.what = WF_VERBS_DO_PUT }
		};
		int status;

		aim(&p, *dst);
		status = wf_verbs_source(ep, *src, bytes, &p);
		if (!status)
			status = wf_verbs_do(ep, &p);
		if (status)
			return status;
		src->offset += bytes;
		dst->addr += bytes;
		*n -= bytes;
	}
	return WEFT_OK;
}

/* The head and a source behind it, which are one piece at the peer. */
static int gather(struct wf_verbs_ep *ep, struct wf_loc src, size_t n,
		  const char *head, struct wf_verbs_post *p)
{
	size_t front = n ? WF_HEAD_BYTES : sizeof(uint64_t);
	int status = WEFT_OK;

	if (head && front + n <= ep->inline_max)
		status = wf_verbs_source(ep, wf_loc_any(head), front, p);
	else if (head)
		status = wf_verbs_head(ep, head, p);
	if (!status && n)
		status = wf_verbs_source(ep, src, n, p);
	if (status)
		wf_verbs_undo(ep, &p->entry);
	return status;
}

/* How many work requests it takes, two for the signal included. */
static size_t requests(const struct wf_verbs_ep *ep, size_t n)
{
	return 4 + n / part_bytes(ep, n);
}

/*
 * A part of a post is with the device, the rest of it failed.  If the path is
 * lost, the caller posts it again, and it may come twice: it counts once.
 */
static int parted(struct wf_verbs_ep *ep, uint32_t head, int status)
{
	if (status && ep->head != head && !ep->life.lost)
		wf_verbs_break(ep, "a part of a put could not be posted");
	return status;
}

static int put(struct wf_verbs_ep *ep, struct wf_loc src, struct wf_rloc dst,
	       size_t n, const char *head, struct wf_verbs_post *p)
{
	size_t most = part_bytes(ep, n);
	int status;

	aim(p, dst);
	if (n + WF_HEAD_BYTES <= most)
		return gather(ep, src, n, head, p);
	/* Rare, and the head goes first: alone. */
	if (head) {
		struct wf_verbs_post first = {
			.wr = { .opcode = IBV_WR_RDMA_WRITE },
			.entry = { .post = ep->ep.posted + 1, .part = true,
				   .mark.what = WF_VERBS_DO_PUT }
		};

		aim(&first, dst);
		status = gather(ep, src, 0, head, &first);
		if (!status)
			status = wf_verbs_do(ep, &first);
		if (status)
			return status;
		dst.addr += WF_HEAD_BYTES;
	}
	status = put_parts(ep, &src, &dst, &n, most);
	aim(p, dst);
	return status ? status : gather(ep, src, n, NULL, p);
}

static int admit(const struct wf_verbs_ep *ep, struct wf_rloc dst, size_t n)
{
	size_t want = n ? requests(ep, n) : 2;

	if (want > WF_VERBS_SQ || (n && is_foreign(ep, dst)))
		return WEFT_ERR_RANGE;
	return wf_verbs_room(ep, (uint32_t)want);
}

static int verbs_put(struct wf_ep *base, struct wf_loc src,
		     struct wf_rloc dst, size_t n)
{
	struct wf_verbs_ep *ep = wf_verbs_ep(base);
	struct wf_verbs_post p = {
		.wr = { .opcode = IBV_WR_RDMA_WRITE },
		.entry = { .post = base->posted + 1,
			   .mark.what = WF_VERBS_DO_PUT }
	};
	uint32_t head = ep->head;
	int status = admit(ep, dst, n);

	if (status)
		return status;
	p.copied = !n;
	status = put(ep, src, n ? dst : ep->zero, n, NULL, &p);
	if (!status)
		status = wf_verbs_do(ep, &p);
	if (!status)
		wf_verbs_posted(ep);
	return parted(ep, head, status);
}

static int verbs_put_signal(struct wf_ep *base, struct wf_loc src,
			    struct wf_rloc dst, size_t n, uint32_t sig,
			    const uint64_t *head)
{
	struct wf_verbs_ep *ep = wf_verbs_ep(base);
	_Alignas(64) char front[WF_HEAD_BYTES] = "";
	struct wf_verbs_post p = {
		.wr = { .opcode = IBV_WR_RDMA_WRITE },
		.entry = { .post = base->posted + 1,
			   .mark.what = WF_VERBS_DO_PUT }
	};
	size_t bytes = n + (head ? sizeof(front) : 0);
	uint32_t before = ep->head;
	int status = admit(ep, dst, bytes);

	if (!status)
		status = wf_verbs_find_signal(ep, sig);
	if (status)
		return status;
	if (head)
		memcpy(front, head, sizeof(*head));
	p.copied = !bytes;
	status = put(ep, src, bytes ? dst : ep->zero, n, head ? front : NULL,
		     &p);
	if (!status)
		status = wf_verbs_raise(ep, &p, sig);
	if (!status)
		wf_verbs_posted(ep);
	return parted(ep, before, status);
}

static int get(struct wf_verbs_ep *ep, struct wf_loc dst, struct wf_rloc src,
	       size_t n, bool part)
{
	struct wf_verbs_post p = {
		.wr = { .opcode = IBV_WR_RDMA_READ },
		.entry = { .post = ep->ep.posted + 1, .part = part,
			   .mark.what = WF_VERBS_DO_GET }
	};
	int status;

	aim(&p, src);
	status = wf_verbs_target(ep, dst, n, &p);
	return status ? status : wf_verbs_do(ep, &p);
}

static int verbs_get(struct wf_ep *base, struct wf_loc dst,
		     struct wf_rloc src, size_t n)
{
	struct wf_verbs_ep *ep = wf_verbs_ep(base);
	size_t most = part_bytes(ep, n);
	uint32_t before = ep->head;
	int status = admit(ep, src, n);

	if (!status && !n)
		status = wf_verbs_empty(ep, base->posted + 1, WF_VERBS_DO_GET);
	while (!status && n) {
		size_t bytes = n > most ? most : n;

		status = get(ep, dst, src, bytes, n > most);
		dst.offset += bytes;
		src.addr += bytes;
		n -= bytes;
	}
	if (!status)
		wf_verbs_posted(ep);
	return parted(ep, before, status);
}

/* A write of nothing that reports: all posts up to this one are there. */
int wf_verbs_empty(struct wf_verbs_ep *ep, uint64_t post,
		   enum wf_verbs_what what)
{
	struct wf_verbs_post p = {
		.wr = { .opcode = IBV_WR_RDMA_WRITE },
		.entry = { .post = post, .mark.what = (uint8_t)what }
	};

	aim(&p, ep->zero);
	return wf_verbs_do(ep, &p);
}

/*
 * REMOTE: the last work request shall report, if it does not already.  What
 * holds a source always does.
 */
static int verbs_flush(struct wf_ep *base, enum wf_flush what)
{
	struct wf_verbs_ep *ep = wf_verbs_ep(base);

	if (what == WF_FLUSH_LOCAL || base->broken || !ep->silent)
		return WEFT_OK;
	if (wf_verbs_room(ep, 1))
		return WEFT_AGAIN;
	return wf_verbs_empty(ep, base->posted, WF_VERBS_DO_FLUSH);
}

const struct wf_ep_ops wf_verbs_ep_ops = {
	wf_verbs_mail,
	verbs_line,
	verbs_put,
	verbs_put_signal,
	verbs_get,
	wf_verbs_fetch_add,
	wf_verbs_cas,
	verbs_flush
};
