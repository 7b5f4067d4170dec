/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is known of the posts of an endpoint that are under way, a bit each.
 */
#ifndef WEFT_TRANSPORT_SIM_RING_H
#define WEFT_TRANSPORT_SIM_RING_H

#include <stdbool.h>
#include <stdint.h>

enum {
	SIM_RING = 128		/* posts: more than tx_depth and all mails */
};

enum sim_bits {
	SIM_LOCAL = 1,
	SIM_REMOTE = 2
};

struct sim_ring {
	uint64_t word[SIM_RING / 64];
};

static inline void wf_sim_ring_set(struct sim_ring *ring, uint64_t post)
{
	ring->word[post % SIM_RING / 64] |= UINT64_C(1) << post % 64;
}

/* Was it set? It is not any more, for the next post that uses it. */
static inline bool wf_sim_ring_take(struct sim_ring *ring, uint64_t post)
{
	uint64_t *word = &ring->word[post % SIM_RING / 64];
	uint64_t bit = UINT64_C(1) << post % 64;
	bool was = *word & bit;

	*word &= ~bit;
	return was;
}

#endif
