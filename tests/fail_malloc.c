/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that runs out on demand: the linker leads the calls here (--wrap).
 */
#include "tests/fail_malloc.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Visible, because --wrap also leads the calls of shared libraries here that
 * the linker sees, those of the sanitizers among them.
 */
#define SEEN __attribute__((visibility("default")))

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t n, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void __real_free(void *old);
SEEN void *__wrap_malloc(size_t bytes);
SEEN void *__wrap_calloc(size_t n, size_t bytes);
SEEN void *__wrap_realloc(void *old, size_t bytes);
SEEN void __wrap_free(void *old);

static _Atomic long count;
static _Atomic long frees;
static _Atomic long fail_at;

void fail_malloc_at(long n)
{
	count = 0;
	frees = 0;
	fail_at = n;
}

long fail_malloc_count(void)
{
	return count;
}

long fail_malloc_frees(void)
{
	return frees;
}

static bool fails(void)
{
	long number = ++count;

	return fail_at && number >= fail_at;
}

void *__wrap_malloc(size_t bytes)
{
	return fails() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t n, size_t bytes)
{
	return fails() ? NULL : __real_calloc(n, bytes);
}

void *__wrap_realloc(void *old, size_t bytes)
{
	return fails() ? NULL : __real_realloc(old, bytes);
}

void __wrap_free(void *old)
{
	frees += old != NULL;
	__real_free(old);
}
