/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Context ids, one process: figures known by arithmetic, and how many ranges
 * and refills long loops need. Random programs of several processes are in
 * cid_programs.c.
 */
#include "tests/fail_malloc.h"
#include "tests/tap.h"

#include "comm/cid.h"

#include <weft/status.h>

#include <stdint.h>

enum {
	DEEPEST = 8
};

static void owner_bits(void)
{
	TAP_EQUAL(wf_cid_owner_bits(1), 1);
	TAP_EQUAL(wf_cid_owner_bits(2), 1);
	TAP_EQUAL(wf_cid_owner_bits(3), 2);
	TAP_EQUAL(wf_cid_owner_bits(4096), 12);
	TAP_EQUAL(wf_cid_owner_bits(4097), 13);
	TAP_EQUAL(wf_cid_owner_bits(1 << 24), 24);
}

/* Blocks down a chain of first children. */
static void check_chain(int world_size, const unsigned *log2_sizes)
{
	struct wf_cid_space space;
	struct wf_cid_pool pool;
	uint64_t low, end;

	wf_cid_space_init(&space, world_size, 0, NULL, 0);
	pool = wf_cid_world(&space);
	for (; wf_cid_carve(&pool, &low, &end) == WEFT_OK; log2_sizes++) {
		TAP_EQUAL(end - low, (uint64_t)1 << *log2_sizes);
		TAP_EQUAL(wf_cid_enter(&space, low, end, &pool), WEFT_OK);
	}
	TAP_EQUAL(*log2_sizes, 99);
	wf_cid_space_fini(&space);
}

static void block_sizes(void)
{
	static const unsigned largest[] = { 19, 9, 4, 1, 0, 99 };
	static const unsigned of_4096[] = { 25, 12, 5, 2, 0, 99 };

	check_chain(1 << 24, largest);
	check_chain(4096, of_4096);
}

/* The space of the last owner ends where the numbers end. */
static void last_owner(void)
{
	struct wf_cid_space space;
	uint64_t low, end, n = 0;

	wf_cid_space_init(&space, 1 << 24, (1 << 24) - 1, NULL, 0);
	space.mint_next = space.mint_end - 3 * 4096;
	while (wf_cid_mint(&space, &low, &end) == WEFT_OK) {
		TAP_EQUAL(end - low, 4096);
		TAP_CHECK(end > low && low >> 40 == (1 << 24) - 1);
		n++;
	}
	TAP_EQUAL(n, 3);
	TAP_EQUAL(wf_cid_mint(&space, &low, &end), WEFT_ERR_NOMEM);
	wf_cid_space_fini(&space);
}

static void refills_double(void)
{
	struct wf_cid_space space;
	struct wf_cid_pool pool = { 7, 7, 0 };
	uint64_t low = 0, end = 0, before = 0;

	wf_cid_space_init(&space, 1 << 24, 3, NULL, 0);
	for (unsigned i = 0; i < 40; i++) {
		uint64_t most = (space.mint_end - space.mint_next) >> 16;
		uint64_t want = (uint64_t)4096 << i;

		TAP_EQUAL(wf_cid_mint_refill(&space, &pool, &low, &end),
			  WEFT_OK);
		TAP_EQUAL(end - low, want < most ? want : most);
		TAP_CHECK(!before || low == before);
		before = end;
		wf_cid_refill(&pool, low, end);
		pool.next = pool.end;
	}
	TAP_EQUAL(pool.refills, 40);
	wf_cid_space_fini(&space);
}

struct figures {
	long refills;
	size_t ranges;		/* most that were ever kept */
};

static struct wf_cid_pool child_of(struct wf_cid_space *space,
				   struct wf_cid_pool *parent,
				   struct figures *figures)
{
	struct wf_cid_pool child = { 0, 0, 0 };
	uint64_t low = 0, end = 0;

	if (wf_cid_carve(parent, &low, &end) == WEFT_AGAIN) {
		TAP_EQUAL(wf_cid_mint_refill(space, parent, &low, &end),
			  WEFT_OK);
		wf_cid_refill(parent, low, end);
		TAP_EQUAL(wf_cid_carve(parent, &low, &end), WEFT_OK);
		figures->refills++;
	}
	TAP_CHECK(!wf_cid_is_freed(space, low));
	TAP_EQUAL(wf_cid_enter(space, low, end, &child), WEFT_OK);
	return child;
}

/* { a chain of dups; free all } as rank 0 of the world sees it. */
static struct figures chain_loop(int depth, int loops)
{
	struct wf_cid_pool chain[DEEPEST + 1];
	struct figures figures = { 0, 0 };
	struct wf_cid_space space;

	wf_cid_space_init(&space, 1 << 24, 0, NULL, 0);
	chain[0] = wf_cid_world(&space);
	for (int i = 0; i < loops; i++) {
		for (int d = 1; d <= depth; d++)
			chain[d] = child_of(&space, &chain[d - 1], &figures);
		for (int d = 1; d <= depth; d++)
			wf_cid_free(&space, &chain[d]);
		if (wf_cid_ranges(&space) > figures.ranges)
			figures.ranges = wf_cid_ranges(&space);
	}
	wf_cid_space_fini(&space);
	return figures;
}

static void long_loops(void)
{
	struct figures one = chain_loop(1, 100000);
	struct figures four = chain_loop(4, 100000);
	struct figures six = chain_loop(6, 1000);

	TAP_EQUAL(one.refills, 0);
	TAP_EQUAL(one.ranges, 1);
	TAP_EQUAL(four.refills, 0);
	TAP_CHECK(four.ranges <= 2);
	TAP_EQUAL(six.refills, 1000);
}

/* Groups of a minter that serves others between do not merge: bounded. */
static size_t ranges_of_foreign_groups(size_t keep)
{
	struct wf_cid_space minter, member;
	size_t ranges;

	wf_cid_space_init(&minter, 3, 0, NULL, 0);
	wf_cid_space_init(&member, 3, 1, NULL, keep);
	for (int turn = 0; turn < 10000; turn++) {
		struct wf_cid_pool pool = { 0, 0, 0 };
		uint64_t low = 0, end = 0;

		TAP_EQUAL(wf_cid_mint(&minter, &low, &end), WEFT_OK);
		if (turn % 2)
			continue;
		TAP_EQUAL(wf_cid_enter(&member, low, end, &pool), WEFT_OK);
		wf_cid_free(&member, &pool);
		TAP_CHECK(wf_cid_is_freed(&member, low));
		TAP_CHECK(wf_cid_is_freed(&member, end - 1));
		TAP_CHECK(!wf_cid_is_freed(&member, end));
	}
	ranges = wf_cid_ranges(&member);
	wf_cid_space_fini(&minter);
	wf_cid_space_fini(&member);
	return ranges;
}

static void foreign_groups(void)
{
	TAP_EQUAL(ranges_of_foreign_groups(0), 5000);
	TAP_EQUAL(ranges_of_foreign_groups(64), 64);
}

/* Carved here too, but this process is in no child. */
static void passed_over(void)
{
	struct wf_cid_pool pool;
	struct wf_cid_space space;
	uint64_t low, end;

	wf_cid_space_init(&space, 4, 1, NULL, 0);
	pool = wf_cid_world(&space);
	TAP_EQUAL(wf_cid_carve(&pool, &low, &end), WEFT_OK);
	wf_cid_pass_over(&space, low, end);
	TAP_CHECK(end - low > 1);
	TAP_CHECK(!wf_cid_is_freed(&space, low - 1));
	TAP_CHECK(wf_cid_is_freed(&space, low));
	TAP_CHECK(wf_cid_is_freed(&space, end - 1));
	TAP_CHECK(!wf_cid_is_freed(&space, end));
	wf_cid_space_fini(&space);
}

/*
 * Without memory nothing changes, and an unnoted id is parked, not dropped.
 * Some are noted all the same, many of them if they lie side by side.
 */
static void pass_over_without_memory(struct wf_cid_space *space)
{
	const uint64_t far = (uint64_t)1 << 63;

	fail_malloc_at(1);
	for (uint64_t i = 0; i < 100; i++)
		wf_cid_pass_over(space, far + 8 * i, far + 8 * i + 8);
	for (uint64_t i = 1; i <= WF_CID_UNNOTED; i++)
		wf_cid_pass_over(space, far + 10000 * i, far + 10000 * i + 8);
	fail_malloc_at(0);
	TAP_CHECK(wf_cid_is_freed(space, far));
	TAP_CHECK(wf_cid_is_freed(space, far + 799));
	TAP_CHECK(!wf_cid_is_freed(space, far + 800));
	for (uint64_t i = 1; i < WF_CID_UNNOTED; i++)
		TAP_CHECK(wf_cid_is_freed(space, far + 10000 * i + 7));
	TAP_CHECK(!wf_cid_is_freed(space, far + 10000 * WF_CID_UNNOTED));
	/* with memory those are noted, too, and give their places back */
	wf_cid_pass_over(space, far + 900, far + 901);
	TAP_EQUAL(space->nunnoted, 0);
	TAP_CHECK(wf_cid_is_freed(space, far + 799));
	TAP_CHECK(wf_cid_is_freed(space, far + 900));
	TAP_CHECK(!wf_cid_is_freed(space, far + 800));
}

static void out_of_memory(void)
{
	struct wf_cid_pool pool = { 1, 2, 3 };
	struct wf_cid_space space;
	int status = WEFT_ERR_NOMEM;
	long n;

	wf_cid_space_init(&space, 4, 1, NULL, 0);
	for (n = 1; status == WEFT_ERR_NOMEM && n < 10; n++) {
		TAP_EQUAL(wf_cid_ranges(&space), 0);
		TAP_EQUAL(pool.refills, 3);
		fail_malloc_at(n);
		status = wf_cid_enter(&space, 64, 128, &pool);
		fail_malloc_at(0);
	}
	TAP_EQUAL(status, WEFT_OK);
	TAP_CHECK(n == 5);	/* set, map and ranges: three failures */
	pass_over_without_memory(&space);
	TAP_CHECK(wf_cid_is_freed(&space, 64));
	wf_cid_space_fini(&space);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "owner bits by world size", owner_bits },
		{ "blocks down a chain", block_sizes },
		{ "the last owner's ids end in time", last_owner },
		{ "refills double up to a part of what is left",
		  refills_double },
		{ "refills and ranges of long loops", long_loops },
		{ "ranges of foreign groups, all and bounded",
		  foreign_groups },
		{ "blocks that are passed over", passed_over },
		{ "no memory", out_of_memory },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
