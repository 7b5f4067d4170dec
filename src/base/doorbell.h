/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A doorbell: a pipe that ends the sleep of its owner in poll().  Whoever has
 * changed what the owner waits for rings: its own threads and signal handlers,
 * and other processes of the same user, which open it through /proc.
 *
 * Each user has one descriptor for both ends: a writer of a pipe without a
 * reader is killed by SIGPIPE, and the owner may die at any time.
 */
#ifndef WEFT_BASE_DOORBELL_H
#define WEFT_BASE_DOORBELL_H

#include <stdint.h>
#include <sys/types.h>

struct wf_doorbell {
	int fd;				/* -1: none */
	uint64_t id;			/* tells it from other files */
};

/* WEFT_ERR_DEVICE: there is no descriptor left, or no /proc. */
int wf_doorbell_open(struct wf_doorbell *bell);
void wf_doorbell_close(struct wf_doorbell *bell);

/*
 * The doorbell that process pid has as descriptor fd: a descriptor of our own,
 * or WEFT_ERR_DEVICE, also if that is another file by now.
 */
int wf_doorbell_reach(pid_t pid, int fd, uint64_t id);

/* Never waits; may be called in a signal handler. */
void wf_doorbell_ring(int fd);

/* Forget all rings so far. */
void wf_doorbell_drain(int fd);

#endif
