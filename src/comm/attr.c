/* SPDX-License-Identifier: BSD-3-Clause */
/* What hangs to a communicator: see attr.h. */
#include "comm/attr.h"

#include <stdlib.h>
#include <string.h>
#include "comm/comm.h"

/* ---- the array ---- */

static struct wf_attr *find(const struct weft_comm *comm,
			    const struct weft_keyval *keyval)
{
	struct wf_attrs *attrs = comm->attrs;

	for (int i = 0; attrs && i < attrs->n; i++)
		if (attrs->at[i].keyval == keyval)
			return &attrs->at[i];
	return NULL;
}

static int append(struct weft_comm *comm, struct weft_keyval *keyval,
		  void *value)
{
	struct wf_attrs *attrs = comm->attrs;
	int n = attrs ? attrs->n : 0;

	if (!attrs || n == attrs->capacity) {
		int capacity = n ? 2 * n : 4;

		attrs = realloc(attrs, sizeof(*attrs) + (size_t)capacity *
				sizeof(attrs->at[0]));
		if (!attrs)
			return WEFT_ERR_NOMEM;
		attrs->n = n;
		attrs->capacity = capacity;
		comm->attrs = attrs;
	}
	keyval->refs++;
	attrs->at[attrs->n++] = (struct wf_attr){ keyval, value };
	return WEFT_OK;
}

static void take_off(struct weft_comm *comm, struct weft_keyval *keyval)
{
	struct wf_attrs *attrs = comm->attrs;
	struct wf_attr *attr = find(comm, keyval);

	if (!attr)
		return;
	memmove(attr, attr + 1, (size_t)(&attrs->at[--attrs->n] - attr) *
		sizeof(*attr));
	wf_keyval_drop(keyval);
}

void wf_attrs_drop(struct weft_comm *comm)
{
	struct wf_attrs *attrs = comm->attrs;

	for (int i = 0; attrs && i < attrs->n; i++)
		wf_keyval_drop(attrs->at[i].keyval);
	free(attrs);
	comm->attrs = NULL;
}

/* ---- callbacks ---- */

/*
 * In between the job is left.  If the process could not come back, it is the
 * child of a fork, where nothing else is done.
 */
static int call_delete(struct weft_comm *comm, struct wf_attr attr)
{
	struct weft_job *job = comm->job;
	int status = WEFT_OK;

	if (!attr.keyval->del)
		return WEFT_OK;
	wf_comm_hold(comm);
	attr.keyval->refs++;
	wf_job_leave(job);
	status = attr.keyval->del(comm, attr.keyval, attr.value,
				  attr.keyval->extra);
	if (wf_job_enter(job))
		return WEFT_ERR_FORKED;
	wf_keyval_drop(attr.keyval);
	wf_comm_drop(comm);
	return status;
}

static int call_copy(struct weft_comm *comm, struct wf_attr attr,
		     void **copy_p, bool *keep_p)
{
	int status;

	*keep_p = false;
	if (!attr.keyval->copy)
		return WEFT_OK;
	wf_job_leave(comm->job);
	status = attr.keyval->copy(comm, attr.keyval, attr.keyval->extra,
				   attr.value, copy_p, keep_p);
	return wf_job_enter(comm->job) ? WEFT_ERR_FORKED : status;
}

static int tell(struct weft_comm *comm, const char *call, const char *which,
		int status)
{
	return wf_job_fail(comm->job, status, "%s: the %s callback of an "
			   "attribute returned %d", call, which, status);
}

static int delete_attr(struct weft_comm *comm, struct weft_keyval *keyval)
{
	struct wf_attr *attr = find(comm, keyval);
	int status = attr ? call_delete(comm, *attr) : WEFT_OK;

	if (attr && !status)
		take_off(comm, keyval);
	return status;
}

static int delete_all(struct weft_comm *comm)
{
	int status = WEFT_OK;

	while (!status && comm->attrs && comm->attrs->n)
		status = delete_attr(comm, comm->attrs->
				     at[comm->attrs->n - 1].keyval);
	return status;
}

int wf_attrs_delete(struct weft_comm *comm, const char *call)
{
	int status = delete_all(comm);

	return status ? tell(comm, call, "delete", status) : WEFT_OK;
}

/* As they are now: callbacks may change them. */
static struct wf_attr *list_of(const struct weft_comm *comm)
{
	struct wf_attrs *attrs = comm->attrs;
	size_t bytes = (size_t)attrs->n * sizeof(attrs->at[0]);
	struct wf_attr *list = malloc(bytes);

	if (!list)
		return NULL;
	memcpy(list, attrs->at, bytes);
	for (int i = 0; i < attrs->n; i++)
		list[i].keyval->refs++;
	return list;
}

static int copy_one(struct weft_comm *from, struct weft_comm *to,
		    struct wf_attr attr, const char *call)
{
	void *copy = NULL;
	bool keep;
	int status = call_copy(from, attr, &copy, &keep);

	if (status)
		return tell(from, call, "copy", status);
	if (keep && append(to, attr.keyval, copy))
		return wf_job_fail(from->job, WEFT_ERR_NOMEM, "%s: no memory "
				   "for an attribute", call);
	return WEFT_OK;
}

int wf_attrs_copy(struct weft_comm *from, struct weft_comm *to,
		  const char *call)
{
	int n = from->attrs ? from->attrs->n : 0, status = WEFT_OK;
	struct wf_attr *list;

	if (!n)
		return WEFT_OK;
	list = list_of(from);
	if (!list)
		return wf_job_fail(from->job, WEFT_ERR_NOMEM, "%s: no memory "
				   "for attributes", call);
	wf_comm_hold(from);
	for (int i = 0; i < n && !status; i++)
		status = copy_one(from, to, list[i], call);
	for (int i = 0; i < n; i++)
		wf_keyval_drop(list[i].keyval);
	free(list);
	if (status) {
		delete_all(to);
		wf_attrs_drop(to);
	}
	wf_comm_drop(from);
	return status;
}

/* ---- the calls ---- */

static int enter(struct weft_comm *comm, const struct weft_keyval *keyval,
		 const char *call)
{
	int status = keyval ? wf_comm_enter(comm) : WEFT_ERR_ARG;

	if (status || (keyval->job == comm->job && !keyval->freed))
		return status;
	status = wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: keyval %s", call,
			     keyval->freed ? "was given to weft_keyval_free()" :
			     "is of another job");
	wf_job_leave(comm->job);
	return status;
}

int weft_comm_set_attr(struct weft_comm *comm, struct weft_keyval *keyval,
		       void *value)
{
	static const char call[] = "weft_comm_set_attr";
	int status = enter(comm, keyval, call);
	struct weft_job *job;

	if (status)
		return status;
	job = comm->job;
	status = delete_attr(comm, keyval);
	if (status)
		tell(comm, call, "delete", status);
	else if (append(comm, keyval, value))
		status = wf_job_fail(job, WEFT_ERR_NOMEM, "%s: no memory for "
				     "an attribute", call);
	wf_job_leave(job);
	return status;
}

int weft_comm_get_attr(struct weft_comm *comm, struct weft_keyval *keyval,
		       void **value_p, bool *found_p)
{
	int status = value_p && found_p ?
		enter(comm, keyval, "weft_comm_get_attr") : WEFT_ERR_ARG;
	const struct wf_attr *attr;

	if (status)
		return status;
	attr = find(comm, keyval);
	*found_p = attr != NULL;
	if (attr)
		*value_p = attr->value;
	wf_job_leave(comm->job);
	return WEFT_OK;
}

int weft_comm_delete_attr(struct weft_comm *comm, struct weft_keyval *keyval)
{
	static const char call[] = "weft_comm_delete_attr";
	int status = enter(comm, keyval, call);
	struct weft_job *job;

	if (status)
		return status;
	job = comm->job;
	status = delete_attr(comm, keyval);
	if (status)
		tell(comm, call, "delete", status);
	wf_job_leave(job);
	return status;
}
