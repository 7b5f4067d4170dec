/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The picture of an order: communication matrix, nodes and figures, before and
 * after.
 */
#ifndef WEFT_TOOL_TOPO_PICTURE_H
#define WEFT_TOOL_TOPO_PICTURE_H

#include "tools/weft-topo/weft_topo_order.h"

enum { WTOPO_SIDE_MAX = 256 };	/* cells of a matrix, each way */

/* Places share cells where there are more of them. */
struct wtopo_matrix {
	int side;
	int64_t *weight;	/* side * side, row by row */
};

struct wtopo_picture {
	const struct wtopo_order *order;
	struct wtopo_matrix before, after;
	int64_t most;		/* of one cell of either */
};

/* False: no memory, which was said; nothing to free. */
bool wtopo_picture_make(struct wtopo_picture *picture,
			const struct wtopo_order *order);
void wtopo_picture_free(struct wtopo_picture *picture);

/* weft_topo_svg.c: writes it; arg is a picture. */
void wtopo_picture_put(FILE *to, const void *arg);

#endif
