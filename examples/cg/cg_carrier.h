/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What carries the exchange: edges by transport, and by whether the neighbour
 * is on the same host.
 */
#ifndef CG_CARRIER_H
#define CG_CARRIER_H

#include <stdint.h>

/* One class of edges; a place in a list without edges is not used. */
struct cg_carrier {
	char transport[16];
	int64_t same_host;	/* 0 or 1 */
	int64_t edges;
	int64_t bytes;		/* per exchange */
};

/* Classes that are told apart; what is beyond counts as the last one. */
#define CG_CARRIERS 6

/* Adds the edges of one class to the list of them. */
void cg_carrier_add(struct cg_carrier list[CG_CARRIERS],
		    const struct cg_carrier *more);

#endif
