/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Letters between two lives.  Who has posts in doubt (verbs_fate.h) asks the
 * peer about them, over the new queue pair.  From its answer on the peer holds
 * its segment: what it does not have yet, as far as it can tell, will be
 * written, until all of it is REPLAYED or this life ends.
 *
 * They take no credit and have no place in the ring, which may be full.  Their
 * slots are given back by completions, or with the queue pair.
 */
#include <string.h>
#include "transport/verbs/verbs.h"

static char *take(struct wf_verbs_ep *ep, char **slot)
{
	struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);

	if (!*slot && dev->nfree)
		*slot = dev->free_slot[--dev->nfree];
	return *slot;
}

static void give(struct wf_verbs_ep *ep, char **slot)
{
	struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);

	if (*slot)
		dev->free_slot[dev->nfree++] = *slot;
	*slot = NULL;
}

/* What follows the front is in the slot already. */
static bool say(struct wf_verbs_ep *ep, char *slot,
		const struct wf_verbs_letter *letter)
{
	struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);
	struct ibv_sge sge = { (uintptr_t)slot,
			       (uint32_t)sizeof(*letter) + letter->mail.length,
			       dev->buffer_mr->lkey };
	struct ibv_send_wr *bad, wr = {
		.wr_id = WF_VERBS_LETTER | (uint64_t)ep->serial << 32 |
			 letter->kind,
		.sg_list = &sge, .num_sge = 1,
		.opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED
	};

	memcpy(slot, letter, sizeof(*letter));
	if (!ibv_post_send(ep->qp, &wr, &bad))
		return true;
	wf_verbs_lose(ep, "a letter about lost posts could not be posted");
	return false;
}

/* The posts under way, and which of them are in doubt. */
struct state {
	struct wf_verbs_mark mark[WF_VERBS_SQ];
	struct wf_verbs_window window;
	int came;
};

static void look(struct wf_verbs_ep *ep, struct state *s)
{
	s->window = wf_verbs_window(ep, s->mark);
	s->came = wf_verbs_came(&s->window, ep->life.acknowledged);
}

static void ask(struct wf_verbs_ep *ep, const struct state *s)
{
	struct wf_verbs_letter letter = { .kind = WF_VERBS_ASKS,
					  .number = ep->life.number };
	struct wf_verbs_doubt doubt[WF_VERBS_SQ];
	int n = wf_verbs_doubts(&s->window, s->came, doubt);

	letter.mail.length = (uint16_t)((size_t)n * sizeof(*doubt));
	memcpy(ep->life.question + sizeof(letter), doubt, letter.mail.length);
	ep->life.asked = say(ep, ep->life.question, &letter);
}

/* True: it is known what has come. */
bool wf_verbs_ask(struct wf_verbs_ep *ep)
{
	struct wf_verbs_doubt doubt[WF_VERBS_SQ];
	struct state s;

	look(ep, &s);
	if (!wf_verbs_doubts(&s.window, s.came, doubt))
		return true;
	if (ep->life.answered)
		wf_verbs_have_come(ep, wf_verbs_answered(
			&s.window, s.came, ep->life.answer));
	else if (!ep->life.asked && take(ep, &ep->life.question))
		ask(ep, &s);
	return ep->life.answered;
}

/* Behind all that was posted again; it need not be held for us any more. */
void wf_verbs_say_replayed(struct wf_verbs_ep *ep)
{
	const struct wf_verbs_letter letter = {
		.kind = WF_VERBS_REPLAYED, .number = ep->life.number
	};

	if (ep->life.asked)
		say(ep, ep->life.question, &letter);
}

/* False: the answer is still due. */
bool wf_verbs_reply(struct wf_verbs_ep *ep)
{
	const struct wf_verbs_letter letter = {
		.kind = WF_VERBS_TELLS, .number = ep->life.number,
		.mail = { .context = ep->life.verdict }
	};

	if (!ep->life.answers)
		return true;
	if (!take(ep, &ep->life.reply))
		return false;
	ep->life.answers = false;
	say(ep, ep->life.reply, &letter);
	return true;
}

static void hold(struct wf_verbs_ep *ep, bool holds)
{
	struct wf_segment *seg = wf_verbs_dev(ep->ep.dev)->env.segment;

	if (holds == ep->life.holds)
		return;
	ep->life.holds = holds;
	if (holds)
		wf_segment_hold(seg);
	else
		wf_segment_let_go(seg);
}

static void asked(struct wf_verbs_ep *ep, const char *payload, size_t bytes)
{
	const struct wf_tp_env *env = &wf_verbs_dev(ep->ep.dev)->env;
	struct wf_verbs_doubt doubt[WF_VERBS_SQ];

	/* The device may deliver it twice. */
	if (ep->life.judged || bytes > sizeof(doubt))
		return;
	memcpy(doubt, payload, bytes);
	ep->life.verdict = wf_verbs_judge(env->segment, env->signals, doubt,
					  bytes / sizeof(*doubt));
	ep->life.judged = ep->life.answers = true;
	hold(ep, true);
}

void wf_verbs_hear(struct wf_verbs_ep *ep, const struct wf_verbs_letter *letter,
		   const char *payload)
{
	if (letter->number != ep->life.number)
		return;
	if (letter->kind == WF_VERBS_ASKS) {
		asked(ep, payload, letter->mail.length);
	} else if (letter->kind == WF_VERBS_REPLAYED) {
		hold(ep, false);
	} else if (ep->life.asked) {
		ep->life.answered = true;
		ep->life.answer = letter->mail.context;
	}
	wf_verbs_owes(wf_verbs_dev(ep->ep.dev), ep);
}

/* A letter has left.  The question's slot carries REPLAYED, too. */
void wf_verbs_said(struct wf_verbs_ep *ep, const struct ibv_wc *wc)
{
	if (wc->status)
		wf_verbs_lose(ep, ibv_wc_status_str(wc->status));
	else if ((uint32_t)wc->wr_id == WF_VERBS_TELLS)
		give(ep, &ep->life.reply);
	else if ((uint32_t)wc->wr_id == WF_VERBS_REPLAYED)
		give(ep, &ep->life.question);
}

/* Their queue pair is no more. */
void wf_verbs_end_letters(struct wf_verbs_ep *ep)
{
	give(ep, &ep->life.question);
	give(ep, &ep->life.reply);
	hold(ep, false);
	ep->life.asked = ep->life.answered = false;
	ep->life.judged = ep->life.answers = false;
}
