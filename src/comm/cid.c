/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Context ids by carving blocks from the parent's pool.
 *
 * Owns the personal pool of this rank and the set of used ids. Called by the
 * constructors of communicators and by whoever gets a mail for a context that
 * is not in the table. The rule that keeps it correct: all members make the
 * same calls on a pool in the same order, and nothing here reads what another
 * rank does not have.
 */
#include "comm/cid.h"
#include "base/assert.h"
#include "base/rangeset.h"

#include <weft/status.h>

#include <stdlib.h>

static const uint64_t usual_mint = 1 << 12;
static const uint64_t usual_cap = 1 << 16;

unsigned wf_cid_owner_bits(int world_size)
{
	unsigned bits = 1;

	WF_ASSERT(world_size <= 1 << WF_CID_OWNER_BITS_MAX);
	while (world_size > 1 << bits)
		bits++;
	return bits;
}

void wf_cid_space_init(struct wf_cid_space *space, int world_size, int rank,
		       const struct wf_cid_rules *rules, size_t keep)
{
	unsigned rest = 64 - wf_cid_owner_bits(world_size);
	uint64_t half = (uint64_t)1 << (rest - 1);

	space->rest_bits = rest;
	space->rules = (struct wf_cid_rules){ half, usual_mint, usual_cap };
	if (rules)
		space->rules = *rules;
	space->mint_next = ((uint64_t)rank << rest) + half;
	/* The last id is not given: the end of the last owner is no number. */
	space->mint_end = space->mint_next + (half - 1);
	space->keep = keep;
	space->nunnoted = 0;
	wf_map_init(&space->owner2used);
}

void wf_cid_space_fini(struct wf_cid_space *space)
{
	size_t cursor = 0;
	void *used;

	while (wf_map_next(&space->owner2used, &cursor, NULL, &used)) {
		wf_rangeset_fini(used);
		free(used);
	}
	wf_map_fini(&space->owner2used);
}

static struct wf_rangeset *used_of(struct wf_cid_space *space, uint64_t owner)
{
	struct wf_rangeset *used = wf_map_get(&space->owner2used, owner);

	if (used)
		return used;
	used = malloc(sizeof(*used));
	if (!used)
		return NULL;
	wf_rangeset_init(used, space->keep);
	if (wf_map_put(&space->owner2used, owner, used) != WEFT_OK) {
		free(used);
		return NULL;
	}
	return used;
}

/* A block never reaches over the space of its owner. */
static int mark_used(struct wf_cid_space *space, uint64_t low, uint64_t end)
{
	struct wf_rangeset *used = used_of(space, low >> space->rest_bits);

	if (!used)
		return WEFT_ERR_NOMEM;
	return wf_rangeset_add(used, low, end);
}

struct wf_cid_pool wf_cid_world(const struct wf_cid_space *space)
{
	return (struct wf_cid_pool){ 1, space->rules.world_end, 0 };
}

int wf_cid_carve(struct wf_cid_pool *pool, uint64_t *low_p, uint64_t *end_p)
{
	uint64_t left = pool->end - pool->next;
	unsigned log2 = 0;

	if (!left)
		return WEFT_AGAIN;
	while (left >>= 1)
		log2++;
	*low_p = pool->next;
	pool->next += (uint64_t)1 << (log2 / 2);
	*end_p = pool->next;
	return WEFT_OK;
}

static int mint(struct wf_cid_space *space, uint64_t count, uint64_t *low_p,
		uint64_t *end_p)
{
	if (count > space->mint_end - space->mint_next)
		return WEFT_ERR_NOMEM;
	*low_p = space->mint_next;
	space->mint_next += count;
	*end_p = space->mint_next;
	return WEFT_OK;
}

int wf_cid_mint(struct wf_cid_space *space, uint64_t *low_p, uint64_t *end_p)
{
	return mint(space, space->rules.mint, low_p, end_p);
}

int wf_cid_mint_refill(struct wf_cid_space *space,
		       const struct wf_cid_pool *pool, uint64_t *low_p,
		       uint64_t *end_p)
{
	uint64_t most = (space->mint_end - space->mint_next) /
			space->rules.cap;
	uint64_t count = space->rules.mint;

	for (unsigned i = 0; i < pool->refills && count < most; i++)
		count *= 2;
	if (count > most)
		count = most;
	if (count < space->rules.mint)
		count = space->rules.mint;
	return mint(space, count, low_p, end_p);
}

void wf_cid_refill(struct wf_cid_pool *pool, uint64_t low, uint64_t end)
{
	WF_ASSERT(pool->next == pool->end);
	pool->next = low;
	pool->end = end;
	pool->refills++;
}

int wf_cid_enter(struct wf_cid_space *space, uint64_t low, uint64_t end,
		 struct wf_cid_pool *pool_p)
{
	int status = mark_used(space, low, low + 1);

	if (status != WEFT_OK)
		return status;
	*pool_p = (struct wf_cid_pool){ low + 1, end, 0 };
	return WEFT_OK;
}

/* Those of one owner come one behind the other. */
static void keep_unnoted(struct wf_cid_space *space, uint64_t low, uint64_t end)
{
	for (int i = 0; i < space->nunnoted; i++) {
		if (space->unnoted[i].end != low)
			continue;
		space->unnoted[i].end = end;
		return;
	}
	if (space->nunnoted < WF_CID_UNNOTED)
		space->unnoted[space->nunnoted++] =
			(struct wf_cid_block){ low, end };
}

static bool is_unnoted(const struct wf_cid_space *space, uint64_t id)
{
	for (int i = 0; i < space->nunnoted; i++)
		if (id >= space->unnoted[i].low && id < space->unnoted[i].end)
			return true;
	return false;
}

void wf_cid_pass_over(struct wf_cid_space *space, uint64_t low, uint64_t end)
{
	if (mark_used(space, low, end) != WEFT_OK) {
		keep_unnoted(space, low, end);
		return;
	}
	while (space->nunnoted) {
		const struct wf_cid_block *last =
			&space->unnoted[space->nunnoted - 1];

		if (mark_used(space, last->low, last->end) != WEFT_OK)
			break;
		space->nunnoted--;
	}
}

void wf_cid_free(struct wf_cid_space *space, struct wf_cid_pool *pool)
{
	if (pool->next < pool->end)
		(void)mark_used(space, pool->next, pool->end);
	pool->next = pool->end;
}

bool wf_cid_is_freed(const struct wf_cid_space *space, uint64_t id)
{
	const struct wf_rangeset *used =
		wf_map_get(&space->owner2used, id >> space->rest_bits);

	return (used && wf_rangeset_has(used, id)) || is_unnoted(space, id);
}

size_t wf_cid_ranges(const struct wf_cid_space *space)
{
	size_t cursor = 0, count = 0;
	void *used;

	while (wf_map_next(&space->owner2used, &cursor, NULL, &used))
		count += wf_rangeset_count(used);
	return count;
}
