/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ring: full and empty, every fill level at every position, two threads, two
 * mappings of one memory.
 */
#include "base/barrier.h"
#include "base/ring.h"
#include "tests/tap.h"

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#define SLOTS 8
#define SLOT_BYTES 64

struct pair {
	struct wf_ring_shared *shared;
	struct wf_ring producer;
	struct wf_ring consumer;
};

static void open_pair(struct pair *pair)
{
	size_t bytes = wf_ring_bytes(SLOTS, SLOT_BYTES);

	pair->shared = aligned_alloc(64, bytes);
	memset(pair->shared, 0xff, bytes);
	wf_ring_shared_init(pair->shared, SLOTS, SLOT_BYTES);
	wf_ring_attach(&pair->producer, pair->shared, SLOTS, SLOT_BYTES);
	wf_ring_attach(&pair->consumer, pair->shared, SLOTS, SLOT_BYTES);
}

static bool push(struct wf_ring *ring, uint64_t value)
{
	uint64_t *slot = wf_ring_reserve(ring);

	if (!slot)
		return false;
	for (int i = 0; i < SLOT_BYTES / 8; i++)
		slot[i] = value + (uint64_t)i;
	wf_ring_commit(ring);
	return true;
}

static bool pop(struct wf_ring *ring, uint64_t value)
{
	const uint64_t *slot = wf_ring_peek(ring);

	if (!slot)
		return false;
	for (int i = 0; i < SLOT_BYTES / 8; i++)
		TAP_CHECK(slot[i] == value + (uint64_t)i);
	wf_ring_release(ring);
	return true;
}

static void layout(void)
{
	TAP_EQUAL(wf_ring_bytes(SLOTS, SLOT_BYTES), 64 + 8 * 128);
	TAP_EQUAL(wf_ring_bytes(SLOTS, 56), 64 + 8 * 64);
	TAP_EQUAL(wf_ring_bytes(1u << 20, 8184), 64 + (1ull << 33));
}

static void full_and_empty(void)
{
	struct pair pair;

	open_pair(&pair);
	TAP_CHECK(wf_ring_peek(&pair.consumer) == NULL);
	for (uint64_t i = 0; i < SLOTS; i++)
		TAP_CHECK(push(&pair.producer, i));
	TAP_CHECK(wf_ring_reserve(&pair.producer) == NULL);
	TAP_CHECK(pop(&pair.consumer, 0));
	TAP_CHECK(push(&pair.producer, SLOTS));
	TAP_CHECK(wf_ring_reserve(&pair.producer) == NULL);
	for (uint64_t i = 1; i <= SLOTS; i++)
		TAP_CHECK(pop(&pair.consumer, i));
	TAP_CHECK(wf_ring_peek(&pair.consumer) == NULL);
	free(pair.shared);
}

/* Reserved but not committed is not seen; both looks may be repeated. */
static void not_committed(void)
{
	struct pair pair;
	void *slot;

	open_pair(&pair);
	slot = wf_ring_reserve(&pair.producer);
	TAP_CHECK(wf_ring_peek(&pair.consumer) == NULL);
	TAP_CHECK(wf_ring_reserve(&pair.producer) == slot);
	memset(slot, 0, SLOT_BYTES);
	wf_ring_commit(&pair.producer);
	TAP_CHECK(wf_ring_peek(&pair.consumer) == slot);
	TAP_CHECK(wf_ring_peek(&pair.consumer) == slot);
	wf_ring_release(&pair.consumer);
	TAP_CHECK(wf_ring_peek(&pair.consumer) == NULL);
	free(pair.shared);
}

static void all_levels(void)
{
	struct pair pair;
	uint64_t in = 0;
	uint64_t out = 0;

	open_pair(&pair);
	for (uint64_t level = 0; level <= SLOTS; level++) {
		for (int position = 0; position < 2 * SLOTS; position++) {
			while (in - out < level)
				TAP_CHECK(push(&pair.producer, 100 * in++));
			TAP_EQUAL(wf_ring_reserve(&pair.producer) == NULL,
				  level == SLOTS);
			while (out < in)
				TAP_CHECK(pop(&pair.consumer, 100 * out++));
			TAP_CHECK(wf_ring_peek(&pair.consumer) == NULL);
			TAP_CHECK(push(&pair.producer, 100 * in++));
			TAP_CHECK(pop(&pair.consumer, 100 * out++));
		}
	}
	free(pair.shared);
}

/* At each level: as many as are free, not one more, and nothing is taken. */
static void room(void)
{
	struct pair pair;

	open_pair(&pair);
	for (uint32_t level = 0; level <= SLOTS; level++) {
		for (uint32_t n = 0; n <= SLOTS + 1; n++)
			TAP_EQUAL(wf_ring_has_room(&pair.producer, n),
				  n <= SLOTS - level);
		TAP_EQUAL(push(&pair.producer, level), level < SLOTS);
	}
	/* what was released meanwhile is seen */
	TAP_CHECK(pop(&pair.consumer, 0));
	TAP_CHECK(wf_ring_has_room(&pair.producer, 1));
	TAP_CHECK(!wf_ring_has_room(&pair.producer, 2));
	free(pair.shared);
}

static void *produce(void *arg)
{
	struct wf_ring *ring = arg;
	uint64_t count = (uint64_t)tap_figure("RING_MESSAGES", 200000);

	for (uint64_t i = 0; i < count; i++) {
		while (!push(ring, i))
			sched_yield();
	}
	return NULL;
}

static void consume(struct wf_ring *ring)
{
	uint64_t count = (uint64_t)tap_figure("RING_MESSAGES", 200000);

	for (uint64_t i = 0; i < count; i++) {
		while (!pop(ring, i)) {
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
	wf_ring_attach(&pair.producer, views[0], SLOTS, SLOT_BYTES);
	wf_ring_attach(&pair.consumer, views[1], SLOTS, SLOT_BYTES);
	for (i = 0; i < 100; i++) {
		TAP_CHECK(push(&pair.producer, i));
		TAP_CHECK(pop(&pair.consumer, i));
	}
	munmap(views[0], 4096);
	munmap(views[1], 4096);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "layout", layout },
		{ "full and empty", full_and_empty },
		{ "not committed", not_committed },
		{ "all levels", all_levels },
		{ "room", room },
		{ "two threads", two_threads },
		{ "two mappings", two_mappings },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
