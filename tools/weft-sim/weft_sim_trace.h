/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A run as trace events of Chrome and Perfetto, for weft-sim --trace.
 */
#ifndef WEFT_SIM_TRACE_H
#define WEFT_SIM_TRACE_H

#include <stdbool.h>
#include <stdint.h>

struct wsim_run;
struct wsim_trace;
struct wf_sim_observer;
struct wf_sim_result;

/* Into a new file; NULL: it has been said why not. */
struct wsim_trace *wsim_trace_open(const char *path,
				   const struct wsim_run *run);

/* What the simulator tells. */
const struct wf_sim_observer *
wsim_trace_observer(const struct wsim_trace *trace);

/* A rank is in a call from begin to end; with NULL they do nothing. */
void wsim_trace_begin(struct wsim_trace *trace, int rank, uint64_t time_ps,
		      const char *call);
void wsim_trace_end(struct wsim_trace *trace, int rank, uint64_t time_ps);

/* result is NULL if it did not run. False: it failed, and that was said. */
bool wsim_trace_close(struct wsim_trace *trace,
		      const struct wf_sim_result *result);

#endif
