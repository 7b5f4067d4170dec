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
#include "transport/sim/sim_ops.h"
#include "transport/sim/sim_world.h"
#include "transport/stubs.h"

static bool ring_full(const struct sim_ep *ep)
{
	return ep->ep.posted - ep->remote >=
	       ep->link->from->world->options.tx_depth;
}

static void mark(struct sim_ep *ep, uint64_t post, uint8_t bits)
{
	ep->ring[post % SIM_RING] |= bits;
	while (ep->local < ep->ep.posted &&
	       ep->ring[(ep->local + 1) % SIM_RING] & SIM_LOCAL)
		ep->local++;
	while (ep->remote < ep->ep.posted &&
	       ep->ring[(ep->remote + 1) % SIM_RING] & SIM_REMOTE)
		ep->ring[++ep->remote % SIM_RING] = 0;
}

/*
 * SIM_REMOTE clears an entry for its next use, so it comes with or after
 * SIM_LOCAL of the same post.
 */
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

uint64_t wf_sim_post_copied(struct sim_ep *ep)
{
	uint64_t post = ++ep->ep.posted;

	mark(ep, post, SIM_LOCAL);
	ep->ep.done = ep->local;
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

static int admit_post(struct sim_ep *ep)
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

/* A flight of this link that is not ordered with the others. */
static uint64_t put_flight(struct wf_sim *world, struct sim_link *link)
{
	uint64_t time = wf_sim_flight(world);

	if (time < link->last_put)
		world->result.passes++;
	else
		link->last_put = time;
	return time;
}

static void send(struct sim_op *op, uint32_t kind, uint64_t time)
{
	wf_sim_schedule(op->link->from->world, (struct sim_event){
		.time = time, .kind = kind,
		.rank = (uint32_t)op->link->to->rank, .op = op });
}

static int sim_line(struct wf_ep *wep, struct wf_rloc dst, const void *data,
		    uint32_t n, uint32_t seq)
{
	struct sim_ep *ep = sim_ep(wep);
	struct wf_sim *world = ep->link->from->world;
	struct sim_op *op;
	int status = admit_post(ep);

	if (status)
		return status;
	if (n > wep->dev->line_data || dst.addr % WF_LINE_BYTES)
		return WEFT_ERR_RANGE;
	op = wf_sim_op(world, ep->link);
	if (!op)
		return WEFT_ERR_NOMEM;
	op->line.dst = dst;
	op->line.n = n;
	op->line.seq = seq;
	if (n)
		memcpy(op->line.data, data, n);
	op->post = wf_sim_post_copied(ep);
	send(op, SIM_LINE, put_flight(world, ep->link));
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
static uint64_t launch_part(struct wf_sim *world, struct sim_op *op,
			    uint32_t kind)
{
	uint64_t time = put_flight(world, op->link);

	op->put.parts++;
	send(op, kind, time);
	return time;
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
		first = launch_part(world, op, SIM_FIRST);
	if (put->cut < put->n)
		second = launch_part(world, op, SIM_SECOND);
	if (!put->n || wf_random_below(&world->random, 2))
		end = put_flight(world, op->link);
	end = wf_sim_later(end, wf_sim_later(first, second));
	op->link->last_put = wf_sim_later(op->link->last_put, end);
	send(op, SIM_SIGNAL, end);
}

static int post_put(struct sim_ep *ep, const struct sim_put *put,
		    struct wf_loc src)
{
	struct wf_sim *world = ep->link->from->world;
	struct sim_op *op;
	int status = admit_post(ep);

	if (status)
		return status;
	op = wf_sim_op(world, ep->link);
	if (!op)
		return WEFT_ERR_NOMEM;
	op->put = *put;
	if (put->n)
		set_source(ep, &op->put, src);
	op->post = ++ep->ep.posted;
	launch(world, op);
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

static int sim_flush(struct wf_ep *wep, enum wf_flush what)
{
	struct sim_ep *ep = sim_ep(wep);

	if (what == WF_FLUSH_REMOTE) {
		ep->want = wep->posted;
		wep->done = ep->local;
		wep->flushed = ep->remote < ep->want ? ep->remote : ep->want;
	}
	return WEFT_OK;
}

const struct wf_ep_ops wf_sim_ep_ops = {
	wf_sim_mail,
	sim_line,
	sim_put,
	sim_put_signal,
	wf_stub_get,
	wf_stub_fetch_add,
	wf_stub_cas,
	sim_flush
};
