/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Flights arrive: bytes are written into the receiver's segment, or read there,
 * signals go up, inboxes fill, senders hear of it. Called by the scheduler,
 * while no rank runs.
 *
 * The checker sits here: memory must still be the block, of the generation,
 * that its owner gave the address of, at the moment when bytes land in it, and
 * a source in a segment must still be the block that was posted. What lands
 * elsewhere is a violation and is not written. Without the capability
 * TARGET_IDLE the moment is the next progress of the receiver.
 */
#include <string.h>

#include "transport/line.h"
#include "transport/segment.h"
#include "transport/signals.h"
#include "transport/sim/sim_cost.h"
#include "transport/sim/sim_down.h"
#include "transport/sim/sim_ops.h"
#include "transport/sim/sim_tear.h"
#include "transport/sim/sim_world.h"

enum {
	REPEATED = 1,		/* amount of an acknowledgement */
	REPEAT_NS = 67000000,	/* until a device sends once more */
	APART_PS = 1000000	/* between two lines of a message */
};

enum fate {
	LANDS,
	LOST,			/* yet the sender gets its completion */
	POSTPONED
};

static bool is_fetch(uint32_t kind)
{
	return kind >= SIM_GET_FIRST && kind <= SIM_WORD;
}

static bool touches_memory(uint32_t kind)
{
	return (kind >= SIM_LINE && kind <= SIM_SIGNAL) || is_fetch(kind);
}

static const char *kind_name(uint32_t kind)
{
	switch (kind) {
	case SIM_LINE:
		return "line";
	case SIM_SIGNAL:
		return "signal";
	case SIM_MAIL:
		return "mail";
	case SIM_GET_FIRST:
	case SIM_GET_SECOND:
		return "get";
	case SIM_WORD:
		return "fetch_add or cas";
	default:
		return "put";
	}
}

static void trace(struct wf_sim *world, uint32_t kind,
		  const struct sim_link *link, uint64_t offset, uint64_t n)
{
	wf_sim_trace(world,
		     (uint64_t[]){ kind, (uint64_t)link->from->rank,
				   (uint64_t)link->to->rank, offset, n }, 5);
}

/* The end of a put comes after its parts, also after late ones. */
static void postpone(struct wf_sim *world, const struct sim_event *event,
		     uint64_t time)
{
	struct sim_event later = *event;

	if (event->kind == SIM_FIRST || event->kind == SIM_SECOND)
		event->op->put.late = wf_sim_later(event->op->put.late, time);
	later.time = time;
	wf_sim_schedule(world, later);
}

/*
 * Of a flight whose sender is dead: it lands, or is lost, or comes later, as
 * long as nobody has fenced it. Mails keep their order: one lost, all lost.
 */
static enum fate dead_fate(struct wf_sim *world, const struct sim_event *event)
{
	struct sim_link *link = event->op->link;
	uint64_t dice = wf_random_below(&world->random, 4);

	if (event->kind == SIM_MAIL || event->kind == SIM_CONTACT) {
		link->mails_cut |= dice == 0;
		return link->cut || link->mails_cut ? LOST : LANDS;
	}
	if (link->cut || dice == 0)
		return LOST;
	if (dice > 1)
		return LANDS;
	postpone(world, event, world->now +
		 wf_sim_below(world, world->options.told_ns + 1));
	return POSTPONED;
}

static enum fate fate(struct wf_sim *world, const struct sim_event *event)
{
	struct sim_link *link = event->op->link;
	enum fate f = LANDS;

	/* The usual case, without a look at both ranks. */
	if (world->result.killed < 0 && !link->cut && !link->weak)
		return LANDS;
	if (wf_sim_is_severed(link)) {
		wf_sim_break(link);
		return LOST;
	}
	if (link->to->state == SIM_DEAD)
		return LOST;
	if (link->from->state == SIM_DEAD) {
		f = dead_fate(world, event);
		world->result.dropped += f == LOST;
	} else if (link->cut) {
		if (touches_memory(event->kind) && link->ep)
			wf_sim_violate(world, "a %s of rank %d lands at rank "
				       "%d, which has disconnected",
				       kind_name(event->kind),
				       link->from->rank, link->to->rank);
		f = LOST;
	}
	return f;
}

/* May these bytes land? If not, it is a violation. */
static bool may_land(struct wf_sim *world, const struct sim_event *event,
		     struct wf_rloc dst, size_t n)
{
	const struct sim_link *link = event->op->link;
	const char *error = wf_sim_key_error(link->to, dst, n);

	if (!error)
		return true;
	wf_sim_violate(world, "a %s of %zu bytes from rank %d lands at rank %d "
		       "offset %llu: %s", kind_name(event->kind), n,
		       link->from->rank, link->to->rank,
		       (unsigned long long)dst.addr, error);
	return false;
}

static void write_line(const struct wf_sim *world, void *to,
		       const struct sim_line *line)
{
	struct wf_piece piece = { line->data, line->n };

	wf_line_pack(to, world->options.ll_lines, &piece, line->seq);
}

static void land_line(struct wf_sim *world, const struct sim_event *event,
		      const struct sim_op *op)
{
	const struct sim_line *line = &op->line;
	struct wf_segment *seg;

	if (may_land(world, event, line->dst, WF_LINE_BYTES)) {
		seg = op->link->to->dev->env.segment;
		write_line(world, wf_segment_at(seg, line->dst.addr), line);
		wf_sim_arrived(op->link);
	}
	trace(world, SIM_LINE, op->link, line->dst.addr, line->n);
}

/* One, or two; the second is used up. */
static void land_lines(struct wf_sim *world, const struct sim_event *event,
		       bool lands)
{
	struct sim_op *op = event->op;

	if (lands)
		land_line(world, event, op);
	if (!op->next)
		return;
	if (lands)
		land_line(world, event, op->next);
	wf_pool_put(&world->op_pool, op->next);
}

/*
 * Where no order is kept within a write the second line may be there first, and
 * the other one when this event comes again: behind mails, if they may be.
 */
static bool lands_backwards(struct wf_sim *world, const struct sim_event *event)
{
	struct sim_op *op = event->op, *second = op->next;

	if (event->kind != SIM_LINE || !second || !world->options.ll_lines ||
	    world->options.put_mail_order || wf_random_below(&world->extra, 2))
		return false;
	land_line(world, event, second);
	op->next = NULL;
	wf_pool_put(&world->op_pool, second);
	wf_sim_wake(op->link->to);
	postpone(world, event, world->now + 1 +
		 wf_random_below(&world->extra, APART_PS));
	return true;
}

/* The source must be what was posted, until the sender was told otherwise. */
static bool source_stands(struct wf_sim *world, const struct sim_op *op)
{
	const struct sim_device *dev = op->link->from->dev;
	const struct sim_put *put = &op->put;

	if (!put->src_generation)
		return true;
	if (dev && wf_segment_generation(dev->env.segment, put->src_at) ==
		   put->src_generation)
		return true;
	wf_sim_violate(world, "rank %d has given back the source of a put of "
		       "%zu bytes to rank %d that is under way",
		       op->link->from->rank, put->n, op->link->to->rank);
	return false;
}

static void land_bytes(struct wf_sim *world, const struct sim_event *event,
		       size_t from, size_t n)
{
	const struct sim_op *op = event->op;
	const struct sim_put *put = &op->put;
	struct wf_rloc dst = { put->dst.addr + from, put->dst.key };
	struct wf_segment *seg;

	if (may_land(world, event, dst, n) && source_stands(world, op)) {
		seg = op->link->to->dev->env.segment;
		memcpy(wf_segment_at(seg, dst.addr), put->src + from, n);
	}
	trace(world, event->kind, op->link, dst.addr, n);
}

/* Some lines of a torn put; the last ones at the time of its end. */
static void land_torn(struct wf_sim *world, const struct sim_event *event)
{
	struct sim_put *put = &event->op->put;
	bool all = world->now >= put->late;
	uint64_t n = all ? put->left :
			 1 + wf_random_below(&world->extra, put->left);
	size_t from, bytes;

	while (n--) {
		wf_sim_tear_line(put, &from, &bytes);
		land_bytes(world, event, from, bytes);
	}
	if (put->left)
		postpone(world, event, world->now + 1 +
			 wf_random_below(&world->extra,
					 put->late - world->now));
}

/* A part of a put, in whole or as far as it has got. */
static void land_part(struct wf_sim *world, const struct sim_event *event,
		      bool lands)
{
	struct sim_put *put = &event->op->put;
	bool first = event->kind == SIM_FIRST;

	if (lands && put->lines)
		land_torn(world, event);
	else if (lands)
		land_bytes(world, event, first ? 0 : put->cut,
			   first ? put->cut : put->n - put->cut);
	if (lands && put->left)
		return;
	put->parts--;
	put->broken |= !lands;
}

static void raise_signal(struct wf_sim *world, const struct sim_op *op)
{
	struct wf_sim_rank *to = op->link->to;
	struct wf_signals *signals;
	uint64_t dropped;

	if (!to->dev)
		return;
	signals = to->dev->env.signals;
	dropped = wf_signals_dropped(signals);
	wf_signal_raise(signals, op->put.sig);
	wf_sim_arrived(op->link);
	if (!op->put.n && !op->put.has_head &&
	    wf_sim_chance(world, world->options.forge_one_in)) {
		wf_signal_raise(signals, op->put.sig);
		world->result.forged++;
	}
	if (wf_signals_dropped(signals) != dropped)
		wf_sim_violate(world, "rank %d raises signal %08x of rank %d, "
			       "which was given back", op->link->from->rank,
			       (unsigned int)op->put.sig, to->rank);
}

/* After all parts: the head word, the signal, and the way back. */
static void land_end(struct wf_sim *world, const struct sim_event *event)
{
	struct sim_op *op = event->op;
	struct sim_put *put = &op->put;
	struct wf_segment *seg;

	if (put->has_head &&
	    may_land(world, event, put->head_dst, sizeof(put->head))) {
		seg = op->link->to->dev->env.segment;
		memcpy(wf_segment_at(seg, put->head_dst.addr), &put->head,
		       sizeof(put->head));
	}
	if (put->has_signal)
		raise_signal(world, op);
	trace(world, SIM_SIGNAL, op->link, put->sig, put->n);
}

static void acknowledge(struct wf_sim *world, struct sim_op *op)
{
	wf_sim_schedule(world, (struct sim_event){
		.time = wf_sim_answer(op->link, 0), .kind = SIM_ACK,
		.rank = (uint32_t)op->link->from->rank, .op = op });
}

static void enqueue(struct wf_sim_rank *rank, struct sim_op *op, uint32_t kind)
{
	op->kind = kind;
	op->next = NULL;
	*rank->inbox_end = op;
	rank->inbox_end = &op->next;
	wf_sim_wake(rank);
}

/* Of a get or an atomic; the owner does not hear of it. */
static void land_fetch(struct wf_sim *world, const struct sim_event *event,
		       bool lands)
{
	const struct sim_fetch *fetch = &event->op->fetch;

	if (lands)
		lands = may_land(world, event, fetch->rloc, fetch->n);
	trace(world, event->kind, event->op->link, fetch->rloc.addr, fetch->n);
	wf_sim_land_fetch(event->op, event->kind, lands);
}

/* By numbers that no run without it draws. */
static bool loses_ack(struct wf_sim *world)
{
	unsigned int one_in = world->options.ack_lost_one_in;

	return one_in && !wf_random_below(&world->extra, one_in);
}

/* The sender's device hears of it, at once or when it has asked again. */
static void tell_sender(struct wf_sim *world, const struct sim_op *mail)
{
	struct sim_op *ack;

	if (!loses_ack(world)) {
		wf_sim_complete(mail->link, mail->post,
				SIM_LOCAL | SIM_REMOTE);
		return;
	}
	ack = wf_sim_op(world, mail->link);
	if (!ack)
		return;
	ack->post = mail->post;
	ack->amount = REPEATED;
	wf_sim_schedule(world, (struct sim_event){
		.time = world->now + wf_sim_ps(REPEAT_NS), .kind = SIM_ACK,
		.rank = (uint32_t)mail->link->from->rank, .op = ack });
}

/* Also lost is what comes after a rank has closed: nobody answers. */
static void land_mail(struct wf_sim *world, const struct sim_event *event,
		      bool lands)
{
	struct sim_op *op = event->op;
	struct sim_link *link = op->link;

	tell_sender(world, op);
	trace(world, SIM_MAIL, link, op->mail.mail.kind, op->mail.mail.length);
	if (lands && !link->to->closed) {
		wf_sim_arrived(link);
		enqueue(link->to, op, SIM_MAIL);
		return;
	}
	if (link->to->closed)
		wf_sim_break(link);
	wf_sim_forget_mail(world, op);
}

/* Flights that touch memory or fill a mailbox. */
static void land_data(struct wf_sim *world, const struct sim_event *event)
{
	struct sim_op *op = event->op;
	struct sim_link *link = op->link;
	enum fate f;
	bool lands;

	if (event->kind == SIM_SIGNAL && op->put.parts) {
		postpone(world, event, op->put.late);
		return;
	}
	f = fate(world, event);
	lands = f == LANDS;
	if (f == POSTPONED)
		return;
	if (is_fetch(event->kind)) {
		land_fetch(world, event, lands);
		return;
	}
	if (lands && lands_backwards(world, event))
		return;
	wf_sim_see_landed(op, event->kind, lands);
	switch (event->kind) {
	case SIM_LINE:
		land_lines(world, event, lands);
		wf_sim_complete(link, op->post, SIM_LOCAL | SIM_REMOTE);
		wf_pool_put(&world->op_pool, op);
		break;
	case SIM_MAIL:
		land_mail(world, event, lands);
		return;
	case SIM_SIGNAL:
		if (lands && !op->put.broken)
			land_end(world, event);
		acknowledge(world, op);
		break;
	default:
		land_part(world, event, lands);
		break;
	}
	if (lands)
		wf_sim_wake(link->to);
}

static void land_contact(struct wf_sim *world, const struct sim_event *event)
{
	struct sim_op *op = event->op;
	struct sim_link *link = op->link;

	if (fate(world, event) == LANDS && !link->to->closed) {
		trace(world, SIM_CONTACT, link, 0, 0);
		enqueue(link->to, op, SIM_CONTACT);
		return;
	}
	if (wf_sim_is_severed(link))
		wf_sim_break_both(link);
	else if (link->to->state != SIM_DEAD && link->from->state != SIM_DEAD)
		wf_sim_refuse(world, link);
	wf_pool_put(&world->op_pool, op);
}

/* Only who was refused a mail looks for it. */
static void land_credit(struct sim_link *link, int amount)
{
	struct sim_ep *ep = link->ep;

	if (amount)
		ep->credits += amount;
	else
		ep->reserved++;
	if (!ep->starved)
		return;
	ep->starved = false;
	wf_sim_wake(link->from);
}

/* Flights back to the sender of what they answer. */
static void land_back(struct wf_sim *world, const struct sim_event *event)
{
	struct sim_op *op = event->op;
	struct sim_link *link = op->link;

	bool lost = wf_sim_is_severed(link);

	trace(world, event->kind, link, op->post, (uint64_t)op->amount);
	/* Of what was posted the sender had no word that it came. */
	if (lost && (event->kind == SIM_CREDIT || event->kind == SIM_REFUSE))
		wf_sim_break_both(link);
	else if (lost)
		wf_sim_break(link);
	if (event->kind == SIM_REFUSE && link->ep && !lost) {
		enqueue(link->from, op, SIM_REFUSE);
		return;
	}
	if (event->kind == SIM_VALUE) {
		op->fetch.lost |= lost;
		wf_sim_land_value(op);
	}
	if (event->kind == SIM_ACK && !(op->amount && link->to->closed))
		wf_sim_complete(link, op->post, SIM_LOCAL | SIM_REMOTE);
	if (event->kind == SIM_CREDIT && link->ep && !lost)
		land_credit(link, op->amount);
	wf_pool_put(&world->op_pool, op);
}

/* Without WF_CAP_TARGET_IDLE memory is written by the target's progress. */
static bool hold(struct wf_sim *world, const struct sim_event *event)
{
	struct wf_sim_rank *to = &world->ranks[event->rank];
	struct sim_held *held;

	if (world->options.target_idle || !touches_memory(event->kind) ||
	    to->state == SIM_DEAD || !to->dev)
		return false;
	held = wf_pool_get(&world->held_pool);
	if (!held) {
		world->no_memory = true;
		return false;
	}
	held->event = *event;
	*to->held_end = held;
	to->held_end = &held->next;
	wf_sim_wake(to);
	return true;
}

int wf_sim_land_held(struct wf_sim_rank *rank)
{
	int n = 0;

	while (rank->held) {
		struct sim_held *held = rank->held;

		rank->held = held->next;
		if (!rank->held)
			rank->held_end = &rank->held;
		land_data(rank->world, &held->event);
		wf_pool_put(&rank->world->held_pool, held);
		n++;
	}
	return n;
}

void wf_sim_land(struct wf_sim *world, const struct sim_event *event)
{
	struct wf_sim_rank *rank = &world->ranks[event->rank];

	switch (event->kind) {
	case SIM_CONTACT:
		land_contact(world, event);
		break;
	case SIM_TOLD:
		wf_sim_trace(world,
			     (uint64_t[]){ SIM_TOLD, event->rank,
					   (uint64_t)event->op->amount }, 3);
		wf_sim_cut_mails(world, event->op->amount, rank->rank);
		enqueue(rank, event->op, SIM_TOLD);
		break;
	case SIM_ACK:
	case SIM_CREDIT:
	case SIM_REFUSE:
	case SIM_VALUE:
		land_back(world, event);
		break;
	default:
		if (!hold(world, event))
			land_data(world, event);
		break;
	}
}
