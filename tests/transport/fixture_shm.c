/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared memory for the conformance suite: the ranks are of one process, so
 * they borrow each other's mappings, and death is told.
 */
#include "tests/transport/fixture.h"
#include "transport/backends.h"

/* Where the kernel lets us, puts reach all memory. */
static char *const settings[] = { "WEFT_CMA=y", NULL };

const struct fixture_backend fixture_backend = {
	.name = "shm",
	.tp = &wf_shm_tp,
	.kind = WF_SEGMENT_MEMFD,
	.environ = settings,
	.caps = WF_CAP_FENCE | WF_CAP_LOCAL_ANY | WF_CAP_PUT_MAIL_ORDER |
		WF_CAP_TARGET_IDLE | WF_CAP_LINE_PLAIN | WF_CAP_LINE_WAKES |
		WF_CAP_GET | WF_CAP_ATOMIC | WF_CAP_ANYWHERE |
		WF_CAP_SEES_CLOSED | WF_CAP_TELLS_LEAVING |
		WF_CAP_MAPPED,
	.wakes = true,
	.never_full = true
};
