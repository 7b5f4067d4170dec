/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which process has which block of rows: the library reorders the graph that
 * the halos make, so that what needs much of each other is on one node.
 */
#ifndef CG_ORDER_H
#define CG_ORDER_H

#include <weft/reorder.h>

#include "cg_csr.h"
#include "cg_partition.h"
#include "cg_ranks.h"

struct cg_order {
	struct weft_comm *comm;		/* NULL: that of the job */
	struct weft_reorder_info info;	/* what has moved */
};

/*
 * By a method of weft_reorder(3).  Rank 0, which reads files, stays.  The
 * columns of the rows are renumbered, so they are of no use any more.
 * Collective; failures are told.
 */
int cg_order_find(struct cg_order *order, const struct cg_ranks *ranks,
		  const char *method, const struct cg_blocks *blocks,
		  struct cg_csr *rows);
void cg_order_close(struct cg_order *order, const struct cg_ranks *ranks);

#endif
