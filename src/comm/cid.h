/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Context ids: given without a message, never given twice.
 *
 * An id is 64 bits: the world rank of its owner, in as many bits as the size
 * of the world needs, then the rest. The world is id 0 and owns the lower half
 * of the space of rank 0; each rank mints from the upper half of its own. All
 * members of a communicator see the same pool and carve the same block from it
 * for a child: the first id of the block names the child, the others are the
 * child's pool.
 *
 * An id that is not in the table of live contexts was freed if it is in the
 * set of used ids, else it is still to come. Every constructor carves before
 * anything that can fail at one rank alone; where it fails, or where a rank is
 * in no child, the block is passed over.
 *
 * Owned by the room comm; one wf_cid_space per job, one wf_cid_pool per
 * communicator.
 */
#ifndef WEFT_COMM_CID_H
#define WEFT_COMM_CID_H

#include "base/map.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	WF_CID_OWNER_BITS_MAX = 24,
	WF_CID_UNNOTED = 8
};

/* What a communicator has left for children: [next, end). */
struct wf_cid_pool {
	uint64_t next;
	uint64_t end;
	unsigned refills;
};

/* Ids that were carved for a child: its own, and its pool behind it. */
struct wf_cid_block {
	uint64_t low, end;
};

/* The numbers of the scheme. */
struct wf_cid_rules {
	uint64_t world_end;	/* the world's pool is [1, world_end) */
	uint64_t mint;		/* taken by a first refill, and create_group */
	uint64_t cap;		/* a refill takes at most 1/cap of the rest */
};

/* What one process knows about ids. */
struct wf_cid_space {
	unsigned rest_bits;	/* of an id, below its owner */
	struct wf_cid_rules rules;
	uint64_t mint_next;	/* the personal pool: [mint_next, mint_end) */
	uint64_t mint_end;
	size_t keep;		/* ranges per owner, 0: all */
	struct wf_map owner2used;	/* struct wf_rangeset * */
	int nunnoted;			/* used, and there was no memory: */
	struct wf_cid_block unnoted[WF_CID_UNNOTED];
};

/* Bits for the owner: 1 for a world of one rank, so that shifts are defined. */
unsigned wf_cid_owner_bits(int world_size);

/*
 * keep bounds the ranges remembered per owner, 0: no bound. Only groups that a
 * third rank makes in turn with others need one; what is forgotten is parked
 * for ever instead of dropped, never lost. rules NULL: the usual ones.
 */
void wf_cid_space_init(struct wf_cid_space *space, int world_size, int rank,
		       const struct wf_cid_rules *rules, size_t keep);
void wf_cid_space_fini(struct wf_cid_space *space);

/* The pool of the world, whose id is 0. */
struct wf_cid_pool wf_cid_world(const struct wf_cid_space *space);

/*
 * The block of the next child: the square root of what is left, as a power of
 * two. WEFT_OK, or WEFT_AGAIN if the pool is empty: refill, then again.
 */
int wf_cid_carve(struct wf_cid_pool *pool, uint64_t *low_p, uint64_t *end_p);

/* From the personal pool, for create_group. WEFT_OK, WEFT_ERR_NOMEM: none. */
int wf_cid_mint(struct wf_cid_space *space, uint64_t *low_p, uint64_t *end_p);

/*
 * What rank 0 of a communicator gives to all when the pool is empty; doubles
 * with every refill of that communicator. WEFT_OK, WEFT_ERR_NOMEM.
 */
int wf_cid_mint_refill(struct wf_cid_space *space,
		       const struct wf_cid_pool *pool, uint64_t *low_p,
		       uint64_t *end_p);

/* Every member puts the range that rank 0 minted into the empty pool. */
void wf_cid_refill(struct wf_cid_pool *pool, uint64_t low, uint64_t end);

/*
 * The child named low is in the table from now on, the rest of the block is
 * its pool. WEFT_OK, or WEFT_ERR_NOMEM with nothing changed.
 */
int wf_cid_enter(struct wf_cid_space *space, uint64_t low, uint64_t end,
		 struct wf_cid_pool *pool_p);

/*
 * A block that was carved here, of which this process gets no child. Some are
 * noted without memory; of more a late message would be parked instead of
 * dropped.
 */
void wf_cid_pass_over(struct wf_cid_space *space, uint64_t low, uint64_t end);

/* The communicator is out of the table: the rest of its pool is never given. */
void wf_cid_free(struct wf_cid_space *space, struct wf_cid_pool *pool);

/* For an id not in the table: true was freed, false is still to come. */
bool wf_cid_is_freed(const struct wf_cid_space *space, uint64_t id);

/* Ranges remembered, over all owners: a number that tests bound. */
size_t wf_cid_ranges(const struct wf_cid_space *space);

#endif
