/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Physical limits of this machine for two processes that share memory: what
 * no library can beat, so what its times are divided by.
 *
 * flag      half of the round trip of an 8-byte ping-pong between processes
 *           on two cores: release store, acquire load, each word alone in
 *           its cache line
 * copy      memcpy from private to shared memory, both warm in the cache of
 *           the copying core; nobody reads the copy
 * rewritten the same after the owner rewrote the whole source; the rewriting
 *           is not timed
 * loop      two processes exchange: each copies into a slot of the other,
 *           raises a flag there, awaits its own and copies out; two slots
 *
 * All in microseconds, medians. Measured by one process and a child of its
 * own, on the first two CPUs that it may use, while no job is open.
 */
#ifndef WEFT_BENCH_LIMIT_H
#define WEFT_BENCH_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

struct bench_limit {
	double copy;
	double rewritten;
	double loop;
};

/* Above this flag latency the machine is not the one that ratios are for. */
#define BENCH_FLAG_LIMIT 0.1

/* Each returns false, with the reason on stderr, where it cannot measure. */
bool bench_limit_flag(double *flag_p);
bool bench_limit_bytes(size_t bytes, struct bench_limit *limit_p);

#endif
