/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets gathered and scattered by any cuts, against one at a time. */
#include "tests/tap.h"

#include "base/random.h"
#include "type/packets.h"

#include <string.h>

enum {
	PACKETS = 40,
	BYTES = PACKETS * 24,
	DRAWS = 4000
};

struct trial {
	struct wf_random random;
	size_t unit, n;			/* packets that travel */
	uint32_t index[PACKETS];
	char array[BYTES], packed[BYTES], whole[BYTES];
};

static void draw(struct trial *t)
{
	static const size_t units[] = { 1, 2, 3, 4, 8, 12, 16, 24 };

	t->unit = units[wf_random_below(&t->random, 8)];
	t->n = wf_random_below(&t->random, PACKETS + 1);
	/* a permutation, so that each packet has one place */
	for (uint32_t i = 0; i < PACKETS; i++)
		t->index[i] = i;
	for (uint32_t i = PACKETS; i > 1; i--) {
		uint32_t k = (uint32_t)wf_random_below(&t->random, i);
		uint32_t other = t->index[k];

		t->index[k] = t->index[i - 1];
		t->index[i - 1] = other;
	}
	for (size_t i = 0; i < BYTES; i++)
		t->array[i] = (char)wf_random_u64(&t->random);
	for (size_t i = 0; i < t->n; i++)
		memcpy(t->whole + i * t->unit,
		       t->array + t->index[i] * t->unit, t->unit);
}

/* The next cut. */
static size_t some(struct trial *t, size_t from)
{
	return wf_random_below(&t->random, t->n * t->unit - from + 1);
}

static void gathered(struct trial *t)
{
	struct wf_packets of = { t->array, t->unit, t->index };
	size_t bytes = t->n * t->unit;

	memset(t->packed, 0, sizeof(t->packed));
	for (size_t from = 0, n; from < bytes; from += n) {
		n = some(t, from);
		wf_packets_gather(&of, from, t->packed + from, n);
	}
	TAP_EQUAL(memcmp(t->packed, t->whole, bytes), 0);
	for (size_t i = bytes; i < BYTES; i++)
		TAP_EQUAL(t->packed[i], 0);
}

/* Into memory that has what it should have, but where the packets are. */
static void scattered(struct trial *t)
{
	struct wf_packets of = { t->packed, t->unit, t->index };
	size_t bytes = t->n * t->unit;

	memcpy(t->packed, t->array, BYTES);
	for (size_t i = 0; i < t->n; i++)
		memset(t->packed + t->index[i] * t->unit, 0, t->unit);
	for (size_t from = 0, n; from < bytes; from += n) {
		n = some(t, from);
		wf_packets_scatter(&of, from, t->whole + from, n);
	}
	TAP_EQUAL(memcmp(t->packed, t->array, BYTES), 0);
}

static void by_any_cuts(void)
{
	struct trial t;

	wf_random_init(&t.random, 7);
	for (int i = 0; i < DRAWS; i++) {
		draw(&t);
		gathered(&t);
		scattered(&t);
	}
}

static void as_they_lie(void)
{
	char from[] = "abcdefgh", to[] = "--------";
	struct wf_packets of = { from, 3, NULL };

	wf_packets_gather(&of, 2, to, 4);
	TAP_EQUAL(memcmp(to, "cdef----", 8), 0);
	of.base = to;
	wf_packets_scatter(&of, 4, "xyz", 3);
	TAP_EQUAL(memcmp(to, "cdefxyz-", 8), 0);
	wf_packets_gather(&of, 0, NULL, 0);
}

/* The last packet is one, all before are another: beyond 2^32 bytes. */
static void far_on(void)
{
	enum { UNIT = 1 << 20, FAR = 5000 };
	char *two = calloc(2, UNIT), got[4];
	uint32_t *index = calloc(FAR, sizeof(*index));
	struct wf_packets of = { two, UNIT, index };

	index[FAR - 1] = 1;
	memcpy(two + UNIT - 2, "defg", 4);
	wf_packets_gather(&of, (size_t)UNIT * (FAR - 1) - 2, got, 4);
	TAP_EQUAL(memcmp(got, "defg", 4), 0);
	/* the whole of it */
	wf_packets_gather(&of, (size_t)UNIT * (FAR - 1), two, UNIT);
	TAP_EQUAL(memcmp(two, "fg", 2), 0);
	wf_packets_scatter(&of, (size_t)UNIT * (FAR - 1) - 2, "wxyz", 4);
	TAP_EQUAL(memcmp(two + UNIT - 2, "wxyz", 4), 0);
	free(index);
	free(two);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "by any cuts", by_any_cuts },
		{ "as they lie", as_they_lie },
		{ "far on", far_on }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
