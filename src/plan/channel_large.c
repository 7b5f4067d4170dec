/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Large messages: the receiver's ready line names where to put.  Memory that
 * peers can write gets the bytes in one put; for other memory they go through
 * the edge's area of four chunk slots, one epoch at a time.  Its ready line
 * says that all four are free; a chunk copied out gives one counting credit
 * back if this epoch needs its slot again.
 */
#include <assert.h>
#include <stddef.h>
#include <string.h>
#include "plan/channel_area.h"
#include "plan/inquiry.h"
#include "plan/leg_gaps.h"

enum {
	HOW_DIRECT = 1,
	HOW_CHUNKS = 2,
	HOW_BITS = 8,			/* above: chunk size in units */
	CHUNK_UNIT = 64
};

/* Is this chunk's slot used again, with so many bytes left from it on? */
static bool gives_credit(uint64_t left, uint64_t chunk)
{
	return left > WF_AREA_CHUNKS * chunk;
}

/*
 * Its slot: each message begins with the first, which is warm.  Chunks of no
 * bytes only a broken peer can name.
 */
static unsigned chunk_at(const struct wf_leg *leg, uint64_t chunk)
{
	return chunk ? leg->move->moved / chunk % WF_AREA_CHUNKS : 0;
}

/* A ready line, in the data of a line at the sender. */
struct ready_line {
	struct wf_rloc to;
	uint64_t bytes;
	uint32_t how;
	uint32_t unused;		/* not sent */
};

enum {
	READY_BYTES = offsetof(struct ready_line, unused)
};

static_assert((int)READY_BYTES == (int)WF_LL_DATA,
	      "fits a line of each encoding");

/* ---- the receiver ---- */

static bool is_writable_by_peers(const struct wf_in *in,
				 const struct wf_leg *leg, struct wf_rloc *to)
{
	struct weft_job *job = in->peer->job;
	struct wf_device *dev = in->ep->dev;
	uint64_t offset;

	if (!(dev->caps & WF_CAP_FENCE))
		return false;
	if (wf_leg_unpacks(leg, dev))
		return false;
	if (wf_segment_has(&job->segment, leg->data, leg->bytes, &offset))
		return !dev->ops->key(&dev->arena, offset, to);
	if (leg->run->plan->stores)
		return false;
	if (wf_leg_key(leg, dev, to))
		return true;
	return in->anywhere && (dev->caps & WF_CAP_ANYWHERE) &&
	       !dev->ops->key(&dev->anywhere, (uintptr_t)leg->data, to);
}

/*
 * The area serves one epoch at a time.  It is made here for a buffer that was
 * expected to be written directly, and where an earlier message has given back
 * the one that was there.
 */
static int take_area(struct wf_in *in, const struct wf_leg *leg,
		     struct wf_rloc *to)
{
	struct wf_device *dev = in->ep->dev;
	int status = wf_in_make_area(in, leg->bytes);

	if (!status && in->area_user && in->area_user != leg->epoch + 1)
		return WEFT_AGAIN;
	if (!status)
		status = dev->ops->key(&dev->arena, in->area_offset, to);
	if (!status)
		in->area_user = leg->epoch + 1;
	return status;
}

static bool announce(struct wf_in *in, const struct wf_leg *leg)
{
	struct ready_line r = { .bytes = leg->bytes, .how = HOW_DIRECT };
	struct wf_rloc dst = in->ready;
	int status;

	if (!wf_in_is_open(in) || !in->ready.addr)
		return false;
	leg->move->direct = is_writable_by_peers(in, leg, &r.to);
	if (!leg->move->direct) {
		status = take_area(in, leg, &r.to);
		if (status)
			return wf_in_stops(in, leg, "a chunk area", status);
		r.how = HOW_CHUNKS |
			(uint32_t)(in->chunk / CHUNK_UNIT) << HOW_BITS;
	}
	dst.addr += (leg->epoch & in->set->mask) * WF_LINE_BYTES;
	status = wf_ep_line(in->ep, dst, &r, READY_BYTES, leg->seq);
	if (status)
		return wf_in_stops(in, leg, "a ready line", status);
	in->record[leg->epoch & in->set->mask].put = true;
	leg->move->post = in->ep->posted;
	leg->move->phase = WF_PHASE_ANNOUNCED;
	return true;
}

bool wf_in_ready_landed(struct wf_in *in, const struct wf_leg *leg)
{
	return !in->record[leg->epoch & in->set->mask].put ||
	       !wf_peer_is_there(in->peer) ||
	       wf_ep_ask_flushed(in->ep, leg->move->post);
}

/*
 * Of the next chunk; NULL: it has not landed.  Of what a slot has brought all
 * is taken but one at most, so that the last bits of both counts tell.
 */
static const char *next_chunk(const struct wf_in *in, const struct wf_leg *leg)
{
	unsigned c = chunk_at(leg, in->chunk);
	const char *area = wf_segment_at(&in->peer->job->segment,
					 in->area_offset);

	if ((uint8_t)wf_signal_count(in->area_word[c], in->area_sig[c]) ==
	    in->area_used[c])
		return NULL;
	return area + c * in->chunk;
}

static void chunk_taken(struct wf_in *in, const struct wf_leg *leg)
{
	uint64_t left = leg->bytes - leg->move->moved;

	in->area_taken++;
	in->area_used[chunk_at(leg, in->chunk)]++;
	leg->move->moved += left < in->chunk ? left : in->chunk;
	if (!gives_credit(left, in->chunk))
		return;
	in->area_credits_due++;
	if (!wf_in_pay(in))
		wf_set_owes(in->set);
}

static bool copy_chunks_out(struct wf_in *in, const struct wf_leg *leg)
{
	struct wf_move *m = leg->move;

	while (m->moved < leg->bytes) {
		const char *from = next_chunk(in, leg);
		uint64_t n = leg->bytes - m->moved;

		if (!from)
			return false;
		n = n < in->chunk ? n : in->chunk;
		wf_leg_unpack(leg, in->ep->dev, from, n);
		wf_job_copied(in->peer->job, n);
		chunk_taken(in, leg);
	}
	wf_leg_unpacked(leg, in->ep->dev);
	wf_in_return_area(in);
	return true;
}

bool wf_in_drop_chunks(struct wf_in *in, const struct wf_leg *leg,
		       uint64_t chunks)
{
	while (in->area_taken < chunks) {
		if (!next_chunk(in, leg))
			return false;
		chunk_taken(in, leg);
	}
	return true;
}

bool wf_in_large(struct wf_in *in, const struct wf_leg *leg)
{
	struct wf_landing *landed;
	uint64_t bytes;

	if (leg->move->phase == WF_PHASE_OPEN && !announce(in, leg))
		return false;
	if (!leg->move->direct)
		return copy_chunks_out(in, leg);
	landed = wf_in_landed(in, leg->epoch);
	if (!landed)
		return false;
	/* Instead of the put a shorter message may have come, in its slot. */
	bytes = wf_in_take(in, landed, leg->epoch);
	if (bytes)
		wf_in_differs(in, leg, bytes);
	return true;
}

/* ---- the sender ---- */

/* From where they lie, gaps between them, straight to where they are put. */
static int give_packed(struct wf_out *out, const struct wf_leg *leg,
		       struct wf_rloc dst, uint64_t n, uint32_t sig)
{
	struct wf_ep *ep = out->ep;
	void *to;
	int status = ep->dev->ops->reach(ep, dst, n, sig, &to);

	if (status)
		return status;
	if (to)
		wf_leg_pack(leg, to, n);
	wf_job_copied(out->peer->job, n);
	return ep->ops->put_signal(ep, wf_loc_any(NULL), dst, 0, sig, NULL);
}

/*
 * The next n bytes.  What does not go straight from the memory of the program,
 * since this end does not store where they are put, goes by the copy.
 */
static int give(struct wf_out *out, const struct wf_leg *leg,
		struct wf_rloc dst, uint64_t n, uint32_t sig)
{
	struct wf_ep *ep = out->ep;
	struct wf_loc src;
	int status;

	if (wf_leg_type(leg))
		return give_packed(out, leg, dst, n, sig);
	if (!wf_leg_is_gathered(leg)) {
		status = give_packed(out, leg, dst, n, sig);
		if (status != WEFT_ERR_RANGE && status != WEFT_ERR_UNSUPPORTED)
			return status;
		wf_staged_gather_edge(leg->run->staged, wf_leg_edge(leg));
	}
	src = wf_leg_source(leg, ep->dev, leg->data + leg->move->moved, n);
	return ep->ops->put_signal(ep, src, dst, n, sig, NULL);
}

/* All of it is posted; true: its source is reusable already. */
static bool given(struct wf_out *out, const struct wf_leg *leg)
{
	out->record[leg->epoch & out->set->mask].put = true;
	return wf_out_posted(out, leg);
}

static bool put_direct(struct wf_out *out, const struct wf_leg *leg,
		       struct wf_rloc dst)
{
	const struct wf_target *to = wf_target_of(out, leg->epoch);
	unsigned at = (unsigned)(leg->epoch & out->set->mask);
	int status;

	if (!to)
		return false;
	status = give(out, leg, dst, leg->bytes, to->sig[at]);
	return status ? wf_out_stops(out, leg, "a put", status) :
			given(out, leg);
}

/* The receiver has not given back the slot of the next chunk. */
static bool area_is_full(const struct wf_out *out)
{
	uint64_t back = out->area_free + wf_signal_count(out->area_credit,
							 out->area_credit_sig);

	return out->area_sent - back >= WF_AREA_CHUNKS;
}

/*
 * What goes straight from the memory of the program is registered once, and not
 * chunk by chunk: while the first one is on its way, which the device copied or
 * registered by itself, as it does shorter messages.
 */
static void pin(const struct wf_out *out, const struct wf_leg *leg,
		uint64_t chunk)
{
	const struct wf_device *dev = out->ep->dev;

	if (leg->move->moved == chunk && leg->bytes > dev->chunk &&
	    !wf_leg_type(leg) && wf_leg_is_gathered(leg))
		wf_leg_pin(leg, dev);
}

static bool put_chunks(struct wf_out *out, const struct wf_leg *leg,
		       const struct ready_line *r)
{
	uint64_t chunk = (uint64_t)(r->how >> HOW_BITS) * CHUNK_UNIT;
	struct wf_move *m = leg->move;
	int status;

	while (m->moved < leg->bytes) {
		unsigned c = chunk_at(leg, chunk);
		uint64_t left = leg->bytes - m->moved;
		uint64_t n = left < chunk ? left : chunk;
		struct wf_rloc dst = r->to;

		if (area_is_full(out))
			return false;
		dst.addr += c * chunk;
		pin(out, leg, chunk);
		status = give(out, leg, dst, n, out->area_sig[c]);
		if (status)
			return wf_out_stops(out, leg, "a chunk", status);
		m->moved += n;
		out->area_sent++;
		out->area_due += gives_credit(left, chunk);
	}
	return given(out, leg);
}

static bool answer_ready(struct wf_out *out, const struct wf_leg *leg,
			 const struct ready_line *r)
{
	if (r->bytes != leg->bytes) {
		wf_out_differs(out, leg, r->bytes);
		return true;
	}
	if (r->how == HOW_DIRECT)
		return put_direct(out, leg, r->to);
	if (leg->move->phase != WF_PHASE_CHUNKS)
		out->area_free = out->area_sent - out->area_due;
	/* Until all are put the receiver may still call it off. */
	leg->move->phase = WF_PHASE_CHUNKS;
	return put_chunks(out, leg, r);
}

bool wf_out_large(struct wf_out *out, const struct wf_leg *leg)
{
	unsigned at = (unsigned)(leg->epoch & out->set->mask);
	struct wf_line *line = &out->ready[at];
	struct ready_line r;
	bool over;

	if (!wf_line_has(line, out->ll, leg->seq))
		return false;
	wf_line_read(line, out->ll, &r, READY_BYTES);
	over = answer_ready(out, leg, &r);
	/* As long as chunks are left it is read again. */
	if (out->ll && (over || leg->move->phase == WF_PHASE_POSTED))
		wf_ll_clear(line);
	return over;
}
