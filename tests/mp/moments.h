/* SPDX-License-Identifier: BSD-3-Clause */
/* For tests: milliseconds of a clock that all ranks of a host share. */
#ifndef WEFT_TESTS_MOMENTS_H
#define WEFT_TESTS_MOMENTS_H

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

__attribute__((unused))
static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

__attribute__((unused))
static void sleep_ms(int64_t ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

/* The kernel sends it, wherever this process is then. */
__attribute__((unused))
static void signal_at(int signal, int64_t ms)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL,
				  .sigev_signo = signal };
	struct itimerspec when = { .it_value = { ms / 1000,
						 ms % 1000 * 1000000 + 1 } };
	timer_t timer;

	if (timer_create(CLOCK_MONOTONIC, &event, &timer) ||
	    timer_settime(timer, TIMER_ABSTIME, &when, NULL)) {
		perror("a timer");
		exit(1);
	}
}

__attribute__((unused))
static void signal_after(int signal, int64_t ms)
{
	signal_at(signal, now_ms() + ms);
}

#endif
