/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reports: what a rank waits for, and its state, for the people who ask for it
 * by SIGUSR1.  The handler leaves a flag in each open job; progress sees it
 * (job_progress.c) and writes one block of lines.  Of the rooms above each
 * poller adds what it knows.  Where boot/ waits there is no progress, and it
 * asks by itself.
 */
#ifndef WEFT_JOB_REPORT_H
#define WEFT_JOB_REPORT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include "base/log.h"

struct weft_job;

/* In a job: its place in the handler's list, and that it was asked. */
struct wf_report_ask {
	_Atomic(struct wf_report_ask *) next;
	atomic_bool asked;
	int doorbell;			/* of the job, -1: none */
	bool listed;
};

/*
 * The job can be asked from now on, and not any more.  The first one takes
 * SIGUSR1, the last one gives it back, unless the program uses it.
 */
void wf_report_listen(struct wf_report_ask *ask, int doorbell);
void wf_report_deafen(struct wf_report_ask *ask);

static inline bool wf_report_is_due(const struct wf_report_ask *ask)
{
	return atomic_load_explicit(&ask->asked, memory_order_relaxed);
}

/* Writes what was asked for. */
void wf_report(struct weft_job *job);

/* The same of a rank that waits in boot/ (`job` of wf_boot_tick_fn). */
void wf_report_boot(void *job, const char *what);

/*
 * A block under way.  A pipe takes it whole up to PIPE_BUF bytes, so that the
 * blocks of several ranks do not mix; longer ones come in parts.
 */
struct wf_report {
	const struct wf_log *log;
	size_t used;
	char text[4096];
};

void wf_report_begin(struct wf_report *to, const struct wf_log *log);
void wf_report_line(struct wf_report *to, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void wf_report_end(struct wf_report *to);

#endif
