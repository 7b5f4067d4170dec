/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weftrun, in which the allocation of the number FAIL_MALLOC_AT fails; linked
 * with all files of the launcher, main() too, for tests/mp/weftrun_edges.t.
 */
#include <pthread.h>
#include <stdlib.h>

#include "tests/fail_malloc.h"

static void disarm(void)
{
	fail_malloc_at(0);
}

/* Not in what it forks, and not in what counts lines when it exits. */
__attribute__((constructor))
static void arm(void)
{
	const char *number = getenv("FAIL_MALLOC_AT");

	if (!number || atexit(disarm) || pthread_atfork(NULL, NULL, disarm))
		return;
	fail_malloc_once(atol(number));
}
