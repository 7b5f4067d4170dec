/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The raw loop: what the same messages cost without weft, between the same two
 * processes, over the RDMA device or the interface that the user names.  It
 * runs first, and what weft takes is divided by it.
 */
#ifndef WEFT_BENCH_RAW_H
#define WEFT_BENCH_RAW_H

#include "bench/weft_bench_run.h"
#include "bench/weft_bench_time.h"

/*
 * Lines of all sizes, from this rank if it sends, to it if it receives; both
 * of two ranks call.  What weft sends in several messages goes as one piece of
 * memory.  Returns a status; WEFT_ERR_UNSUPPORTED with a sentence on
 * stderr where there is no such device or interface, or no library for it.
 */
int bench_run_raw(struct bench_run *run, bool sends, bool receives);

/* ---- for the ways below ---- */

/* By libfabric, and by libibverbs. */
int bench_raw_ofi(struct bench_run *run, bool sends, bool receives);
int bench_raw_verbs(struct bench_run *run, bool sends, bool receives);
bool bench_raw_is_rdma(const char *name);

/* Says why, and returns WEFT_ERR_UNSUPPORTED. */
int bench_raw_fail(const char *what);

/* Most bytes of an operation, in whole cache lines. */
size_t bench_raw_most(const struct bench_run *run);

/* All sizes, each set before it is timed. */
int bench_raw_lines(struct bench_run *run, bench_timed timed, void *arg,
		    size_t *bytes_p);

#endif
