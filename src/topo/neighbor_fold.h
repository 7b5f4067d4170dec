/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The receiving side of a neighbour reduction: its arguments, checked, and the
 * fold that is made of them.  What arrives is packed, edge behind edge.
 */
#ifndef WEFT_TOPO_NEIGHBOR_FOLD_H
#define WEFT_TOPO_NEIGHBOR_FOLD_H

#include <weft/fold.h>
#include "plan/fold.h"
#include "plan/vec_arg.h"
#include "topo/wired.h"

/* As the call was given it. */
struct wf_folded {
	const struct weft_fold *to;
	const struct weft_op *op;
};

/* Checks it, tells what is wrong, and fills in extents. */
int wf_folded_extents(const struct wf_folded *folded, struct wf_vec_arg *a,
		      struct wf_extent *extent);

/* The following of n edges, 1 or more, that were checked just now. */
void wf_folded_parts(const struct wf_folded *folded, int n,
		     struct wf_staged_part *part);

/* Of what comes along those with another end; WEFT_ERR_NOMEM. */
int wf_folded_make(const struct wf_folded *folded, struct weft_job *job,
		   const struct wf_wired *wired, struct wf_fold **fold_p);

#endif
