/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * membarrier(2) with its expedited command: 10 us, where the plain one takes
 * milliseconds.  Kernels before 4.16 and some sandboxes do not have it.
 */
#include "base/membarrier.h"

#include <linux/membarrier.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

bool wf_membarrier_join(void)
{
	return !syscall(SYS_membarrier,
			MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0);
}

bool wf_membarrier(void)
{
	atomic_thread_fence(memory_order_seq_cst);
	return !syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0);
}
