/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long a wait looks before it sleeps: by what ends the sleep, and who else
 * needs the CPU.
 */
#include "job/job.h"
#include "job/sleep.h"
#include "tests/tap.h"

static struct wf_device rings = { .caps = WF_CAP_LINE_WAKES };
static struct wf_device silent = { .caps = 0 };

static uint64_t after(uint64_t setting, bool crowded, struct wf_device *second)
{
	struct weft_job job = { .config = { .sleep_ns = setting },
				.crowded = crowded, .ndevs = second ? 2 : 1,
				.dev = { &rings, second } };

	return wf_sleep_after(&job);
}

static void by_events(void)
{
	TAP_EQUAL(after(2000000, false, NULL), 2000000);
	TAP_EQUAL(after(2000000, false, &rings), 2000000);
	TAP_EQUAL(after(2000000, false, &silent), 100000000);
}

static void in_a_crowd(void)
{
	TAP_EQUAL(after(2000000, true, NULL), 2000000);
	TAP_EQUAL(after(2000000, true, &silent), 2000000);
}

/* At once, and never. */
static void ends_of_the_range(void)
{
	TAP_EQUAL(after(0, false, &silent), 0);
	TAP_EQUAL(after(UINT64_MAX, false, &silent), UINT64_MAX);
	TAP_EQUAL(after(UINT64_MAX / 2, false, &silent), UINT64_MAX / 2);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "longer where a line makes no event", by_events },
		{ "not where others need the CPU", in_a_crowd },
		{ "at once is at once, never is never", ends_of_the_range }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
