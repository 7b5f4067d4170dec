/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations of the program on elements that are not packed: operands are
 * scattered into images of them, where the function finds each as the program
 * laid it out, aligned, and its result is gathered.
 */
#include "type/op_made.h"

#include <stdint.h>
#include <stdlib.h>
#include "type/element.h"
#include "type/type.h"

enum {
	LEAST = 65536,			/* packed bytes in an image, or all */
	ALIGN = 64
};

size_t wf_op_batch(const struct wf_made_op *made, const struct weft_type *type,
		   size_t n)
{
	size_t bytes, units, some;

	if (__builtin_mul_overflow(made->unit, wf_type_bytes(type), &bytes))
		return n;
	units = bytes < LEAST ? (LEAST - 1) / bytes + 1 : 1;
	return __builtin_mul_overflow(made->unit, units, &some) || some > n ?
	       n : some;
}

/* One image of n elements, and where in it the first one is. */
static bool measure(const struct weft_type *type, size_t n, size_t *bytes_p,
		    size_t *first_p)
{
	const struct wf_shape *shape = &type->shape;
	ptrdiff_t last, low, high;

	if (__builtin_mul_overflow(n - 1, wf_shape_extent(shape), &last) ||
	    __builtin_add_overflow(shape->true_lb, last < 0 ? last : 0,
				   &low) ||
	    __builtin_add_overflow(shape->true_ub, last > 0 ? last : 0,
				   &high) ||
	    low < -(PTRDIFF_MAX / 8) || high > PTRDIFF_MAX / 8)
		return false;
	low = low < 0 ? low : 0;
	high = high > 0 ? high : 0;
	*first_p = ((size_t)-low + ALIGN - 1) / ALIGN * ALIGN;
	*bytes_p = (*first_p + (size_t)high + ALIGN - 1) / ALIGN * ALIGN;
	return true;
}

int wf_op_reserve(struct wf_made_op *made, const struct weft_type *type,
		  size_t n)
{
	size_t bytes, first;
	void *image;

	if (!n || !wf_type_bytes(type))
		return WEFT_OK;
	if (!measure(type, wf_op_batch(made, type, n), &bytes, &first))
		return WEFT_ERR_NOMEM;
	if (2 * bytes <= made->image_bytes)
		return WEFT_OK;
	image = aligned_alloc(ALIGN, 2 * bytes);
	if (!image)
		return WEFT_ERR_NOMEM;
	/* what lies in gaps is nobody's, but the function may copy it */
	memset(image, 0, 2 * bytes);
	free(made->image);
	made->image = image;
	made->image_bytes = 2 * bytes;
	return WEFT_OK;
}

void wf_op_call_packed(const struct wf_made_op *made,
		       const struct weft_type *type, const void *left,
		       void *right, size_t n)
{
	size_t most = wf_op_batch(made, type, n), bytes, first;
	const char *in = left;
	char *inout = right, *a, *b;

	if (!measure(type, most, &bytes, &first))
		return;
	a = (char *)made->image + first;
	b = a + bytes;
	while (n) {
		size_t some = n < most ? n : most;
		size_t packed = some * wf_type_bytes(type);

		wf_scatter(type, a, 0, in, packed);
		wf_scatter(type, b, 0, inout, packed);
		wf_op_call(made, type, a, b, some);
		wf_gather(type, b, 0, inout, packed);
		in += packed;
		inout += packed;
		n -= some;
	}
}
