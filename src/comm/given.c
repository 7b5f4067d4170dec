/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Attributes that the library gives all communicators.  Their keys are
 * constants, of no job; the values are the job's, or hold for all.
 */
#include <limits.h>
#include "boot/boot.h"
#include "comm/comm.h"

static const int *tag_ub(const struct weft_job *job)
{
	static const int most = INT_MAX;

	(void)job;
	return &most;
}

static const int *universe_size(const struct weft_job *job)
{
	return wf_boot_universe_size(job->boot);
}

static const int *appnum(const struct weft_job *job)
{
	return wf_boot_appnum(job->boot);
}

/* CLOCK_MONOTONIC, which the ranks of one node share. */
static const int *wtime_is_global(const struct weft_job *job)
{
	static const int answer[2] = { 0, 1 };

	return &answer[wf_boot_node_count(job->boot) == 1];
}

const struct weft_keyval weft_key_tag_ub = { .given = tag_ub };
const struct weft_keyval weft_key_universe_size = { .given = universe_size };
const struct weft_keyval weft_key_appnum = { .given = appnum };
const struct weft_keyval weft_key_wtime_is_global = {
	.given = wtime_is_global
};
