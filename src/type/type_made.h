/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A datatype that belongs to a job: a derived one or duplicate, which the
 * program made, or what bears the attributes of a constant, which no program
 * sees.
 */
#ifndef WEFT_TYPE_TYPE_MADE_H
#define WEFT_TYPE_TYPE_MADE_H

#include "job/attr.h"
#include "type/recipe.h"
#include "type/signature.h"

struct wf_made_type {
	struct weft_type type;		/* first: its address is the handle */
	struct weft_job *job;
	struct wf_list link;		/* in the job's, which begins with
					   those of constants */
	const struct weft_type *of;	/* the constant; NULL: none */
	struct wf_recipe *recipe;	/* NULL: of a constant */
	struct wf_signature signature;	/* of a derived one */
	const char *plain_name;		/* a constant, such as of its maker */
	char *own_name;			/* NULL: that one */
	void *userdata;
	int refs;			/* the user's, and those of whatever is
					   under way, or made of it */
	bool committed;
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

/*
 * One that nobody has yet, with the shape and the recipe, which go with it, or
 * at once: NULL, no memory.
 */
struct wf_made_type *wf_type_new(struct weft_job *job, struct wf_shape *shape,
				 struct wf_recipe *recipe);

/* One that is equal, without attributes and name; NULL: no memory. */
struct wf_made_type *wf_type_new_like(struct weft_job *job,
				      const struct weft_type *type);

/* May it be made into others in this job?  NULL: it may. */
const char *wf_type_wrong(const struct weft_job *job,
			  const struct weft_type *type);

/* One of the program, with its job entered; NULL: *status_p says why not. */
struct wf_made_type *wf_type_enter(const struct weft_type *type,
				   const char *call, int *status_p);

/* May elements be moved with it? */
static inline bool wf_type_serves(const struct weft_job *job,
				  const struct weft_type *type)
{
	return type && (type->use == WF_TYPE_ANYBODYS ||
			(type->use == WF_TYPE_ITS_JOBS &&
			 wf_type_made(type)->job == job));
}

/* Why not, in the name of a call, and of an argument: WEFT_ERR_ARG. */
int wf_type_refuse(struct weft_job *job, const char *call, const char *name,
		   const struct weft_type *type);

/*
 * n elements exceed 2^63 bytes: WEFT_ERR_RANGE.  Where n is a number below 0
 * that became a size_t the text has that number.
 */
int wf_type_refuse_count(struct weft_job *job, const char *call, size_t n,
			 const struct weft_type *type);

struct wf_bearer wf_type_bearer(struct wf_made_type *made);

#endif
