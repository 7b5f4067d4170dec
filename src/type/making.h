/* SPDX-License-Identifier: BSD-3-Clause */
/* What constructors of datatypes have in common. */
#ifndef WEFT_TYPE_MAKING_H
#define WEFT_TYPE_MAKING_H

#include <weft/derived.h>

#include "type/type_made.h"

/* One that is being made. */
struct wf_making {
	struct weft_job *job;
	const char *call;
	struct wf_recipe *recipe;
	struct wf_shape shape;
};

/* Of what, and how many arguments the recipe notes. */
struct wf_made_of {
	const struct weft_type *type;	/* NULL: of a struct, of several */
	enum weft_combiner combiner;
	size_t nsizes, ndispls, ntypes;
};

/*
 * Enters the job; *type_p is NULL from then on.  Fails, and has left it, for
 * NULL, or a type that is none here.
 */
int wf_making_begin(struct wf_making *making, const struct wf_made_of *of,
		    struct weft_type **type_p);

/* The shape is there, or a status, which is told here; leaves the job. */
int wf_making_end(struct wf_making *making, int status,
		  struct weft_type **type_p);

#endif
