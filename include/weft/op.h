/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reduction operations.  The predefined ones are constants like the types.
 * An operation that is not defined for a type is refused with WEFT_ERR_ARG:
 *
 *                          integers  floating  complex  bool  byte  pairs
 *     sum, prod               x         x         x
 *     min, max                x         x
 *     land, lor, lxor         x                           x
 *     band, bor, bxor         x                                  x
 *     minloc, maxloc                                                   x
 *
 * char and wchar have none.  replace and no_op are for one-sided access: no
 * reduction takes them.  Those that the program makes belong to a job, and are
 * for any type.
 */
#ifndef WEFT_OP_H
#define WEFT_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_job;
struct weft_op;
struct weft_type;

WEFT_API extern const struct weft_op weft_op_sum;	/* integers wrap, */
WEFT_API extern const struct weft_op weft_op_prod;	/* as these do */
WEFT_API extern const struct weft_op weft_op_min;
WEFT_API extern const struct weft_op weft_op_max;
WEFT_API extern const struct weft_op weft_op_land;	/* 0 or 1 */
WEFT_API extern const struct weft_op weft_op_lor;
WEFT_API extern const struct weft_op weft_op_lxor;
WEFT_API extern const struct weft_op weft_op_band;	/* bit by bit */
WEFT_API extern const struct weft_op weft_op_bor;
WEFT_API extern const struct weft_op weft_op_bxor;
/* Of equal values the smaller index; a pair with NaN replaces none. */
WEFT_API extern const struct weft_op weft_op_minloc;
WEFT_API extern const struct weft_op weft_op_maxloc;
WEFT_API extern const struct weft_op weft_op_replace;
WEFT_API extern const struct weft_op weft_op_no_op;

/**
 * weft_op_name - the name of an operation
 *
 * Returns:  a constant string like "sum"; "user" for one that was made.
 * Blocks:   no.   Collective: no.
 */
WEFT_API const char *weft_op_name(const struct weft_op *op);

/**
 * weft_op_function - what combines vectors by an operation of the program
 *
 * in     left operands, those of the lower ranks; only read
 * inout  right operands, and then the results: inout[i] = in[i] op inout[i]
 * n      elements, 1 or more: the count of the reduction or a part of it
 * type   as the reduction was given it
 * arg    as the operation was made with
 *
 * It must associate: (a op b) op c is a op (b op c).  Any call that makes
 * progress may run it, of the thread that makes it, with the job locked: it
 * must return, and not wait for another thread.  What communicates or reduces
 * returns WEFT_ERR_IN_OP there, without the handler of errors; what only asks
 * works, and so do weft_job_abort() and weft_comm_abort(), which ends the job
 * there.  in and inout are aligned as the elements are, if memory of the
 * program is.
 */
typedef void weft_op_function(const void *in, void *inout, size_t n,
			      const struct weft_type *type, void *arg);

/**
 * struct weft_op_options - an operation of the program
 *
 * Filled by weft_op_options_init(), as struct weft_job_options is.
 */
struct weft_op_options {
	size_t size;			/* bytes, as the program was built */
	weft_op_function *call;
	void *arg;			/* for call */
	size_t unit;			/* elements: n is a multiple of it but
					   at the end of a vector; 0: 1 */
	bool commutes;			/* a op b is b op a */
};

/**
 * weft_op_options_init - options that say nothing
 *
 * options, size  as of weft_job_options_init()
 *
 * Blocks:   no.   Collective: no.
 */
WEFT_API void weft_op_options_init(struct weft_op_options *options,
				   size_t size);

/**
 * weft_op_create - an operation of the program
 *
 * options      call is set
 * op_p [out]   goes with the job if it was not freed
 *
 * With $WEFT_CHECK=2 vectors are cut at random, down to single elements, or
 * units: that shows functions that ignore n.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_NOMEM.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_op_create(struct weft_job *job,
			    const struct weft_op_options *options,
			    struct weft_op **op_p) WEFT_MUST_CHECK;

/**
 * weft_op_free - give an operation up
 *
 * op_p  set to NULL; NULL inside is fine.  What is under way with it completes.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (NULL; a predefined one, of which there is
 *           no text).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_op_free(struct weft_op **op_p) WEFT_MUST_CHECK;

/**
 * weft_op_commutes - may operands be exchanged?
 *
 * Returns:  what it was made with; true for predefined ones but replace and
 *           no_op; false for NULL.
 * Blocks:   no.   Collective: no.
 */
WEFT_API bool weft_op_commutes(const struct weft_op *op);

/**
 * weft_op_userdata, weft_op_set_userdata - a pointer of the program
 *
 * userdata  kept with an operation that was made, and neither read nor freed;
 *           NULL at first
 *
 * Returns:  the pointer, NULL for NULL and for a predefined one; WEFT_OK,
 *           WEFT_ERR_ARG (NULL, a predefined one).
 * Blocks:   no.   Collective: no.
 */
WEFT_API void *weft_op_userdata(const struct weft_op *op);
WEFT_API int weft_op_set_userdata(struct weft_op *op, void *userdata)
	WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
