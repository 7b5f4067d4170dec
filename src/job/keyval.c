/* SPDX-License-Identifier: BSD-3-Clause */
/* Life of the keys of attributes. */
#include "base/handle.h"
#include "job/attr.h"

#include <stdlib.h>
#include "job/job.h"

void wf_keyval_drop(struct weft_keyval *keyval)
{
	if (--keyval->refs)
		return;
	wf_list_del(&keyval->link);
	free(keyval);
}

void wf_keyvals_drop(struct weft_job *job)
{
	struct wf_list *at;

	while ((at = wf_list_first(&job->keyvals))) {
		struct weft_keyval *keyval = wf_container(
			at, struct weft_keyval, link);

		keyval->refs = 1;
		wf_keyval_drop(keyval);
	}
}

int wf_keyval_create(struct weft_job *job, const struct weft_keyval *like,
		     const char *call, struct weft_keyval **keyval_p)
{
	int status = keyval_p && job ? wf_job_ask(job) :
				       wf_job_refuse(job, call, "keyval_p");
	struct weft_keyval *keyval;

	wf_no_handle(keyval_p);
	if (status)
		return status;
	keyval = malloc(sizeof(*keyval));
	if (keyval) {
		*keyval = *like;
		keyval->job = job;
		keyval->refs = 1;
		wf_list_add_tail(&job->keyvals, &keyval->link);
		*keyval_p = keyval;
	} else {
		status = wf_job_fail(job, WEFT_ERR_NOMEM,
				     "%s: no memory for a key", call);
	}
	wf_job_leave(job);
	return status;
}

int weft_keyval_free(struct weft_keyval **keyval_p)
{
	struct weft_job *job;
	int status;

	if (keyval_p && !*keyval_p)
		return WEFT_OK;
	if (!keyval_p || (*keyval_p)->given)
		return WEFT_ERR_ARG;
	job = (*keyval_p)->job;
	status = wf_job_ask(job);
	if (status)
		return status;
	if (!(*keyval_p)->freed) {
		(*keyval_p)->freed = true;
		wf_keyval_drop(*keyval_p);
	}
	*keyval_p = NULL;
	wf_job_leave(job);
	return WEFT_OK;
}
