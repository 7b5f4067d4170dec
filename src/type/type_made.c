/* SPDX-License-Identifier: BSD-3-Clause */
/* Life of the datatypes of a job: duplicates, and bearers for constants. */
#include "type/type_made.h"

#include <stdlib.h>
#include "base/handle.h"
#include "job/job.h"

struct wf_bearer wf_type_bearer(struct wf_made_type *made)
{
	const struct weft_type *handle = made->of ? made->of : &made->type;

	return (struct wf_bearer){
		made->job, (void *)handle, &made->attrs, &made->freed
	};
}

void wf_type_drop(struct wf_made_type *made)
{
	const struct wf_bearer b = wf_type_bearer(made);

	if (--made->refs)
		return;
	wf_attrs_drop(&b);
	wf_list_del(&made->link);
	free(made);
}

void wf_types_drop(struct weft_job *job)
{
	struct wf_list *at;

	while ((at = wf_list_first(&job->types))) {
		struct wf_made_type *made = wf_container(
			at, struct wf_made_type, link);

		made->refs = 1;
		wf_type_drop(made);
	}
}

static struct wf_made_type *make(struct weft_job *job,
				 const struct weft_type *like)
{
	struct wf_made_type *made = calloc(1, sizeof(*made));

	if (!made)
		return NULL;
	made->type = *like;
	made->type.made = true;
	made->job = job;
	made->refs = 1;
	return made;
}

/* ---- of constants ---- */

struct wf_made_type *wf_type_find(const struct weft_job *job,
				  const struct weft_type *type)
{
	const struct wf_list *at;

	if (type->made)
		return wf_type_made(type);
	for (at = job->types.next; at != &job->types; at = at->next) {
		struct wf_made_type *made = wf_container(
			at, struct wf_made_type, link);

		if (made->of == type)
			return made;
		if (!made->of)
			break;
	}
	return NULL;
}

struct wf_made_type *wf_type_get(struct weft_job *job,
				 const struct weft_type *type)
{
	struct wf_made_type *made = wf_type_find(job, type);

	if (made)
		return made;
	made = make(job, type);
	if (!made)
		return NULL;
	made->of = type;
	wf_list_add_head(&job->types, &made->link);
	return made;
}

/* ---- dup ---- */

/* Callbacks may free the original: it is held. */
static int copy_attrs(struct wf_made_type *from, struct wf_made_type *to,
		      const char *call)
{
	const struct wf_bearer a = wf_type_bearer(from), b = wf_type_bearer(to);
	int status;

	from->refs++;
	status = wf_attrs_copy(&a, &b, call);
	if (wf_job_is_child(a.job))
		return WEFT_ERR_FORKED;
	wf_type_drop(from);
	return status;
}

static const char *find_wrong(const struct weft_job *job,
			      const struct wf_made_type *from)
{
	if (from && from->job != job)
		return "is of another job";
	if (from && from->freed)
		return "was given to weft_type_free()";
	return NULL;
}

static int duplicate(struct weft_job *job, const struct weft_type *type,
		     struct weft_type **dup_p)
{
	static const char call[] = "weft_type_dup";
	struct wf_made_type *from = wf_type_find(job, type), *made;
	const char *wrong = find_wrong(job, from);
	int status = WEFT_OK;

	if (wrong)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: type %s", call,
				   wrong);
	made = make(job, type);
	if (!made)
		return wf_job_fail(job, WEFT_ERR_NOMEM, "%s: no memory for a "
				   "datatype", call);
	wf_list_add_tail(&job->types, &made->link);
	if (from)
		status = copy_attrs(from, made, call);
	if (!status)
		*dup_p = &made->type;
	else if (!wf_job_is_child(job))
		wf_type_drop(made);
	return status;
}

int weft_type_dup(struct weft_job *job, const struct weft_type *type,
		  struct weft_type **dup_p)
{
	int status = job && type && dup_p ? wf_job_ask(job) :
		wf_job_refuse(job ? job : wf_type_job(type), "weft_type_dup",
			      !job ? "job" : type ? "dup_p" : "type");

	wf_no_handle(dup_p);
	if (status)
		return status;
	status = duplicate(job, type, dup_p);
	wf_job_leave(job);
	return status;
}

/* ---- free ---- */

static int delete_attrs(struct wf_made_type *made)
{
	static const char call[] = "weft_type_free";
	const struct wf_bearer b = wf_type_bearer(made);
	int status;

	if (made->freed)
		return wf_job_fail(b.job, WEFT_ERR_ARG, "%s: the type was "
				   "given to weft_type_free()", call);
	if (made->going)
		return wf_job_fail(b.job, WEFT_ERR_ARG, "%s: it is freed "
				   "already, and callbacks of attributes are "
				   "called", call);
	made->going = true;
	status = wf_attrs_delete(&b, call);
	made->going = false;
	return status;
}

int weft_type_free(struct weft_type **type_p)
{
	struct wf_made_type *made = type_p && *type_p ? wf_type_made(*type_p) :
							NULL;
	struct weft_job *job;
	int status;

	if (!made)
		return type_p && !*type_p ? WEFT_OK : WEFT_ERR_ARG;
	job = made->job;
	status = wf_job_ask(job);
	if (status)
		return status;
	status = delete_attrs(made);
	if (!status) {
		made->freed = true;
		wf_type_drop(made);
		*type_p = NULL;
	}
	wf_job_leave(job);
	return status;
}

/* ---- a pointer of the program ---- */

void *weft_type_userdata(const struct weft_type *type)
{
	const struct wf_made_type *made = type ? wf_type_made(type) : NULL;

	return made ? __atomic_load_n(&made->userdata, __ATOMIC_RELAXED) : NULL;
}

int weft_type_set_userdata(struct weft_type *type, void *userdata)
{
	struct wf_made_type *made = type ? wf_type_made(type) : NULL;
	int status = made ? wf_job_ask(made->job) : WEFT_ERR_ARG;

	if (status)
		return status;
	if (made->freed)
		status = wf_job_fail(made->job, WEFT_ERR_ARG, "%s: the type "
				     "was given to weft_type_free()",
				     "weft_type_set_userdata");
	else
		__atomic_store_n(&made->userdata, userdata, __ATOMIC_RELAXED);
	wf_job_leave(made->job);
	return status;
}
