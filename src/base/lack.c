/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits of a process, asked for when one has been met. */
#include "base/lack.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "base/text.h"

enum {
	FEW_FILES = 64		/* to load libraries and open devices with */
};

struct limit {
	int error;
	int resource;			/* of getrlimit(); -1: the system's */
	unsigned unit;			/* bytes of what ulimit counts */
	const char *remedy, *option;
};

static const struct limit limits[] = {
	{ EMFILE, RLIMIT_NOFILE, 1, "raise the limit of open files",
	  "ulimit -n" },
	{ ENFILE, -1, 1, "raise the system's limit of open files",
	  "sysctl fs.file-max" },
	{ ENOMEM, RLIMIT_AS, 1024, "lower WEFT_ARENA_MAX, or raise the limit "
	  "of address space", "ulimit -v" },
	{ EFBIG, RLIMIT_FSIZE, 1024, "raise the limit of file sizes, which "
	  "holds for shared memory, too", "ulimit -f" },
	{ ENOSPC, -1, 1, "make room for shared memory", "df /dev/shm" },
};

static const struct limit *find(int error)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (limits[i].error == error)
			return &limits[i];
	return NULL;
}

bool wf_lack_is(int error)
{
	return find(error);
}

void wf_lack_text(int error, char *text, size_t bytes)
{
	const struct limit *limit = find(error);
	char now[32] = "unlimited";
	struct rlimit r;

	if (!limit) {
		snprintf(text, bytes, "%s", strerror(error));
		return;
	}
	if (limit->resource < 0 || getrlimit((unsigned)limit->resource, &r)) {
		snprintf(text, bytes, "%s: %s (%s)", strerror(error),
			 limit->remedy, limit->option);
		return;
	}
	if (r.rlim_cur != RLIM_INFINITY)
		snprintf(now, sizeof(now), "%llu",
			 (unsigned long long)r.rlim_cur / limit->unit);
	snprintf(text, bytes, "%s: %s (%s, now %s)", strerror(error),
		 limit->remedy, limit->option, now);
}

void wf_lack_hint(int error, char *text, size_t bytes)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) ||
	    (error != EMFILE && r.rlim_cur >= FEW_FILES))
		return;
	wf_text_add(text, bytes, "; raise the limit of open files (ulimit -n, "
		    "now %llu)", (unsigned long long)r.rlim_cur);
}

bool wf_file_may_be(uint64_t bytes)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_FSIZE, &r) || r.rlim_cur == RLIM_INFINITY ||
	    bytes <= r.rlim_cur)
		return true;
	errno = EFBIG;
	return false;
}
