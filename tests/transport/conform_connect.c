/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conformance: tables, first contact, the endpoint to oneself, fences and
 * what a device holds.
 */
#include <string.h>
#include <weft/status.h>
#include "base/clock.h"
#include "tests/transport/fixture.h"
#include "transport/stubs.h"

static struct fixture f;

static void tables(void)
{
	struct wf_ep *ep;
	uint32_t caps;

	fixture_open(&f, 2, 1);
	fixture_connect(&f, 0, 1);
	ep = f.rank[0].ep[1];
	caps = ep->dev->caps;
	TAP_EQUAL(caps & ~fixture_backend.caps_vary, fixture_backend.caps);
	TAP_CHECK(ep->dev->ops == fixture_backend.tp);
	TAP_CHECK(wf_tp_check(ep->dev->ops, ep->ops, caps));
	TAP_CHECK(!wf_tp_check(ep->dev->ops, ep->ops, caps ^ WF_CAP_GET));
	TAP_CHECK(!wf_tp_check(ep->dev->ops, ep->ops, caps ^ WF_CAP_ATOMIC));
	TAP_CHECK(!wf_tp_check(ep->dev->ops, ep->ops, caps ^ WF_CAP_FENCE));
	TAP_CHECK(!wf_tp_check(ep->dev->ops, ep->ops, caps ^ WF_CAP_MAPPED));
	TAP_CHECK(ep->dev->line_data >= 8 && ep->dev->line_data <= 56);
	TAP_EQUAL(ep->rank, 1);
	fixture_close(&f);
}

static void stubs(void)
{
	uint64_t word = 0;
	struct wf_rloc rloc;
	struct wf_ep *ep;

	fixture_open(&f, 2, 1);
	fixture_connect(&f, 0, 1);
	ep = f.rank[0].ep[1];
	fixture_alloc(&f, 1, 64, &rloc);
	if (!(ep->dev->caps & WF_CAP_GET))
		TAP_EQUAL(ep->ops->get(ep, wf_loc_any(&word), rloc, 8),
			  WEFT_ERR_UNSUPPORTED);
	if (!(ep->dev->caps & WF_CAP_ATOMIC)) {
		TAP_EQUAL(ep->ops->fetch_add(ep, rloc, 1, &word),
			  WEFT_ERR_UNSUPPORTED);
		TAP_EQUAL(ep->ops->cas(ep, rloc, 0, 1, &word),
			  WEFT_ERR_UNSUPPORTED);
	}
	TAP_EQUAL(word, 0);
	TAP_EQUAL(ep->posted, 0);
	fixture_close(&f);
}

static void contact(void)
{
	char text[] = "hello";

	fixture_open(&f, 3, 2);
	TAP_EQUAL(fixture_ask(&f, 0, 1), WEFT_OK);
	TAP_EQUAL(f.rank[0].ep[1]->state, WF_EP_CONNECTING);
	fixture_await(&f, &f.rank[1].contacts[0], 1);
	fixture_settle(&f);
	TAP_EQUAL(f.rank[1].contacts[0], 1);
	TAP_EQUAL(f.rank[2].contacts[0], 0);
	TAP_EQUAL(f.rank[0].ep[1]->state, WF_EP_CONNECTING);
	TAP_EQUAL(fixture_ask(&f, 1, 0), WEFT_OK);
	fixture_settle(&f);
	TAP_EQUAL(f.rank[0].ep[1]->state, WF_EP_READY);
	TAP_EQUAL(f.rank[1].ep[0]->state, WF_EP_READY);
	TAP_EQUAL(fixture_mail(&f, 0, 1, 1, text, sizeof(text)), WEFT_OK);
	fixture_await(&f, &f.rank[1].nletters, 1);
	TAP_EQUAL(f.rank[0].contacts[1], 0);
	fixture_close(&f);
}

static void at_once(void)
{
	fixture_open(&f, 3, 3);
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
			if (i != k)
				TAP_EQUAL(fixture_ask(&f, i, k), WEFT_OK);
	fixture_settle(&f);
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
			if (i != k) {
				TAP_EQUAL(f.rank[i].ep[k]->state, WF_EP_READY);
				TAP_EQUAL(f.rank[i].contacts[k], 0);
			}
	fixture_close(&f);
}

static void connect_to_others(void *arg, const struct letter *letter)
{
	(void)arg;
	for (int i = 2; i < BOARD_RANKS && letter->mail.word == 1; i++)
		TAP_EQUAL(fixture_ask(&f, 0, i), WEFT_OK);
}

/* Mails behind the one whose handler connects come once, and in order. */
static void from_a_handler(void)
{
	fixture_open(&f, BOARD_RANKS, 10);
	fixture_connect(&f, 0, 1);
	f.rank[0].on_mail = connect_to_others;
	for (uint32_t word = 1; word <= 3; word++)
		TAP_EQUAL(fixture_mail(&f, 1, 0, word, NULL, 0), WEFT_OK);
	fixture_await(&f, &f.rank[0].nletters, 3);
	for (int i = 2; i < BOARD_RANKS; i++) {
		fixture_await(&f, &f.rank[i].contacts[0], 1);
		TAP_EQUAL(fixture_ask(&f, i, 0), WEFT_OK);
	}
	fixture_settle(&f);
	for (int i = 2; i < BOARD_RANKS; i++)
		TAP_EQUAL(f.rank[0].ep[i]->state, WF_EP_READY);
	TAP_EQUAL(f.rank[0].nletters, 3);
	for (int i = 0; i < f.rank[0].nletters; i++)
		TAP_EQUAL(f.rank[0].letters[i].mail.word, (uint32_t)i + 1);
	fixture_close(&f);
}

/* One that was ready first may send before the other has looked. */
static void early_mail(void)
{
	uint64_t since = wf_clock_ns();
	struct fixture_rank *r = &f.rank[1];

	fixture_open(&f, 2, 4);
	TAP_EQUAL(fixture_ask(&f, 0, 1), WEFT_OK);
	fixture_await(&f, &f.rank[1].contacts[0], 1);
	TAP_EQUAL(fixture_ask(&f, 1, 0), WEFT_OK);
	while (r->ep[0]->state != WF_EP_READY &&
	       wf_clock_ns() - since < WF_NS_PER_S)
		r->dev->ops->progress(r->dev);
	if (r->ep[0]->state != WF_EP_READY)
		fixture_settle(&f);
	TAP_EQUAL(fixture_mail(&f, 1, 0, 5, NULL, 0), WEFT_OK);
	fixture_await(&f, &f.rank[0].nletters, 1);
	TAP_EQUAL(f.rank[0].letters[0].mail.word, 5);
	fixture_close(&f);
}

static void oneself(void)
{
	struct fixture_rank *r = &f.rank[1];
	uint64_t value = 42, *to;
	struct wf_rloc rloc;
	uint32_t sig;

	fixture_open(&f, 2, 5);
	TAP_EQUAL(fixture_ask(&f, 1, 1), WEFT_OK);
	TAP_EQUAL(r->ep[1]->state, WF_EP_READY);
	to = fixture_alloc(&f, 1, 64, &rloc);
	sig = fixture_signal(&f, 1);
	TAP_EQUAL(fixture_mail(&f, 1, 1, 9, "me", 3), WEFT_OK);
	TAP_EQUAL(fixture_put_signal(&f, r->ep[1], &value, rloc, 8, sig),
		  WEFT_OK);
	fixture_await_count(&f, 1, sig, 1);
	TAP_EQUAL(*to, 42);
	fixture_await(&f, &r->nletters, 1);
	TAP_EQUAL(r->letters[0].from, 1);
	TAP_EQUAL(memcmp(r->letters[0].payload, "me", 3), 0);
	TAP_EQUAL(r->contacts[1], 0);
	if (r->dev->caps & WF_CAP_FENCE)
		TAP_EQUAL(r->dev->ops->fence(r->ep[1]), WEFT_OK);
	fixture_close(&f);
}

/* What the dead has posted is there or is not, but it changes no more. */
static void fence(void)
{
	static unsigned char data[4096], seen[4096];
	unsigned char *to;
	struct wf_rloc rloc;
	struct wf_ep *back;
	int status;

	fixture_open(&f, 2, 6);
	fixture_connect(&f, 0, 1);
	back = f.rank[1].ep[0];
	to = fixture_alloc(&f, 1, sizeof(data), &rloc);
	memset(data, 0xee, sizeof(data));
	if (!(back->dev->caps & WF_CAP_FENCE)) {
		TAP_EQUAL(back->dev->ops->fence(back), WEFT_ERR_UNSUPPORTED);
		fixture_close(&f);
		return;
	}
	TAP_EQUAL(fixture_put(&f, f.rank[0].ep[1], data, rloc, sizeof(data)),
		  WEFT_OK);
	f.rank[0].dead = true;
	if (fixture_backend.kill)
		fixture_backend.kill(f.world, 0);
	for (int i = 0; i < 100000; i++) {
		status = back->dev->ops->fence(back);
		if (status != WEFT_INPROGRESS)
			break;
		fixture_pump(&f);
	}
	TAP_EQUAL(status, WEFT_OK);
	memcpy(seen, to, sizeof(seen));
	fixture_settle(&f);
	TAP_EQUAL(memcmp(seen, to, sizeof(seen)), 0);
	fixture_close(&f);
}

static void told(void)
{
	fixture_open(&f, 4, 7);
	if (f.rank[0].dev->ops->tell == wf_stub_tell) {
		tap_skip("%s has no memory in common", fixture_backend.name);
		fixture_close(&f);
		return;
	}
	fixture_connect(&f, 0, 1);
	fixture_connect(&f, 1, 3);
	TAP_EQUAL(fixture_mail(&f, 3, 1, 1, NULL, 0), WEFT_OK);
	f.rank[3].dead = true;
	if (fixture_backend.kill)
		fixture_backend.kill(f.world, 3);
	/* 0 tells: 1 is its peer, with 2 it never spoke */
	f.rank[0].dev->ops->tell(f.rank[0].dev, 3);
	fixture_settle(&f);
	TAP_EQUAL(f.rank[1].told[3], 1);
	TAP_EQUAL(f.rank[2].told[3], 1);
	TAP_EQUAL(f.rank[0].told[3], 0);
	for (int r = 0; r < 3; r++)
		for (int of = 0; of < 3; of++)
			TAP_EQUAL(f.rank[r].told[of], 0);
	/* one that tells later changes nothing */
	f.rank[2].dev->ops->tell(f.rank[2].dev, 3);
	fixture_settle(&f);
	TAP_EQUAL(f.rank[1].told[3], 1);
	TAP_EQUAL(f.rank[0].told[3], 0);
	fixture_close(&f);
}

/* The words of the node: what one rank leaves there another one finds. */
static void words(void)
{
	uint64_t seen;

	fixture_open(&f, 4, 8);
	if (f.rank[0].dev->ops->board == wf_stub_board) {
		tap_skip("%s has no memory in common", fixture_backend.name);
		fixture_close(&f);
		return;
	}
	fixture_connect(&f, 0, 1);
	for (uint64_t i = 0; i < 4 * WF_BOARD_WORDS; i++) {
		struct wf_device *a = f.rank[i % 4].dev;
		struct wf_device *b = f.rank[(i + i / 4) % 4].dev;

		seen = 9;
		TAP_EQUAL(a->ops->board(a, &(struct wf_swap){ i, 0, i + 1 },
					&seen), WEFT_OK);
		TAP_EQUAL(seen, 0);
		/* not what is expected: it stays */
		TAP_EQUAL(b->ops->board(b, &(struct wf_swap){ i, 0, 99 },
					&seen), WEFT_OK);
		TAP_EQUAL(seen, i + 1);
		TAP_EQUAL(a->ops->board(a, &(struct wf_swap){ i, i, i },
					&seen), WEFT_OK);
		TAP_EQUAL(seen, i + 1);
	}
	fixture_close(&f);
}

/* Whose word each of them shows at its peers, and nothing else does. */
static void away(void)
{
	fixture_open(&f, 3, 9);
	fixture_connect(&f, 0, 1);
	fixture_connect(&f, 1, 2);
	for (int r = 0; r < 3; r++) {
		_Atomic uint32_t *word = f.rank[r].dev->away;

		for (int of = 0; of < 3; of += 2)
			TAP_EQUAL(!word, !f.rank[1].ep[of]->away);
		if (!word)
			continue;
		TAP_EQUAL(atomic_load(word), 0);
		atomic_store(word, 1);
		for (int of = 0; of < 3; of += 2)
			TAP_EQUAL(atomic_load(f.rank[1].ep[of]->away), of == r);
		atomic_store(word, 0);
	}
	fixture_close(&f);
}

/* Who asked a rank that closes, without an answer, is not left waiting. */
static void closed(void)
{
	uint64_t since = wf_clock_ns();

	fixture_open(&f, 2, 9);
	if (!(f.rank[0].dev->caps & WF_CAP_SEES_CLOSED)) {
		tap_skip("without WF_CAP_SEES_CLOSED");
		fixture_close(&f);
		return;
	}
	TAP_EQUAL(fixture_ask(&f, 0, 1), WEFT_OK);
	TAP_EQUAL(f.rank[0].ep[1]->state, WF_EP_CONNECTING);
	fixture_leave(&f, 1);
	while (f.rank[0].ep[1]->state == WF_EP_CONNECTING &&
	       wf_clock_ns() - since < 10 * WF_NS_PER_S)
		fixture_pump(&f);
	TAP_EQUAL(f.rank[0].ep[1]->state, WF_EP_CLOSED);
	fixture_close(&f);
}

static void memory(void)
{
	struct wf_tp_memory two = { 0, 0 }, eight = { 0, 0 };
	uint64_t most = (9 << 10) + 128;

	fixture_open(&f, 2, 8);
	/* and room for some where mails are longer */
	most += 4 * (f.rank[0].dev->mail_max - WF_MAIL_PAYLOAD);
	if (fixture_backend.own_receives)
		most += fixture_backend.own_receives(f.rank[0].dev);
	f.rank[0].dev->ops->memory(f.rank[0].dev, &two);
	fixture_close(&f);
	fixture_open(&f, BOARD_RANKS, 8);
	f.rank[0].dev->ops->memory(f.rank[0].dev, &eight);
	fixture_close(&f);
	TAP_CHECK(two.per_ep > 0 && two.per_ep <= most);
	TAP_CHECK(eight.per_ep == two.per_ep);
	TAP_CHECK(eight.fixed - two.fixed <= 6 * 64);
}

const struct tap_case conform_connect[] = {
	{ "tables are complete and agree with the bits", tables },
	{ "what is a stub says so", stubs },
	{ "a contact is reported once and answered", contact },
	{ "all connect to all at once", at_once },
	{ "the handler of a mail connects to others", from_a_handler },
	{ "a mail may come before its receiver knows it is ready",
	  early_mail },
	{ "the endpoint to oneself is ready at once", oneself },
	{ "nothing of a dead rank is written after the fence", fence },
	{ "a death is told to all ranks of the node, once", told },
	{ "words of the node", words },
	{ "who has given its CPU away is seen by its peers", away },
	{ "a rank that closes before it answers", closed },
	{ "memory per endpoint and per rank of the node", memory },
};

const int conform_connect_n = TAP_COUNT(conform_connect);
