/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints the frequency of this machine's time stamp counter in kHz, for the
 * kernel of a guest (tests/guest/run), which sees the same counter.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#if defined(__x86_64__)
#include <x86intrin.h>

enum { TRIALS = 5, TRIAL_NS = 40000000 };

struct moment {
	uint64_t ticks;
	double ns;			/* in the middle of the reading, */
	double width;			/* which took so long */
};

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static struct moment look(void)
{
	double before = now_ns();
	uint64_t ticks = __rdtsc();
	double after = now_ns();

	return (struct moment){ ticks, (before + after) / 2, after - before };
}

/* Of the trial whose two readings were the shortest: nobody came between. */
int main(void)
{
	double khz = 0, least = 1e18;

	for (int i = 0; i < TRIALS; i++) {
		struct moment a = look(), b;

		nanosleep(&(struct timespec){ 0, TRIAL_NS }, NULL);
		b = look();
		if (a.width + b.width >= least)
			continue;
		least = a.width + b.width;
		khz = 1e6 * (double)(b.ticks - a.ticks) / (b.ns - a.ns);
	}
	printf("%.0f\n", khz);
	return 0;
}
#else
int main(void)
{
	return 1;
}
#endif
