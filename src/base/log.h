/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Log of a job.
 *
 * Every line is written at once and names its process:
 *
 *     weft: rank 3 host n1: warn: no room in the arena, 4096 bytes wanted
 *
 * Volumes: error says why a call failed, once, where it was decided; warn what
 * a user should change, a few lines per job; info a few lines per process;
 * debug a few per object; trace anything, and only with --enable-debug.
 */
#ifndef WEFT_BASE_LOG_H
#define WEFT_BASE_LOG_H

#include <stddef.h>

enum wf_log_level {
	WF_LOG_ERROR,
	WF_LOG_WARN,
	WF_LOG_INFO,
	WF_LOG_DEBUG,
	WF_LOG_TRACE
};

struct wf_log {
	enum wf_log_level level;        /* lines up to this one are written */
	char prefix[64];                /* "rank 3 host n1", may be empty */
	/* gets one line with its newline, not ended by a 0 byte */
	void (*write)(void *arg, const char *line, size_t n);
	void *arg;
};

/* Lines go to stderr, one write(2) each. */
void wf_log_init(struct wf_log *log, enum wf_log_level level,
		 const char *prefix);

/* Writes without a look at the level; a line over 1 KiB is cut. */
void wf_log_at(const struct wf_log *log, enum wf_log_level level,
	       const char *format, ...) __attribute__((format(printf, 3, 4)));

#define WF_LOG_IF(log, at, ...) \
	do { \
		if ((log)->level >= (at)) \
			wf_log_at((log), (at), __VA_ARGS__); \
	} while (0)

#define wf_error(log, ...) WF_LOG_IF(log, WF_LOG_ERROR, __VA_ARGS__)
#define wf_warn(log, ...) WF_LOG_IF(log, WF_LOG_WARN, __VA_ARGS__)
#define wf_info(log, ...) WF_LOG_IF(log, WF_LOG_INFO, __VA_ARGS__)
#define wf_debug(log, ...) WF_LOG_IF(log, WF_LOG_DEBUG, __VA_ARGS__)

#ifdef WF_DEBUG
#define wf_trace(log, ...) WF_LOG_IF(log, WF_LOG_TRACE, __VA_ARGS__)
#else
/* compiled, so that it stays correct, but never run */
#define wf_trace(log, ...) \
	do { \
		if (0) \
			wf_log_at((log), WF_LOG_TRACE, __VA_ARGS__); \
	} while (0)
#endif

#endif
