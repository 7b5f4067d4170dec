/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Log of a job.
 *
 * Owns nothing but the format of a line. A line is built on the stack and
 * handed over at once, so lines of several ranks or threads do not mix.
 */
#include "base/log.h"

#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LINE_BYTES 1024

static void write_stderr(void *arg, const char *line, size_t n)
{
	int saved = errno;

	(void)arg;
	while (n > 0) {
		ssize_t done = write(STDERR_FILENO, line, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			break; /* nobody is left to tell */
		line += done;
		n -= (size_t)done;
	}
	errno = saved;
}

void wf_log_init(struct wf_log *log, enum wf_log_level level,
		 const char *prefix)
{
	memset(log, 0, sizeof(*log));
	log->level = level;
	snprintf(log->prefix, sizeof(log->prefix), "%s", prefix);
	log->write = write_stderr;
}

void wf_log_at(const struct wf_log *log, enum wf_log_level level,
	       const char *format, ...)
{
	static const char *const names[] = {
		"error", "warn", "info", "debug", "trace"
	};
	char line[LINE_BYTES] = "weft: ";
	size_t used;
	va_list args;

	if (log->prefix[0])
		wf_text_add(line, sizeof(line), "%s: ", log->prefix);
	wf_text_add(line, sizeof(line), "%s: ", names[level]);
	used = strlen(line);
	va_start(args, format);
	vsnprintf(line + used, sizeof(line) - used, format, args);
	va_end(args);
	used = strlen(line);
	if (used > sizeof(line) - 2)
		used = sizeof(line) - 2;
	line[used++] = '\n';
	log->write(log->arg, line, used);
}
