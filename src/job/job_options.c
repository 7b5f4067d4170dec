/* SPDX-License-Identifier: BSD-3-Clause */
/* Options of a job: a structure of the program that grows with the releases. */
#include <string.h>
#include "job/job.h"

void weft_job_options_init(struct weft_job_options *options, size_t size)
{
	if (!options || size < sizeof(options->size))
		return;
	memset(options, 0, size);
	options->size = size;
}

/*
 * The program may have been built with another release.  Its structure ends
 * earlier, then the other members are 0; or later, then what follows must be 0.
 */
int wf_job_read_options(struct weft_job *job, const struct weft_job_options *o,
			struct weft_job_options *known_p)
{
	const unsigned char *byte = (const unsigned char *)o;
	size_t word = sizeof(o->size), least = 2 * word, most = 4096;
	size_t known = sizeof(*o);

	*known_p = (struct weft_job_options){ .size = known };
	if (!o)
		return WEFT_OK;
	if (o->size < least || o->size > most || o->size % word) {
		wf_error(&job->log, "weft_job_open: options->size is %zu: fill "
			 "them with weft_job_options_init(&options, "
			 "sizeof(options))", o->size);
		return WEFT_ERR_ARG;
	}
	memcpy(known_p, o, o->size < known ? o->size : known);
	for (size_t i = known; i < o->size; i++) {
		if (!byte[i])
			continue;
		wf_error(&job->log, "weft_job_open: options has a member at "
			 "byte %zu that this version does not know", i);
		return WEFT_ERR_ARG;
	}
	return WEFT_OK;
}
