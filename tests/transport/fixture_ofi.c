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
enum { WAKES = false, ENCODING_CAPS = 0 };
#else
static char encoding[] = "WEFT_OFI_LL=n", wait[] = "WEFT_OFI_WAIT=y";
enum { WAKES = true, ENCODING_CAPS = WF_CAP_LINE_PLAIN | WF_CAP_LINE_WAKES };
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
	.idle = idle,
	.caps = WF_CAP_LOCAL_ANY | WF_CAP_PUT_MAIL_ORDER | WF_CAP_GET |
		WF_CAP_ATOMIC | ENCODING_CAPS,
	.wakes = WAKES
};
