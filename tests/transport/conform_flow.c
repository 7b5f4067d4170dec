/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conformance: what is under way: until the queue is full, until it is
 * reusable, until it is visible, and until the peer has died.
 */
#include <string.h>
#include <weft/status.h>
#include "base/clock.h"
#include "tests/transport/fixture.h"
#include "transport/line.h"

enum {
	SLOTS = 8,
	BYTES = 3000,
	TURNS = 40,			/* of each slot */
	MOST = 1000,			/* posts without progress */
	PENDING = 12,
	SEEDS = 20,			/* where there is virtual time, */
	TIMES = 4			/* or real time */
};

static struct fixture f;

static struct wf_ep *pair(uint64_t seed)
{
	fixture_open(&f, 2, seed);
	fixture_connect(&f, 0, 1);
	return f.rank[0].ep[1];
}

/* Until it says AGAIN for a while, at most so many: how many were taken. */
static uint64_t signal_until_full(struct wf_ep *ep, uint32_t sig)
{
	struct wf_rloc nowhere = { 0, 0 };
	uint64_t n = 0;

	for (int refusals = 0; n < MOST && refusals < 50;) {
		uint64_t posted = ep->posted;
		int status = ep->ops->put_signal(ep, wf_loc_any(NULL), nowhere,
						 0, sig, NULL);

		n += !status;
		refusals += status == WEFT_AGAIN;
		TAP_CHECK(!status || status == WEFT_AGAIN);
		TAP_EQUAL(ep->posted, posted + !status);
	}
	return n;
}

/*
 * Each raises by exactly one, what was refused by none, and full ends. What
 * needs room says AGAIN where nobody makes progress.
 */
static void full(void)
{
	struct wf_ep *ep = pair(21);
	uint32_t sig = fixture_signal(&f, 1);
	uint64_t total = 0;

	for (int i = 0; i < 5; i++) {
		uint64_t n = signal_until_full(ep, sig);

		TAP_CHECK(n > 0);
		TAP_EQUAL(n == MOST, fixture_backend.never_full);
		total += n;
		TAP_CHECK(fixture_count(&f, 1, sig) <= total);
		fixture_await_count(&f, 1, sig, total);
		fixture_flush(&f, ep, ep->posted);
		TAP_EQUAL(fixture_count(&f, 1, sig), total);
	}
	TAP_EQUAL(wf_signals_dropped(&f.rank[1].signals), 0);
	fixture_close(&f);
}

/* ---- bytes before their signal ---- */

struct slot {
	unsigned char from[BYTES];
	unsigned char *to;
	struct wf_rloc rloc;
	uint32_t sig;
	uint64_t post, seen;
	bool busy;
};

static size_t length_of(const struct slot *s)
{
	return 1 + (size_t)(s->sig * 131 + s->seen * 77) % BYTES;
}

static unsigned char byte_of(const struct slot *s, size_t i)
{
	return (unsigned char)(s->sig * 17 + s->seen * 5 + i);
}

static void fill_slot(struct slot *s, struct wf_ep *ep)
{
	size_t n = length_of(s);

	if (s->busy || s->seen == TURNS || !wf_ep_done(ep, s->post))
		return;
	for (size_t i = 0; i < n; i++)
		s->from[i] = byte_of(s, i);
	if (ep->ops->put_signal(ep, wf_loc_any(s->from), s->rloc, n, s->sig,
				NULL))
		return;
	s->busy = true;
	s->post = ep->posted;
}

/* Where the count went up all bytes are there; then they are poisoned. */
static void empty_slot(struct slot *s)
{
	uint64_t count = fixture_count(&f, 1, s->sig);
	size_t n = length_of(s), wrong = 0;

	if (count == s->seen)
		return;
	TAP_CHECK(s->busy);
	TAP_EQUAL(count, s->seen + 1);
	for (size_t i = 0; i < n; i++)
		wrong += s->to[i] != byte_of(s, i);
	for (size_t i = n; i < BYTES; i++)
		wrong += s->to[i] != 0xdb;
	TAP_EQUAL(wrong, 0);
	memset(s->to, 0xdb, BYTES);
	s->seen = count;
	s->busy = false;
}

static void poisoned(void)
{
	static struct slot slots[SLOTS];
	struct wf_ep *ep = pair(22);
	uint64_t since = wf_clock_ns(), seen = 0;

	memset(slots, 0, sizeof(slots));
	for (struct slot *s = slots; s < slots + SLOTS; s++) {
		s->to = fixture_alloc(&f, 1, BYTES, &s->rloc);
		memset(s->to, 0xdb, BYTES);
		s->sig = fixture_signal(&f, 1);
	}
	while (seen < SLOTS * TURNS &&
	       wf_clock_ns() - since < 20 * WF_NS_PER_S) {
		seen = 0;
		for (struct slot *s = slots; s < slots + SLOTS; s++) {
			fill_slot(s, ep);
			empty_slot(s);
			seen += s->seen;
		}
		fixture_pump(&f);
	}
	TAP_EQUAL(seen, SLOTS * TURNS);
	fixture_close(&f);
}

/* ---- flushes ---- */

static bool is_over(const struct wf_ep *ep, enum wf_flush what)
{
	if (what == WF_FLUSH_LOCAL)
		return wf_ep_done(ep, ep->posted);
	return what == WF_FLUSH_ARRIVED ? wf_ep_arrived(ep, ep->posted) :
					  wf_ep_flushed(ep, ep->posted);
}

/* The counters never fall, nor pass what was posted. */
static void flush(struct wf_ep *ep, enum wf_flush what)
{
	uint64_t since = wf_clock_ns(), done = ep->done;
	uint64_t flushed = ep->flushed;
	int status;

	do {
		status = ep->ops->flush(ep, what);
		if (status == WEFT_AGAIN)
			fixture_pump(&f);
	} while (status == WEFT_AGAIN);
	TAP_EQUAL(status, WEFT_OK);
	while (!is_over(ep, what) && wf_clock_ns() - since < 10 * WF_NS_PER_S) {
		fixture_pump(&f);
		TAP_CHECK(ep->done >= done && ep->done <= ep->posted);
		TAP_CHECK(ep->flushed >= flushed);
		TAP_CHECK(ep->flushed <= ep->posted);
		done = ep->done;
		flushed = ep->flushed;
	}
	TAP_CHECK(is_over(ep, what));
}

/* LOCAL: the source is ours again; REMOTE: the bytes are there for all. */
static void flushes(void)
{
	static unsigned char from[4][BYTES];
	struct wf_ep *ep = pair(23);
	struct wf_rloc rloc;
	unsigned char *to = fixture_alloc(&f, 1, sizeof(from), &rloc);

	for (int what = WF_FLUSH_LOCAL; what <= WF_FLUSH_REMOTE; what++)
		flush(ep, (enum wf_flush)what);
	for (int i = 0; i < 30; i++) {
		for (uint64_t k = 0; k < 4; k++) {
			struct wf_rloc at = { rloc.addr + k * BYTES,
					      rloc.key };

			memset(from[k], i + (int)k, BYTES);
			TAP_EQUAL(fixture_put(&f, ep, from[k], at, BYTES),
				  WEFT_OK);
		}
		flush(ep, WF_FLUSH_LOCAL);
		memset(from, 0xee, sizeof(from));
		if (i % 2)
			flush(ep, WF_FLUSH_ARRIVED);
		flush(ep, WF_FLUSH_REMOTE);
		for (int k = 0; k < 4; k++) {
			TAP_EQUAL(to[k * BYTES], (unsigned char)(i + k));
			TAP_EQUAL(memcmp(to + k * BYTES, to + k * BYTES + 1,
					 BYTES - 1), 0);
		}
	}
	fixture_close(&f);
}

/*
 * Puts land while nobody makes progress at the peer; signals rise as well,
 * unless the device reports them to it.
 */
static void idle_target(void)
{
	struct wf_ep *ep = pair(24);
	uint64_t value = 42, *to, since = wf_clock_ns();
	struct wf_rloc rloc;
	uint32_t sig = fixture_signal(&f, 1);

	to = fixture_alloc(&f, 1, 64, &rloc);
	if (!(ep->dev->caps & WF_CAP_TARGET_IDLE)) {
		tap_skip("without WF_CAP_TARGET_IDLE");
		fixture_close(&f);
		return;
	}
	fixture_settle(&f);
	f.rank[1].dead = true;
	TAP_EQUAL(fixture_put_signal(&f, ep, &value, rloc, 8, sig), WEFT_OK);
	while (!__atomic_load_n(to, __ATOMIC_ACQUIRE) &&
	       wf_clock_ns() - since < 10 * WF_NS_PER_S)
		fixture_pump(&f);
	TAP_EQUAL(*to, 42);
	if (!fixture_backend.keyed)
		fixture_await_count(&f, 1, sig, 1);
	f.rank[1].dead = false;
	fixture_await_count(&f, 1, sig, 1);
	fixture_close(&f);
}

/* ---- the end of a peer ---- */

static void post_some(struct wf_ep *ep, struct wf_rloc rloc, uint32_t sig)
{
	static char from[BYTES];
	struct wf_loc src = wf_loc_any(from);
	struct wf_mail mail = { .kind = 7 };

	for (int i = 0; i < PENDING; i++) {
		if (i % 4 == 0)
			ep->ops->put(ep, src, rloc, BYTES);
		else if (i % 4 == 1)
			ep->ops->put_signal(ep, src, rloc, BYTES, sig, NULL);
		else if (i % 4 == 2)
			ep->ops->mail(ep, &mail, NULL);
		else
			wf_ep_line(ep, rloc, from, 8, (uint32_t)i + 1);
	}
	ep->ops->flush(ep, WF_FLUSH_REMOTE);
}

static struct wf_ep *die_with_posts(uint64_t seed)
{
	struct wf_ep *ep = pair(300 + seed);
	uint32_t sig = fixture_signal(&f, 1);
	struct wf_rloc rloc;

	fixture_alloc(&f, 1, 4096, &rloc);
	post_some(ep, rloc, sig);
	for (uint64_t i = 0; i < seed * 3 % 8; i++)
		fixture_pump(&f);
	fixture_die(&f, 1);
	return ep;
}

static uint64_t seeds(void)
{
	return fixture_backend.world_create ? SEEDS : TIMES;
}

/* Each post becomes done; none stays that nobody ever hears of. */
static void death(void)
{
	for (uint64_t seed = 1; seed <= seeds(); seed++) {
		struct wf_ep *ep = die_with_posts(seed);

		fixture_ask_done(&f, ep);
		fixture_settle(&f);
		TAP_CHECK(wf_ep_flushed(ep, ep->posted) || ep->broken ||
			  fixture_backend.kill);
		TAP_EQUAL(f.rank[0].suspects[1] > 0, ep->broken);
		fixture_close(&f);
	}
}

/* With posts under way: others go on, and nothing is left behind. */
static void disconnected(void)
{
	for (uint64_t seed = 1; seed <= seeds(); seed++) {
		struct wf_ep *ep = die_with_posts(seed);

		ep->dev->ops->disconnect(ep);
		f.rank[0].ep[1] = NULL;
		fixture_settle(&f);
		TAP_EQUAL(fixture_ask(&f, 0, 0), WEFT_OK);
		TAP_EQUAL(fixture_mail(&f, 0, 0, 3, NULL, 0), WEFT_OK);
		fixture_await(&f, &f.rank[0].nletters, 1);
		fixture_close(&f);
	}
}

const struct tap_case conform_flow[] = {
	{ "signals until full: each raises by one", full },
	{ "a checker that poisons never sees a count too early", poisoned },
	{ "flushed LOCAL is reusable, REMOTE is visible", flushes },
	{ "an idle target is written", idle_target },
	{ "the peer dies with puts under way", death },
	{ "a disconnect with puts under way", disconnected },
};

const int conform_flow_n = TAP_COUNT(conform_flow);
