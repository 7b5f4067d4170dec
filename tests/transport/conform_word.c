/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conformance: fetch_add and cas, by one and by several ranks.
 *
 * All ranks are played by one thread, so "at once" means that the ops of
 * several ranks are under way together; shm_race.c races them.
 */
#include <string.h>
#include <weft/status.h>
#include "base/clock.h"
#include "tests/transport/fixture.h"

enum {
	OWNER = 3,			/* of the words, with three peers */
	ADDS = 200,			/* of each rank */
	TURNS = 15			/* of each rank, with the lock */
};

#define UNSET UINT64_C(0x5e5e5e5e5e5e5e5e)

static struct fixture f;

/* Each alone: what it finds, and what it leaves. */
static void words_of(int owner)
{
	struct wf_rloc rloc;
	struct wf_ep *ep;
	uint64_t *word, old;

	fixture_open(&f, 2, 7);
	fixture_connect(&f, 0, owner);
	ep = f.rank[0].ep[owner];
	word = fixture_alloc(&f, owner, 64, &rloc);
	rloc.addr += 8;
	word[1] = UINT64_MAX - 1;
	TAP_EQUAL(fixture_fetch_add(&f, ep, rloc, 3, &old), WEFT_OK);
	fixture_await_done(&f, ep);
	TAP_EQUAL(old, UINT64_MAX - 1);
	TAP_EQUAL(word[1], 1);
	TAP_EQUAL(fixture_fetch_add(&f, ep, rloc, (uint64_t)-1, &old), WEFT_OK);
	fixture_await_done(&f, ep);
	TAP_EQUAL(old, 1);
	TAP_EQUAL(word[1], 0);
	TAP_EQUAL(fixture_cas(&f, ep, rloc, 1, 77, &old), WEFT_OK);
	fixture_await_done(&f, ep);
	TAP_EQUAL(old, 0);
	TAP_EQUAL(word[1], 0);
	TAP_EQUAL(fixture_cas(&f, ep, rloc, 0, UINT64_MAX, &old), WEFT_OK);
	fixture_await_done(&f, ep);
	TAP_EQUAL(old, 0);
	TAP_CHECK(word[1] == UINT64_MAX);
	fixture_flush(&f, ep, ep->posted);
	TAP_EQUAL(word[0] | word[2], 0);
	TAP_EQUAL(ep->posted, 4);
	fixture_close(&f);
}

static void words(void)
{
	words_of(1);
}

static void words_of_oneself(void)
{
	words_of(0);
}

/* Four ranks, the last is the owner of the words and uses them, too. */
static void *open_crowd(size_t n, uint64_t seed, struct wf_rloc *rloc_p)
{
	fixture_open(&f, OWNER + 1, seed);
	for (int i = 0; i <= OWNER; i++)
		fixture_connect(&f, i, OWNER);
	return fixture_alloc(&f, OWNER, n, rloc_p);
}

static void sums(void)
{
	static uint64_t old[OWNER + 1][ADDS];
	static bool seen[(OWNER + 1) * ADDS];
	struct wf_rloc rloc;
	uint64_t *word = open_crowd(64, 8, &rloc);

	memset(seen, 0, sizeof(seen));
	for (int i = 0; i < ADDS; i++)
		for (int r = 0; r <= OWNER; r++) {
			struct wf_ep *ep = f.rank[r].ep[OWNER];

			TAP_EQUAL(fixture_fetch_add(&f, ep, rloc, 1,
						    &old[r][i]), WEFT_OK);
		}
	for (int r = 0; r <= OWNER; r++)
		fixture_await_done(&f, f.rank[r].ep[OWNER]);
	TAP_EQUAL(*word, (OWNER + 1) * ADDS);
	for (int r = 0; r <= OWNER; r++)
		for (int i = 0; i < ADDS; i++) {
			if (!TAP_CHECK(old[r][i] < TAP_COUNT(seen)))
				continue;
			TAP_CHECK(!seen[old[r][i]]);
			seen[old[r][i]] = true;
		}
	fixture_close(&f);
}

/* One rank on its way through: lock, get, put and flush, unlock. */
struct locker {
	enum { TO_LOCK, LOCKING, GETTING, PUTTING, TO_UNLOCK, UNLOCKING } at;
	uint64_t old, value;
	int turns;
};

static bool is_over(const struct wf_ep *ep, const struct locker *l)
{
	return l->at == PUTTING ? wf_ep_flushed(ep, ep->posted) :
				  wf_ep_done(ep, ep->posted);
}

/* One step, if what is under way is over. word[0]: lock, word[8]: counter. */
static void step(struct locker *l, struct wf_ep *ep, struct wf_rloc lock)
{
	struct wf_rloc counter = { lock.addr + 64, lock.key };
	uint64_t me = (uint64_t)(l - (struct locker *)f.rank[0].arg) + 1;

	if (!is_over(ep, l))
		return;
	switch (l->at) {
	case TO_LOCK:
		if (!ep->ops->cas(ep, lock, 0, me, &l->old))
			l->at = LOCKING;
		break;
	case LOCKING:
		if (l->old)
			l->at = TO_LOCK;
		else if (!ep->ops->get(ep, wf_loc_any(&l->value), counter, 8))
			l->at = GETTING;
		break;
	case GETTING:
		l->value++;
		TAP_EQUAL(fixture_put(&f, ep, &l->value, counter, 8), WEFT_OK);
		while (ep->ops->flush(ep, WF_FLUSH_REMOTE) == WEFT_AGAIN)
			fixture_pump(&f);
		l->at = PUTTING;
		break;
	case PUTTING:
	case TO_UNLOCK:
		l->at = ep->ops->cas(ep, lock, me, 0, &l->old) ? TO_UNLOCK :
								 UNLOCKING;
		break;
	case UNLOCKING:
		TAP_EQUAL(l->old, me);
		l->turns++;
		l->at = TO_LOCK;
		break;
	}
}

static void locks(void)
{
	struct locker locker[OWNER + 1] = { { .turns = 0 } };
	uint64_t since = wf_clock_ns();
	struct wf_rloc rloc;
	uint64_t *word = open_crowd(128, 9, &rloc);
	int turns = 0;

	f.rank[0].arg = locker;
	while (turns < (OWNER + 1) * TURNS &&
	       wf_clock_ns() - since < 20 * WF_NS_PER_S) {
		turns = 0;
		for (int r = 0; r <= OWNER; r++) {
			if (locker[r].turns < TURNS)
				step(&locker[r], f.rank[r].ep[OWNER], rloc);
			turns += locker[r].turns;
		}
		fixture_pump(&f);
	}
	TAP_EQUAL(turns, (OWNER + 1) * TURNS);
	TAP_EQUAL(word[0], 0);
	TAP_EQUAL(word[8], (OWNER + 1) * TURNS);
	fixture_close(&f);
}

static void misaligned(void)
{
	uint64_t old = UNSET;
	struct wf_rloc rloc;
	struct wf_ep *ep;
	char *to;

	fixture_open(&f, 2, 12);
	fixture_connect(&f, 0, 1);
	ep = f.rank[0].ep[1];
	to = fixture_alloc(&f, 1, 64, &rloc);
	for (uint64_t off = 1; off < 8; off++) {
		struct wf_rloc bad = { rloc.addr + off, rloc.key };

		TAP_EQUAL(fixture_fetch_add(&f, ep, bad, 1, &old),
			  WEFT_ERR_RANGE);
		TAP_EQUAL(fixture_cas(&f, ep, bad, 0, 1, &old),
			  WEFT_ERR_RANGE);
	}
	TAP_CHECK(old == UNSET);
	TAP_EQUAL(ep->posted, 0);
	fixture_settle(&f);
	for (int i = 0; i < 64; i++)
		TAP_EQUAL(to[i], 0);
	fixture_close(&f);
}

const struct tap_case conform_word[] = {
	{ "a word: what is found and what is left", words },
	{ "a word of oneself", words_of_oneself },
	{ "several peers add at once, with one agent", sums },
	{ "a lock by cas", locks },
	{ "words that are not aligned are refused", misaligned },
};

const int conform_word_n = TAP_COUNT(conform_word);
