/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The three operations of constructors: bounds are those of MPI 4.1 (5.1.6),
 * where bounds that were set hide those that were not.
 */
#include "type/shape.h"

#include <stdlib.h>
#include <weft/status.h>

static ptrdiff_t lesser(ptrdiff_t a, ptrdiff_t b)
{
	return a < b ? a : b;
}

static ptrdiff_t larger(ptrdiff_t a, ptrdiff_t b)
{
	return a > b ? a : b;
}

/* Bounds by as much further on; false: beyond the numbers. */
static bool move_bounds(struct wf_shape *shape, ptrdiff_t by)
{
	return !__builtin_add_overflow(shape->lb, by, &shape->lb) &&
	       !__builtin_add_overflow(shape->ub, by, &shape->ub) &&
	       !__builtin_add_overflow(shape->true_lb, by, &shape->true_lb) &&
	       !__builtin_add_overflow(shape->true_ub, by, &shape->true_ub);
}

static bool extent_fits(const struct wf_shape *shape)
{
	ptrdiff_t extent;

	return !__builtin_sub_overflow(shape->ub, shape->lb, &extent) &&
	       !__builtin_sub_overflow(shape->true_ub, shape->true_lb,
				       &extent);
}

/* What is joined to an empty one is what there is. */
static void join_bounds(struct wf_shape *to, const struct wf_shape *next)
{
	bool first = to->empty;

	if (next->empty)
		return;
	if (first || (next->sets && !to->sets)) {
		to->lb = next->lb;
		to->ub = next->ub;
	} else if (next->sets == to->sets) {
		to->lb = lesser(to->lb, next->lb);
		to->ub = larger(to->ub, next->ub);
	}
	to->sets |= next->sets;
	to->align = next->align > to->align ? next->align : to->align;
	to->empty = false;
	if (!next->content.bytes)
		return;
	to->true_lb = to->content.bytes ? lesser(to->true_lb, next->true_lb) :
					  next->true_lb;
	to->true_ub = to->content.bytes ? larger(to->true_ub, next->true_ub) :
					  next->true_ub;
	/* that there are some */
	to->content.bytes = next->content.bytes;
}

static struct wf_shape nothing(void)
{
	return (struct wf_shape){ .align = 1, .empty = true };
}

int wf_shape_repeat(const struct wf_shape *of, size_t n, ptrdiff_t stride,
		    struct wf_shape *shape_p)
{
	struct wf_shape to = nothing(), last = *of;
	ptrdiff_t by;
	int status;

	if (n && !of->empty) {
		if (__builtin_mul_overflow(n - 1, stride, &by) ||
		    !move_bounds(&last, by))
			return WEFT_ERR_RANGE;
		join_bounds(&to, of);
		join_bounds(&to, &last);
	}
	if (!extent_fits(&to))
		return WEFT_ERR_RANGE;
	status = wf_content_repeat(&of->content, n, stride, &to.content);
	if (!status)
		*shape_p = to;
	return status;
}

int wf_shape_move(const struct wf_shape *of, ptrdiff_t by,
		  struct wf_shape *shape_p)
{
	struct wf_shape to = *of;
	int status = WEFT_OK;

	if (!of->empty && !move_bounds(&to, by))
		return WEFT_ERR_RANGE;
	if (to.content.bytes)
		status = wf_content_move(&of->content, by, &to.content);
	else
		to.true_lb = to.true_ub = 0;
	if (!status)
		*shape_p = to;
	return status;
}

int wf_shape_join(const struct wf_shape *list, size_t n,
		  struct wf_shape *shape_p)
{
	struct wf_shape to = nothing();
	struct wf_content *contents;
	int status;

	for (size_t i = 0; i < n; i++)
		join_bounds(&to, &list[i]);
	if (!extent_fits(&to))
		return WEFT_ERR_RANGE;
	contents = n <= SIZE_MAX / sizeof(*contents) - 1 ?
		   malloc((n + 1) * sizeof(*contents)) : NULL;
	if (!contents)
		return WEFT_ERR_NOMEM;
	for (size_t i = 0; i < n; i++)
		contents[i] = list[i].content;
	status = wf_content_join(contents, n, &to.content);
	free(contents);
	if (!status)
		*shape_p = to;
	return status;
}

int wf_shape_set_bounds(struct wf_shape *shape, ptrdiff_t lb,
			ptrdiff_t extent)
{
	if (__builtin_add_overflow(lb, extent, &shape->ub))
		return WEFT_ERR_RANGE;
	shape->lb = lb;
	shape->sets = true;
	shape->empty = false;
	return WEFT_OK;
}

void wf_shape_hold(const struct wf_shape *shape)
{
	struct wf_content same;

	/* by nothing, which is never beyond the numbers */
	(void)wf_content_move(&shape->content, 0, &same);
}

void wf_shape_drop(struct wf_shape *shape)
{
	wf_content_drop(&shape->content);
}
