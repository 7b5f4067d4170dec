/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libfabric over TCP and the loopback interface for the conformance suite.
 * The kernel and the provider's timers need real time between two passes.
 * Compiled once for each encoding of lines.
 */
#include <time.h>
#include "tests/transport/fixture.h"

static char transport[] = "WEFT_TRANSPORT=ofi";
static char provider[] = "WEFT_OFI_PROVIDER=tcp";
#ifdef FIXTURE_OFI_LL
static char encoding[] = "WEFT_OFI_LL=y", wait[] = "WEFT_OFI_WAIT=n";
#else
static char encoding[] = "WEFT_OFI_LL=n", wait[] = "WEFT_OFI_WAIT=y";
#endif
static char *const settings[] = {
	transport, provider, encoding, wait, NULL
};

static void idle(void *world)
{
	struct timespec pause = { 0, 10000 };

	(void)world;
	nanosleep(&pause, NULL);
}

const struct fixture_backend fixture_backend = {
	.name = "ofi",
	.tp = &wf_ofi_tp,
	.kind = WF_SEGMENT_MEMFD,
	.environ = settings,
	.idle = idle
};
