/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The basic elements of a datatype, in the order in which they are packed.
 *
 * They are read off the recipes, so nothing is kept of them but a summary: what
 * is made of one kind alone, as nearly everything is, needs no recipe; of the
 * rest only structs name more than one type.
 */
#ifndef WEFT_TYPE_SIGNATURE_H
#define WEFT_TYPE_SIGNATURE_H

#include "type/type.h"

struct wf_recipe;

struct wf_signature {
	enum wf_type_kind kind;		/* of all; WF_TYPE_DERIVED: several */
	int depth;			/* of structs of several within others,
					   this one included */
	size_t external;		/* bytes as external32 (external.h) */
	size_t elements;		/* basic ones, of a pair two */
};

/* Of what is made so, and has so many bytes. */
struct wf_signature wf_signature_make(const struct wf_recipe *recipe,
				      size_t bytes);

struct wf_signature wf_signature_of(const struct weft_type *type);

/* ---- the walk ---- */

/* Basic elements of one kind that follow each other. */
struct wf_kind_run {
	enum wf_type_kind kind;
	size_t n;
};

/* Where in a struct the walk is. */
struct wf_kinds_at {
	const struct wf_recipe *recipe;
	size_t part;			/* the next one */
	size_t left;			/* of such structs, this one included */
};

struct wf_kinds {
	struct wf_kind_run run;	/* the first one, if there is no struct
					   of several kinds; n is 0 later */
	struct wf_kinds_at *records;	/* from the outermost one on */
	int depth;
	struct wf_kinds_at few[8];	/* deeper ones are allocated */
};

/* Of count elements: WEFT_ERR_NOMEM. */
int wf_kinds_begin(struct wf_kinds *kinds, const struct weft_type *type,
		   size_t count);

/* false: there is no more. */
bool wf_kinds_next(struct wf_kinds *kinds, struct wf_kind_run *run_p);

void wf_kinds_end(struct wf_kinds *kinds);

#endif
