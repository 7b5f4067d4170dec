/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tells an observer what happens.
 *
 * Each call asks first whether there is one; an op that was posted while there
 * was has a number.
 */
#include "transport/sim/sim_cost.h"
#include "transport/sim/sim_world.h"

static const struct wf_sim_observer *observer(const struct wf_sim_rank *rank)
{
	return rank->world->options.observer;
}

static struct wf_sim_message describe(const struct sim_op *op, uint32_t kind)
{
	struct wf_sim_message message = {
		.kind = "put", .number = op->number,
		.from = op->link->from->rank, .to = op->link->to->rank,
		.bytes = op->put.n, .start_ps = op->start
	};

	switch (kind) {
	case SIM_LINE:
		message.kind = "line";
		message.bytes = op->line.n + (op->next ? op->next->line.n : 0);
		break;
	case SIM_MAIL:
		message.kind = "mail";
		message.bytes = op->mail.mail.length;
		break;
	case SIM_GET_FIRST:
	case SIM_WORD:
		message.kind = kind == SIM_WORD ? "atomic" : "get";
		message.bytes = op->fetch.n;
		break;
	default:
		break;
	}
	return message;
}

void wf_sim_see_posted(struct sim_op *op, uint32_t kind)
{
	struct wf_sim_rank *from = op->link->from;
	const struct wf_sim_observer *o = observer(from);
	struct wf_sim_message message;

	if (!o)
		return;
	op->number = ++from->world->observed;
	message = describe(op, kind);
	message.end_ps = wf_sim_clock(from);
	o->posted(o->arg, &message);
}

void wf_sim_see_landed(const struct sim_op *op, uint32_t kind, bool lands)
{
	const struct wf_sim_observer *o;
	struct wf_sim_message message;

	if (!op->number || kind == SIM_FIRST || kind == SIM_SECOND)
		return;
	lands &= kind != SIM_SIGNAL || !op->put.broken;
	o = observer(op->link->to);
	message = describe(op, kind);
	message.end_ps = wf_sim_later(op->link->to->world->now,
				      message.start_ps);
	o->landed(o->arg, &message, lands);
}

void wf_sim_see_busy(const struct wf_sim_rank *rank, const char *what,
		     uint64_t ps)
{
	const struct wf_sim_observer *o = observer(rank);
	uint64_t start;

	if (!o || !ps || !rank->world->options.net)
		return;
	start = wf_sim_clock(rank);
	o->busy(o->arg, rank->rank, what, start, start + ps);
}

void wf_sim_see_death(const struct wf_sim_rank *rank)
{
	const struct wf_sim_observer *o = observer(rank);

	if (o)
		o->died(o->arg, rank->rank, wf_sim_clock(rank));
}

/* Of the events of a message the last one. */
static void see_lost(const struct sim_event *event)
{
	switch (event->kind) {
	case SIM_GET_FIRST:
	case SIM_GET_SECOND:
		if (--event->op->fetch.parts == 0)
			wf_sim_see_landed(event->op, SIM_GET_FIRST, false);
		break;
	case SIM_LINE:
	case SIM_SIGNAL:
	case SIM_MAIL:
	case SIM_WORD:
		wf_sim_see_landed(event->op, event->kind, false);
		break;
	default:
		break;
	}
}

void wf_sim_see_rest(struct wf_sim *world)
{
	if (!world->options.observer)
		return;
	for (int i = 0; i < world->options.ranks; i++)
		for (const struct sim_held *held = world->ranks[i].held; held;
		     held = held->next)
			see_lost(&held->event);
	while (world->queue.count) {
		struct sim_event event = wf_sim_queue_pop(&world->queue);

		see_lost(&event);
	}
}
