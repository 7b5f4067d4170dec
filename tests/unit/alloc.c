/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Allocator: random gets and puts against an owner per unit, first fit from
 * the lowest offset, alignment, generations, the limit, no memory.
 */
#include "base/alloc.h"
#include "base/random.h"
#include "tests/fail_malloc.h"
#include "tests/tap.h"

#include <weft/status.h>

#define UNITS 256
#define LIMIT (UNITS * WF_ALLOC_UNIT)
#define BLOCKS 64

static void simple(void)
{
	struct wf_alloc alloc;
	uint64_t a = 99, b = 99, c = 99;

	wf_alloc_init(&alloc, LIMIT);
	TAP_EQUAL(wf_alloc_end(&alloc), 0);
	TAP_EQUAL(wf_alloc_generation(&alloc, 0), 0);
	TAP_EQUAL(wf_alloc_get(&alloc, 0, 0, &a), WEFT_OK);
	TAP_EQUAL(wf_alloc_get(&alloc, 65, 1, &b), WEFT_OK);
	TAP_EQUAL(wf_alloc_get(&alloc, 1, 0, &c), WEFT_OK);
	TAP_EQUAL(a, 0);
	TAP_EQUAL(b, 64);
	TAP_EQUAL(c, 192);
	TAP_EQUAL(wf_alloc_end(&alloc), 256);
	TAP_EQUAL(wf_alloc_bytes(&alloc, b), 65);
	TAP_EQUAL(wf_alloc_bytes(&alloc, b + 64), 0);
	wf_alloc_put(&alloc, b);
	TAP_EQUAL(wf_alloc_bytes(&alloc, b), 0);
	/* too large for the gap, then right for it */
	TAP_EQUAL(wf_alloc_get(&alloc, 129, 0, &a), WEFT_OK);
	TAP_EQUAL(a, 256);
	TAP_EQUAL(wf_alloc_get(&alloc, 128, 0, &a), WEFT_OK);
	TAP_EQUAL(a, 64);
	wf_alloc_fini(&alloc);
}

static void alignment(void)
{
	struct wf_alloc alloc;
	uint64_t a, b, c;

	wf_alloc_init(&alloc, 1 << 20);
	TAP_EQUAL(wf_alloc_get(&alloc, 10, 0, &a), WEFT_OK);
	TAP_EQUAL(wf_alloc_get(&alloc, 10, 4096, &b), WEFT_OK);
	TAP_EQUAL(b, 4096);
	TAP_EQUAL(wf_alloc_get(&alloc, 4096 - 64, 0, &c), WEFT_OK);
	TAP_EQUAL(c, 64);
	TAP_EQUAL(wf_alloc_get(&alloc, 1 << 20, 0, &c), WEFT_ERR_NOMEM);
	TAP_EQUAL(c, 64);
	TAP_EQUAL(wf_alloc_get(&alloc, SIZE_MAX, 0, &c), WEFT_ERR_NOMEM);
	TAP_EQUAL(wf_alloc_get(&alloc, 1, 1 << 21, &c), WEFT_ERR_NOMEM);
	wf_alloc_fini(&alloc);
}

static void generations(void)
{
	struct wf_alloc alloc;
	uint64_t a, b;

	wf_alloc_init(&alloc, LIMIT);
	TAP_EQUAL(wf_alloc_get(&alloc, 100, 0, &a), WEFT_OK);
	TAP_EQUAL(wf_alloc_get(&alloc, 1, 0, &b), WEFT_OK);
	TAP_EQUAL(wf_alloc_generation(&alloc, a), 1);
	TAP_EQUAL(wf_alloc_generation(&alloc, a + 99), 1);
	TAP_EQUAL(wf_alloc_generation(&alloc, b), 2);
	TAP_EQUAL(wf_alloc_generation(&alloc, b + 64), 0);
	wf_alloc_put(&alloc, a);
	TAP_EQUAL(wf_alloc_generation(&alloc, a), 0);
	TAP_EQUAL(wf_alloc_get(&alloc, 100, 0, &a), WEFT_OK);
	TAP_EQUAL(a, 0);
	TAP_EQUAL(wf_alloc_generation(&alloc, a), 3);
	/* never 0, which means no block */
	alloc.generation = UINT32_MAX;
	TAP_EQUAL(wf_alloc_get(&alloc, 1, 0, &b), WEFT_OK);
	TAP_EQUAL(wf_alloc_generation(&alloc, b), 1);
	wf_alloc_fini(&alloc);
}

struct block {
	bool live;
	uint64_t offset;
	size_t units;
	uint32_t generation;
};

static uint32_t owner[UNITS];

/* The lowest unit where so many are free at this alignment; -1: nowhere. */
static int lowest_fit(size_t units, size_t align)
{
	for (size_t at = 0; at + units <= UNITS; at += align) {
		size_t n = 0;

		while (n < units && owner[at + n] == 0)
			n++;
		if (n == units)
			return (int)at;
	}
	return -1;
}

static void get_one(struct wf_alloc *alloc, struct block *block,
		    struct wf_random *random)
{
	size_t units = 1 + wf_random_below(random, 12);
	size_t align = (size_t)1 << wf_random_below(random, 4);
	int want = lowest_fit(units, align);
	size_t bytes = units * WF_ALLOC_UNIT - wf_random_below(random, 63);
	int status = wf_alloc_get(alloc, bytes, align * WF_ALLOC_UNIT,
				  &block->offset);

	TAP_EQUAL(status, want < 0 ? WEFT_ERR_NOMEM : WEFT_OK);
	if (status)
		return;
	TAP_EQUAL(block->offset, want * WF_ALLOC_UNIT);
	TAP_EQUAL(wf_alloc_bytes(alloc, block->offset), bytes);
	block->live = true;
	block->units = units;
	block->generation = wf_alloc_generation(alloc, block->offset);
	for (size_t i = 0; i < units; i++)
		owner[(size_t)want + i] = block->generation;
}

static void put_one(struct wf_alloc *alloc, struct block *block)
{
	size_t at = block->offset / WF_ALLOC_UNIT;

	/* Until the sweep it is in use, and of the same generation. */
	if (block->units % 2) {
		wf_alloc_drop(alloc, block->offset);
		TAP_EQUAL(wf_alloc_generation(alloc, block->offset),
			  block->generation);
		wf_alloc_sweep(alloc);
	} else {
		wf_alloc_put(alloc, block->offset);
	}
	block->live = false;
	memset(owner + at, 0, block->units * sizeof(*owner));
}

static void against_units(void)
{
	struct block blocks[BLOCKS] = { { false, 0, 0, 0 } };
	struct wf_random random;
	struct wf_alloc alloc;

	wf_random_init(&random, 23);
	wf_alloc_init(&alloc, LIMIT);
	memset(owner, 0, sizeof(owner));
	for (int step = 0; step < 20000; step++) {
		uint64_t end = 0;
		struct block *block =
			&blocks[wf_random_below(&random, BLOCKS)];

		if (block->live)
			put_one(&alloc, block);
		else
			get_one(&alloc, block, &random);
		for (uint64_t i = 0; i < UNITS; i++) {
			if (owner[i])
				end = (i + 1) * WF_ALLOC_UNIT;
			TAP_EQUAL(wf_alloc_generation(&alloc, i * 64 + 63),
				  owner[i]);
		}
		TAP_EQUAL(wf_alloc_end(&alloc), end);
	}
	wf_alloc_fini(&alloc);
}

static void no_memory(void)
{
	struct wf_alloc alloc;
	uint64_t offset = 0;
	int n = 0;

	wf_alloc_init(&alloc, LIMIT);
	fail_malloc_at(2);
	while (wf_alloc_get(&alloc, 1, 0, &offset) == WEFT_OK)
		n++;
	fail_malloc_at(0);
	TAP_EQUAL(n, 16);
	TAP_EQUAL(wf_alloc_end(&alloc), 16 * 64);
	TAP_EQUAL(wf_alloc_get(&alloc, 1, 0, &offset), WEFT_OK);
	TAP_EQUAL(offset, 16 * 64);
	TAP_EQUAL(wf_alloc_generation(&alloc, offset), 17);
	wf_alloc_fini(&alloc);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "simple", simple },
		{ "alignment", alignment },
		{ "generations", generations },
		{ "against an owner per unit", against_units },
		{ "no memory", no_memory },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
