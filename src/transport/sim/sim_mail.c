/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mails: copied at once, in order per link, bounded by credits.
 *
 * Credits come back at consumption, two mails at a time as on the backends
 * with counting signals, the reserved one by itself. A mail does not wait for
 * the puts before it, unless the capability PUT_MAIL_ORDER is simulated.
 */
#include <string.h>

#include "transport/sim/sim_cost.h"
#include "transport/sim/sim_ops.h"
#include "transport/sim/sim_world.h"

static uint64_t mail_flight(struct sim_link *link, uint64_t bytes)
{
	const struct wf_sim *world = link->from->world;
	uint64_t time = wf_sim_flight(link, bytes);

	if (world->options.put_mail_order && time < link->last_put)
		time = link->last_put;
	if (time < link->last_mail)
		time = link->last_mail;
	link->last_mail = time;
	return time;
}

/* Without one the next that comes wakes the rank. */
static bool has_credit(struct sim_ep *ep, const struct wf_mail *mail)
{
	if (ep->credits || (mail->flags & WF_MAIL_RESERVED && ep->reserved))
		return true;
	ep->starved = true;
	return false;
}

/* True: it was the reserved one. */
static bool take_credit(struct sim_ep *ep)
{
	if (ep->credits) {
		ep->credits--;
		return false;
	}
	ep->reserved--;
	return true;
}

static struct wf_pool *payloads(struct wf_sim *world, size_t bytes)
{
	return bytes <= SIM_SHORT ? &world->short_pool : &world->payload_pool;
}

void wf_sim_forget_mail(struct wf_sim *world, struct sim_op *op)
{
	if (op->mail.payload != op->mail.bytes)
		wf_pool_put(payloads(world, op->mail.mail.length),
			    op->mail.payload);
	wf_pool_put(&world->op_pool, op);
}

static void *make_room(struct wf_sim *world, struct sim_op *op, size_t bytes)
{
	if (bytes <= sizeof(op->mail.bytes))
		return op->mail.bytes;
	return wf_pool_get(payloads(world, bytes));
}

static struct sim_op *mail_op(struct sim_ep *ep, const struct wf_mail *mail,
			      const void *payload)
{
	struct wf_sim *world = ep->link->from->world;
	struct sim_op *op = wf_sim_op(world, ep->link);

	if (!op)
		return NULL;
	op->mail.mail = *mail;
	if (!mail->length)
		return op;
	op->mail.payload = make_room(world, op, mail->length);
	if (!op->mail.payload) {
		wf_pool_put(&world->op_pool, op);
		return NULL;
	}
	memcpy(op->mail.payload, payload, mail->length);
	return op;
}

int wf_sim_mail(struct wf_ep *wep, const struct wf_mail *mail,
		const void *payload)
{
	struct sim_ep *ep = sim_ep(wep);
	struct wf_sim *world = ep->link->from->world;
	struct sim_op *op;

	wf_sim_admit(ep);
	if (wf_sim_fault(ep, ep->link->from->mail_fault))
		return WEFT_ERR_DEVICE;
	if (wf_sim_fault(ep, ep->link->from->mails_starved))
		return WEFT_ERR_NOMEM;
	if (mail->length > (mail->flags & WF_MAIL_RESERVED ? WF_MAIL_PAYLOAD :
			    wep->dev->mail_max))
		return WEFT_ERR_RANGE;
	if (!has_credit(ep, mail) || wf_sim_again(ep))
		return WEFT_AGAIN;
	op = mail_op(ep, mail, payload);
	if (!op)
		return WEFT_ERR_NOMEM;
	op->mail.reserved = take_credit(ep);
	op->post = wf_sim_post_copied(ep);
	wf_sim_schedule(world, (struct sim_event){
		.time = mail_flight(ep->link, sizeof(*mail) + mail->length),
		.kind = SIM_MAIL,
		.rank = (uint32_t)ep->link->to->rank, .op = op });
	wf_sim_see_posted(op, SIM_MAIL);
	return WEFT_OK;
}

/* amount 0 gives the reserved credit back. */
static void give_back(struct sim_link *link, int amount)
{
	struct wf_sim *world = link->from->world;
	struct sim_op *op = wf_sim_op(world, link);

	if (!op)
		return;
	op->amount = amount;
	wf_sim_schedule(world, (struct sim_event){
		.time = wf_sim_answer(link, 0), .kind = SIM_CREDIT,
		.rank = (uint32_t)link->from->rank, .op = op });
}

void wf_sim_mail_consumed(struct sim_ep *ep, const struct sim_op *op)
{
	if (op->mail.reserved) {
		give_back(op->link, 0);
	} else if (++ep->consumed == SIM_CREDIT_UNIT) {
		ep->consumed = 0;
		give_back(op->link, SIM_CREDIT_UNIT);
	}
}
