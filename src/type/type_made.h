/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A datatype that belongs to a job and bears attributes: a duplicate, which the
 * program made, or what bears those of a constant, which no program sees.
 */
#ifndef WEFT_TYPE_TYPE_MADE_H
#define WEFT_TYPE_TYPE_MADE_H

#include "job/attr.h"
#include "type/type.h"

struct wf_made_type {
	struct weft_type type;		/* first: its address is the handle */
	struct weft_job *job;
	struct wf_list link;		/* in the job's, which begins with
					   those of constants */
	const struct weft_type *of;	/* the constant; NULL: a duplicate */
	void *userdata;
	int refs;			/* the user's, and calls of callbacks */
	bool freed, going;		/* by weft_type_free(); it calls them */
	struct wf_attrs *attrs;		/* NULL: none was ever set */
};

/* NULL: a basic one. */
static inline struct wf_made_type *wf_type_made(const struct weft_type *type)
{
	return type->made ? (struct wf_made_type *)type : NULL;
}

/* NULL: of none, or no type. */
static inline struct weft_job *wf_type_job(const struct weft_type *type)
{
	const struct wf_made_type *made = type ? wf_type_made(type) : NULL;

	return made ? made->job : NULL;
}

/* Who bears the attributes of a type in a job; NULL: nobody so far. */
struct wf_made_type *wf_type_find(const struct weft_job *job,
				  const struct weft_type *type);

/* The same, made where there is none; NULL: no memory. */
struct wf_made_type *wf_type_get(struct weft_job *job,
				 const struct weft_type *type);

void wf_type_drop(struct wf_made_type *made);

/* What uses one keeps it; a constant needs nobody. */
static inline void wf_type_hold(const struct weft_type *type)
{
	if (type->made)
		wf_type_made(type)->refs++;
}

static inline void wf_type_unhold(const struct weft_type *type)
{
	if (type->made)
		wf_type_drop(wf_type_made(type));
}

struct wf_bearer wf_type_bearer(struct wf_made_type *made);

#endif
