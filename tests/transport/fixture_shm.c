/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared memory for the conformance suite: the ranks are of one process, so
 * they borrow each other's mappings, and death is told.
 */
#include "tests/transport/fixture.h"

/* Where the kernel lets us, puts reach all memory. */
static char *const settings[] = { "WEFT_CMA=y", NULL };

const struct fixture_backend fixture_backend = {
	.name = "shm",
	.tp = &wf_shm_tp,
	.kind = WF_SEGMENT_MEMFD,
	.environ = settings
};
