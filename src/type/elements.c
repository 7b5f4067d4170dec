/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Basic elements of a datatype and their bytes, where a message may end within
 * an element of it.  A place in the packed bytes of some elements is a number
 * of them, and a place in the next one: so downwards, until it is none, or one
 * within a basic element.
 */
#include <weft/group.h>
#include "job/job.h"
#include "type/type_made.h"

/* So far; what is left is less than one element of the type. */
struct place {
	const struct weft_type *type;
	uint64_t bytes, elements;	/* passed by */
	uint64_t left;			/* of bytes, or of elements: */
	bool counts;
};

static size_t unit(const struct place *at, const struct weft_type *type)
{
	return at->counts ? wf_signature_of(type).elements :
			    wf_type_bytes(type);
}

/* As many of n as are left; true: there is less left than all of them. */
static bool pass(struct place *at, const struct weft_type *type, uint64_t n)
{
	size_t one = unit(at, type);
	uint64_t whole = one ? at->left / one : 0;
	bool ends = one && whole < n;

	if (!ends)
		whole = n;
	at->left -= whole * one;
	at->bytes += whole * wf_type_bytes(type);
	at->elements += whole * wf_signature_of(type).elements;
	at->type = type;
	return ends;
}

/* Into the part that the place is in. */
static void descend(struct place *at)
{
	const struct wf_recipe *recipe = wf_type_made(at->type)->recipe;

	if (recipe->is.combiner != WEFT_COMBINER_STRUCT) {
		pass(at, recipe->types[0], UINT64_MAX);
		return;
	}
	for (size_t i = 0; i < recipe->held; i++)
		if (pass(at, recipe->types[i], recipe->sizes[1 + i]))
			return;
}

/* false: it is within a basic element. */
static bool find(struct place *at)
{
	size_t value;

	pass(at, at->type, UINT64_MAX);
	while (at->left && at->type->kind == WF_TYPE_DERIVED)
		descend(at);
	if (!at->left)
		return true;
	value = wf_type_value_bytes(at->type->kind);
	if (at->left != (at->counts ? 1 : value))
		return false;
	at->bytes += value;
	at->elements++;
	return true;
}

/* ---- the calls ---- */

/* The job, entered; NULL: of none.  *status_p: what is wrong. */
static struct weft_job *enter(const struct weft_type *type, const char *call,
			      const char *null, int *status_p)
{
	const struct wf_made_type *made;

	*status_p = WEFT_OK;
	if (null) {
		*status_p = wf_job_refuse(wf_type_job(type), call, null);
		return NULL;
	}
	if (!type->made)
		return NULL;
	made = wf_type_enter(type, call, status_p);
	return made ? made->job : NULL;
}

int weft_type_elements(const struct weft_type *type, uint64_t bytes,
		       int64_t *n_p)
{
	static const char call[] = "weft_type_elements";
	struct place at = { .type = type, .left = bytes };
	struct weft_job *job;
	int status;

	job = enter(type, call, !type ? "type" : n_p ? NULL : "n_p", &status);
	if (status)
		return status;
	if (bytes > INT64_MAX || (bytes && !wf_type_bytes(type)) || !find(&at))
		*n_p = WEFT_UNDEFINED;
	else
		*n_p = (int64_t)at.elements;
	if (job)
		wf_job_leave(job);
	return WEFT_OK;
}

/* Are there so many in 2^63 bytes of it? */
static bool may_be(const struct weft_type *type, uint64_t n)
{
	size_t elements = wf_signature_of(type).elements;
	uint64_t bytes;

	return !n || (n <= INT64_MAX && elements &&
		      !__builtin_mul_overflow((n + elements - 1) / elements,
					      wf_type_bytes(type), &bytes) &&
		      bytes <= INT64_MAX);
}

int weft_type_element_bytes(const struct weft_type *type, uint64_t n,
			    uint64_t *bytes_p)
{
	static const char call[] = "weft_type_element_bytes";
	struct place at = { .type = type, .left = n, .counts = true };
	struct weft_job *job;
	int status;

	job = enter(type, call, !type ? "type" : bytes_p ? NULL : "bytes_p",
		    &status);
	if (status)
		return status;
	if (!may_be(type, n))
		status = job ? wf_job_fail(job, WEFT_ERR_RANGE, "%s: %llu "
					   "elements of %s exceed 2^63 bytes, "
					   "or it has none", call,
					   (unsigned long long)n,
					   weft_type_name(type)) :
			       WEFT_ERR_RANGE;
	else if (find(&at))
		*bytes_p = at.bytes;
	if (job)
		wf_job_leave(job);
	return status;
}
