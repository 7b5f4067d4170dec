/* SPDX-License-Identifier: BSD-3-Clause */
/* Which basic elements a datatype has: see signature.h. */
#include "type/signature.h"

#include <stdlib.h>
#include "base/zeroed.h"
#include "type/external.h"
#include "type/type_made.h"

struct wf_signature wf_signature_of(const struct weft_type *type)
{
	if (type->kind == WF_TYPE_DERIVED)
		return wf_type_made(type)->signature;
	return (struct wf_signature){
		type->kind, 0, wf_external_bytes(type->kind),
		wf_type_value_bytes(type->kind) ? 2 : 1
	};
}

/* How many of its type does an element have that has so many bytes? */
static size_t times(const struct weft_type *of, size_t bytes)
{
	return bytes ? bytes / wf_type_bytes(of) : 0;
}

/* So many elements more; what has no bytes is of any kind. */
static void add(struct wf_signature *to, const struct weft_type *type,
		size_t count)
{
	const struct wf_signature next = wf_signature_of(type);
	size_t external = count * next.external;

	if (!external)
		return;
	if (!to->external)
		to->kind = next.kind;
	else if (to->kind != next.kind)
		to->kind = WF_TYPE_DERIVED;
	to->depth = next.depth > to->depth ? next.depth : to->depth;
	to->external += external;
	to->elements += count * next.elements;
}

/* No form is longer than what is packed, whose bytes are counted already. */
struct wf_signature wf_signature_make(const struct wf_recipe *recipe,
				      size_t bytes)
{
	struct wf_signature made = { .kind = WF_TYPE_BYTE };

	if (recipe->is.combiner != WEFT_COMBINER_STRUCT) {
		add(&made, recipe->types[0], times(recipe->types[0], bytes));
		return made;
	}
	for (size_t i = 0; i < recipe->held; i++)
		add(&made, recipe->types[i], recipe->sizes[1 + i]);
	made.depth += made.kind == WF_TYPE_DERIVED;
	return made;
}

/* ---- the walk ---- */

/* true: all of them are of a kind; else the struct that they are is next. */
static bool descend(struct wf_kinds *kinds, const struct weft_type *type,
		    size_t count, struct wf_kind_run *run_p)
{
	const struct wf_recipe *recipe;
	struct wf_signature is = wf_signature_of(type);

	if (!count || !is.external)
		return false;
	while (is.kind == WF_TYPE_DERIVED) {
		recipe = wf_type_made(type)->recipe;
		if (recipe->is.combiner == WEFT_COMBINER_STRUCT) {
			kinds->records[kinds->depth++] =
				(struct wf_kinds_at){ recipe, 0, count };
			return false;
		}
		count *= times(recipe->types[0], wf_type_bytes(type));
		type = recipe->types[0];
		is = wf_signature_of(type);
	}
	*run_p = (struct wf_kind_run){
		is.kind, count * (is.external / wf_external_bytes(is.kind))
	};
	return true;
}

int wf_kinds_begin(struct wf_kinds *kinds, const struct weft_type *type,
		   size_t count)
{
	size_t deep = (size_t)wf_signature_of(type).depth;

	kinds->depth = 0;
	kinds->records = kinds->few;
	if (deep > sizeof(kinds->few) / sizeof(kinds->few[0]))
		kinds->records = wf_zeroed(deep, sizeof(*kinds->records));
	if (!kinds->records)
		return WEFT_ERR_NOMEM;
	if (!descend(kinds, type, count, &kinds->run))
		kinds->run.n = 0;
	return WEFT_OK;
}

bool wf_kinds_next(struct wf_kinds *kinds, struct wf_kind_run *run_p)
{
	if (kinds->run.n) {
		*run_p = kinds->run;
		kinds->run.n = 0;
		return true;
	}
	while (kinds->depth) {
		struct wf_kinds_at *r = &kinds->records[kinds->depth - 1];
		const struct wf_recipe *recipe = r->recipe;
		size_t part = r->part++;

		if (part < recipe->held &&
		    descend(kinds, recipe->types[part],
			    recipe->sizes[1 + part], run_p))
			return true;
		if (part < recipe->held)
			continue;
		r->part = 0;
		if (!--r->left)
			kinds->depth--;
	}
	return false;
}

void wf_kinds_end(struct wf_kinds *kinds)
{
	if (kinds->records != kinds->few)
		free(kinds->records);
}
