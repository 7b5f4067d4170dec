/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conformance: gets, and what all ops have in common that bring something
 * back: they are done when it is there, lost when the owner dies, and refused
 * where the operand is not the peer's.  What is done on an endpoint that is
 * not broken must be right.
 */
#include <string.h>
#include <weft/status.h>
#include "base/clock.h"
#include "tests/transport/fixture.h"

enum {
	GUARD = 64,
	LARGEST = 1 << 20,
	PENDING = 12,
	SEEDS = 20,			/* where there is virtual time, */
	TIMES = 4			/* or real time */
};

#define UNSET UINT64_C(0x5e5e5e5e5e5e5e5e)

static const size_t sizes[] = {
	0, 1, 27, 28, 29, 55, 56, 57, 63, 64, 65, 4096, LARGEST
};

static struct fixture f;
static unsigned char source[LARGEST];

static void fill(size_t n, unsigned seed)
{
	for (size_t i = 0; i < n; i++)
		source[i] = (unsigned char)(seed + i * 7 + (i >> 8));
}

static struct wf_ep *pair(uint64_t seed)
{
	fixture_open(&f, 2, seed);
	fixture_connect(&f, 0, 1);
	return f.rank[0].ep[1];
}

static void capabilities(void)
{
	struct wf_ep *ep = pair(1);

	TAP_CHECK(ep->dev->caps & WF_CAP_GET);
	TAP_CHECK(ep->dev->caps & WF_CAP_ATOMIC);
	fixture_close(&f);
}

/* To the right bytes, and nothing beside them; to oneself, too. */
static void get_sizes(int from_rank)
{
	static unsigned char to[LARGEST + 2 * GUARD];
	struct wf_rloc rloc;
	struct wf_ep *ep;
	unsigned char *from;

	fixture_open(&f, 2, 2);
	fixture_connect(&f, 0, from_rank);
	ep = f.rank[0].ep[from_rank];
	from = fixture_alloc(&f, from_rank, LARGEST, &rloc);
	for (int i = 0; i < TAP_COUNT(sizes); i++) {
		size_t n = sizes[i];

		memset(to, 0x11, sizeof(to));
		fill(n, (unsigned)i);
		memcpy(from, source, n);
		TAP_EQUAL(fixture_get(&f, ep, to + GUARD, rloc, n), WEFT_OK);
		fixture_await_done(&f, ep);
		fixture_flush(&f, ep, ep->posted);
		for (int k = 0; k < GUARD; k++) {
			TAP_EQUAL(to[k], 0x11);
			TAP_EQUAL(to[GUARD + n + (size_t)k], 0x11);
		}
		TAP_EQUAL(memcmp(to + GUARD, source, n), 0);
	}
	TAP_EQUAL(ep->posted, TAP_COUNT(sizes));
	fixture_close(&f);
}

static void gets(void)
{
	get_sizes(1);
}

static void gets_from_oneself(void)
{
	get_sizes(0);
}

static void get_nothing(void)
{
	struct wf_rloc nowhere = { UINT64_MAX, 0 };
	struct wf_ep *ep = pair(3);

	TAP_EQUAL(fixture_get(&f, ep, NULL, nowhere, 0), WEFT_OK);
	TAP_EQUAL(ep->posted, 1);
	fixture_await_done(&f, ep);
	fixture_flush(&f, ep, 1);
	TAP_CHECK(!ep->broken);
	fixture_close(&f);
}

static void get_after_put(void)
{
	struct wf_ep *ep = pair(4);
	static unsigned char back[4096];
	struct wf_rloc rloc;

	fixture_alloc(&f, 1, sizeof(back), &rloc);
	for (unsigned i = 0; i < 50; i++) {
		size_t n = 1 + i * 83 % sizeof(back);

		fill(n, i);
		TAP_EQUAL(fixture_put(&f, ep, source, rloc, n), WEFT_OK);
		fixture_flush(&f, ep, ep->posted);
		TAP_EQUAL(fixture_get(&f, ep, back, rloc, n), WEFT_OK);
		fixture_await_done(&f, ep);
		TAP_EQUAL(memcmp(back, source, n), 0);
	}
	fixture_close(&f);
}

/* Into registered memory, and into the arena of the device. */
static void get_into_regions(void)
{
	struct wf_ep *ep = pair(5);
	static unsigned char to[1000];
	struct wf_region *region;
	struct wf_rloc rloc, own;
	char *from = fixture_alloc(&f, 1, 500, &rloc);
	char *arena = fixture_alloc(&f, 0, 500, &own);
	struct wf_loc loc;

	fill(500, 5);
	memcpy(from, source, 500);
	TAP_EQUAL(ep->dev->ops->reg(ep->dev, to, sizeof(to), &region),
		  WEFT_OK);
	loc = (struct wf_loc){ region, 100 };
	while (ep->ops->get(ep, loc, rloc, 500) == WEFT_AGAIN)
		fixture_pump(&f);
	loc = (struct wf_loc){ &ep->dev->arena, (uint64_t)
			       (arena - (char *)ep->dev->arena.base) };
	while (ep->ops->get(ep, loc, rloc, 500) == WEFT_AGAIN)
		fixture_pump(&f);
	fixture_await_done(&f, ep);
	TAP_EQUAL(memcmp(to + 100, source, 500), 0);
	TAP_EQUAL(memcmp(arena, source, 500), 0);
	TAP_EQUAL(to[99] | to[600], 0);
	ep->dev->ops->release(region);
	fixture_close(&f);
}

static void get_from_anywhere(void)
{
	struct wf_ep *ep = pair(6);
	struct wf_device *dev = f.rank[1].dev;
	unsigned char *from = malloc(LARGEST), *to = malloc(LARGEST);
	struct wf_rloc rloc = { 0, 0 };
	uint64_t old = UNSET;

	if (!ep->writes_anywhere)
		tap_skip("this endpoint does not reach it");
	for (int i = 0; ep->writes_anywhere && i < TAP_COUNT(sizes); i++) {
		size_t n = sizes[i];

		fill(n, (unsigned)i);
		memcpy(from, source, n);
		TAP_EQUAL(dev->ops->key(&dev->anywhere, (uintptr_t)from,
					&rloc), WEFT_OK);
		TAP_EQUAL(fixture_get(&f, ep, to, rloc, n), WEFT_OK);
		fixture_await_done(&f, ep);
		TAP_EQUAL(memcmp(to, from, n), 0);
	}
	if (ep->writes_anywhere)
		TAP_EQUAL(fixture_fetch_add(&f, ep, rloc, 1, &old),
			  WEFT_ERR_RANGE);
	TAP_EQUAL(old, UNSET);
	free(from);
	free(to);
	fixture_close(&f);
}

enum {
	MANY = 300,			/* gets of so many bytes, and adds */
	BYTES = 40
};

/* One end of it: what it fetches of the other. */
struct end {
	struct wf_ep *ep;
	struct wf_rloc data, word;
	unsigned char back[MANY][BYTES];
	uint64_t old[MANY];
};

static void post_many(struct end *end)
{
	for (int r = 0; r < 2; r++) {
		memcpy(fixture_alloc(&f, 1 - r, MANY + BYTES, &end[r].data),
		       source, MANY + BYTES);
		fixture_alloc(&f, 1 - r, 8, &end[r].word);
	}
	for (uint64_t i = 0; i < MANY; i++)
		for (struct end *e = end; e < end + 2; e++) {
			struct wf_rloc at = { e->data.addr + i, e->data.key };

			TAP_EQUAL(fixture_get(&f, e->ep, e->back[i], at,
					      BYTES), WEFT_OK);
			TAP_EQUAL(fixture_fetch_add(&f, e->ep, e->word, 2,
						    &e->old[i]), WEFT_OK);
		}
}

/* More than fits, in both directions; AGAIN ends with progress. */
static void pressure(void)
{
	static struct end end[2];

	end[0].ep = pair(10);
	end[1].ep = f.rank[1].ep[0];
	fill(MANY + BYTES, 1);
	post_many(end);
	for (struct end *e = end; e < end + 2; e++) {
		fixture_flush(&f, e->ep, e->ep->posted);
		TAP_EQUAL(e->ep->posted, 2 * MANY);
		for (int i = 0; i < MANY; i++) {
			TAP_EQUAL(memcmp(e->back[i], source + i, BYTES), 0);
			TAP_CHECK(e->old[i] < 2 * MANY && e->old[i] % 2 == 0);
		}
	}
	fixture_close(&f);
}

/* What is before an op that is under way does not wait, what follows does. */
static void counters(void)
{
	struct wf_ep *ep = pair(11);
	static uint64_t old[PENDING];
	struct wf_rloc rloc;
	uint64_t post[PENDING], since = wf_clock_ns();

	fixture_alloc(&f, 1, 64, &rloc);
	for (int i = 0; i < PENDING; i++) {
		uint64_t before = ep->posted;

		old[i] = UNSET;
		TAP_EQUAL(fixture_fetch_add(&f, ep, rloc, 1, &old[i]), WEFT_OK);
		TAP_EQUAL(ep->posted, before + 1);
		post[i] = ep->posted;
		TAP_EQUAL(fixture_mail(&f, 0, 1, 1, NULL, 0), WEFT_OK);
	}
	for (;;) {
		for (int i = 0; i < PENDING; i++)
			if (wf_ep_done(ep, post[i]))
				TAP_CHECK(old[i] < PENDING);
		TAP_CHECK(ep->done <= ep->posted && ep->flushed <= ep->posted);
		if (wf_ep_done(ep, ep->posted) ||
		    wf_clock_ns() - since > 10 * WF_NS_PER_S)
			break;
		fixture_pump(&f);
	}
	TAP_CHECK(wf_ep_done(ep, ep->posted));
	fixture_close(&f);
}

enum op { GET, FETCH_ADD, CAS, OPS };

static int call(struct wf_ep *ep, enum op op, struct wf_rloc rloc,
		uint64_t *old)
{
	switch (op) {
	case GET:
		return fixture_get(&f, ep, old, rloc, 8);
	case FETCH_ADD:
		return fixture_fetch_add(&f, ep, rloc, 1, old);
	default:
		return fixture_cas(&f, ep, rloc, 0, 1, old);
	}
}

/* At once, with outputs untouched; or later, with the endpoint broken. */
static void refused(int other, enum op op, bool wrong_key)
{
	uint64_t old = UNSET;
	struct wf_rloc bad;
	struct wf_ep *ep;
	int status;
	char *to;

	fixture_open(&f, 2, 13);
	fixture_connect(&f, 0, other);
	ep = f.rank[0].ep[other];
	to = fixture_alloc(&f, other, 64, &bad);
	if (wrong_key)
		bad.key ^= UINT64_C(0x5500000000);
	else
		bad.addr += FIXTURE_LIMIT;
	status = call(ep, op, bad, &old);
	if (status) {
		TAP_EQUAL(status, WEFT_ERR_RANGE);
		TAP_EQUAL(ep->posted, 0);
		TAP_CHECK(old == UNSET);
		TAP_CHECK(!ep->broken);
	} else {
		fixture_await_done(&f, ep);
		TAP_CHECK(ep->broken);
		fixture_settle(&f);
		TAP_CHECK(f.rank[0].suspects[other]);
	}
	for (int i = 0; i < 64; i++)
		TAP_EQUAL(to[i], 0);
	fixture_close(&f);
}

static void foreign(void)
{
	for (int op = GET; op < OPS; op++)
		for (int i = 0; i < 4; i++)
			refused(i / 2, op, i % 2);
}

/* Some of each op under way; where there is no room the old value is 0. */
static void post_some(struct wf_ep *ep, struct wf_rloc rloc, uint64_t *old)
{
	struct wf_rloc other = { rloc.addr + 64, rloc.key };

	for (int i = 0; i < PENDING; i++) {
		int status;

		old[i] = UNSET;
		if (i % OPS == GET)
			status = ep->ops->get(ep, wf_loc_any(&old[i]), other,
					      8);
		else if (i % OPS == FETCH_ADD)
			status = ep->ops->fetch_add(ep, rloc, 1, &old[i]);
		else
			status = ep->ops->cas(ep, rloc, 0, 0, &old[i]);
		if (status)
			old[i] = 0;
	}
}

static uint64_t seeds(void)
{
	return fixture_backend.world_create ? SEEDS : TIMES;
}

/* All becomes done; what was lost, and may be anything, was reported. */
static void death(void)
{
	static uint64_t old[PENDING];

	for (uint64_t seed = 1; seed <= seeds(); seed++) {
		struct wf_ep *ep = pair(100 + seed);
		struct wf_rloc rloc;
		uint64_t *word = fixture_alloc(&f, 1, 128, &rloc);

		word[8] = 5;
		post_some(ep, rloc, old);
		for (uint64_t i = 0; i < seed * 3 % 8; i++)
			fixture_pump(&f);
		fixture_die(&f, 1);
		fixture_await_done(&f, ep);
		if (ep->broken) {
			fixture_settle(&f);
			TAP_CHECK(f.rank[0].suspects[1] == 1);
		} else {
			for (int i = 0; i < PENDING; i++)
				TAP_CHECK(old[i] <= PENDING);
		}
		fixture_close(&f);
	}
}

/* Not seen before: nothing is written for an endpoint that is gone. */
static void disconnected(void)
{
	static uint64_t old[PENDING], seen[PENDING];

	for (uint64_t seed = 1; seed <= seeds(); seed++) {
		struct wf_ep *ep = pair(200 + seed);
		struct wf_rloc rloc;

		fixture_alloc(&f, 1, 128, &rloc);
		post_some(ep, rloc, old);
		for (uint64_t i = 0; i < seed * 3 % 8; i++)
			fixture_pump(&f);
		fixture_die(&f, 1);
		ep->dev->ops->disconnect(ep);
		f.rank[0].ep[1] = NULL;
		memcpy(seen, old, sizeof(seen));
		fixture_settle(&f);
		if (f.rank[0].dev->caps & WF_CAP_FENCE)
			TAP_EQUAL(memcmp(seen, old, sizeof(seen)), 0);
		for (int i = FETCH_ADD; i < PENDING; i += i % OPS)
			TAP_EQUAL(seen[i], old[i]);
		fixture_close(&f);
	}
}

const struct tap_case conform_fetch[] = {
	{ "get, fetch_add and cas are there", capabilities },
	{ "gets of all sizes, and nothing beside them", gets },
	{ "gets from oneself", gets_from_oneself },
	{ "a get of nothing looks at nothing", get_nothing },
	{ "a get sees the puts that were flushed", get_after_put },
	{ "registered and arena targets", get_into_regions },
	{ "gets from memory outside of the segment", get_from_anywhere },
	{ "more than fits, in both directions", pressure },
	{ "done comes when the old value is there", counters },
	{ "operands that are not the peer's", foreign },
	{ "the owner dies with fetches under way", death },
	{ "a disconnect with fetches under way", disconnected },
};

const int conform_fetch_n = TAP_COUNT(conform_fetch);
