/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that runs out on demand, for tests of error paths.
 *
 * A test that uses it is linked with $(fail_malloc_ldflags); the calls of
 * malloc, calloc, realloc and free in the test and in the library are counted.
 */
#ifndef WEFT_TESTS_FAIL_MALLOC_H
#define WEFT_TESTS_FAIL_MALLOC_H

#include <stdbool.h>

/*
 * The n-th allocation from now on fails, and all later ones, until the call
 * with 0. n 1: already the next one.
 */
void fail_malloc_at(long n);

/* The same, but the n-th fails alone, or so many from it on. */
void fail_malloc_once(long n);
void fail_malloc_some(long n, long times);

/* A test's own allocations: they do not fail, and are not counted. */
void fail_malloc_pause(bool pause);

/* Allocations, failed ones included, since the last call of these two. */
long fail_malloc_count(void);

/* Blocks given back since then. */
long fail_malloc_frees(void);

/*
 * Blocks given since then and not given back, and the bytes that the allocator
 * says they have.
 */
long fail_malloc_blocks(void);
long fail_malloc_bytes(void);

#endif
