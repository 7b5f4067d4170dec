/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * N ranks in one process: one per thread, or one per coroutine of a simulator.
 *
 * A `struct weft_inproc` is what the ranks share; each of them opens a boot
 * with it and its own number. The setters are for the simulator and for tests
 * and come before the first boot is opened.
 */
#ifndef WEFT_BOOT_BOOT_INPROC_H
#define WEFT_BOOT_BOOT_INPROC_H

#include <stdint.h>

#include <weft/status.h>

struct weft_inproc;

/*
 * How a fence waits where ranks are coroutines: it calls idle(arg) again and
 * again, with no lock held, until the last rank has come.
 */
struct wf_inproc_wait {
	void (*idle)(void *arg);
	void *arg;
};

/* `wait` is copied. NULL: threads, which sleep on a condition variable. */
void wf_inproc_set_wait(struct weft_inproc *inproc,
			const struct wf_inproc_wait *wait);

/*
 * The clock that WEFT_TIMEOUT of a fence is measured with, in ns. Without one
 * threads use the monotonic clock and a fence with a wait hook never times out.
 */
void wf_inproc_set_clock(struct weft_inproc *inproc, uint64_t (*now)(void *arg),
			 void *arg);

/*
 * Node map: ranks [0, n), [n, 2n), ... share a node each; the last node may
 * have fewer. 0 (default): all ranks on one node.
 */
void wf_inproc_set_nodes(struct weft_inproc *inproc, int ranks_per_node);

#endif
