/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines, puts and flushes: what the data path posts.
 *
 * A put reads its source when it lands, in one part or two, and tells the
 * sender later still, so that a source that is reused early shows in the bytes
 * or in the checker. Puts and lines overtake each other; only the end of a put
 * (head word, signal) waits for its own parts. Posts complete in order, as the
 * contract's two numbers want it.
 */
#include <string.h>

#include "transport/line.h"
#include "transport/segment.h"
#include "transport/sim/sim_cost.h"
#include "transport/sim/sim_ops.h"
#include "transport/sim/sim_tear.h"
#include "transport/sim/sim_world.h"

static bool ring_full(const struct sim_ep *ep)
{
	return ep->ep.posted - ep->remote >=
	       ep->link->from->world->options.tx_depth;
}

static void mark(struct sim_ep *ep, uint64_t post, uint8_t bits)
{
	if (bits & SIM_LOCAL && post > ep->local)
		wf_sim_ring_set(&ep->reusable, post);
	if (bits & SIM_REMOTE)
		wf_sim_ring_set(&ep->visible, post);
	while (ep->local < ep->ep.posted &&
	       wf_sim_ring_take(&ep->reusable, ep->local + 1))
		ep->local++;
	while (ep->remote < ep->ep.posted &&
	       wf_sim_ring_take(&ep->visible, ep->remote + 1))
		ep->remote++;
}

static unsigned int group_of(const struct sim_ep *ep)
{
	return ep->link->from->world->options.unsignaled;
}

/* Posts are signaled in groups, as a device likes it, unless they are asked. */
void wf_sim_tell(struct sim_ep *ep)
{
	unsigned int group = group_of(ep);
	uint64_t done = ep->local;

	if (group && !ep->ep.broken)
		done -= done % group;
	if (done < ep->asked)
		done = ep->asked < ep->local ? ep->asked : ep->local;
	ep->ep.done = done;
}

void wf_sim_complete(struct sim_link *link, uint64_t post, uint8_t bits)
{
	struct sim_ep *ep = link->ep;
	uint64_t local;

	if (!ep)
		return;
	local = ep->local;
	mark(ep, post, bits);
	if (ep->local == local && !ep->full && ep->want <= ep->ep.flushed)
		return;
	if (wf_list_empty(&ep->dirty))
		wf_list_add_tail(&link->from->dev->dirty, &ep->dirty);
	wf_sim_wake(link->from);
}

static uint64_t new_post(struct sim_ep *ep)
{
	struct wf_sim_rank *from = ep->link->from;

	from->messages++;
	from->world->result.messages++;
	return ++ep->ep.posted;
}

uint64_t wf_sim_post_copied(struct sim_ep *ep)
{
	uint64_t post = new_post(ep);

	mark(ep, post, SIM_LOCAL);
	wf_sim_tell(ep);
	return post;
}

void wf_sim_admit(struct sim_ep *ep)
{
	struct wf_sim_rank *rank = ep->link->from;
	struct wf_sim *world = rank->world;

	if (rank->in_upcall)
		wf_sim_violate(world, "rank %d calls an op from an upcall",
			       rank->rank);
	if (ep->ep.state != WF_EP_READY)
		wf_sim_violate(world, "rank %d uses its endpoint to rank %d, "
			       "which is not connected", rank->rank,
			       ep->ep.rank);
	wf_sim_step(rank);
	if (wf_sim_is_ahead(ep->link))
		wf_sim_catch_up(rank);
}

bool wf_sim_again(struct sim_ep *ep)
{
	struct wf_sim_rank *rank = ep->link->from;
	struct wf_sim *world = rank->world;

	if (!wf_sim_chance(world, world->options.again_one_in))
		return false;
	world->result.agains++;
	/* No event will tell it to try again. */
	rank->wanted = true;
	return true;
}

bool wf_sim_fault(struct sim_ep *ep, unsigned int one_in)
{
	struct wf_sim_rank *rank = ep->link->from;

	if (!wf_sim_chance(rank->world, one_in))
		return false;
	rank->world->result.faults++;
	rank->retries = true;
	return true;
}

int wf_sim_admit_post(struct sim_ep *ep)
{
	wf_sim_admit(ep);
	if (wf_sim_fault(ep, ep->link->from->post_fault))
		return WEFT_ERR_DEVICE;
	if (ring_full(ep)) {
		ep->full = true;
		return WEFT_AGAIN;
	}
	return wf_sim_again(ep) ? WEFT_AGAIN : WEFT_OK;
}

uint64_t wf_sim_put_flight(struct sim_link *link, uint64_t bytes)
{
	uint64_t time = wf_sim_flight(link, bytes);

	if (time < link->last_put)
		link->from->world->result.passes++;
	else
		link->last_put = time;
	return time;
}

void wf_sim_send(struct sim_op *op, uint32_t kind, uint64_t time)
{
	wf_sim_schedule(op->link->from->world, (struct sim_event){
		.time = time, .kind = kind,
		.rank = (uint32_t)op->link->to->rank, .op = op });
}

/* NULL: no memory, which ends the run. */
static struct sim_op *make_line(struct sim_ep *ep, struct wf_rloc dst,
				const struct wf_piece *piece, uint32_t seq)
{
	struct sim_op *op = wf_sim_op(ep->link->from->world, ep->link);

	if (!op)
		return NULL;
	op->next = NULL;
	op->line.dst = dst;
	op->line.n = piece->n;
	op->line.seq = seq;
	if (piece->n)
		memcpy(op->line.data, piece->data, piece->n);
	return op;
}

static int sim_lines(struct wf_ep *wep, struct wf_rloc dst,
		     const struct wf_piece *piece, uint32_t n, uint32_t seq)
{
	struct sim_ep *ep = sim_ep(wep);
	struct sim_op *op;
	int status = wf_sim_admit_post(ep);

	if (status)
		return status;
	if (!wf_pieces_fit(piece, n, wep->dev->line_data, dst.addr))
		return WEFT_ERR_RANGE;
	op = make_line(ep, dst, piece, seq);
	if (op && n > 1) {
		dst.addr += WF_LINE_BYTES;
		op->next = make_line(ep, dst, piece + 1, seq);
	}
	if (!op || (n > 1 && !op->next))
		return WEFT_ERR_NOMEM;
	op->post = wf_sim_post_copied(ep);
	wf_sim_send(op, SIM_LINE,
		    wf_sim_put_flight(ep->link, n * WF_LINE_BYTES));
	wf_sim_see_posted(op, SIM_LINE);
	return WEFT_OK;
}

/* Where the bytes are now, and whether the segment's owner may free them. */
static void set_source(struct sim_ep *ep, struct sim_put *put,
		       struct wf_loc src)
{
	struct wf_sim_rank *rank = ep->link->from;
	const struct wf_segment *seg = rank->dev->env.segment;

	if (!src.region && !rank->world->options.local_any)
		wf_sim_violate(rank->world, "rank %d puts from memory that is "
			       "not registered", rank->rank);
	put->src = wf_loc_address(src);
	if (!wf_segment_has(seg, put->src, put->n, &put->src_at))
		return;
	put->src_generation = wf_segment_generation(seg, put->src_at);
	if (!put->src_generation)
		wf_sim_violate(rank->world, "rank %d puts from arena memory "
			       "that nobody holds", rank->rank);
}

/* A part of the payload leaves; returns when it lands. */
static uint64_t launch_part(struct sim_op *op, uint32_t kind)
{
	uint64_t time = wf_sim_put_flight(op->link, 0);

	op->put.parts++;
	wf_sim_send(op, kind, time);
	return time;
}

/*
 * Where networks have times, a put is one message; one that is torn begins to
 * land then, and has landed some time later.
 */
static void launch_whole(struct sim_op *op)
{
	struct wf_sim *world = op->link->from->world;
	struct sim_put *put = &op->put;
	size_t head = put->has_head ? sizeof(put->head) : 0;
	uint64_t time = wf_sim_put_flight(op->link, head + put->n);

	put->cut = put->n;
	if (put->n) {
		put->parts = 1;
		wf_sim_send(op, SIM_FIRST, time);
	}
	if (put->lines) {
		time += WF_PS_PER_NS *
			wf_random_below(&world->extra,
					world->options.max_delay_ns + 1);
		put->late = time;
		op->link->last_put = wf_sim_later(op->link->last_put, time);
	}
	wf_sim_send(op, SIM_SIGNAL, time);
}

/* Parts of the payload, in any order, then the end. */
static void launch(struct wf_sim *world, struct sim_op *op)
{
	struct sim_put *put = &op->put;
	uint64_t first = 0;
	uint64_t second = 0;
	uint64_t end = world->now;

	put->cut = put->n;
	if (put->n > 1 && wf_random_below(&world->random, 2))
		put->cut = 1 + wf_random_below(&world->random, put->n - 1);
	if (put->n)
		first = launch_part(op, SIM_FIRST);
	if (put->cut < put->n)
		second = launch_part(op, SIM_SECOND);
	if (!put->n || wf_random_below(&world->random, 2))
		end = wf_sim_put_flight(op->link, 0);
	end = wf_sim_later(end, wf_sim_later(first, second));
	op->link->last_put = wf_sim_later(op->link->last_put, end);
	wf_sim_send(op, SIM_SIGNAL, end);
}

static int post_put(struct sim_ep *ep, const struct sim_put *put,
		    struct wf_loc src)
{
	struct wf_sim *world = ep->link->from->world;
	struct sim_op *op;
	int status = wf_sim_admit_post(ep);

	if (status)
		return status;
	op = wf_sim_op(world, ep->link);
	if (!op)
		return WEFT_ERR_NOMEM;
	op->put = *put;
	if (put->n)
		set_source(ep, &op->put, src);
	op->post = new_post(ep);
	if (wf_sim_tear(op) || op->link->net)
		launch_whole(op);
	else
		launch(world, op);
	wf_sim_see_posted(op, SIM_SIGNAL);
	return WEFT_OK;
}

static int sim_put(struct wf_ep *ep, struct wf_loc src, struct wf_rloc dst,
		   size_t n)
{
	const struct sim_put put = { .dst = dst, .n = n };

	return post_put(sim_ep(ep), &put, src);
}

static int sim_put_signal(struct wf_ep *ep, struct wf_loc src,
			  struct wf_rloc dst, size_t n, uint32_t sig,
			  const uint64_t *head)
{
	struct sim_put put = { .dst = dst, .n = n, .sig = sig,
			       .has_signal = true };

	if (head) {
		put.has_head = true;
		put.head = *head;
		put.head_dst = dst;
		put.dst.addr += WF_HEAD_BYTES;
	}
	return post_put(sim_ep(ep), &put, src);
}

/* By numbers that no run without it draws. */
static bool flush_again(struct wf_sim_rank *rank)
{
	struct wf_sim *world = rank->world;
	unsigned int one_in = world->options.flush_again_one_in;

	if (!one_in || wf_random_below(&world->extra, one_in))
		return false;
	world->result.agains++;
	/* No event will tell it to try again. */
	rank->wanted = true;
	return true;
}

static int sim_flush(struct wf_ep *wep, enum wf_flush what)
{
	struct sim_ep *ep = sim_ep(wep);

	if (flush_again(ep->link->from))
		return WEFT_AGAIN;
	/* Where each post tells, progress will say that they are done. */
	if (what == WF_FLUSH_LOCAL && !group_of(ep))
		return WEFT_OK;
	ep->asked = wep->posted;
	wf_sim_tell(ep);
	if (what != WF_FLUSH_LOCAL) {
		ep->want = wep->posted;
		wep->flushed = ep->remote < ep->want ? ep->remote : ep->want;
	}
	return WEFT_OK;
}

const struct wf_ep_ops wf_sim_ep_ops = {
	wf_sim_mail,
	sim_lines,
	sim_put,
	sim_put_signal,
	wf_sim_get,
	wf_sim_fetch_add,
	wf_sim_cas,
	sim_flush
};
