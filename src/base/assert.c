/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a process whose invariant is broken.
 *
 * Called by WF_ASSERT only. It uses nothing of the library, since nothing can
 * be relied on any more.
 */
#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>

void wf_assert_failed(const char *expr, const char *file, int line)
{
	fprintf(stderr, "weft: broken invariant: %s (%s:%d)\n", expr, file,
		line);
	abort();
}
