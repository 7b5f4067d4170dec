/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Making layouts.  Each is made in its shortest form, and from such forms only.
 * So what lies side by side is always found: of bytes that follow each other in
 * memory, in their order, each part does, and is a run; runs are joined.
 */
#include "type/layout.h"

#include <stdint.h>
#include <stdlib.h>
#include <weft/status.h>
#include "base/zeroed.h"

/* In lists; then all of them become one. */
enum { MOST_LISTS = 8 };

static struct wf_layout *made(const struct wf_layout *layout)
{
	return layout && layout->refs ? (struct wf_layout *)layout : NULL;
}

static struct wf_content held(struct wf_content content)
{
	struct wf_layout *layout = made(content.layout);

	if (layout)
		layout->refs++;
	return content;
}

/* The recursion is as deep as the tree; what is shared goes with the last. */
void wf_content_drop(struct wf_content *content)
{
	struct wf_layout *layout = made(content->layout);

	content->layout = NULL;
	if (!layout || --layout->refs)
		return;
	for (size_t i = 0; i < (layout->same ? 1 : layout->n); i++)
		wf_content_drop((struct wf_content *)&layout->part[i]);
	free(layout);
}

int wf_content_move(const struct wf_content *of, ptrdiff_t by,
		    struct wf_content *content_p)
{
	struct wf_content moved = *of;

	if (__builtin_add_overflow(of->at, by, &moved.at))
		return WEFT_ERR_RANGE;
	*content_p = held(moved);
	return WEFT_OK;
}

/* ---- the same, over and over ---- */

static struct wf_layout *alloc_layout(size_t parts, bool same)
{
	size_t each = sizeof(struct wf_content) + (same ? 0 : sizeof(size_t));
	struct wf_layout *layout;
	struct wf_content *part;

	if (parts > (SIZE_MAX - sizeof(*layout)) / each)
		return NULL;
	layout = malloc(sizeof(*layout) + parts * each);
	if (!layout)
		return NULL;
	part = (struct wf_content *)(layout + 1);
	*layout = (struct wf_layout){
		.refs = 1, .same = same, .part = part,
		.before = same ? NULL : (size_t *)(part + parts)
	};
	return layout;
}

static int make_repeated(const struct wf_content *of, size_t n,
			 ptrdiff_t stride, struct wf_content *to)
{
	struct wf_layout *layout = alloc_layout(1, true);
	struct wf_content *part;

	if (!layout)
		return WEFT_ERR_NOMEM;
	layout->n = n;
	layout->stride = stride;
	part = (struct wf_content *)layout->part;
	*part = held(*of);
	to->at = of->at;
	part->at = 0;
	to->layout = layout;
	return WEFT_OK;
}

/* Does the next one go on where a repetition ends? */
static bool touch(const struct wf_layout *inner, ptrdiff_t stride)
{
	ptrdiff_t end;

	return inner && inner->same &&
	       !__builtin_mul_overflow((ptrdiff_t)inner->n, inner->stride,
				       &end) && end == stride;
}

int wf_content_repeat(const struct wf_content *of, size_t n, ptrdiff_t stride,
		      struct wf_content *content_p)
{
	const struct wf_layout *inner = of->layout;
	struct wf_content to = { .at = of->at };
	ptrdiff_t end;
	int status = WEFT_OK;

	if (!n || !of->bytes) {
		*content_p = (struct wf_content){ 0 };
		return WEFT_OK;
	}
	if (n == 1) {
		*content_p = held(*of);
		return WEFT_OK;
	}
	/* all of it, and where its last one begins */
	if (__builtin_mul_overflow(n, of->bytes, &to.bytes) ||
	    to.bytes > PTRDIFF_MAX ||
	    __builtin_mul_overflow((ptrdiff_t)(n - 1), stride, &end) ||
	    __builtin_add_overflow(of->at, end, &end))
		return WEFT_ERR_RANGE;
	if (!inner && stride == (ptrdiff_t)of->bytes) {
		*content_p = to;
		return WEFT_OK;
	}
	if (touch(inner, stride)) {
		struct wf_content part = *inner->part;

		part.at = of->at;
		status = make_repeated(&part, n * inner->n, inner->stride, &to);
	} else {
		status = make_repeated(of, n, stride, &to);
	}
	if (!status)
		*content_p = to;
	return status;
}

/* ---- one behind the other ---- */

/* Without those that are empty, runs that touch joined: how many are left. */
static size_t join_runs(struct wf_content *list, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		struct wf_content *last = kept ? &list[kept - 1] : NULL;

		if (!list[i].bytes)
			continue;
		if (last && !last->layout && !list[i].layout &&
		    last->at + (ptrdiff_t)last->bytes == list[i].at)
			last->bytes += list[i].bytes;
		else
			list[kept++] = list[i];
	}
	return kept;
}

/* Of two or more: are all the same, equally far apart? */
static bool are_same(const struct wf_content *list, size_t n,
		     ptrdiff_t *stride_p)
{
	if (__builtin_sub_overflow(list[1].at, list[0].at, stride_p))
		return false;
	for (size_t i = 1; i < n; i++) {
		ptrdiff_t stride;

		if (list[i].bytes != list[0].bytes ||
		    list[i].layout != list[0].layout ||
		    __builtin_sub_overflow(list[i].at, list[i - 1].at,
					   &stride) || stride != *stride_p)
			return false;
	}
	return true;
}

static bool is_list(const struct wf_content *content)
{
	return content->layout && !content->layout->same;
}

/* How deep are lists in lists, that of these parts included? */
static int list_depth(const struct wf_content *list, size_t n)
{
	int most = 0;

	for (size_t i = 0; i < n; i++) {
		int depth = is_list(&list[i]) ? list[i].layout->depth : 0;

		most = depth > most ? depth : most;
	}
	return most + 1;
}

static int make_list(const struct wf_content *list, size_t n,
		     struct wf_content *content_p)
{
	struct wf_layout *layout = alloc_layout(n, false);
	struct wf_content *part;
	size_t *before, bytes = 0;

	if (!layout)
		return WEFT_ERR_NOMEM;
	layout->n = n;
	layout->depth = list_depth(list, n);
	part = (struct wf_content *)layout->part;
	before = (size_t *)layout->before;
	for (size_t i = 0; i < n; i++) {
		part[i] = held(list[i]);
		before[i] = bytes;
		bytes += list[i].bytes;
	}
	*content_p = (struct wf_content){ 0, bytes, layout };
	return WEFT_OK;
}

/* In its shortest form. */
static int make_joined(struct wf_content *list, size_t n,
		       struct wf_content *content_p)
{
	ptrdiff_t stride;

	n = join_runs(list, n);
	if (!n) {
		*content_p = (struct wf_content){ 0 };
		return WEFT_OK;
	}
	if (n == 1 || are_same(list, n, &stride))
		return wf_content_repeat(&list[0], n, n == 1 ? 0 : stride,
					 content_p);
	return make_list(list, n, content_p);
}

/* The parts of a list in the place of it, by as much further on. */
static size_t flatten(const struct wf_content *list, size_t n, ptrdiff_t by,
		      struct wf_content *to)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		ptrdiff_t at = (ptrdiff_t)((size_t)list[i].at + (size_t)by);
		struct wf_content *next = to ? to + count : NULL;

		if (is_list(&list[i])) {
			count += flatten(list[i].layout->part,
					 list[i].layout->n, at, next);
			continue;
		}
		if (to) {
			*next = list[i];
			next->at = at;
		}
		count++;
	}
	return count;
}

static int make_flat(const struct wf_content *list, size_t n,
		     struct wf_content *content_p)
{
	size_t count = flatten(list, n, 0, NULL);
	struct wf_content *flat = wf_zeroed(count, sizeof(*flat));
	int status;

	if (!flat)
		return WEFT_ERR_NOMEM;
	flatten(list, n, 0, flat);
	status = make_joined(flat, count, content_p);
	free(flat);
	return status;
}

int wf_content_join(struct wf_content *list, size_t n,
		    struct wf_content *content_p)
{
	size_t bytes = 0;

	for (size_t i = 0; i < n; i++) {
		if (__builtin_add_overflow(bytes, list[i].bytes, &bytes) ||
		    bytes > PTRDIFF_MAX)
			return WEFT_ERR_RANGE;
	}
	if (list_depth(list, n) > MOST_LISTS)
		return make_flat(list, n, content_p);
	return make_joined(list, n, content_p);
}
