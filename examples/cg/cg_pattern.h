/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CG_PATTERN_H
#define CG_PATTERN_H

#include "cg_halo.h"

/*
 * Fills the lists of the halo (all but what the library owns) from the rows
 * `a` of this rank, and renumbers their columns.  No message is needed.  After
 * a failure, too, cg_pattern_free() frees what is there.
 */
int cg_pattern_make(struct cg_halo *halo, const struct cg_blocks *blocks,
		    struct cg_csr *a, struct cg_why *why);
void cg_pattern_free(struct cg_halo *halo);

#endif
