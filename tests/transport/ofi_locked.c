/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A provider that may not lock the memory that it uses, as those of adapters
 * under a low limit: the reason that is logged names the limit.
 */
#include <rdma/fi_errno.h>
#include <sys/resource.h>
#include "tests/transport/fixture.h"
#include "transport/ofi/ofi.h"

static void expect(int result, const char *want)
{
	static struct fixture f;
	char have[WF_OFI_WHY];
	struct rlimit old, few;

	fixture_open(&f, 1, 1);
	getrlimit(RLIMIT_MEMLOCK, &old);
	few = old;
	few.rlim_cur = 65536;
	TAP_EQUAL(setrlimit(RLIMIT_MEMLOCK, &few), 0);
	wf_ofi_reason(wf_ofi_dev(f.rank[0].dev), result, have);
	setrlimit(RLIMIT_MEMLOCK, &old);
	if (!TAP_CHECK(!strcmp(have, want)))
		tap_diag("%s", have);
	fixture_close(&f);
}

static void low_limit(void)
{
	expect(-FI_ENOMEM, "Cannot allocate memory; this process may lock 64 "
	       "KiB: raise the limit (ulimit -l; of Slurm's ranks "
	       "LimitMEMLOCK=infinity for slurmd)");
}

/* Then the limit is not to blame. */
static void other_error(void)
{
	expect(-FI_EIO, "Input/output error");
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a low limit", low_limit },
		{ "another error", other_error },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
