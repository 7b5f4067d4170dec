/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bracket of reductions, as <weft/coll.h> says it, folded on one rank by
 * weft_reduce_local(): what a call has to give, bit by bit, for any type and
 * operation.
 */
#ifndef WEFT_TESTS_SIM_BRACKET_H
#define WEFT_TESTS_SIM_BRACKET_H

#include "tests/coll/play_memory.h"

/*
 * Values of a type; without an operation nothing is folded.  They may lie as
 * those of another type do, which has the same bytes in the same order.
 */
struct bracket {
	struct play_values values;
	struct weft_job *job;
	const struct weft_type *type, *laid;
	const struct weft_op *op;
};

struct bracket bracket_of(struct weft_job *job, const struct weft_type *type,
			  const struct weft_op *op);

#endif
