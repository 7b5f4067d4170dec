/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A provider that may not lock the memory that it uses, as those of adapters
 * under a low limit: the reason that is logged names the limit.  One that locks
 * none is not helped by that.  And how much it was; and queues that a device
 * does not have.
 */
#include <rdma/fi_errno.h>
#include <string.h>
#include <sys/resource.h>
#include "tests/transport/fixture.h"
#include "transport/ofi/ofi.h"

#define NO_MEMORY "Cannot allocate memory"

/* The reason by the device of tcp, which plays one of that provider. */
static void expect(const char *provider, int result, const char *want)
{
	static struct fixture f;
	char have[WF_OFI_WHY], name[32], *own;
	struct fi_fabric_attr *attr;
	struct rlimit old, few;

	fixture_open(&f, 1, 1);
	attr = wf_ofi_dev(f.rank[0].dev)->info->fabric_attr;
	own = attr->prov_name;
	attr->prov_name = strcpy(name, provider);
	getrlimit(RLIMIT_MEMLOCK, &old);
	few = old;
	few.rlim_cur = 65536;
	TAP_EQUAL(setrlimit(RLIMIT_MEMLOCK, &few), 0);
	wf_ofi_reason(wf_ofi_dev(f.rank[0].dev), result, have);
	setrlimit(RLIMIT_MEMLOCK, &old);
	attr->prov_name = own;
	if (!TAP_CHECK(!strcmp(have, want)))
		tap_diag("%s", have);
	fixture_close(&f);
}

static void low_limit(void)
{
	expect("verbs;ofi_rxm", -FI_ENOMEM, NO_MEMORY "; this process may lock "
	       "64 KiB: raise the limit (in a shell: ulimit -l unlimited; of "
	       "what systemd starts: LimitMEMLOCK=infinity for slurmd.service "
	       "or sshd.service; of Slurm's ranks also "
	       "PropagateResourceLimitsExcept=MEMLOCK in slurm.conf)");
}

/* Then the limit is not to blame. */
static void other_error(void)
{
	expect("verbs;ofi_rxm", -FI_EIO, "Input/output error");
}

/* The queues that libfabric wants grow with the number of ranks it expects. */
static void short_queues(void)
{
	expect("verbs;ofi_rxm", -FI_EINVAL, "Invalid argument; if its queues "
	       "are too short, set FI_UNIVERSE_SIZE, 256 by default, to the "
	       "number of ranks");
	expect("tcp;ofi_rxm", -FI_EINVAL, "Invalid argument");
}

/* Nor then. */
static void nothing_locked(void)
{
	expect("tcp;ofi_rxm", -FI_ENOMEM, NO_MEMORY);
	expect("net;ofi_rxm", -FI_ENOMEM, NO_MEMORY);
}

static void find_limit(void *arg, const char *line, size_t n)
{
	char what[40];

	snprintf(what, sizeof(what), "fi_mr_reg of %d bytes", FIXTURE_LIMIT);
	*(int *)arg += !!memmem(line, n, what, strlen(what));
}

/*
 * What the log says was asked for is what was, with what may still grow.  The
 * key that is chosen for it is taken already.
 */
static void no_region(void)
{
	static struct fixture f;
	struct wf_rloc rloc;
	struct wf_ofi *dev;
	int said = 0;

	fixture_open(&f, 1, 1);
	dev = wf_ofi_dev(f.rank[0].dev);
	TAP_CHECK(!(dev->info->domain_attr->mr_mode & FI_MR_ALLOCATED));
	TAP_EQUAL(dev->nmrs, 1);
	dev->nmrs = 0;
	f.rank[0].log.write = find_limit;
	f.rank[0].log.arg = &said;
	TAP_EQUAL(dev->dev.ops->key(&dev->dev.arena, 0, &rloc),
		  WEFT_ERR_DEVICE);
	TAP_EQUAL(said, 1);
	dev->nmrs = 1;
	fixture_close(&f);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a low limit", low_limit },
		{ "another error", other_error },
		{ "queues that are too short", short_queues },
		{ "a provider that locks nothing", nothing_locked },
		{ "the memory that was asked for", no_region }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
