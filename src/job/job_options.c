/* SPDX-License-Identifier: BSD-3-Clause */
/* Options of a job. */
#include "base/options.h"
#include "job/job.h"

void weft_job_options_init(struct weft_job_options *options, size_t size)
{
	wf_options_init(options, size);
}

int wf_job_read_options(struct weft_job *job, const struct weft_job_options *o,
			struct weft_job_options *known_p)
{
	char why[160] = "";

	if (wf_options_read(o, known_p, sizeof(*known_p),
			    "weft_job_options_init", why, sizeof(why)))
		return WEFT_OK;
	wf_error(&job->log, "weft_job_open: %s", why);
	return WEFT_ERR_ARG;
}
