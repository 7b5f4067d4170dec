/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Content that says where and when it was written, so that a byte of another
 * edge, another operation or another place is seen.
 */
#ifndef WEFT_BENCH_PATTERN_H
#define WEFT_BENCH_PATTERN_H

#include <stddef.h>
#include <stdint.h>

/* Names a message: the rank that sent it, its edge there, the operation. */
struct bench_stamp {
	uint32_t sender;
	uint32_t edge;
	uint64_t epoch;
};

void bench_pattern_fill(void *buffer, size_t bytes, struct bench_stamp stamp);

/* The number of wrong bytes. */
size_t bench_pattern_check(const void *buffer, size_t bytes,
			   struct bench_stamp stamp);

#endif
