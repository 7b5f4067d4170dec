/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of the devices of a job, whichever of them there are. */
#include "job/job.h"
#include "tests/tap.h"

enum {
	MEMORY = WF_CAP_MAPPED,
	NATIVE = WF_CAP_NETWORK | WF_CAP_NATIVE,
	EMULATED = WF_CAP_NETWORK | WF_CAP_EMULATED,
	OTHER = WF_CAP_NETWORK,
	MOST = 4
};

static const struct {
	int n;
	uint32_t caps[MOST];
	int order[MOST];
} jobs[] = {
	{ 0, { 0 }, { 0 } },
	{ 1, { EMULATED }, { 0 } },
	{ 3, { MEMORY, OTHER, NATIVE }, { 0, 1, 2 } },
	{ 3, { MEMORY, OTHER, OTHER }, { 0, 1, 2 } },
	/* sockets are worse than what a driver does */
	{ 3, { MEMORY, EMULATED, OTHER }, { 0, 1, 2 } },
	{ 3, { MEMORY, EMULATED, NATIVE }, { 0, 2, 1 } },
	{ 2, { EMULATED, NATIVE }, { 1, 0 } },
	{ 4, { EMULATED, MEMORY, NATIVE, NATIVE }, { 2, 3, 0, 1 } },
	{ 4, { EMULATED, EMULATED, OTHER, NATIVE }, { 3, 0, 1, 2 } }
};

static void what_is_emulated_comes_later(void)
{
	for (int j = 0; j < TAP_COUNT(jobs); j++) {
		struct wf_device all[MOST], *dev[MOST];

		for (int i = 0; i < jobs[j].n; i++) {
			all[i].caps = jobs[j].caps[i];
			dev[i] = &all[i];
		}
		wf_job_order_devices(dev, jobs[j].n);
		for (int i = 0; i < jobs[j].n; i++)
			if (!TAP_EQUAL(dev[i] - all, jobs[j].order[i]))
				tap_diag("job %d, device %d", j, i);
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "what is emulated comes later",
		  what_is_emulated_comes_later },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
