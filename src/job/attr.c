/* SPDX-License-Identifier: BSD-3-Clause */
/* What hangs to communicators and datatypes: see attr.h. */
#include "job/attr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "job/job.h"

/* ---- the array ---- */

static struct wf_attr *find(const struct wf_bearer *b,
			    const struct weft_keyval *keyval)
{
	struct wf_attrs *attrs = *b->attrs;

	for (int i = 0; attrs && i < attrs->n; i++)
		if (attrs->at[i].keyval == keyval)
			return &attrs->at[i];
	return NULL;
}

static int reserve(const struct wf_bearer *b)
{
	struct wf_attrs *attrs = *b->attrs;
	int n = attrs ? attrs->n : 0, capacity = n ? 2 * n : 4;

	if (attrs && n < attrs->capacity)
		return WEFT_OK;
	attrs = realloc(attrs, sizeof(*attrs) + (size_t)capacity *
			sizeof(attrs->at[0]));
	if (!attrs)
		return WEFT_ERR_NOMEM;
	attrs->n = n;
	attrs->capacity = capacity;
	*b->attrs = attrs;
	return WEFT_OK;
}

/* There is room. */
static void append(const struct wf_bearer *b, struct weft_keyval *keyval,
		   void *value)
{
	keyval->refs++;
	(*b->attrs)->at[(*b->attrs)->n++] = (struct wf_attr){
		keyval, value, false };
}

static void take_off(const struct wf_bearer *b, struct weft_keyval *keyval)
{
	struct wf_attrs *attrs = *b->attrs;
	struct wf_attr *attr = find(b, keyval);

	if (!attr)
		return;
	memmove(attr, attr + 1, (size_t)(&attrs->at[--attrs->n] - attr) *
		sizeof(*attr));
	wf_keyval_drop(keyval);
}

void wf_attrs_drop(const struct wf_bearer *b)
{
	struct wf_attrs *attrs = *b->attrs;

	for (int i = 0; attrs && i < attrs->n; i++)
		wf_keyval_drop(attrs->at[i].keyval);
	free(attrs);
	*b->attrs = NULL;
}

/* ---- callbacks ---- */

static int tell(const struct wf_bearer *b, const char *call, const char *which,
		int status)
{
	return wf_job_fail(b->job, status, "%s: the %s callback of an "
			   "attribute returned %d", call, which, status);
}

/* In the child of a fork nothing else is done. */
static int come_back(const struct wf_bearer *b, int status)
{
	int entered = wf_job_ask(b->job);

	return entered ? entered : status;
}

/* The one of this key, which nobody deletes yet. */
static int delete_attr(const struct wf_bearer *b, struct weft_keyval *keyval)
{
	struct wf_attr *attr = find(b, keyval);
	void *value = attr->value;
	int status;

	attr->going = true;
	if (keyval->del) {
		wf_job_leave(b->job);
		status = come_back(b, keyval->kind->del(b->object, keyval,
							value));
		if (status) {
			find(b, keyval)->going = false;
			return status;
		}
	}
	take_off(b, keyval);
	return WEFT_OK;
}

/* The last one whose callback is not called; NULL: none. */
static struct weft_keyval *last_key(const struct wf_bearer *b)
{
	for (int i = *b->attrs ? (*b->attrs)->n : 0; i-- > 0;)
		if (!(*b->attrs)->at[i].going)
			return (*b->attrs)->at[i].keyval;
	return NULL;
}

int wf_attrs_delete(const struct wf_bearer *b, const char *call)
{
	struct weft_keyval *keyval;

	while ((keyval = last_key(b))) {
		int status = delete_attr(b, keyval);

		if (status)
			return tell(b, call, "delete", status);
	}
	return WEFT_OK;
}

void wf_attrs_undo(const struct wf_bearer *b)
{
	struct weft_keyval *keyval;

	while (!wf_job_is_child(b->job) && (keyval = last_key(b)))
		if (delete_attr(b, keyval) && !wf_job_is_child(b->job))
			take_off(b, keyval);
}

/* Keys as they are now, held: callbacks may change what there is. */
static struct weft_keyval **list_keys(const struct wf_bearer *b)
{
	struct wf_attrs *attrs = *b->attrs;
	struct weft_keyval **list = malloc((size_t)attrs->n * sizeof(*list));

	for (int i = 0; list && i < attrs->n; i++) {
		list[i] = attrs->at[i].keyval;
		list[i]->refs++;
	}
	return list;
}

/* Nothing where the value has gone meanwhile, or is going. */
static int copy_one(const struct wf_bearer *from, const struct wf_bearer *to,
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
	status = come_back(from, keyval->kind->copy(from->object, keyval, value,
						    &copy, &keep));
	if (status)
		return tell(from, call, "copy", status);
	if (keep)
		append(to, keyval, copy);
	return WEFT_OK;
}

int wf_attrs_copy(const struct wf_bearer *from, const struct wf_bearer *to,
		  const char *call)
{
	int n = *from->attrs ? (*from->attrs)->n : 0, status = WEFT_OK;
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
	snprintf(text, sizeof(text), "%s", wf_sentence(from->job));
	wf_attrs_undo(to);
	return wf_job_fail(from->job, status, "%s", text);
}

/* ---- set, delete, get ---- */

int wf_attr_check(const struct wf_bearer *b, const struct wf_attr_kind *kind,
		  const struct weft_keyval *keyval, bool deletes,
		  const char *call)
{
	const char *wrong = NULL;

	if (keyval->given)
		wrong = "is one of the library, whose values are only read, of "
			"communicators";
	else if (keyval->job != b->job)
		wrong = "is of another job";
	else if (keyval->freed && !deletes)
		wrong = "was given to weft_keyval_free()";
	if (wrong)
		return wf_job_fail_for(b->job, WEFT_ARGUMENT_KEYVAL,
				       WEFT_ERR_ARG, "%s: keyval %s", call,
				       wrong);
	if (keyval->kind != kind)
		return wf_job_fail_for(b->job, WEFT_ARGUMENT_KEYVAL,
				       WEFT_ERR_ARG, "%s: keyval is one for "
				       "%ss", call, keyval->kind->name);
	return WEFT_OK;
}

/* The value of this key goes; it is held, and so is what it hangs to. */
static int clear(const struct wf_bearer *b, struct weft_keyval *keyval,
		 const char *call)
{
	const struct wf_attr *attr = find(b, keyval);
	int status;

	if (!attr)
		return WEFT_OK;
	if (attr->going)
		return wf_job_fail(b->job, WEFT_ERR_ARG, "%s: the delete "
				   "callback of the value that keyval has is "
				   "called just now", call);
	status = delete_attr(b, keyval);
	return status ? tell(b, call, "delete", status) : WEFT_OK;
}

static int replace(const struct wf_bearer *b, struct weft_keyval *keyval,
		   void *value, const char *call)
{
	int status = clear(b, keyval, call);

	if (status)
		return status;
	if (*b->freed || keyval->freed || find(b, keyval))
		return wf_job_fail(b->job, WEFT_ERR_ARG, "%s: while the "
				   "delete callback was called the %s or "
				   "keyval was freed, or another value set",
				   call, keyval->kind->name);
	if (reserve(b))
		return wf_job_fail(b->job, WEFT_ERR_NOMEM, "%s: no memory "
				   "for an attribute", call);
	append(b, keyval, value);
	return WEFT_OK;
}

/* A callback may have freed it: it goes now. */
static int let_go(const struct wf_bearer *b, struct weft_keyval *keyval,
		  int status)
{
	if (wf_job_is_child(b->job))
		return WEFT_ERR_FORKED;
	wf_keyval_drop(keyval);
	return status;
}

int wf_attr_set(const struct wf_bearer *b, struct weft_keyval *keyval,
		void *value, const char *call)
{
	keyval->refs++;
	return let_go(b, keyval, replace(b, keyval, value, call));
}

int wf_attr_delete(const struct wf_bearer *b, struct weft_keyval *keyval,
		   const char *call)
{
	keyval->refs++;
	return let_go(b, keyval, clear(b, keyval, call));
}

void wf_attr_get(const struct wf_bearer *b, const struct weft_keyval *keyval,
		 void **value_p, bool *found_p)
{
	const struct wf_attr *attr = find(b, keyval);

	*found_p = attr != NULL;
	if (attr)
		*value_p = attr->value;
}
