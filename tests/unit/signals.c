/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signals: counts start at 0, rise by one, and a number that was given back
 * counts for nobody.
 */
#include "transport/signals.h"

#include <weft/status.h>
#include "tests/tap.h"

static struct wf_segment seg;
static struct wf_signals signals;

static void set_up(size_t limit)
{
	TAP_EQUAL(wf_segment_open(&seg, WF_SEGMENT_ANONYMOUS, 4096, limit),
		  WEFT_OK);
	TAP_EQUAL(wf_signals_init(&signals, &seg), WEFT_OK);
}

static void tear_down(void)
{
	wf_signals_fini(&signals);
	TAP_EQUAL(wf_alloc_end(&seg.blocks), 0);
	wf_segment_close(&seg);
}

static uint64_t count(uint32_t sig)
{
	return wf_signal_count(wf_signal_word(&signals, sig), sig);
}

static void counts(void)
{
	uint32_t a = 0, b = 0;

	set_up(1 << 20);
	TAP_EQUAL(wf_signal_alloc(&signals, 0, &a), WEFT_OK);
	TAP_EQUAL(wf_signal_alloc(&signals, 0, &b), WEFT_OK);
	TAP_CHECK(a != b);
	for (int i = 0; i < 3; i++)
		wf_signal_raise(&signals, a);
	TAP_EQUAL(count(a), 3);
	TAP_EQUAL(count(b), 0);
	TAP_EQUAL(wf_signals_dropped(&signals), 0);
	tear_down();
}

static void apart(void)
{
	uint32_t sig[3];

	set_up(1 << 20);
	for (int i = 0; i < 3; i++)
		TAP_EQUAL(wf_signal_alloc(&signals, 0, &sig[i]), WEFT_OK);
	for (int i = 1; i < 3; i++) {
		const char *p = (const char *)wf_signal_word(&signals, sig[0]);
		const char *q = (const char *)wf_signal_word(&signals, sig[i]);

		TAP_CHECK(p - q >= 64 || q - p >= 64);
	}
	tear_down();
}

static void reused(void)
{
	uint32_t old = 0, now = 0;

	set_up(1 << 20);
	TAP_EQUAL(wf_signal_alloc(&signals, 0, &old), WEFT_OK);
	wf_signal_raise(&signals, old);
	wf_signal_free(&signals, old);
	wf_signal_raise(&signals, old);		/* late, while it is free */
	TAP_EQUAL(wf_signals_dropped(&signals), 1);
	TAP_EQUAL(wf_signal_alloc(&signals, 0, &now), WEFT_OK);
	TAP_EQUAL(wf_signal_index(now), wf_signal_index(old));
	TAP_CHECK(now != old);
	TAP_EQUAL(count(now), 0);
	wf_signal_raise(&signals, old);		/* later, when it is reused */
	TAP_EQUAL(count(now), 0);
	TAP_EQUAL(wf_signals_dropped(&signals), 2);
	wf_signal_raise(&signals, now);
	TAP_EQUAL(count(now), 1);
	TAP_EQUAL(count(old), 0);
	tear_down();
}

static void wraps(void)
{
	uint32_t first = 0, sig = 0;

	set_up(1 << 20);
	TAP_EQUAL(wf_signal_alloc(&signals, 0, &first), WEFT_OK);
	wf_signal_free(&signals, first);
	for (int i = 1; i < 4096; i++) {
		TAP_EQUAL(wf_signal_alloc(&signals, 0, &sig), WEFT_OK);
		TAP_CHECK(sig != first);
		TAP_EQUAL(wf_signal_generation(sig), (uint32_t)i);
		wf_signal_raise(&signals, sig);
		TAP_EQUAL(count(sig), 1);
		wf_signal_free(&signals, sig);
	}
	TAP_EQUAL(wf_signal_generation(first), 0);
	TAP_EQUAL(wf_signal_alloc(&signals, 0, &sig), WEFT_OK);
	TAP_EQUAL(sig, first);
	tear_down();
}

static void unknown(void)
{
	uint32_t sig = 0;

	set_up(1 << 20);
	wf_signal_raise(&signals, 5);
	wf_signal_raise(&signals, UINT32_MAX);
	TAP_EQUAL(wf_signals_dropped(&signals), 2);
	/* Nor is there one beside the first of a block. */
	TAP_EQUAL(wf_signal_alloc(&signals, 0, &sig), WEFT_OK);
	wf_signal_raise(&signals, sig + 5);
	TAP_EQUAL(wf_signals_dropped(&signals), 3);
	tear_down();
}

static void many(void)
{
	enum { N = 3 * WF_SIGNAL_BLOCK + 1 };
	static uint32_t sig[N];
	const _Atomic uint64_t *first;

	set_up(1 << 20);
	TAP_EQUAL(wf_signal_alloc(&signals, 0, &sig[0]), WEFT_OK);
	first = wf_signal_word(&signals, sig[0]);
	for (int i = 1; i < N; i++)
		TAP_EQUAL(wf_signal_alloc(&signals, 0, &sig[i]), WEFT_OK);
	TAP_CHECK(wf_signal_word(&signals, sig[0]) == first);
	for (int i = 0; i < N; i++)
		wf_signal_raise(&signals, sig[i]);
	for (int i = 0; i < N; i++)
		TAP_EQUAL(count(sig[i]), 1);
	tear_down();
}

static void runs_out(void)
{
	uint32_t sig = 0, good;
	int status = WEFT_OK, n = 0;

	set_up(100 << 10);	/* directory and one block, not two */
	while (!(status = wf_signal_alloc(&signals, 0, &sig)))
		n++;
	TAP_EQUAL(status, WEFT_ERR_NOMEM);
	TAP_EQUAL(n, WF_SIGNAL_BLOCK);
	good = sig;
	TAP_EQUAL(wf_signal_alloc(&signals, 0, &sig), WEFT_ERR_NOMEM);
	TAP_EQUAL(sig, good);
	wf_signal_free(&signals, good);
	TAP_EQUAL(wf_signal_alloc(&signals, 0, &sig), WEFT_OK);
	tear_down();
}

/* Beyond the limit indices of the upper half are given, and taken back. */
static void limited(void)
{
	uint32_t low[2], high, again;

	set_up(1 << 20);
	wf_signals_limit(&signals, 0, 2);
	for (int i = 0; i < 2; i++) {
		TAP_EQUAL(wf_signal_alloc(&signals, 0, &low[i]), WEFT_OK);
		TAP_CHECK(wf_signal_index(low[i]) < WF_SIGNAL_STORED);
	}
	TAP_EQUAL(wf_signal_alloc(&signals, 0, &high), WEFT_OK);
	TAP_EQUAL(wf_signal_index(high), WF_SIGNAL_STORED);
	wf_signal_raise(&signals, high);
	TAP_EQUAL(count(high), 1);
	wf_signal_free(&signals, low[1]);
	TAP_EQUAL(wf_signal_alloc(&signals, 0, &again), WEFT_OK);
	TAP_EQUAL(wf_signal_index(again), wf_signal_index(low[1]));
	wf_signal_free(&signals, high);
	TAP_EQUAL(wf_signal_alloc(&signals, 0, &again), WEFT_OK);
	TAP_EQUAL(wf_signal_index(again), WF_SIGNAL_STORED);
	TAP_EQUAL(count(again), 0);
	wf_signal_raise(&signals, high);
	TAP_EQUAL(wf_signals_dropped(&signals), 1);
	tear_down();
}

/* They take no room where others do, and are like these without a limit. */
static void at_will(void)
{
	uint32_t low, high, other;

	set_up(1 << 20);
	TAP_EQUAL(wf_signal_alloc_many(&signals, &other), WEFT_OK);
	TAP_CHECK(wf_signal_index(other) < WF_SIGNAL_STORED);
	wf_signals_limit(&signals, 0, 2);
	TAP_EQUAL(wf_signal_alloc_many(&signals, &high), WEFT_OK);
	TAP_EQUAL(wf_signal_index(high), WF_SIGNAL_STORED);
	TAP_EQUAL(wf_signal_alloc(&signals, 0, &low), WEFT_OK);
	TAP_CHECK(wf_signal_index(low) < WF_SIGNAL_STORED);
	wf_signal_free(&signals, high);
	TAP_EQUAL(wf_signals_in_use(&signals), 2);
	tear_down();
}

/* Room for their raises is no other's, and they leave half of it. */
static void booked(void)
{
	uint32_t sig, low, high;

	set_up(1 << 20);
	TAP_EQUAL(wf_signal_alloc_booked(&signals, 0, 4, &sig), WEFT_ERR_NOMEM);
	wf_signals_limit(&signals, 0, 8);
	TAP_EQUAL(wf_signals_spare(&signals, 0), 4);
	TAP_EQUAL(wf_signal_alloc_booked(&signals, 0, 5, &sig), WEFT_ERR_NOMEM);
	TAP_EQUAL(wf_signal_alloc_booked(&signals, 0, 4, &sig), WEFT_OK);
	TAP_CHECK(wf_signal_index(sig) < WF_SIGNAL_STORED);
	for (int i = 0; i < 4; i++)
		wf_signal_raise(&signals, sig);
	TAP_EQUAL(count(sig), 4);
	TAP_EQUAL(wf_signals_spare(&signals, 0), 0);
	TAP_CHECK(wf_signals_fit(&signals, 0));
	wf_signals_limit(&signals, 0, 3);
	TAP_CHECK(!wf_signals_fit(&signals, 0));
	wf_signals_limit(&signals, 0, 8);
	TAP_EQUAL(wf_signal_alloc_booked(&signals, 0, 1, &low), WEFT_ERR_NOMEM);
	for (int i = 0; i < 4; i++) {
		TAP_EQUAL(wf_signal_alloc(&signals, 0, &low), WEFT_OK);
		TAP_CHECK(wf_signal_index(low) < WF_SIGNAL_STORED);
	}
	TAP_EQUAL(wf_signal_alloc(&signals, 0, &high), WEFT_OK);
	TAP_EQUAL(wf_signal_index(high), WF_SIGNAL_STORED);
	wf_signal_free_booked(&signals, 4, sig);
	for (int i = 0; i < 4; i++) {
		TAP_EQUAL(wf_signal_alloc(&signals, 0, &low), WEFT_OK);
		TAP_CHECK(wf_signal_index(low) < WF_SIGNAL_STORED);
	}
	TAP_EQUAL(wf_signal_alloc(&signals, 0, &high), WEFT_OK);
	TAP_CHECK(wf_signal_index(high) >= WF_SIGNAL_STORED);
	tear_down();
}

static bool is_low(uint32_t sig)
{
	return wf_signal_index(sig) < WF_SIGNAL_STORED;
}

/* What one of them has given takes nothing from another one. */
static void rooms(void)
{
	uint32_t room[2], any, sig[4];

	set_up(1 << 20);
	TAP_EQUAL(wf_signal_alloc(&signals, 0, &any), WEFT_OK);
	for (int i = 0; i < 2; i++)
		TAP_EQUAL(wf_signals_add_room(&signals, 2, &room[i]), WEFT_OK);
	TAP_CHECK(room[0] && room[1] && room[0] != room[1]);
	for (int i = 0; i < 3; i++) {
		TAP_EQUAL(wf_signal_alloc(&signals, room[0], &sig[i]),
			  WEFT_OK);
		TAP_EQUAL(is_low(sig[i]), i < 2);
	}
	TAP_EQUAL(wf_signal_alloc(&signals, room[1], &sig[3]), WEFT_OK);
	TAP_CHECK(is_low(sig[3]));
	TAP_EQUAL(wf_signals_spare(&signals, room[1]), 0);
	wf_signals_limit(&signals, room[1], 8);
	TAP_EQUAL(wf_signals_spare(&signals, room[1]), 3);
	TAP_EQUAL(wf_signals_spare(&signals, room[0]), 0);
	/* an index goes from one to another, and its place is there then */
	wf_signal_free(&signals, sig[0]);
	TAP_EQUAL(wf_signal_alloc_booked(&signals, room[1], 3, &sig[0]),
		  WEFT_OK);
	TAP_EQUAL(wf_signals_spare(&signals, room[1]), 0);
	TAP_EQUAL(wf_signal_alloc(&signals, room[0], &sig[2]), WEFT_OK);
	TAP_CHECK(is_low(sig[2]));
	wf_signal_free_booked(&signals, 3, sig[0]);
	TAP_EQUAL(wf_signals_spare(&signals, room[1]), 3);
	wf_signal_free(&signals, any);
	TAP_CHECK(wf_signals_fit(&signals, room[0]));
	tear_down();
}

/* Where others may be reported it takes no more than half of such indices. */
static void reportable(void)
{
	uint32_t room, other, sig;

	set_up(16 << 20);
	TAP_EQUAL(wf_signals_add_room(&signals, UINT16_MAX, &room), WEFT_OK);
	TAP_EQUAL(wf_signals_add_room(&signals, 64, &other), WEFT_OK);
	for (int i = 0; i < WF_SIGNAL_REPORTED / 2; i++)
		wf_signal_alloc(&signals, 0, &sig);
	TAP_EQUAL(wf_signal_index(sig), WF_SIGNAL_REPORTED / 2 - 1);
	TAP_EQUAL(wf_signal_alloc(&signals, 0, &sig), WEFT_OK);
	TAP_CHECK(!is_low(sig));
	for (int i = 0; i < WF_SIGNAL_REPORTED / 2; i++)
		wf_signal_alloc(&signals, room, &sig);
	TAP_EQUAL(wf_signal_index(sig), WF_SIGNAL_REPORTED - 1);
	TAP_EQUAL(wf_signals_spare(&signals, other), 32);
	TAP_EQUAL(wf_signal_alloc_booked(&signals, other, 1, &sig),
		  WEFT_ERR_NOMEM);
	TAP_EQUAL(wf_signal_alloc(&signals, room, &sig), WEFT_OK);
	TAP_CHECK(!is_low(sig));
	tear_down();
}

/* Its number is given again when its last signal is free. */
static void left_rooms(void)
{
	uint32_t room[5], again, sig;

	set_up(1 << 20);
	for (int i = 0; i < 5; i++)
		TAP_EQUAL(wf_signals_add_room(&signals, 4, &room[i]), WEFT_OK);
	TAP_EQUAL(wf_signal_alloc(&signals, room[1], &sig), WEFT_OK);
	wf_signals_leave_room(&signals, room[1]);
	wf_signals_leave_room(&signals, room[3]);
	TAP_EQUAL(wf_signals_add_room(&signals, 4, &again), WEFT_OK);
	TAP_EQUAL(again, room[3]);
	TAP_EQUAL(wf_signals_add_room(&signals, 4, &again), WEFT_OK);
	TAP_EQUAL(again, room[4] + 1);
	wf_signal_free(&signals, sig);
	TAP_EQUAL(wf_signals_add_room(&signals, 4, &again), WEFT_OK);
	TAP_EQUAL(again, room[1]);
	TAP_EQUAL(wf_signals_spare(&signals, again), 2);
	/* there are so many, and no more */
	for (uint32_t i = room[4] + 2; i < UINT16_MAX; i++)
		wf_signals_add_room(&signals, 4, &again);
	TAP_EQUAL(again, UINT16_MAX - 1);
	TAP_EQUAL(wf_signals_add_room(&signals, 4, &again), WEFT_ERR_NOMEM);
	tear_down();
}

static void lacking(void)
{
	uint32_t sig;

	set_up(1 << 20);
	TAP_EQUAL(wf_signal_alloc(&signals, 0, &sig), WEFT_OK);
	TAP_CHECK(wf_signal_lacks(&signals, sig, 1));
	wf_signal_raise(&signals, sig);
	TAP_CHECK(!wf_signal_lacks(&signals, sig, 1));
	TAP_CHECK(wf_signal_lacks(&signals, sig, 2));
	wf_signal_free(&signals, sig);
	TAP_CHECK(!wf_signal_lacks(&signals, sig, 2));
	tear_down();
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a count rises by one", counts },
		{ "each word has its own cache line", apart },
		{ "a late raise of a freed number is dropped", reused },
		{ "generations wrap at 4096", wraps },
		{ "a number never given is dropped", unknown },
		{ "words stay where they are as blocks are added", many },
		{ "the arena runs out", runs_out },
		{ "the lower half of the indices has a limit", limited },
		{ "signals raised at will keep out of it", at_will },
		{ "some with room for more raises", booked },
		{ "each queue of a device has room of its own", rooms },
		{ "room for all that is reported", reportable },
		{ "that of a queue that is gone is used again", left_rooms },
		{ "what a signal lacks", lacking },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
