/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes of this node, seen from outside: is the one that was meant still
 * there?  A pid alone is no answer, because it is given again; a pid with the
 * start time of its process is.
 */
#ifndef WEFT_BASE_PROCESS_H
#define WEFT_BASE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* In ticks since the boot of the kernel; 0: there is no such process. */
uint64_t wf_process_start_time(pid_t pid);

/*
 * A pidfd, closed on exec, for the process of this pid and start time.
 * WEFT_ERR_PEER: it has ended; WEFT_ERR_DEVICE: the kernel gives none.
 */
int wf_process_open(pid_t pid, uint64_t start_time);

/*
 * All threads of it have ended: none of its stores can follow.  A zombie has
 * ended, too.
 */
bool wf_process_ended(int pidfd);

#endif
