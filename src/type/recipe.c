/* SPDX-License-Identifier: BSD-3-Clause */
/* How datatypes were made: kept, and told. */
#include "type/recipe.h"

#include <stdlib.h>
#include <string.h>
#include "base/zeroed.h"
#include "job/job.h"
#include "type/type_made.h"

const char *wf_combiner_name(enum weft_combiner combiner)
{
	static const char *const names[] = {
		"named", "dup", "contiguous", "vector", "hvector", "indexed",
		"hindexed", "indexed_block", "hindexed_block", "struct",
		"resized", "subarray", "darray"
	};

	return names[combiner];
}

struct wf_recipe *wf_recipe_new(enum weft_combiner combiner, size_t nsizes,
				size_t ndispls, size_t ntypes)
{
	struct wf_recipe *recipe;
	size_t words;

	if (__builtin_add_overflow(nsizes, ndispls, &words) ||
	    __builtin_add_overflow(words, ntypes, &words) ||
	    words > (SIZE_MAX - sizeof(*recipe)) / sizeof(void *))
		return NULL;
	recipe = wf_zeroed(1, sizeof(*recipe) + words * sizeof(void *));
	if (!recipe)
		return NULL;
	recipe->refs = 1;
	recipe->is = (struct weft_type_recipe){
		combiner, nsizes, ndispls, ntypes
	};
	recipe->sizes = (size_t *)(recipe + 1);
	recipe->displs = (ptrdiff_t *)(recipe->sizes + nsizes);
	recipe->types = (const struct weft_type **)(recipe->displs + ndispls);
	return recipe;
}

void wf_recipe_add_type(struct wf_recipe *recipe, const struct weft_type *type)
{
	wf_type_hold(type);
	recipe->types[recipe->held++] = type;
}

void wf_recipe_drop(struct wf_recipe *recipe)
{
	if (!recipe || --recipe->refs)
		return;
	for (size_t i = 0; i < recipe->held; i++)
		wf_type_unhold(recipe->types[i]);
	free(recipe);
}

/* ---- the calls ---- */

int weft_type_get_recipe(const struct weft_type *type,
			 struct weft_type_recipe *recipe_p)
{
	static const char call[] = "weft_type_get_recipe";
	const struct wf_made_type *made;
	int status;

	if (!type || !recipe_p)
		return wf_job_refuse(wf_type_job(type), call,
				     type ? "recipe_p" : "type");
	if (!type->made) {
		*recipe_p = (struct weft_type_recipe){
			WEFT_COMBINER_NAMED, 0, 0, 0
		};
		return WEFT_OK;
	}
	made = wf_type_enter(type, call, &status);
	if (!made)
		return status;
	*recipe_p = made->recipe->is;
	wf_job_leave(made->job);
	return WEFT_OK;
}

static const char *lacks_room(const struct wf_recipe *recipe,
			      const struct weft_type_contents *room)
{
	if (recipe->is.nsizes && !room->sizes)
		return "room->sizes";
	if (recipe->is.ndispls && !room->displs)
		return "room->displs";
	return recipe->is.ntypes && !room->types ? "room->types" : NULL;
}

/* Constants as they are, of others what is equal; all or none. */
static int copy_types(struct weft_job *job, const struct wf_recipe *recipe,
		      struct weft_type **to)
{
	for (size_t i = 0; i < recipe->held; i++) {
		const struct weft_type *type = recipe->types[i];
		struct wf_made_type *made = type->made ?
			wf_type_new_like(job, type) : NULL;

		if (made)
			made->userdata = ((const struct wf_made_type *)type)
				->userdata;
		to[i] = made ? &made->type :
			type->made ? NULL : (struct weft_type *)type;
		if (to[i])
			continue;
		while (i--) {
			wf_type_unhold(to[i]);
			to[i] = NULL;
		}
		return WEFT_ERR_NOMEM;
	}
	return WEFT_OK;
}

static int copy_contents(struct weft_job *job, const struct wf_recipe *recipe,
			 const struct weft_type_contents *room)
{
	static const char call[] = "weft_type_get_contents";
	const char *lacking = lacks_room(recipe, room);

	if (lacking)
		return wf_job_fail_null(job, call, lacking);
	if (copy_types(job, recipe, room->types))
		return wf_job_fail(job, WEFT_ERR_NOMEM, "%s: no memory for %zu "
				   "datatypes", call, recipe->held);
	if (recipe->is.nsizes)
		memcpy(room->sizes, recipe->sizes,
		       recipe->is.nsizes * sizeof(*room->sizes));
	if (recipe->is.ndispls)
		memcpy(room->displs, recipe->displs,
		       recipe->is.ndispls * sizeof(*room->displs));
	return WEFT_OK;
}

int weft_type_get_contents(const struct weft_type *type,
			   const struct weft_type_contents *room)
{
	static const char call[] = "weft_type_get_contents";
	const struct wf_made_type *made;
	int status;

	if (!type || !room)
		return wf_job_refuse(wf_type_job(type), call,
				     type ? "room" : "type");
	made = wf_type_enter(type, call, &status);
	if (!made)
		return status;
	status = copy_contents(made->job, made->recipe, room);
	wf_job_leave(made->job);
	return status;
}
