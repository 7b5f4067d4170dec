/* SPDX-License-Identifier: BSD-3-Clause */
/* What hangs to a communicator: see attr.h. */
#include "comm/attr.h"

#include <stdio.h>
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

static int reserve(struct weft_comm *comm)
{
	struct wf_attrs *attrs = comm->attrs;
	int n = attrs ? attrs->n : 0, capacity = n ? 2 * n : 4;

	if (attrs && n < attrs->capacity)
		return WEFT_OK;
	attrs = realloc(attrs, sizeof(*attrs) + (size_t)capacity *
			sizeof(attrs->at[0]));
	if (!attrs)
		return WEFT_ERR_NOMEM;
	attrs->n = n;
	attrs->capacity = capacity;
	comm->attrs = attrs;
	return WEFT_OK;
}

/* There is room. */
static void append(struct weft_comm *comm, struct weft_keyval *keyval,
		   void *value)
{
	keyval->refs++;
	comm->attrs->at[comm->attrs->n++] = (struct wf_attr){
		keyval, value, false };
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

static int tell(struct weft_comm *comm, const char *call, const char *which,
		int status)
{
	return wf_job_fail(comm->job, status, "%s: the %s callback of an "
			   "attribute returned %d", call, which, status);
}

/* In the child of a fork nothing else is done. */
static int come_back(struct weft_comm *comm, int status)
{
	int entered = wf_job_enter(comm->job);

	return entered ? entered : status;
}

/* The one of this key, which nobody deletes yet. */
static int delete_attr(struct weft_comm *comm, struct weft_keyval *keyval)
{
	struct wf_attr *attr = find(comm, keyval);
	void *value = attr->value;
	int status;

	attr->going = true;
	if (keyval->del) {
		wf_job_leave(comm->job);
		status = come_back(comm, keyval->del(comm, keyval, value,
						     keyval->extra));
		if (status) {
			find(comm, keyval)->going = false;
			return status;
		}
	}
	take_off(comm, keyval);
	return WEFT_OK;
}

/* The last one whose callback is not called; NULL: none. */
static struct weft_keyval *last_key(const struct weft_comm *comm)
{
	for (int i = comm->attrs ? comm->attrs->n : 0; i-- > 0;)
		if (!comm->attrs->at[i].going)
			return comm->attrs->at[i].keyval;
	return NULL;
}

int wf_attrs_delete(struct weft_comm *comm, const char *call)
{
	struct weft_keyval *keyval;

	while ((keyval = last_key(comm))) {
		int status = delete_attr(comm, keyval);

		if (status)
			return tell(comm, call, "delete", status);
	}
	return WEFT_OK;
}

/* Each once, whatever callbacks return. */
static void undo(struct weft_comm *comm)
{
	struct weft_keyval *keyval;

	while ((keyval = last_key(comm)))
		if (delete_attr(comm, keyval))
			take_off(comm, keyval);
}

/* Keys as they are now, held: callbacks may change what there is. */
static struct weft_keyval **list_keys(const struct weft_comm *comm)
{
	struct wf_attrs *attrs = comm->attrs;
	struct weft_keyval **list = malloc((size_t)attrs->n * sizeof(*list));

	for (int i = 0; list && i < attrs->n; i++) {
		list[i] = attrs->at[i].keyval;
		list[i]->refs++;
	}
	return list;
}

/* Nothing where the value has gone meanwhile, or is going. */
static int copy_one(struct weft_comm *from, struct weft_comm *to,
		    struct weft_keyval *keyval, const char *call)
{
	const struct wf_attr *attr = find(from, keyval);
	void *copy = NULL, *value;
	bool keep = false;
	int status;

	if (!attr || attr->going || !keyval->copy)
		return WEFT_OK;
	if (reserve(to))
		return wf_job_fail(from->job, WEFT_ERR_NOMEM, "%s: no memory "
				   "for an attribute", call);
	value = attr->value;
	wf_job_leave(from->job);
	status = come_back(from, keyval->copy(from, keyval, keyval->extra,
					      value, &copy, &keep));
	if (status)
		return tell(from, call, "copy", status);
	if (keep)
		append(to, keyval, copy);
	return WEFT_OK;
}

int wf_attrs_copy(struct weft_comm *from, struct weft_comm *to,
		  const char *call)
{
	int n = from->attrs ? from->attrs->n : 0, status = WEFT_OK;
	struct weft_keyval **list;
	char text[WF_ERROR_TEXT];

	if (!n)
		return WEFT_OK;
	list = list_keys(from);
	if (!list)
		return wf_job_fail(from->job, WEFT_ERR_NOMEM, "%s: no memory "
				   "for attributes", call);
	for (int i = 0; i < n && !status; i++)
		status = copy_one(from, to, list[i], call);
	if (wf_job_is_child(from->job))
		return WEFT_ERR_FORKED;
	for (int i = 0; i < n; i++)
		wf_keyval_drop(list[i]);
	free(list);
	if (!status)
		return WEFT_OK;
	snprintf(text, sizeof(text), "%s", weft_error_text(from->job));
	undo(to);
	return wf_job_fail(from->job, status, "%s", text);
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

/* The value of this key goes; it is held, and so is the communicator. */
static int clear(struct weft_comm *comm, struct weft_keyval *keyval,
		 const char *call)
{
	const struct wf_attr *attr = find(comm, keyval);
	int status;

	if (!attr)
		return WEFT_OK;
	if (attr->going)
		return wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: the delete "
				   "callback of the value that keyval has is "
				   "called just now", call);
	status = delete_attr(comm, keyval);
	return status ? tell(comm, call, "delete", status) : WEFT_OK;
}

static int replace(struct weft_comm *comm, struct weft_keyval *keyval,
		   void *value, const char *call)
{
	int status = clear(comm, keyval, call);

	if (status)
		return status;
	if (comm->freed || keyval->freed || find(comm, keyval))
		return wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: while the "
				   "delete callback was called the "
				   "communicator or keyval was freed, or "
				   "another value set", call);
	if (reserve(comm))
		return wf_job_fail(comm->job, WEFT_ERR_NOMEM, "%s: no memory "
				   "for an attribute", call);
	append(comm, keyval, value);
	return WEFT_OK;
}

/* Callbacks may have freed both: they go now. */
static int leave(struct weft_comm *comm, struct weft_keyval *keyval,
		 int status)
{
	struct weft_job *job = comm->job;

	if (wf_job_is_child(job))
		return WEFT_ERR_FORKED;
	wf_keyval_drop(keyval);
	wf_comm_drop(comm);
	wf_job_leave(job);
	return status;
}

int weft_comm_set_attr(struct weft_comm *comm, struct weft_keyval *keyval,
		       void *value)
{
	static const char call[] = "weft_comm_set_attr";
	int status = enter(comm, keyval, call);

	if (status)
		return status;
	wf_comm_hold(comm);
	keyval->refs++;
	return leave(comm, keyval, replace(comm, keyval, value, call));
}

int weft_comm_delete_attr(struct weft_comm *comm, struct weft_keyval *keyval)
{
	static const char call[] = "weft_comm_delete_attr";
	int status = enter(comm, keyval, call);

	if (status)
		return status;
	wf_comm_hold(comm);
	keyval->refs++;
	return leave(comm, keyval, clear(comm, keyval, call));
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
