/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What comes along in-edges, combined into elements of the program: edge by
 * edge in their order, each once it has come whole.  That is one bracket, from
 * the left, so what an element becomes depends on nothing but the edges.
 *
 * Or it is packets that come, of some elements each, and in an order of their
 * own.
 */
#ifndef WEFT_PLAN_FOLD_H
#define WEFT_PLAN_FOLD_H

#include <stdbool.h>
#include <stdint.h>
#include "type/combination.h"
#include "type/kernel_at.h"

enum { WF_FOLD_IDENTITY = 32 };		/* bytes of an element at most */

/* What one is made of. */
struct wf_fold_shape {
	struct wf_combination with;
	const struct weft_type *type;	/* of both; held */
	char *base;			/* elements of the program */
	const uint32_t *at;		/* of each that comes, edge by edge:
					   which one; NULL: the first ones */
	size_t n;			/* that come, */
	size_t most;			/* along one edge */
	const struct wf_fold_packets *packets;	/* NULL: at has elements */
};

/* Packets: at is somebody's else, and has those of the program. */
struct wf_fold_packets {
	size_t width;			/* elements of each */
	size_t n;			/* of the program */
	const void *identity;		/* an element, which all are before;
					   NULL: WF_FOLD_FIRST replaces */
	const uint32_t *order;		/* in which they are combined, all that
					   come; NULL: in that of edges */
	wf_kernel_at each;		/* of packets of one element that have
					   an identity; NULL: by runs */
};

#define WF_FOLD_FIRST (UINT32_C(1) << 31)	/* in at: the first one there */

struct wf_fold {
	struct wf_fold_shape of;	/* at: here; the combination is held */
	struct wf_fold_packets packets;
	unsigned char identity[WF_FOLD_IDENTITY];
	int next;			/* the edge whose turn it is, */
	size_t from;			/* and its first element in at */
	size_t some;			/* elements that left has room for */
	char *left;			/* packed; NULL: they are as they lie */
	uint32_t at[];
};

/* WEFT_ERR_NOMEM. */
int wf_fold_make(const struct wf_fold_shape *of, struct wf_fold **fold_p);
void wf_fold_free(struct wf_fold *fold);

/* Before each start. */
void wf_fold_rewind(struct wf_fold *fold);

/* What the next edge has brought, packed; it is overwritten. */
void wf_fold_take(struct wf_fold *fold, char *data, uint64_t bytes);

/* All packets, which lie edge behind edge, in their own order. */
void wf_fold_take_ordered(struct wf_fold *fold, char *data);

#endif
