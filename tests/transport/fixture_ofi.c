/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libfabric for the conformance suite: over TCP and an interface of this host,
 * or over an RDMA device.  The kernel and the provider's timers need real time
 * between two passes.  Compiled once for each encoding of lines.
 */
#include <glob.h>
#include <time.h>
#include "tests/transport/fixture.h"
#include "transport/backends.h"

static char transport[] = "WEFT_TRANSPORT=ofi";
#ifdef FIXTURE_OFI_VERBS
static char provider[] = "WEFT_OFI_PROVIDER=verbs";
enum { PINS = true, PROVIDER_CAPS = 0 };
#else
static char provider[] = "WEFT_OFI_PROVIDER=tcp";
enum { PINS = false, PROVIDER_CAPS = WF_CAP_SEES_CLOSED };
#endif
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

/* An RDMA device, where it is tested over one; NULL: nothing. */
static const char *lacks(void)
{
	glob_t devices = { 0 };
	bool none = PINS && glob("/sys/class/infiniband/*", 0, NULL, &devices);

	globfree(&devices);
	return none ? "no RDMA device here; make check-rdma has one" : NULL;
}

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
	.lacks = lacks,
	.idle = idle,
	.caps = WF_CAP_NETWORK | WF_CAP_LOCAL_ANY | WF_CAP_PUT_MAIL_ORDER |
		WF_CAP_GET | WF_CAP_ATOMIC | PROVIDER_CAPS | ENCODING_CAPS,
	.wakes = WAKES,
	.pins = PINS
};
