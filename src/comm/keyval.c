/* SPDX-License-Identifier: BSD-3-Clause */
/* Life of the keys of attributes. */
#include "comm/attr.h"

#include <stdlib.h>
#include "comm/comm.h"

int weft_attr_copy_same(struct weft_comm *comm, struct weft_keyval *keyval,
			void *extra, void *value, void **copy_p, bool *keep_p)
{
	(void)comm;
	(void)keyval;
	(void)extra;
	*copy_p = value;
	*keep_p = true;
	return WEFT_OK;
}

void wf_keyval_drop(struct weft_keyval *keyval)
{
	if (--keyval->refs)
		return;
	wf_list_del(&keyval->link);
	free(keyval);
}

int weft_keyval_create(struct weft_job *job, weft_attr_copy *copy,
		       weft_attr_delete *del, void *extra,
		       struct weft_keyval **keyval_p)
{
	int status = job && keyval_p ? wf_job_enter(job) : WEFT_ERR_ARG;
	struct weft_keyval *keyval;

	if (status)
		return status;
	keyval = malloc(sizeof(*keyval));
	if (keyval) {
		*keyval = (struct weft_keyval){
			.job = job, .refs = 1, .copy = copy, .del = del,
			.extra = extra
		};
		wf_list_add_tail(&wf_contexts(job)->keyvals, &keyval->link);
		*keyval_p = keyval;
	} else {
		status = wf_job_fail(job, WEFT_ERR_NOMEM,
				     "weft_keyval_create: no memory for a key");
	}
	wf_job_leave(job);
	return status;
}

int weft_keyval_free(struct weft_keyval **keyval_p)
{
	struct weft_job *job;
	int status;

	if (!keyval_p || !*keyval_p)
		return WEFT_ERR_ARG;
	job = (*keyval_p)->job;
	status = wf_job_enter(job);
	if (status)
		return status;
	if ((*keyval_p)->freed) {
		status = wf_job_fail(job, WEFT_ERR_ARG, "weft_keyval_free: the "
				     "key was given to weft_keyval_free()");
	} else {
		(*keyval_p)->freed = true;
		wf_keyval_drop(*keyval_p);
		*keyval_p = NULL;
	}
	wf_job_leave(job);
	return status;
}
