/* SPDX-License-Identifier: BSD-3-Clause */
/* How a datatype was made; shared by those that are equal. */
#ifndef WEFT_TYPE_RECIPE_H
#define WEFT_TYPE_RECIPE_H

#include <weft/recipe.h>

#include "type/type.h"

struct wf_recipe {
	int refs;
	struct weft_type_recipe is;
	size_t *sizes;
	ptrdiff_t *displs;
	const struct weft_type **types;	/* held, so many of them so far */
	size_t held;
};

/* With room for all, and without types so far; NULL: no memory. */
struct wf_recipe *wf_recipe_new(enum weft_combiner combiner, size_t nsizes,
				size_t ndispls, size_t ntypes);

/* NULL is fine. */
void wf_recipe_drop(struct wf_recipe *recipe);

/* The next one, which it holds. */
void wf_recipe_add_type(struct wf_recipe *recipe,
			const struct weft_type *type);

/* A constructor: "vector". */
const char *wf_combiner_name(enum weft_combiner combiner);

#endif
