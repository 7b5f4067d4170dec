/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What brings something back: get, fetch_add, cas.
 *
 * A request flies to the owner, in one part or two where it is a get, and
 * reads or changes the memory when it lands, by the owner's CPU; an answer
 * flies back, and with its landing the op is done.  Until then what the caller
 * may not look at is filled with something that nobody wants to read.  A
 * request that is lost with its owner has an answer, too: it breaks the
 * endpoint.
 */
#include <string.h>

#include "transport/segment.h"
#include "transport/sim/sim_cost.h"
#include "transport/sim/sim_ops.h"
#include "transport/sim/sim_world.h"

enum {
	NOT_YET = 0xdb			/* in each byte of what is fetched */
};

/*
 * Is it refused at once, as memory that is not of this peer?  An operand whose
 * block was given back is found out when the request lands.
 */
static bool is_foreign(const struct sim_ep *ep, struct wf_rloc rloc, size_t n)
{
	const struct wf_sim_rank *to = ep->link->to;
	uint64_t size;

	if (rloc.key >> 32 != (uint64_t)to->rank + 1)
		return true;
	if (!to->dev)
		return false;
	size = to->dev->env.segment->size;
	return rloc.addr > size || n > size - rloc.addr;
}

static int post_fetch(struct sim_ep *ep, const struct sim_fetch *fetch,
		      struct sim_op **op_p)
{
	int status = wf_sim_admit_post(ep);
	struct sim_op *op;

	if (status)
		return status;
	if (fetch->n && is_foreign(ep, fetch->rloc, fetch->n))
		return WEFT_ERR_RANGE;
	op = wf_sim_op(ep->link->from->world, ep->link);
	if (!op)
		return WEFT_ERR_NOMEM;
	op->fetch = *fetch;
	op->post = ++ep->ep.posted;
	ep->asked = op->post;		/* it tells of itself */
	*op_p = op;
	return WEFT_OK;
}

/* The memory that will be written must be a block of the caller's till then. */
static void set_target(struct sim_op *op, struct wf_loc dst)
{
	struct wf_sim_rank *rank = op->link->from;
	const struct wf_segment *seg = rank->dev->env.segment;
	struct sim_fetch *fetch = &op->fetch;

	if (!dst.region && !rank->world->options.local_any)
		wf_sim_violate(rank->world, "rank %d gets into memory that is "
			       "not registered", rank->rank);
	fetch->to = wf_loc_address(dst);
	memset(fetch->to, NOT_YET, fetch->n);
	if (!wf_segment_has(seg, fetch->to, fetch->n, &fetch->to_at))
		return;
	fetch->to_generation = wf_segment_generation(seg, fetch->to_at);
	if (!fetch->to_generation)
		wf_sim_violate(rank->world, "rank %d gets into arena memory "
			       "that nobody holds", rank->rank);
}

/* The request of a get has no bytes. */
static void launch(struct sim_op *op, uint32_t kind, uint64_t bytes)
{
	op->fetch.parts++;
	wf_sim_send(op, kind, wf_sim_put_flight(op->link, bytes));
}

static void answer(struct sim_op *op)
{
	struct wf_sim *world = op->link->from->world;

	wf_sim_schedule(world, (struct sim_event){
		.time = wf_sim_answer(op->link, op->fetch.n), .kind = SIM_VALUE,
		.rank = (uint32_t)op->link->from->rank, .op = op });
}

int wf_sim_get(struct wf_ep *wep, struct wf_loc dst, struct wf_rloc src,
	       size_t n)
{
	struct sim_ep *ep = sim_ep(wep);
	const struct sim_fetch fetch = { .rloc = src, .n = n, .cut = n };
	struct wf_random *random = &ep->link->from->world->random;
	struct sim_op *op;
	int status = post_fetch(ep, &fetch, &op);

	if (status)
		return status;
	if (!n) {
		answer(op);
		return WEFT_OK;
	}
	set_target(op, dst);
	/* Where networks have times, it is one message. */
	if (n > 1 && !ep->link->net && wf_random_below(random, 2))
		op->fetch.cut = 1 + wf_random_below(random, n - 1);
	launch(op, SIM_GET_FIRST, 0);
	if (op->fetch.cut < n)
		launch(op, SIM_GET_SECOND, 0);
	wf_sim_see_posted(op, SIM_GET_FIRST);
	return WEFT_OK;
}

static int post_word(struct wf_ep *ep, struct wf_rloc dst,
		     const struct wf_word_op *word, uint64_t *old)
{
	const struct sim_fetch fetch = { .rloc = dst, .n = WF_WORD_BYTES,
					 .word = *word, .old = old };
	struct sim_op *op;
	int status;

	if (dst.addr % WF_WORD_BYTES)
		return WEFT_ERR_RANGE;
	status = post_fetch(sim_ep(ep), &fetch, &op);
	if (status)
		return status;
	memset(old, NOT_YET, sizeof(*old));
	launch(op, SIM_WORD, sizeof(*old));
	wf_sim_see_posted(op, SIM_WORD);
	return WEFT_OK;
}

int wf_sim_fetch_add(struct wf_ep *ep, struct wf_rloc dst, uint64_t add,
		     uint64_t *old)
{
	const struct wf_word_op op = { .operand = add };

	return post_word(ep, dst, &op, old);
}

int wf_sim_cas(struct wf_ep *ep, struct wf_rloc dst, uint64_t expected,
	       uint64_t desired, uint64_t *old)
{
	const struct wf_word_op op = { .operand = desired,
				       .expected = expected, .is_cas = true };

	return post_word(ep, dst, &op, old);
}

/* Does anybody wait for it?  Who is dead, or has disconnected, does not. */
static bool is_awaited(const struct sim_op *op)
{
	return op->link->ep && op->link->from->state != SIM_DEAD;
}

static bool target_stands(const struct sim_op *op)
{
	const struct sim_link *link = op->link;
	const struct sim_device *dev = link->from->dev;
	const struct sim_fetch *fetch = &op->fetch;

	if (!fetch->to_generation)
		return true;
	if (dev && wf_segment_generation(dev->env.segment, fetch->to_at) ==
		   fetch->to_generation)
		return true;
	wf_sim_violate(link->from->world, "rank %d has given back the target "
		       "of a get of %zu bytes from rank %d that is under way",
		       link->from->rank, fetch->n, link->to->rank);
	return false;
}

static void land_get(struct sim_op *op, bool first)
{
	const struct sim_fetch *fetch = &op->fetch;
	size_t from = first ? 0 : fetch->cut;
	size_t n = first ? fetch->cut : fetch->n - fetch->cut;
	const struct wf_segment *seg = op->link->to->dev->env.segment;

	if (is_awaited(op) && target_stands(op))
		memcpy(fetch->to + from,
		       wf_segment_at(seg, fetch->rloc.addr + from), n);
}

static void land_word(struct sim_op *op)
{
	struct sim_fetch *fetch = &op->fetch;
	const struct wf_segment *seg = op->link->to->dev->env.segment;

	fetch->value = wf_word_do(wf_segment_at(seg, fetch->rloc.addr),
				  &fetch->word);
}

void wf_sim_land_fetch(struct sim_op *op, uint32_t kind, bool lands)
{
	struct sim_fetch *fetch = &op->fetch;

	if (!lands)
		fetch->lost = true;
	else if (kind == SIM_WORD)
		land_word(op);
	else
		land_get(op, kind == SIM_GET_FIRST);
	if (--fetch->parts)
		return;
	wf_sim_see_landed(op, kind == SIM_WORD ? kind : SIM_GET_FIRST,
			  !fetch->lost);
	answer(op);
}

void wf_sim_land_value(struct sim_op *op)
{
	const struct sim_fetch *fetch = &op->fetch;

	if (!is_awaited(op))
		return;
	if (fetch->lost)
		op->link->ep->ep.broken = true;
	else if (fetch->old)
		*fetch->old = fetch->value;
	wf_sim_complete(op->link, op->post, SIM_LOCAL | SIM_REMOTE);
}
