/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ring: full and empty, entries of all lengths at every position, content that
 * looks like a turn, two threads, two mappings of one memory.
 */
#include "base/barrier.h"
#include "base/random.h"
#include "base/ring.h"
#include "tests/tap.h"

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	UNITS = 11,			/* no power of two */
	MOST = 120,			/* bytes: 4 units */
	WORDS = MOST / 8,
	ONE = 24			/* bytes of one unit */
};

static const struct wf_ring_shape shape = { UNITS, MOST };

struct pair {
	struct wf_ring_shared *shared;
	struct wf_ring producer;
	struct wf_ring consumer;
};

static void open_pair(struct pair *pair)
{
	size_t bytes = wf_ring_bytes(shape);

	pair->shared = aligned_alloc(64, bytes);
	memset(pair->shared, 0xff, bytes);
	wf_ring_shared_init(pair->shared, shape);
	wf_ring_attach(&pair->producer, pair->shared, shape);
	wf_ring_attach(&pair->consumer, pair->shared, shape);
}

static bool push(struct wf_ring *ring, uint64_t value, uint32_t bytes)
{
	uint64_t *to = wf_ring_reserve(ring, bytes, 0);

	if (!to)
		return false;
	for (uint32_t i = 0; i < bytes / 8; i++)
		to[i] = value + i;
	wf_ring_commit(ring);
	return true;
}

static bool pop(struct wf_ring *ring, uint64_t value, uint32_t bytes)
{
	const uint64_t *from = wf_ring_peek(ring);

	if (!from)
		return false;
	for (uint32_t i = 0; i < bytes / 8; i++)
		TAP_CHECK(from[i] == value + i);
	wf_ring_release(ring);
	return true;
}

/* And gives it back. */
static bool take(struct wf_ring *ring, uint64_t value, uint32_t bytes)
{
	bool is_there = pop(ring, value, bytes);

	wf_ring_settle(ring);
	return is_there;
}

static bool has_room(struct pair *pair, uint32_t bytes, uint32_t kept)
{
	return wf_ring_reserve(&pair->producer, bytes, kept) != NULL;
}

static void layout(void)
{
	TAP_EQUAL(wf_ring_units(0), 1);
	TAP_EQUAL(wf_ring_units(24), 1);
	TAP_EQUAL(wf_ring_units(25), 2);
	TAP_EQUAL(wf_ring_units(MOST), 4);
	TAP_EQUAL(wf_ring_bytes(shape), 64 + (UNITS + 3) * 32);
	TAP_EQUAL(wf_ring_bytes((struct wf_ring_shape){ 240, 1024 }), 8768);
}

static void full_and_empty(void)
{
	struct pair pair;

	open_pair(&pair);
	TAP_CHECK(wf_ring_peek(&pair.consumer) == NULL);
	for (uint64_t i = 0; i < UNITS; i++)
		TAP_CHECK(push(&pair.producer, i, ONE));
	TAP_CHECK(wf_ring_reserve(&pair.producer, 0, 0) == NULL);
	TAP_CHECK(take(&pair.consumer, 0, ONE));
	TAP_CHECK(wf_ring_reserve(&pair.producer, ONE + 1, 0) == NULL);
	TAP_CHECK(push(&pair.producer, UNITS, ONE));
	TAP_CHECK(wf_ring_reserve(&pair.producer, 0, 0) == NULL);
	for (uint64_t i = 1; i <= UNITS; i++)
		TAP_CHECK(take(&pair.consumer, i, ONE));
	TAP_CHECK(wf_ring_peek(&pair.consumer) == NULL);
	free(pair.shared);
}

/* By the release of the next one, or while there is nothing to read. */
static void given_back_late(void)
{
	struct pair pair;

	open_pair(&pair);
	for (uint64_t i = 0; i < UNITS; i++)
		TAP_CHECK(push(&pair.producer, i, ONE));
	for (uint64_t i = 0; i < UNITS; i++) {
		TAP_CHECK(pop(&pair.consumer, i, ONE));
		TAP_EQUAL(push(&pair.producer, UNITS + i - 1, ONE), i > 0);
		TAP_CHECK(!has_room(&pair, ONE, 0));
	}
	wf_ring_settle(&pair.consumer);
	TAP_CHECK(has_room(&pair, ONE, 0));
	TAP_CHECK(!has_room(&pair, ONE + 1, 0));
	free(pair.shared);
}

/* Reserved but not committed is not seen; both looks may be repeated. */
static void not_committed(void)
{
	struct pair pair;
	void *to;

	open_pair(&pair);
	to = wf_ring_reserve(&pair.producer, MOST, 0);
	TAP_CHECK(wf_ring_peek(&pair.consumer) == NULL);
	TAP_CHECK(wf_ring_reserve(&pair.producer, MOST, 0) == to);
	memset(to, 0, MOST);
	wf_ring_commit(&pair.producer);
	TAP_CHECK(wf_ring_peek(&pair.consumer) == to);
	TAP_CHECK(wf_ring_peek(&pair.consumer) == to);
	wf_ring_release(&pair.consumer);
	TAP_CHECK(wf_ring_peek(&pair.consumer) == NULL);
	free(pair.shared);
}

/* So many units are filled, at each position: what fits, and nothing more. */
static void all_levels(void)
{
	struct pair pair;
	uint64_t in = 0, out = 0;

	open_pair(&pair);
	for (uint32_t level = 0; level <= UNITS; level++) {
		for (int position = 0; position < 2 * UNITS; position++) {
			while (in - out < level)
				TAP_CHECK(push(&pair.producer, in++, ONE));
			for (uint32_t n = 1; n <= 4; n++)
				TAP_EQUAL(has_room(&pair, 32 * n - 8, 0),
					  level + n <= UNITS);
			while (out < in)
				TAP_CHECK(take(&pair.consumer, out++, ONE));
			TAP_CHECK(wf_ring_peek(&pair.consumer) == NULL);
			TAP_CHECK(push(&pair.producer, in++, ONE));
			TAP_CHECK(take(&pair.consumer, out++, ONE));
		}
	}
	free(pair.shared);
}

/* What is to stay free stays free, and what was released meanwhile is seen. */
static void kept(void)
{
	struct pair pair;

	open_pair(&pair);
	for (uint32_t level = 0; level < UNITS; level++) {
		for (uint32_t n = 0; n <= UNITS; n++)
			TAP_EQUAL(has_room(&pair, ONE, n),
				  level + 1 + n <= UNITS);
		TAP_CHECK(push(&pair.producer, level, ONE));
	}
	TAP_CHECK(take(&pair.consumer, 0, ONE));
	TAP_CHECK(has_room(&pair, ONE, 0));
	TAP_CHECK(!has_room(&pair, ONE, 1));
	free(pair.shared);
}

/* In any order and at any place, also around the end. */
static void all_lengths(void)
{
	uint32_t bytes[UNITS];
	struct wf_random random;
	struct pair pair;
	uint64_t in = 0, out = 0;

	wf_random_init(&random, 1);
	open_pair(&pair);
	while (out < 20000) {
		uint32_t n = 8 * (uint32_t)wf_random_below(&random, WORDS + 1);

		if (wf_random_below(&random, 3) && push(&pair.producer, in, n))
			bytes[in++ % UNITS] = n;
		else if (out < in && TAP_CHECK(pop(&pair.consumer, out,
						   bytes[out % UNITS])))
			out++;
		else
			wf_ring_settle(&pair.consumer);
		TAP_EQUAL(wf_ring_peek(&pair.consumer) != NULL, out < in);
	}
	free(pair.shared);
}

/*
 * Each word of the content is the turn of an entry that may begin there in the
 * next rounds: none is taken for it.
 */
static void content_like_turns(void)
{
	struct pair pair;

	open_pair(&pair);
	for (uint64_t i = 0; i < 100; i++) {
		uint64_t *to = wf_ring_reserve(&pair.producer, MOST, 0);
		uint64_t mine = pair.producer.mine;

		for (uint32_t k = 0; k < WORDS; k++)
			to[k] = (mine + (k + 1) / 4 + 1 + i % 3 * UNITS) << 8 |
				1;
		wf_ring_commit(&pair.producer);
		TAP_CHECK(wf_ring_peek(&pair.consumer) == to);
		wf_ring_release(&pair.consumer);
		if (i % 7 > 2)
			wf_ring_settle(&pair.consumer);
		for (uint32_t k = 0; k < i % 5 + 3; k++) {
			TAP_CHECK(!wf_ring_peek(&pair.consumer));
			TAP_CHECK(push(&pair.producer, k, ONE));
			TAP_CHECK(pop(&pair.consumer, k, ONE));
		}
		TAP_CHECK(!wf_ring_peek(&pair.consumer));
	}
	free(pair.shared);
}

/* A turn with more lines than an entry may have: no others are touched. */
static void strange_length(void)
{
	struct pair pair;
	uint64_t *behind;

	open_pair(&pair);
	behind = (uint64_t *)(pair.shared + 1) + 4 * 4;
	*behind = 17;
	TAP_CHECK(push(&pair.producer, 1, MOST));
	*(uint64_t *)(pair.shared + 1) |= 255;
	TAP_CHECK(take(&pair.consumer, 1, MOST));
	TAP_EQUAL(*behind, 17);
	TAP_EQUAL(pair.consumer.mine, 4);
	free(pair.shared);
}

static uint32_t bytes_of(uint64_t i)
{
	return 8 * (uint32_t)(i * 7 % (WORDS + 1));
}

static void *produce(void *arg)
{
	struct wf_ring *ring = arg;
	uint64_t count = (uint64_t)tap_figure("RING_MESSAGES", 200000);

	for (uint64_t i = 0; i < count; i++) {
		while (!push(ring, i, bytes_of(i)))
			sched_yield();
	}
	return NULL;
}

static void consume(struct wf_ring *ring)
{
	uint64_t count = (uint64_t)tap_figure("RING_MESSAGES", 200000);

	for (uint64_t i = 0; i < count; i++) {
		while (!pop(ring, i, bytes_of(i))) {
			wf_ring_settle(ring);
			wf_cpu_relax();
			sched_yield();
		}
	}
	TAP_CHECK(wf_ring_peek(ring) == NULL);
}

static void two_threads(void)
{
	struct pair pair;
	pthread_t thread;

	open_pair(&pair);
	TAP_EQUAL(pthread_create(&thread, NULL, produce, &pair.producer), 0);
	consume(&pair.consumer);
	pthread_join(thread, NULL);
	free(pair.shared);
}

/* The sides hold no pointer of the other: different addresses will do. */
static void two_mappings(void)
{
	int fd = memfd_create("ring", MFD_CLOEXEC);
	struct wf_ring_shared *views[2];
	struct pair pair;
	uint64_t i;

	TAP_EQUAL(ftruncate(fd, 4096), 0);
	for (i = 0; i < 2; i++)
		views[i] = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED,
				fd, 0);
	close(fd);
	wf_ring_attach(&pair.producer, views[0], shape);
	wf_ring_attach(&pair.consumer, views[1], shape);
	for (i = 0; i < 100; i++) {
		TAP_CHECK(push(&pair.producer, i, bytes_of(i)));
		TAP_CHECK(pop(&pair.consumer, i, bytes_of(i)));
	}
	munmap(views[0], 4096);
	munmap(views[1], 4096);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "layout", layout },
		{ "full and empty", full_and_empty },
		{ "given back late", given_back_late },
		{ "not committed", not_committed },
		{ "all levels", all_levels },
		{ "kept", kept },
		{ "all lengths", all_lengths },
		{ "content like turns", content_like_turns },
		{ "strange length", strange_length },
		{ "two threads", two_threads },
		{ "two mappings", two_mappings },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
