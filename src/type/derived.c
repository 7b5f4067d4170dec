/* SPDX-License-Identifier: BSD-3-Clause */
/* Constructors of datatypes whose blocks are named one by one, or by a rule. */
#include "type/making.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/zeroed.h"
#include "job/job.h"

/* ---- equal blocks, equally far apart ---- */

/* Blocks of so many elements, stride bytes apart. */
static int make_blocks(struct wf_making *m, size_t count, size_t block,
		       ptrdiff_t stride)
{
	const struct wf_shape *of = &m->recipe->types[0]->shape;
	struct wf_shape one;
	int status = wf_shape_repeat(of, block, wf_shape_extent(of), &one);

	if (status)
		return status;
	status = wf_shape_repeat(&one, count, stride, &m->shape);
	wf_shape_drop(&one);
	return status;
}

int weft_type_contiguous(struct weft_job *job, size_t count,
			 const struct weft_type *of, struct weft_type **type_p)
{
	struct wf_making m = { .job = job, .call = "weft_type_contiguous" };
	const struct wf_made_of args = {
		of, WEFT_COMBINER_CONTIGUOUS, 1, 0, 1
	};
	int status = wf_making_begin(&m, &args, type_p);

	if (status)
		return status;
	m.recipe->sizes[0] = count;
	status = make_blocks(&m, 1, count, 0);
	return wf_making_end(&m, status, type_p);
}

int weft_type_vector(struct weft_job *job, size_t count, size_t block,
		     ptrdiff_t stride, const struct weft_type *of,
		     struct weft_type **type_p)
{
	struct wf_making m = { .job = job, .call = "weft_type_vector" };
	const struct wf_made_of args = { of, WEFT_COMBINER_VECTOR, 2, 1, 1 };
	int status = wf_making_begin(&m, &args, type_p);
	ptrdiff_t bytes = 0;

	if (status)
		return status;
	m.recipe->sizes[0] = count;
	m.recipe->sizes[1] = block;
	m.recipe->displs[0] = stride;
	/* of one block it says nothing */
	if (count > 1 && block &&
	    __builtin_mul_overflow(stride, weft_type_extent(of), &bytes))
		status = WEFT_ERR_RANGE;
	else
		status = make_blocks(&m, count, block, bytes);
	return wf_making_end(&m, status, type_p);
}

int weft_type_hvector(struct weft_job *job, size_t count, size_t block,
		      ptrdiff_t stride, const struct weft_type *of,
		      struct weft_type **type_p)
{
	struct wf_making m = { .job = job, .call = "weft_type_hvector" };
	const struct wf_made_of args = { of, WEFT_COMBINER_HVECTOR, 2, 1, 1 };
	int status = wf_making_begin(&m, &args, type_p);

	if (status)
		return status;
	m.recipe->sizes[0] = count;
	m.recipe->sizes[1] = block;
	m.recipe->displs[0] = stride;
	status = make_blocks(&m, count, block, stride);
	return wf_making_end(&m, status, type_p);
}

/* ---- a list of blocks ---- */

/* What a constructor names: n of them. */
struct blocks {
	size_t n;
	bool each;			/* has its own count, or all the same */
	const size_t *count;
	size_t same;
	const ptrdiff_t *displs;
	bool in_extents;		/* displs are; else bytes */
};

/* Of a struct each has its own. */
static const struct weft_type *type_of(const struct wf_making *m, size_t i)
{
	return m->recipe->types[m->recipe->held == 1 ? 0 : i];
}

/* Blocks of as many elements share what they repeat. */
struct maker {
	struct wf_shape block;
	const struct weft_type *type;	/* NULL: none so far */
	size_t count;
};

static int make_block(struct maker *maker, const struct weft_type *type,
		      size_t count)
{
	int status;

	if (maker->type == type && maker->count == count)
		return WEFT_OK;
	if (maker->type)
		wf_shape_drop(&maker->block);
	maker->type = NULL;
	status = wf_shape_repeat(&type->shape, count,
				 wf_shape_extent(&type->shape),
				 &maker->block);
	if (status)
		return status;
	maker->type = type;
	maker->count = count;
	return WEFT_OK;
}

static int make_one(struct wf_making *m, const struct blocks *b, size_t i,
		    struct maker *maker, struct wf_shape *to)
{
	const struct weft_type *type = type_of(m, i);
	size_t count = b->each ? b->count[i] : b->same;
	ptrdiff_t displ = count ? b->displs[i] : 0;
	int status;

	if (b->in_extents && __builtin_mul_overflow(
		    displ, wf_shape_extent(&type->shape), &displ))
		return WEFT_ERR_RANGE;
	status = make_block(maker, type, count);
	return status ? status : wf_shape_move(&maker->block, displ, to);
}

static int make_list(struct wf_making *m, const struct blocks *b)
{
	struct wf_shape *list = wf_zeroed(b->n + 1, sizeof(*list));
	struct maker maker = { .type = NULL };
	int status = list ? WEFT_OK : WEFT_ERR_NOMEM;
	size_t made = 0;

	while (!status && made < b->n) {
		status = make_one(m, b, made, &maker, &list[made]);
		made += !status;
	}
	if (!status)
		status = wf_shape_join(list, b->n, &m->shape);
	while (made--)
		wf_shape_drop(&list[made]);
	if (maker.type)
		wf_shape_drop(&maker.block);
	free(list);
	return status;
}

static int check_lists(const struct wf_making *m, const struct blocks *b)
{
	if (b->n && b->each && !b->count)
		return wf_job_fail_null(m->job, m->call, "block");
	if (b->n && !b->displs)
		return wf_job_fail_null(m->job, m->call, "displs");
	return WEFT_OK;
}

/* As the recipe has them. */
static int note_lists(struct wf_making *m, const struct blocks *b)
{
	int status = check_lists(m, b);

	if (status)
		return status;
	m->recipe->sizes[0] = b->n;
	if (!b->each)
		m->recipe->sizes[1] = b->same;
	else if (b->n)
		memcpy(m->recipe->sizes + 1, b->count,
		       b->n * sizeof(*b->count));
	if (b->n)
		memcpy(m->recipe->displs, b->displs,
		       b->n * sizeof(*b->displs));
	return WEFT_OK;
}

static size_t sizes_of(const struct blocks *b)
{
	return b->each && b->n < SIZE_MAX ? b->n + 1 : 2;
}

static int make_indexed(struct wf_making *m, enum weft_combiner combiner,
			const struct blocks *b, const struct weft_type *of,
			struct weft_type **type_p)
{
	const struct wf_made_of args = {
		of, combiner, sizes_of(b), b->n, 1
	};
	int status = wf_making_begin(m, &args, type_p);

	if (status)
		return status;
	status = note_lists(m, b);
	if (!status)
		status = make_list(m, b);
	return wf_making_end(m, status, type_p);
}

int weft_type_indexed(struct weft_job *job, size_t n, const size_t *block,
		      const ptrdiff_t *displs, const struct weft_type *of,
		      struct weft_type **type_p)
{
	struct wf_making m = { .job = job, .call = "weft_type_indexed" };
	const struct blocks b = { n, true, block, 0, displs, true };

	return make_indexed(&m, WEFT_COMBINER_INDEXED, &b, of, type_p);
}

int weft_type_hindexed(struct weft_job *job, size_t n, const size_t *block,
		       const ptrdiff_t *displs, const struct weft_type *of,
		       struct weft_type **type_p)
{
	struct wf_making m = { .job = job, .call = "weft_type_hindexed" };
	const struct blocks b = { n, true, block, 0, displs, false };

	return make_indexed(&m, WEFT_COMBINER_HINDEXED, &b, of, type_p);
}

int weft_type_indexed_block(struct weft_job *job, size_t n, size_t block,
			    const ptrdiff_t *displs,
			    const struct weft_type *of,
			    struct weft_type **type_p)
{
	struct wf_making m = { .job = job, .call = "weft_type_indexed_block" };
	const struct blocks b = { n, false, NULL, block, displs, true };

	return make_indexed(&m, WEFT_COMBINER_INDEXED_BLOCK, &b, of, type_p);
}

int weft_type_hindexed_block(struct weft_job *job, size_t n, size_t block,
			     const ptrdiff_t *displs,
			     const struct weft_type *of,
			     struct weft_type **type_p)
{
	struct wf_making m = { .job = job, .call = "weft_type_hindexed_block" };
	const struct blocks b = { n, false, NULL, block, displs, false };

	return make_indexed(&m, WEFT_COMBINER_HINDEXED_BLOCK, &b, of, type_p);
}

/* ---- struct ---- */

static int note_types(struct wf_making *m, size_t n,
		      const struct weft_type *const *types)
{
	char name[40];

	if (n && !types)
		return wf_job_fail_null(m->job, m->call, "types");
	for (size_t i = 0; i < n; i++) {
		if (!wf_type_wrong(m->job, types[i])) {
			wf_recipe_add_type(m->recipe, types[i]);
			continue;
		}
		snprintf(name, sizeof(name), "types[%zu]", i);
		return wf_type_refuse(m->job, m->call, name, types[i]);
	}
	return WEFT_OK;
}

/* As a C compiler does, so that the next one is aligned, too. */
static int round_up(struct wf_shape *shape)
{
	size_t beyond = (size_t)wf_shape_extent(shape) % shape->align;
	ptrdiff_t extent;

	if (shape->sets || !beyond)
		return WEFT_OK;
	return __builtin_add_overflow(shape->ub,
				      (ptrdiff_t)(shape->align - beyond),
				      &shape->ub) ||
	       __builtin_sub_overflow(shape->ub, shape->lb, &extent) ?
	       WEFT_ERR_RANGE : WEFT_OK;
}

int weft_type_struct(struct weft_job *job, size_t n, const size_t *block,
		     const ptrdiff_t *displs,
		     const struct weft_type *const *types,
		     struct weft_type **type_p)
{
	struct wf_making m = { .job = job, .call = "weft_type_struct" };
	const struct blocks b = { n, true, block, 0, displs, false };
	const struct wf_made_of args = {
		NULL, WEFT_COMBINER_STRUCT, sizes_of(&b), n, n
	};
	int status = wf_making_begin(&m, &args, type_p);

	if (status)
		return status;
	status = note_lists(&m, &b);
	if (!status)
		status = note_types(&m, n, types);
	if (!status)
		status = make_list(&m, &b);
	if (!status && round_up(&m.shape)) {
		wf_shape_drop(&m.shape);
		status = WEFT_ERR_RANGE;
	}
	return wf_making_end(&m, status, type_p);
}

/* ---- other bounds ---- */

int weft_type_resized(struct weft_job *job, const struct weft_type *of,
		      ptrdiff_t lb, ptrdiff_t extent, struct weft_type **type_p)
{
	struct wf_making m = { .job = job, .call = "weft_type_resized" };
	const struct wf_made_of args = { of, WEFT_COMBINER_RESIZED, 0, 2, 1 };
	int status = wf_making_begin(&m, &args, type_p);

	if (status)
		return status;
	m.recipe->displs[0] = lb;
	m.recipe->displs[1] = extent;
	m.shape = of->shape;
	if (wf_shape_set_bounds(&m.shape, lb, extent))
		status = WEFT_ERR_RANGE;
	else
		wf_shape_hold(&m.shape);
	return wf_making_end(&m, status, type_p);
}
