/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A provider that may not lock the memory that it is to reach, as those of
 * adapters under a low limit: the limit is what the log names.
 */
#include <rdma/fi_errno.h>
#include <sys/resource.h>
#include "tests/transport/fixture.h"
#include "transport/ofi/ofi.h"

static char logged[1000];

static void capture(void *arg, const char *line, size_t n)
{
	size_t used = strlen(logged);

	(void)arg;
	if (n < sizeof(logged) - used)
		memcpy(logged + used, line, n);
}

static int refusal;

static int refuse(struct fid *fid, const void *buf, size_t len,
		  uint64_t access, uint64_t offset, uint64_t key,
		  uint64_t flags, struct fid_mr **mr, void *context)
{
	(void)fid;
	(void)buf;
	(void)len;
	(void)access;
	(void)offset;
	(void)key;
	(void)flags;
	(void)mr;
	(void)context;
	return refusal;
}

/* A device that has registered nothing yet, whose provider refuses to. */
static void registering(int result, int status)
{
	static struct fixture f;
	struct rlimit old, few;
	struct wf_rloc rloc;
	struct fi_ops_mr *ops;
	struct wf_device *dev;

	fixture_open(&f, 1, 1);
	dev = f.rank[0].dev;
	ops = wf_ofi_dev(dev)->domain->mr;
	f.rank[0].log.write = capture;
	memset(logged, 0, sizeof(logged));
	wf_ofi_dev(dev)->domain->mr = &(struct fi_ops_mr){
		.size = sizeof(*ops), .reg = refuse
	};
	wf_ofi_dev(dev)->covered = 0;
	refusal = result;
	getrlimit(RLIMIT_MEMLOCK, &old);
	few = old;
	few.rlim_cur = 65536;
	TAP_EQUAL(setrlimit(RLIMIT_MEMLOCK, &few), 0);
	TAP_EQUAL(dev->ops->key(&dev->arena, 0, &rloc), status);
	setrlimit(RLIMIT_MEMLOCK, &old);
	wf_ofi_dev(dev)->domain->mr = ops;
	fixture_close(&f);
}

static void low_limit(void)
{
	registering(-FI_ENOMEM, WEFT_ERR_NOMEM);
	TAP_CHECK(strstr(logged, "ofi: fi_mr_reg of "));
	if (!TAP_CHECK(strstr(logged, "failed: Cannot allocate memory; this "
			      "process may lock 64 KiB: raise the limit "
			      "(ulimit -l; of Slurm's ranks "
			      "LimitMEMLOCK=infinity for slurmd)\n")))
		tap_diag("%s", logged);
}

/* Then the limit is not to blame. */
static void other_error(void)
{
	registering(-FI_EIO, WEFT_ERR_DEVICE);
	if (!TAP_CHECK(strstr(logged, "failed: Input/output error\n")))
		tap_diag("%s", logged);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a low limit", low_limit },
		{ "another error", other_error },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
