/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What weft-bench dist is beside: the same packets gathered into an array in
 * the order of messages, exchanged by weft_neighbor_alltoallv(3), and scattered
 * out of another one, by the maps that the Dist has.
 */
#ifndef WEFT_BENCH_BY_HAND_H
#define WEFT_BENCH_BY_HAND_H

#include "bench/weft_bench_packets.h"

struct bench_by_hand {
	const struct bench_packets *p;
	struct weft_comm *graph;
	int *ranks;			/* the others */
	size_t *counts;			/* of doubles, */
	ptrdiff_t *displs;		/* and so many doubles */
	double *out, *in;		/* content */
	const int32_t *items2content;	/* of the Dist; NULL: the same order */
	const int32_t *ritems2content;
};

/* Collective. Behind an error it is closed, too. */
int bench_by_hand_open(struct bench_by_hand *h, const struct bench_packets *p,
		       const struct weft_dist *dist,
		       const struct weft_dist *inverse);
int bench_by_hand_close(struct bench_by_hand *h);

/* From items to reverse items. Collective. */
int bench_by_hand_exchange(const struct bench_by_hand *h);

#endif
