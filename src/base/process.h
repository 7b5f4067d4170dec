/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes of this node, seen from outside: is the one that was meant still
 * there?  A pid alone is no answer, because it is given again; a pid with the
 * start time of its process is.  Nor is the number of a descriptor: what has it
 * by now is looked at before it is opened, because a device may answer to that.
 */
#ifndef WEFT_BASE_PROCESS_H
#define WEFT_BASE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/* The text of a short file of /proc or /sys, cut; false: it cannot be read. */
bool wf_process_read(const char *path, char *text, size_t bytes);

/*
 * In ticks since the boot of the kernel, in whatever time namespace it is asked
 * for; 0: there is no such process, or that cannot be told.
 */
uint64_t wf_process_start_time(pid_t pid);

/*
 * It dies, and may have lost its connections, or it is a zombie.  By its first
 * thread: one of several threads is seen a moment later.
 */
bool wf_process_is_ending(pid_t pid);

/* Does /proc show the processes of our PID namespace, and not of another? */
bool wf_process_sees_own(void);

/*
 * A thread by whose number its memory and descriptors are found: its first one,
 * or another one where that has ended; 0: none.
 */
pid_t wf_process_thread(pid_t pid);

/*
 * A handle, closed on exec, for the process of this pid and start time.
 * WEFT_ERR_PEER: it has ended; WEFT_ERR_NOMEM: there is no descriptor or memory
 * for it, WEFT_ERR_DEVICE: there is none, both as errno says.
 */
int wf_process_open(pid_t pid, uint64_t start_time);

/*
 * All threads of it have ended: none of its stores can follow.  A zombie has
 * ended, too.
 */
bool wf_process_ended(int handle);

/*
 * Does poll() see by it that the process ends?  If not, it is no handle for
 * poll() at all.
 */
bool wf_process_wakes(int handle);

/*
 * A handle for what process pid has as descriptor fd, and what it is.  Nothing
 * is opened.  -1: errno says why not.
 */
int wf_process_look(pid_t pid, int fd, struct stat *st_p);

/*
 * Does the process go on without this descriptor, which was of a file without a
 * name?  It has closed it, or, as it was closed on exec, runs another program:
 * then its memory is gone, and its threads but one.  False, too, where it ends
 * or cannot be looked at.  *file is 0 at first, and keeps which file it is.
 */
bool wf_process_has_dropped(pid_t pid, int fd, uint64_t *file);

/*
 * What is behind a handle, or a descriptor of our own, anew, for both
 * directions; the handle is closed in any case.  -1: errno says why not.
 */
int wf_process_reopen(int handle);

#endif
