/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank that tells what its calls give, for a script to read: a line each, of
 * which nothing is kept back when the process dies.
 */
#ifndef WEFT_TESTS_MP_TELLS_H
#define WEFT_TESTS_MP_TELLS_H

#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include <weft.h>

static struct weft_job *job;
static int me;

static inline void tell(const char *call, int status)
{
	printf("rank %d %s: %s: %s\n", me, call, weft_status_name(status),
	       weft_error_text(job));
	fflush(stdout);
}

static inline void must(const char *call, int status, int wanted)
{
	if (status == wanted)
		return;
	tell(call, status);
	_exit(1);
}

static inline void sleep_ms(int ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000L };

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

static inline void close_job(void)
{
	int status = weft_job_close(job);

	job = NULL;
	tell("close", status);
}

#endif
