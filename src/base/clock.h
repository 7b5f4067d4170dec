/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time for deadlines and reports, in nanoseconds of CLOCK_MONOTONIC.
 *
 * Only the real clock of a process; code that also runs in the simulator asks
 * its job for the time.
 */
#ifndef WEFT_BASE_CLOCK_H
#define WEFT_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define WF_NS_PER_S 1000000000ull
#define WF_NS_PER_MS 1000000ull
#define WF_NS_PER_US 1000ull

static inline uint64_t wf_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * WF_NS_PER_S + (uint64_t)now.tv_nsec;
}

#endif
