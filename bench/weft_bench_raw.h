/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The raw loop: what the same messages cost with libfabric alone, between the
 * same two processes, over the interface that the user names.  One write with
 * remote CQ data per message; nobody copies, nobody asks for permission.
 */
#ifndef WEFT_BENCH_RAW_H
#define WEFT_BENCH_RAW_H

#include "bench/weft_bench_run.h"

/*
 * Lines of all sizes, from this rank if it sends, to it if it receives; both
 * of two ranks call.  Returns a status; WEFT_ERR_UNSUPPORTED with a sentence on
 * stderr where there is no such interface or no libfabric.
 */
int bench_run_raw(struct bench_run *run, bool sends, bool receives);

#endif
