/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers, and bytes, that are a function of keys: the same at all ranks. */
#ifndef WEFT_TESTS_EXCHANGE_DRAW_H
#define WEFT_TESTS_EXCHANGE_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct draw {
	uint64_t state;
};

uint64_t draw_mix(uint64_t a, uint64_t b);
uint64_t draw_u64(struct draw *draw);
uint64_t draw_below(struct draw *draw, uint64_t n);
bool draw_chance(struct draw *draw, unsigned int one_in);

/* Log-uniform, 1 in 10 zero, 1 in 8 at the limit of some class. */
size_t draw_bytes(struct draw *draw, size_t max);

/* Bytes of a message are a function of its key and their position. */
void pattern_fill(void *to, size_t n, uint64_t key);
bool pattern_holds(const void *from, size_t n, uint64_t key);

#endif
