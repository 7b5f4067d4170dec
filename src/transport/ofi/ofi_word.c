/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fetch_add and cas: a message asks the owner, whose progress does it by its
 * CPU, as peers on its node do, and answers by a message.
 *
 * Such messages take no credit of mails: who asks has a window, and an answer
 * is awaited.  The owner does what it is asked at once, and owes the answer
 * until there is room for it.  Nothing that comes is believed before it was
 * compared with the segment, and with what was asked.
 *
 * libfabric may have delivered all that we sent and the owner be dead, so while
 * an answer is awaited we knock (ofi_knock.c).
 */
#include <rdma/fi_errno.h>
#include "base/assert.h"
#include "boot/boot.h"
#include "transport/ofi/ofi.h"
#include "transport/word.h"

static struct wf_ofi_front front_to(const struct wf_ofi_ep *ep, uint8_t kind)
{
	const struct wf_ofi *dev = wf_ofi_dev(ep->ep.dev);

	return (struct wf_ofi_front){
		.version = WF_OFI_VERSION, .kind = kind,
		.from = (uint32_t)wf_boot_rank(dev->env.boot),
		.key = { ep->key.word[0], ep->key.word[1] }
	};
}

/* Before the post, whose number it takes: done must not pass it. */
static void await_answer(struct wf_ofi_ep *ep, struct wf_ofi_asked *asked,
			 uint64_t *old)
{
	asked->post = ep->ep.posted + 1;
	asked->old = old;
	asked->number = ep->words.next;
	ep->words.nasked++;
	ep->nholding++;
}

static void awaited(struct wf_ofi_ep *ep, struct wf_ofi_asked *asked)
{
	asked->post = 0;
	ep->words.nasked--;
	ep->nholding--;
}

static int ask_owner(struct wf_ep *base, struct wf_rloc dst,
		     const struct wf_word_op *op, uint64_t *old)
{
	struct wf_ofi_ep *ep = wf_ofi_ep(base);
	struct wf_ofi_words *words = &ep->words;
	struct wf_ofi_asked *asked = &words->asked[words->next % WF_OFI_ASKS];
	const struct wf_ofi_ask ask = {
		.front = front_to(ep, WF_OFI_ASK), .dst = dst,
		.operand = op->operand, .expected = op->expected,
		.number = words->next, .is_cas = op->is_cas
	};
	int status;

	WF_ASSERT(base->state == WF_EP_READY);
	if (dst.addr % WF_WORD_BYTES)
		return WEFT_ERR_RANGE;
	if (ep->error || asked->post)
		return WEFT_AGAIN;
	await_answer(ep, asked, old);
	status = wf_ofi_send(ep, WF_OFI_DO_ASK, &ask, sizeof(ask));
	if (!status) {
		words->next++;
		if (!ep->error)
			wf_ofi_knock_start(wf_ofi_dev(base->dev), ep);
	} else if (asked->post) {
		awaited(ep, asked);
	}
	return status;
}

int wf_ofi_fetch_add(struct wf_ep *ep, struct wf_rloc dst, uint64_t add,
		     uint64_t *old)
{
	const struct wf_word_op op = { .operand = add };

	return ask_owner(ep, dst, &op, old);
}

int wf_ofi_cas(struct wf_ep *ep, struct wf_rloc dst, uint64_t expected,
	       uint64_t desired, uint64_t *old)
{
	const struct wf_word_op op = { .operand = desired,
				       .expected = expected, .is_cas = true };

	return ask_owner(ep, dst, &op, old);
}

/* Who sent it; NULL: nobody that we know. */
static struct wf_ofi_ep *find(struct wf_ofi *dev,
			      const struct wf_ofi_front *front)
{
	struct wf_ofi_ep *ep = wf_map_get(&dev->eps, front->from);

	return ep && ep->ep.state == WF_EP_READY ? ep : NULL;
}

void wf_ofi_ask_comes(struct wf_ofi *dev, const struct wf_ofi_ask *ask)
{
	const struct wf_word_op op = {
		.operand = ask->operand, .expected = ask->expected,
		.is_cas = ask->is_cas
	};
	struct wf_ofi_ep *ep = find(dev, &ask->front);
	struct wf_ofi_words *words = ep ? &ep->words : NULL;
	struct wf_ofi_owed owed = { .number = ask->number };
	void *word;

	if (!ep || words->head - words->tail == WF_OFI_ASKS ||
	    ask->is_cas > 1) {
		wf_ofi_drop(dev, "what asks for an atomic op breaks the rules");
		return;
	}
	word = wf_ofi_own(dev, ask->dst, WF_WORD_BYTES);
	if (word && ask->dst.addr % WF_WORD_BYTES == 0)
		owed.old = wf_word_do(word, &op);
	else
		owed.refused = 1;
	words->owed[words->head++ % WF_OFI_ASKS] = owed;
	wf_ofi_owes(dev, ep);
}

bool wf_ofi_answer(struct wf_ofi_ep *ep)
{
	struct wf_ofi_words *words = &ep->words;

	for (; words->tail != words->head; words->tail++) {
		const struct wf_ofi_owed *owed =
			&words->owed[words->tail % WF_OFI_ASKS];
		const struct wf_ofi_answer answer = {
			.front = front_to(ep, WF_OFI_ANSWER),
			.old = owed->old, .number = owed->number,
			.refused = owed->refused
		};

		if (wf_ofi_send(ep, WF_OFI_DO_ANSWER, &answer, sizeof(answer)))
			return ep->error;
	}
	return true;
}

void wf_ofi_answer_comes(struct wf_ofi *dev, const struct wf_ofi_answer *a)
{
	struct wf_ofi_ep *ep = find(dev, &a->front);
	struct wf_ofi_asked *asked =
		ep ? &ep->words.asked[a->number % WF_OFI_ASKS] : NULL;

	if (!asked || !asked->post || asked->number != a->number) {
		wf_ofi_drop(dev, "an answer to what was not asked");
		return;
	}
	if (a->refused) {
		/* As a get is told: the operand is not memory of this peer. */
		wf_ofi_break(ep, FI_EKEYREJECTED);
		return;
	}
	*asked->old = a->old;
	awaited(ep, asked);
	wf_ofi_recount(ep);
	wf_ofi_knock_rest(ep);
}

uint64_t wf_ofi_first_asked(const struct wf_ofi_ep *ep, uint64_t none)
{
	uint64_t first = none;

	for (int i = 0; ep->words.nasked && i < WF_OFI_ASKS; i++) {
		uint64_t post = ep->words.asked[i].post;

		if (post && post < first)
			first = post;
	}
	return first;
}

void wf_ofi_forget_asked(struct wf_ofi_ep *ep)
{
	for (int i = 0; i < WF_OFI_ASKS; i++)
		if (ep->words.asked[i].post)
			awaited(ep, &ep->words.asked[i]);
}
