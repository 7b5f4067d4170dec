/* SPDX-License-Identifier: BSD-3-Clause */
/* Life of the datatypes of a job, and of what bears those of constants. */
#include "type/type_made.h"

#include <stdlib.h>
#include <string.h>
#include <weft/derived.h>
#include "base/handle.h"
#include "base/zeroed.h"
#include "job/job.h"

struct wf_bearer wf_type_bearer(struct wf_made_type *made)
{
	const struct weft_type *handle = made->of ? made->of : &made->type;

	return (struct wf_bearer){
		made->job, (void *)handle, &made->attrs, &made->freed
	};
}

/* Nobody has it any more; what it was made of joins the list with its last. */
static void bury(struct wf_made_type *made, struct wf_list *dying)
{
	const struct wf_bearer b = wf_type_bearer(made);
	struct wf_recipe *recipe = made->recipe;

	wf_attrs_drop(&b);
	wf_shape_drop(&made->type.shape);
	free(made->own_name);
	free(made);
	if (!recipe || --recipe->refs)
		return;
	for (size_t i = 0; i < recipe->held; i++) {
		struct wf_made_type *of = wf_type_made(recipe->types[i]);

		if (!of || --of->refs)
			continue;
		wf_list_del(&of->link);
		wf_list_add_tail(dying, &of->link);
	}
	free(recipe);
}

/* By a list, since a chain of them may be of any length. */
void wf_type_drop(struct wf_made_type *made)
{
	struct wf_list dying, *at;

	if (--made->refs)
		return;
	wf_list_init(&dying);
	wf_list_del(&made->link);
	wf_list_add_tail(&dying, &made->link);
	while ((at = wf_list_pop(&dying)))
		bury(wf_container(at, struct wf_made_type, link), &dying);
}

/* The last ones first: types are made of older ones. */
void wf_types_drop(struct weft_job *job)
{
	while (!wf_list_empty(&job->types)) {
		struct wf_made_type *made = wf_container(
			job->types.prev, struct wf_made_type, link);

		made->refs = 1;
		wf_type_drop(made);
	}
}

static struct wf_made_type *alloc_type(struct weft_job *job)
{
	struct wf_made_type *made = wf_zeroed(1, sizeof(*made));

	if (!made)
		return NULL;
	made->type.made = true;
	made->job = job;
	made->refs = 1;
	return made;
}

static bool is_dense(const struct wf_shape *shape)
{
	return !shape->content.layout && !shape->content.at &&
	       wf_shape_extent(shape) == (ptrdiff_t)shape->content.bytes;
}

struct wf_made_type *wf_type_new(struct weft_job *job, struct wf_shape *shape,
				 struct wf_recipe *recipe)
{
	struct wf_made_type *made = alloc_type(job);

	if (!made) {
		wf_shape_drop(shape);
		wf_recipe_drop(recipe);
		return NULL;
	}
	made->type.shape = *shape;
	made->type.kind = WF_TYPE_DERIVED;
	made->type.dense = is_dense(shape);
	made->type.name = wf_combiner_name(recipe->is.combiner);
	made->plain_name = made->type.name;
	made->recipe = recipe;
	made->signature = wf_signature_make(recipe, shape->content.bytes);
	wf_list_add_tail(&job->types, &made->link);
	return made;
}

struct wf_made_type *wf_type_new_like(struct weft_job *job,
				      const struct weft_type *type)
{
	const struct wf_made_type *from = wf_type_made(type);
	struct wf_made_type *made = alloc_type(job);

	if (!made)
		return NULL;
	made->type = *type;
	made->type.made = true;
	wf_shape_hold(&made->type.shape);
	made->committed = !from || from->committed;
	made->type.use = made->committed ? WF_TYPE_ITS_JOBS : WF_TYPE_NOBODYS;
	made->plain_name = from ? from->plain_name : type->name;
	made->type.name = made->plain_name;
	made->signature = wf_signature_of(type);
	made->recipe = from ? from->recipe : NULL;
	if (made->recipe)
		made->recipe->refs++;
	wf_list_add_tail(&job->types, &made->link);
	return made;
}

/* ---- what is wrong with one ---- */

const char *wf_type_wrong(const struct weft_job *job,
			  const struct weft_type *type)
{
	const struct wf_made_type *made = type ? wf_type_made(type) : NULL;

	if (!type)
		return "is NULL";
	if (made && made->job != job)
		return "is of another job";
	if (made && made->freed)
		return "was given to weft_type_free()";
	return NULL;
}

int wf_type_refuse(struct weft_job *job, const char *call, const char *name,
		   const struct weft_type *type)
{
	const char *why = wf_type_wrong(job, type);

	return wf_job_fail_for(job, WEFT_ARGUMENT_TYPE, WEFT_ERR_ARG,
			       "%s: %s %s", call, name, why ? why :
			       "was not committed: see weft_type_commit()");
}

int wf_type_refuse_count(struct weft_job *job, const char *call, size_t n,
			 const struct weft_type *type)
{
	return n > PTRDIFF_MAX ?
		wf_job_fail_for(job, WEFT_ARGUMENT_COUNT, WEFT_ERR_RANGE,
				"%s: the count is %td, below 0", call,
				(ptrdiff_t)n) :
		wf_job_fail_for(job, WEFT_ARGUMENT_COUNT, WEFT_ERR_RANGE,
				"%s: %zu elements of %zu bytes exceed 2^63 "
				"bytes", call, n, wf_type_bytes(type));
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
	made = wf_type_new_like(job, type);
	if (!made)
		return NULL;
	made->of = type;
	wf_list_del(&made->link);
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

/* Like the other one, and made of it. */
static struct wf_made_type *make_dup(struct weft_job *job,
				     const struct weft_type *type)
{
	struct wf_recipe *recipe = wf_recipe_new(WEFT_COMBINER_DUP, 0, 0, 1);
	struct wf_made_type *made = recipe ? wf_type_new_like(job, type) :
					     NULL;

	if (!made) {
		wf_recipe_drop(recipe);
		return NULL;
	}
	wf_recipe_drop(made->recipe);
	wf_recipe_add_type(recipe, type);
	made->recipe = recipe;
	return made;
}

static int duplicate(struct weft_job *job, const struct weft_type *type,
		     struct weft_type **dup_p)
{
	static const char call[] = "weft_type_dup";
	struct wf_made_type *from = wf_type_find(job, type), *made;
	int status = WEFT_OK;

	if (wf_type_wrong(job, type))
		return wf_type_refuse(job, call, "type", type);
	made = make_dup(job, type);
	if (!made)
		return wf_job_fail(job, WEFT_ERR_NOMEM, "%s: no memory for a "
				   "datatype", call);
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
		made->type.use = WF_TYPE_NOBODYS;
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

struct wf_made_type *wf_type_enter(const struct weft_type *type,
				   const char *call, int *status_p)
{
	struct wf_made_type *made = type ? wf_type_made(type) : NULL;

	*status_p = made ? wf_job_ask(made->job) : WEFT_ERR_ARG;
	if (*status_p)
		return NULL;
	if (!made->freed)
		return made;
	*status_p = wf_type_refuse(made->job, call, "the type", type);
	wf_job_leave(made->job);
	return NULL;
}

int weft_type_set_userdata(struct weft_type *type, void *userdata)
{
	int status;
	struct wf_made_type *made = wf_type_enter(
		type, "weft_type_set_userdata", &status);

	if (!made)
		return status;
	__atomic_store_n(&made->userdata, userdata, __ATOMIC_RELAXED);
	wf_job_leave(made->job);
	return WEFT_OK;
}

int weft_type_commit(struct weft_type *type)
{
	struct wf_made_type *made;
	int status;

	if (type && !type->made)
		return WEFT_OK;
	made = wf_type_enter(type, "weft_type_commit", &status);
	if (!made)
		return status;
	made->committed = true;
	made->type.use = WF_TYPE_ITS_JOBS;
	wf_job_leave(made->job);
	return WEFT_OK;
}

int weft_type_set_name(struct weft_type *type, const char *name)
{
	static const char call[] = "weft_type_set_name";
	int status;
	struct wf_made_type *made = wf_type_enter(type, call, &status);
	char *copy;

	if (!made)
		return status;
	copy = name ? strdup(name) : NULL;
	if (copy) {
		free(made->own_name);
		made->own_name = copy;
		made->type.name = copy;
	} else {
		status = name ? wf_job_fail(made->job, WEFT_ERR_NOMEM,
					    "%s: no memory", call) :
			 wf_job_fail_null(made->job, call, "name");
	}
	wf_job_leave(made->job);
	return status;
}
