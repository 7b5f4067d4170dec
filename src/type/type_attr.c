/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes of datatypes: the calls, and how callbacks are called. */
#include "job/job.h"
#include "type/type_made.h"

/* ---- keys ---- */

static int call_copy(void *object, struct weft_keyval *keyval, void *value,
		     void **copy_p, bool *keep_p)
{
	weft_type_attr_copy *copy = (weft_type_attr_copy *)keyval->copy;

	return copy(object, keyval, keyval->extra, value, copy_p, keep_p);
}

static int call_delete(void *object, struct weft_keyval *keyval, void *value)
{
	weft_type_attr_delete *del = (weft_type_attr_delete *)keyval->del;

	return del(object, keyval, value, keyval->extra);
}

static const struct wf_attr_kind of_types = {
	"datatype", call_copy, call_delete
};

int weft_type_attr_copy_same(const struct weft_type *type,
			     struct weft_keyval *keyval, void *extra,
			     void *value, void **copy_p, bool *keep_p)
{
	(void)type;
	(void)keyval;
	(void)extra;
	*copy_p = value;
	*keep_p = true;
	return WEFT_OK;
}

int weft_type_keyval_create(struct weft_job *job, weft_type_attr_copy *copy,
			    weft_type_attr_delete *del, void *extra,
			    struct weft_keyval **keyval_p)
{
	const struct weft_keyval like = {
		.kind = &of_types, .copy = (void (*)(void))copy,
		.del = (void (*)(void))del, .extra = extra
	};

	return wf_keyval_create(job, &like, "weft_type_keyval_create",
				keyval_p);
}

/* ---- the calls ---- */

/* The job: of the datatype, or of the key where that has none. */
static struct weft_job *job_of(const struct weft_type *type,
			       const struct weft_keyval *keyval)
{
	struct weft_job *job = wf_type_job(type);

	return job || !keyval ? job : keyval->job;
}

/* A key of the library, and of another job, fails for any bearer. */
static int check(struct weft_job *job, const struct weft_type *type,
		 const struct weft_keyval *keyval, bool deletes,
		 const char *call)
{
	const struct wf_made_type *made = wf_type_made(type);
	const struct wf_bearer b = { .job = job };

	if (made && made->freed)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: the type was "
				   "given to weft_type_free()", call);
	return wf_attr_check(&b, &of_types, keyval, deletes, call);
}

static int enter(const struct weft_type *type, const struct weft_keyval *keyval,
		 bool deletes, const char *call)
{
	struct weft_job *job = job_of(type, keyval);
	int status = job && type && keyval ? wf_job_ask(job) :
		wf_job_refuse(job, call, type ? "keyval" : "type");

	if (status)
		return status;
	status = check(job, type, keyval, deletes, call);
	if (status)
		wf_job_leave(job);
	return status;
}

/* Callbacks may have freed it: it goes now. */
static int leave(struct wf_made_type *made, int status)
{
	struct weft_job *job = made->job;

	if (wf_job_is_child(job))
		return WEFT_ERR_FORKED;
	wf_type_drop(made);
	wf_job_leave(job);
	return status;
}

int weft_type_set_attr(const struct weft_type *type,
		       struct weft_keyval *keyval, void *value)
{
	static const char call[] = "weft_type_set_attr";
	int status = enter(type, keyval, false, call);
	struct wf_made_type *made;
	struct wf_bearer b;

	if (status)
		return status;
	made = wf_type_get(keyval->job, type);
	if (!made) {
		status = wf_job_fail(keyval->job, WEFT_ERR_NOMEM, "%s: no "
				     "memory for an attribute", call);
		wf_job_leave(keyval->job);
		return status;
	}
	made->refs++;
	b = wf_type_bearer(made);
	return leave(made, wf_attr_set(&b, keyval, value, call));
}

int weft_type_delete_attr(const struct weft_type *type,
			  struct weft_keyval *keyval)
{
	static const char call[] = "weft_type_delete_attr";
	int status = enter(type, keyval, true, call);
	struct wf_made_type *made;
	struct wf_bearer b;

	if (status)
		return status;
	made = wf_type_find(keyval->job, type);
	if (!made) {
		wf_job_leave(keyval->job);
		return WEFT_OK;
	}
	made->refs++;
	b = wf_type_bearer(made);
	return leave(made, wf_attr_delete(&b, keyval, call));
}

int weft_type_get_attr(const struct weft_type *type,
		       const struct weft_keyval *keyval, void **value_p,
		       bool *found_p)
{
	static const char call[] = "weft_type_get_attr";
	int status = value_p && found_p ? enter(type, keyval, false, call) :
		wf_job_refuse(job_of(type, keyval), call,
			      value_p ? "found_p" : "value_p");
	struct wf_made_type *made;
	struct wf_bearer b;

	if (status)
		return status;
	*found_p = false;
	made = wf_type_find(keyval->job, type);
	if (made) {
		b = wf_type_bearer(made);
		wf_attr_get(&b, keyval, value_p, found_p);
	}
	wf_job_leave(keyval->job);
	return WEFT_OK;
}
