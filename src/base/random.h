/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Seeded random numbers: xoshiro256**, its state filled by splitmix64.
 *
 * The same seed gives the same numbers everywhere. Not for keys: those come
 * from the system.
 */
#ifndef WEFT_BASE_RANDOM_H
#define WEFT_BASE_RANDOM_H

#include <stdint.h>

struct wf_random {
	uint64_t s[4];
};

void wf_random_init(struct wf_random *random, uint64_t seed);

uint64_t wf_random_u64(struct wf_random *random);

/* Uniform in [0, n), without bias; n is not 0. */
uint64_t wf_random_below(struct wf_random *random, uint64_t n);

/* Uniform in [0, 1), a multiple of 2^-53. */
double wf_random_unit(struct wf_random *random);

#endif
