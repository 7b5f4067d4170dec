/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that runs out on demand: the linker leads the calls here (--wrap).
 */
#include "tests/fail_malloc.h"

#include <malloc.h>
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
static _Atomic long blocks;
static _Atomic long bytes_held;
static _Atomic long fail_at;
static _Atomic long fail_times;
static _Atomic bool paused;

static void arm(long n, long times)
{
	count = 0;
	frees = 0;
	blocks = 0;
	bytes_held = 0;
	fail_times = times;
	fail_at = n;
}

void fail_malloc_at(long n)
{
	arm(n, 0);
}

void fail_malloc_once(long n)
{
	arm(n, 1);
}

void fail_malloc_some(long n, long times)
{
	arm(n, times);
}

long fail_malloc_count(void)
{
	return count;
}

long fail_malloc_frees(void)
{
	return frees;
}

long fail_malloc_blocks(void)
{
	return blocks;
}

long fail_malloc_bytes(void)
{
	return bytes_held;
}

void fail_malloc_pause(bool pause)
{
	paused = pause;
}

static bool fails(void)
{
	long number;

	if (paused)
		return false;
	number = ++count;
	if (!fail_at || number < fail_at)
		return false;
	return !fail_times || number < fail_at + fail_times;
}

static void *given(void *block)
{
	blocks += block != NULL;
	bytes_held += (long)malloc_usable_size(block);
	return block;
}

static void taken(void *block)
{
	blocks -= block != NULL;
	bytes_held -= (long)malloc_usable_size(block);
}

void *__wrap_malloc(size_t bytes)
{
	return fails() ? NULL : given(__real_malloc(bytes));
}

void *__wrap_calloc(size_t n, size_t bytes)
{
	return fails() ? NULL : given(__real_calloc(n, bytes));
}

void *__wrap_realloc(void *old, size_t bytes)
{
	long had = (long)malloc_usable_size(old);
	void *block;

	if (fails())
		return NULL;
	block = __real_realloc(old, bytes);
	if (!block)
		return NULL;
	blocks += old == NULL;
	bytes_held += (long)malloc_usable_size(block) - had;
	return block;
}

void __wrap_free(void *old)
{
	frees += old != NULL;
	taken(old);
	__real_free(old);
}
