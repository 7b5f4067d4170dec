/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts edges by class.  Called by each rank for its own edges, and by the
 * report for those of all ranks.
 */
#include "cg_carrier.h"

#include <stdbool.h>
#include <string.h>

static bool same_class(const struct cg_carrier *a, const struct cg_carrier *b)
{
	return a->same_host == b->same_host &&
		strcmp(a->transport, b->transport) == 0;
}

void cg_carrier_add(struct cg_carrier list[CG_CARRIERS],
		    const struct cg_carrier *more)
{
	int i = 0;

	while (i < CG_CARRIERS - 1 && list[i].edges > 0 &&
	       !same_class(&list[i], more))
		i++;
	if (list[i].edges == 0) {
		list[i] = *more;
		return;
	}
	list[i].edges += more->edges;
	list[i].bytes += more->bytes;
}
