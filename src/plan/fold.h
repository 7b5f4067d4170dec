/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What comes along in-edges, combined into elements of the program: edge by
 * edge in their order, each once it has come whole.  That is one bracket, from
 * the left, so what an element becomes depends on nothing but the edges.
 */
#ifndef WEFT_PLAN_FOLD_H
#define WEFT_PLAN_FOLD_H

#include <stdbool.h>
#include <stdint.h>
#include "type/combination.h"

/* What one is made of. */
struct wf_fold_shape {
	struct wf_combination with;
	const struct weft_type *type;	/* of both; somebody holds it */
	char *base;			/* elements of the program */
	const uint32_t *at;		/* of each that comes, edge by edge:
					   which one; NULL: the first ones */
	size_t n;			/* that come, */
	size_t most;			/* along one edge */
};

struct wf_fold {
	struct wf_fold_shape of;	/* at: here; the combination is held */
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
static inline void wf_fold_rewind(struct wf_fold *fold)
{
	fold->next = 0;
	fold->from = 0;
}

/* What the next edge has brought, packed; it is overwritten. */
void wf_fold_take(struct wf_fold *fold, char *data, uint64_t bytes);

#endif
