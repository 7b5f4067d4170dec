/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The limit of locked memory, as the kernel applies it to adapters: all that a
 * process has locked counts, and CAP_IPC_LOCK goes beyond it.
 */
#include "transport/memlock.h"

#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/text.h"

static bool is_privileged(void)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	return !syscall(SYS_capget, &head, data) &&
	       data[CAP_TO_INDEX(CAP_IPC_LOCK)].effective &
		       CAP_TO_MASK(CAP_IPC_LOCK);
}

bool wf_memlock_allows(uint64_t bytes)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_MEMLOCK, &limit) ||
	       limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur ||
	       is_privileged();
}

void wf_memlock_tell(char *text, size_t size)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit) ||
	    limit.rlim_cur == RLIM_INFINITY)
		return;
	wf_text_add(text, size, "; this process may lock %llu KiB: raise the "
		    "limit (in a shell: ulimit -l unlimited; of what systemd "
		    "starts: LimitMEMLOCK=infinity for slurmd.service or "
		    "sshd.service; of Slurm's ranks also "
		    "PropagateResourceLimitsExcept=MEMLOCK in slurm.conf)",
		    (unsigned long long)limit.rlim_cur / 1024);
}
