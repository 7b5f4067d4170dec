/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a reduction combines two vectors: by a kernel of the library, or by the
 * function of an operation that the program made, which is told the type as the
 * call was given it.
 */
#ifndef WEFT_TYPE_COMBINATION_H
#define WEFT_TYPE_COMBINATION_H

#include <stdbool.h>
#include "type/kernel.h"
#include "type/type.h"

struct wf_combination {
	wf_kernel kernel;		/* NULL: op, or nothing is combined */
	const struct weft_op *op;	/* of the program; else NULL, as type */
	const struct weft_type *type;
	size_t width;			/* bytes of an element, packed */
};

/* Of an operation of the program; false: it is none, or *why_p is why. */
bool wf_combination_find_made(const struct weft_job *job,
			      const struct weft_op *op,
			      const struct weft_type *type,
			      struct wf_combination *with,
			      const char **why_p);

/*
 * Fills in one of zeros.  false: not defined, or an operation or type that is
 * none any more: then *why_p says so, and else stays as it was.
 */
static inline bool wf_combination_find(const struct weft_job *job,
				       const struct weft_op *op,
				       const struct weft_type *type,
				       struct wf_combination *with,
				       const char **why_p)
{
	with->kernel = wf_kernel_find(op, type);
	with->width = wf_type_bytes(type);
	return with->kernel ||
	       wf_combination_find_made(job, op, type, with, why_p);
}

static inline bool wf_combination_is(const struct wf_combination *a,
				     const struct wf_combination *b)
{
	return a->kernel == b->kernel &&
	       (a->kernel || (a->op == b->op && a->type == b->type));
}

/* Who keeps it keeps what it names: another one may come to its address. */
void wf_combination_hold(const struct wf_combination *with);
void wf_combination_drop(const struct wf_combination *with);

/*
 * For an operation of the program on elements that are not packed: room for n
 * of them; WEFT_ERR_NOMEM.
 */
int wf_combination_reserve(const struct wf_combination *with, size_t n);

/*
 * out = left op right, n elements, packed.  out is left, is right, or overlaps
 * neither; where it is left, and op the program's, right is overwritten.
 */
void wf_combine_by_op(const struct wf_combination *with, const void *left,
		      void *right, void *out, size_t n);

/* right = left op right, n elements as they lie; a kernel's are packed. */
void wf_combine_lying(const struct wf_combination *with, const void *left,
		      void *right, size_t n);

static inline void wf_combine(const struct wf_combination *with,
			      const void *left, void *right, void *out,
			      size_t n)
{
	if (with->kernel)
		with->kernel(left, right, out, n);
	else
		wf_combine_by_op(with, left, right, out, n);
}

#endif
