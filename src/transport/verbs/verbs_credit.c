/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Credits of mails: see verbs_credit.h.
 *
 * The ledger, one of each receive queue: its buffers are for all that may come
 * at once.  Of an endpoint these are its mails, the signals for ours, and
 * letters between two lives, which take half of the queue as long as the device
 * gives others; then bulks of mails, up to three quarters, and one raise of
 * each other signal.
 */
#include "transport/verbs/verbs_post.h"

enum {
	LEDGER_EP = 11,			/* of an endpoint, without bulks */
	LONG_AGO = 1024,		/* mails of others */
	LOOKS = 4			/* at endpoints, at a time */
};

static const uint64_t first_credits[2] = { WF_VERBS_CREDITS, 1 };
static const uint64_t mails_per_credit[2] = { 2, 1 };

/* ---- life ---- */

int wf_verbs_credit_init(struct wf_verbs_ep *ep)
{
	struct wf_signals *signals = wf_verbs_dev(ep->ep.dev)->env.signals;
	struct wf_verbs_credit *c = &ep->credit;
	int status = wf_signal_alloc(signals, ep->ep.room, &c->own[0]);

	if (status)
		return status;
	status = wf_signal_alloc(signals, ep->ep.room, &c->own[1]);
	if (status) {
		wf_signal_free(signals, c->own[0]);
		return status;
	}
	for (int i = 0; i < 2; i++)
		c->word[i] = wf_signal_word(signals, c->own[i]);
	c->own_bulk = c->peer_bulk = WF_VERBS_NO_BULK;
	return WEFT_OK;
}

void wf_verbs_credit_fini(struct wf_verbs *dev, struct wf_verbs_credit *c)
{
	for (int i = 0; i < 2; i++)
		wf_signal_free(dev->env.signals, c->own[i]);
	if (c->own_bulk != WF_VERBS_NO_BULK)
		wf_signal_free_booked(dev->env.signals, WF_VERBS_BULK_RAISES,
				      c->own_bulk);
}

static uint32_t ledger(const struct wf_verbs_rq *rq)
{
	return LEDGER_EP * rq->neps + WF_VERBS_BULK * rq->given;
}

bool wf_verbs_rq_fits(const struct wf_verbs *dev, const struct wf_verbs_rq *rq)
{
	uint32_t signals = wf_signals_raises(dev->env.signals, rq->room);

	return !rq->neps ||
	       (LEDGER_EP * (rq->neps + 1) <= rq->size / 2 &&
		ledger(rq) + LEDGER_EP + signals <= rq->size);
}

static uint32_t most_with_bulks(const struct wf_verbs_rq *rq)
{
	return rq->size / 4 * 3;
}

void wf_verbs_keep_ledger(struct wf_verbs *dev, const struct wf_verbs_rq *rq)
{
	uint32_t used = ledger(rq);

	wf_signals_limit(dev->env.signals, rq->room,
			 used < rq->size ? rq->size - used : 0);
}

static void take_back(struct wf_verbs_ep *ep, uint16_t bulks)
{
	struct wf_verbs_credit *c = &ep->credit;

	if (bulks > c->given)
		bulks = c->given;
	c->given = (uint16_t)(c->given - bulks);
	ep->rq->given -= bulks;
	wf_verbs_keep_ledger(wf_verbs_dev(ep->ep.dev), ep->rq);
}

void wf_verbs_credit_ends(struct wf_verbs_ep *ep)
{
	if (ep->credit.given)
		take_back(ep, ep->credit.given);
}

/* ---- what we may send ---- */

static uint64_t left(const struct wf_verbs_credit *c, int kind)
{
	uint64_t back = wf_signal_count(c->word[kind], c->own[kind]);
	uint64_t all = first_credits[kind] + back * mails_per_credit[kind];

	if (!kind && c->bulk_word)
		all += WF_VERBS_BULK * wf_signal_count(c->bulk_word,
						       c->own_bulk);
	return all - c->sent[kind];
}

int wf_verbs_choose_credit(struct wf_verbs_ep *ep, const struct wf_mail *mail)
{
	struct wf_verbs_credit *c = &ep->credit;

	if (left(c, 0))
		return 0;
	c->waited = true;
	return (mail->flags & WF_MAIL_RESERVED) && left(c, 1) ? 1 : -1;
}

/* The signal by which bulks come, made when they are first wished for. */
static uint32_t own_bulk(struct wf_verbs_ep *ep)
{
	struct wf_signals *signals = wf_verbs_dev(ep->ep.dev)->env.signals;
	struct wf_verbs_credit *c = &ep->credit;

	if (c->own_bulk != WF_VERBS_NO_BULK ||
	    wf_signal_alloc_booked(signals, ep->ep.room, WF_VERBS_BULK_RAISES,
				   &c->own_bulk))
		return c->own_bulk;
	c->bulk_word = wf_signal_word(signals, c->own_bulk);
	return c->own_bulk;
}

void wf_verbs_credit_say(struct wf_verbs_ep *ep,
			 struct wf_verbs_letter *letter)
{
	const struct wf_verbs_credit *c = &ep->credit;

	letter->bulk = c->waited ? own_bulk(ep) : WF_VERBS_NO_BULK;
	letter->returned = c->returns;
	letter->wanted = c->wants_back;
}

void wf_verbs_credit_said(struct wf_verbs_ep *ep,
			  const struct wf_verbs_letter *letter)
{
	struct wf_verbs_credit *c = &ep->credit;

	c->sent[letter->kind == WF_VERBS_RESERVED_MAIL]++;
	c->waited = c->wants_back = false;
	c->returns = 0;
}

/*
 * All whole bulks that are not in use, as if their mails had been sent.  The
 * credit for one mail the peer may keep, until there is a second one.
 */
static void return_unused(struct wf_verbs_credit *c)
{
	uint64_t unused = left(c, 0), bulks, few = WF_VERBS_CREDITS - 1;

	if (unused < few + WF_VERBS_BULK)
		return;
	bulks = (unused - few) / WF_VERBS_BULK;
	c->sent[0] += bulks * WF_VERBS_BULK;
	c->returns = (uint16_t)(c->returns + bulks);
}

/* ---- what the peer may send ---- */

static bool has_been_silent(const struct wf_verbs *dev,
			    const struct wf_verbs_ep *ep)
{
	return dev->mails_heard - ep->credit.heard >= LONG_AGO;
}

/* Nothing is put behind the own bye, nor to one that has said its own. */
static bool may_ask(const struct wf_verbs_ep *ep)
{
	return ep->credit.given && ep->ep.state == WF_EP_READY &&
	       !ep->ep.broken && !ep->ep.gone;
}

/* Looks at a few; who has been silent is asked once in so many mails. */
static void want_back(struct wf_verbs *dev, struct wf_verbs_rq *rq, bool of_all)
{
	for (int i = 0; i < LOOKS; i++) {
		struct wf_list *at = wf_list_pop(&rq->eps);
		struct wf_verbs_ep *ep = wf_container(at, struct wf_verbs_ep,
						      receives);

		wf_list_add_tail(&rq->eps, at);
		if (!may_ask(ep) || !(of_all || has_been_silent(dev, ep)))
			continue;
		ep->credit.heard = dev->mails_heard;
		ep->credit.wants_back = true;
		wf_verbs_owes(dev, ep);
	}
}

/* What was given may be too much, now that it is one more. */
void wf_verbs_credit_begins(struct wf_verbs_ep *ep)
{
	struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);
	struct wf_verbs_rq *rq = ep->rq;

	wf_verbs_keep_ledger(dev, rq);
	if (rq->given && ledger(rq) > most_with_bulks(rq))
		want_back(dev, rq, true);
}

static bool has_room(struct wf_verbs *dev, struct wf_verbs_rq *rq)
{
	if (ledger(rq) + WF_VERBS_BULK > most_with_bulks(rq))
		return false;
	rq->given++;
	wf_verbs_keep_ledger(dev, rq);
	if (wf_signals_fit(dev->env.signals, rq->room))
		return true;
	rq->given--;
	wf_verbs_keep_ledger(dev, rq);
	return false;
}

/* It is paid as if its mails had come. */
static void give_bulk(struct wf_verbs_ep *ep)
{
	struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);
	struct wf_verbs_credit *c = &ep->credit;

	if (c->given == WF_VERBS_BULKS)
		return;
	if (!has_room(dev, ep->rq)) {
		want_back(dev, ep->rq, false);
		return;
	}
	c->given++;
	c->consumed[0] += WF_VERBS_BULK;
}

void wf_verbs_credit_comes(struct wf_verbs_ep *ep,
			   const struct wf_verbs_letter *letter)
{
	struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);
	struct wf_verbs_credit *c = &ep->credit;

	c->consumed[letter->kind == WF_VERBS_RESERVED_MAIL]++;
	c->heard = ++dev->mails_heard;
	if (letter->returned)
		take_back(ep, letter->returned);
	if (letter->bulk != WF_VERBS_NO_BULK) {
		c->peer_bulk = letter->bulk;
		give_bulk(ep);
	}
	if (letter->wanted)
		return_unused(c);
	wf_verbs_owes(dev, ep);
}

/* ---- what is owed ---- */

static int pay_one(struct wf_verbs_ep *ep, uint32_t sig)
{
	struct wf_verbs_wr *entry;
	int status = wf_verbs_room(ep, 2);

	if (!status)
		status = wf_verbs_find_signal(ep, sig);
	if (status)
		return status;
	entry = wf_verbs_stage(ep, IBV_WR_RDMA_WRITE, WF_VERBS_DO_CREDIT);
	if (!entry)
		return WEFT_ERR_NOMEM;
	entry->post = ep->ep.posted;
	entry->reports = false;
	wf_verbs_aim(entry, ep->zero.addr, ep->zero.key);
	return wf_verbs_raise(ep, entry, sig);
}

/* So many of the mails of a kind, for each raise of a signal. */
static bool pay(struct wf_verbs_ep *ep, int kind, uint64_t mails, uint32_t sig)
{
	uint32_t *due = &ep->credit.consumed[kind];

	while (*due >= mails) {
		if (pay_one(ep, sig))
			return ep->ep.broken;
		*due -= (uint32_t)mails;
	}
	return true;
}

/*
 * Who is asked for its bulks has to have all of them: what is less than one is
 * paid by pairs, when it can be asked.
 */
bool wf_verbs_pay(struct wf_verbs_ep *ep)
{
	const struct wf_verbs_credit *c = &ep->credit;
	bool paid = true;

	if (c->given)
		paid &= pay(ep, 0, WF_VERBS_BULK, c->peer_bulk);
	if (!c->given || (c->wants_back && left(c, 0)))
		paid &= pay(ep, 0, mails_per_credit[0], c->peer[0]);
	paid &= pay(ep, 1, mails_per_credit[1], c->peer[1]);
	if (paid && !ep->ep.gone && (c->wants_back || c->returns))
		paid = !wf_verbs_mail_credit(ep);
	return paid || ep->ep.broken;
}
