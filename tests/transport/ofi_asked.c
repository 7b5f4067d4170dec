/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomics by mail: messages that break the rules change no memory, and what is
 * under way is bounded and waits for its answer.
 */
#include <string.h>
#include <weft/status.h>
#include "tests/transport/fixture.h"
#include "transport/ofi/ofi.h"

static struct fixture f;

static struct wf_ofi *device(int rank)
{
	return wf_ofi_dev(f.rank[rank].dev);
}

/* What rank 0 sends to rank 1, whose word it is, or the other way round. */
static struct wf_ofi_front front(int to, uint8_t kind)
{
	const struct wf_blob_key *key = &f.rank[to].blob.key;

	return (struct wf_ofi_front){
		.version = WF_OFI_VERSION, .kind = kind,
		.from = (uint32_t)(1 - to),
		.key = { key->word[0], key->word[1] }
	};
}

static uint64_t *open_pair(struct wf_rloc *rloc_p)
{
	fixture_open(&f, 2, 1);
	fixture_connect(&f, 0, 1);
	return fixture_alloc(&f, 1, 64, rloc_p);
}

static void dropped(void)
{
	struct wf_rloc rloc;
	uint64_t *word = open_pair(&rloc);
	struct wf_ofi *dev = device(1);
	struct wf_ofi_ask good = { .front = front(1, WF_OFI_ASK), .dst = rloc,
				   .operand = 1 }, bad;
	char longer[sizeof(good) + 8] = { 0 };

	memcpy(longer, &good, sizeof(good));
	for (size_t n = sizeof(good.front); n < sizeof(longer); n++)
		if (n != sizeof(good))
			wf_ofi_receive(dev, longer, n);
	TAP_EQUAL(dev->dropped, sizeof(longer) - sizeof(good.front) - 1);
	dev->dropped = 0;
	bad = good;
	bad.front.from = 77;
	wf_ofi_receive(dev, &bad, sizeof(bad));
	bad.front.from = 1;			/* itself */
	wf_ofi_receive(dev, &bad, sizeof(bad));
	bad = good;
	bad.is_cas = 2;
	wf_ofi_receive(dev, &bad, sizeof(bad));
	bad = good;
	bad.front.key[1]++;
	wf_ofi_receive(dev, &bad, sizeof(bad));
	TAP_EQUAL(dev->dropped, 4);
	TAP_EQUAL(word[0], 0);
	wf_ofi_receive(dev, &good, sizeof(good));
	TAP_EQUAL(dev->dropped, 4);
	TAP_EQUAL(word[0], 1);
	fixture_close(&f);
}

/* Operands that are no words of the segment: refused, and nothing is done. */
static void refused(void)
{
	struct wf_rloc rloc;
	uint64_t *word = open_pair(&rloc);
	struct wf_ofi_ask ask = { .front = front(1, WF_OFI_ASK),
				  .operand = 1 };
	uint64_t size = f.rank[1].segment.size;
	const struct wf_rloc bad[] = {
		{ rloc.addr, rloc.key + 1 },
		{ rloc.addr + 4, rloc.key },
		{ rloc.addr + 7, rloc.key },
		{ rloc.addr + size, rloc.key },
		{ rloc.addr + (uint64_t)(f.rank[1].segment.base + size -
					 (char *)word) - 4, rloc.key },
		{ UINT64_MAX - 7, rloc.key },
	};
	const struct wf_ofi_words *words;

	words = &wf_ofi_ep(f.rank[1].ep[0])->words;
	for (int i = 0; i < TAP_COUNT(bad); i++) {
		ask.dst = bad[i];
		ask.number = (uint32_t)i;
		wf_ofi_receive(device(1), &ask, sizeof(ask));
		TAP_EQUAL(words->head, i + 1);
		TAP_EQUAL(words->owed[i].refused, 1);
	}
	TAP_EQUAL(device(1)->dropped, 0);
	for (int i = 0; i < 8; i++)
		TAP_EQUAL(word[i], 0);
	/* rank 0 has asked for none of it */
	fixture_settle(&f);
	TAP_EQUAL(device(0)->dropped, TAP_COUNT(bad));
	TAP_CHECK(!f.rank[0].ep[1]->broken);
	fixture_close(&f);
}

/* More than may be under way. */
static void too_many(void)
{
	struct wf_rloc rloc;
	uint64_t *word = open_pair(&rloc);
	struct wf_ofi_ask ask = { .front = front(1, WF_OFI_ASK), .dst = rloc,
				  .operand = 1 };

	for (int i = 0; i < WF_OFI_ASKS + 3; i++)
		wf_ofi_receive(device(1), &ask, sizeof(ask));
	TAP_EQUAL(device(1)->dropped, 3);
	TAP_EQUAL(word[0], WF_OFI_ASKS);
	fixture_settle(&f);
	TAP_EQUAL(device(0)->dropped, WF_OFI_ASKS);
	wf_ofi_receive(device(1), &ask, sizeof(ask));
	TAP_EQUAL(device(1)->dropped, 3);
	fixture_close(&f);
}

static void not_asked(void)
{
	struct wf_rloc rloc;
	uint64_t *word = open_pair(&rloc), old = 77;
	struct wf_ofi_answer answer = { .front = front(0, WF_OFI_ANSWER),
					.old = 5 };
	struct wf_ep *ep = f.rank[0].ep[1];

	for (uint32_t i = 0; i < 2 * WF_OFI_ASKS; i++) {
		answer.number = i;
		answer.refused = i % 2;
		wf_ofi_receive(device(0), &answer, sizeof(answer));
	}
	TAP_EQUAL(device(0)->dropped, 2 * WF_OFI_ASKS);
	TAP_EQUAL(fixture_fetch_add(&f, ep, rloc, 1, &old), WEFT_OK);
	answer.number = WF_OFI_ASKS;		/* of the same place */
	answer.refused = 0;
	wf_ofi_receive(device(0), &answer, sizeof(answer));
	TAP_EQUAL(device(0)->dropped, 2 * WF_OFI_ASKS + 1);
	TAP_CHECK(!wf_ep_done(ep, 1));
	fixture_await_done(&f, ep);
	TAP_EQUAL(old, 0);
	TAP_EQUAL(word[0], 1);
	answer.number = 0;			/* the same again */
	wf_ofi_receive(device(0), &answer, sizeof(answer));
	TAP_EQUAL(device(0)->dropped, 2 * WF_OFI_ASKS + 2);
	TAP_EQUAL(old, 0);
	TAP_CHECK(!ep->broken);
	fixture_close(&f);
}

/* The owner does not look: the window fills, and puts behind it wait. */
static void owner_is_busy(void)
{
	static uint64_t old[WF_OFI_ASKS + 1];
	uint64_t value = 9;
	struct wf_rloc rloc, other;
	uint64_t *word = open_pair(&rloc);
	struct wf_ep *ep = f.rank[0].ep[1];
	int n = 0;

	other = (struct wf_rloc){ rloc.addr + 8, rloc.key };
	f.rank[1].dead = true;			/* makes no progress */
	for (int i = 0; i <= WF_OFI_ASKS; i++) {
		old[i] = 77;
		n += !fixture_fetch_add(&f, ep, rloc, 1, &old[i]);
	}
	TAP_EQUAL(n, WF_OFI_ASKS);
	TAP_EQUAL(ep->ops->fetch_add(ep, rloc, 1, &old[n]), WEFT_AGAIN);
	TAP_EQUAL(fixture_put(&f, ep, &value, other, 8), WEFT_OK);
	TAP_EQUAL(ep->posted, WF_OFI_ASKS + 1);
	fixture_settle(&f);
	TAP_EQUAL(ep->done, 0);
	f.rank[1].dead = false;
	fixture_flush(&f, ep, ep->posted);
	for (uint64_t i = 0; i < WF_OFI_ASKS; i++)
		TAP_EQUAL(old[i], i);
	TAP_EQUAL(old[n], 77);
	TAP_EQUAL(word[0], WF_OFI_ASKS);
	TAP_EQUAL(word[1], 9);
	TAP_EQUAL(fixture_fetch_add(&f, ep, rloc, 1, &old[n]), WEFT_OK);
	fixture_await_done(&f, ep);
	TAP_EQUAL(old[n], WF_OFI_ASKS);
	fixture_close(&f);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "messages against the rules are dropped", dropped },
		{ "what is no word of the segment is refused", refused },
		{ "more than may be under way", too_many },
		{ "answers to what was not asked", not_asked },
		{ "an owner that makes no progress", owner_is_busy },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
