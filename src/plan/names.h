/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The names of the edges of a set that go in one direction, each found in
 * constant time: mails name the edge that they are for, and a rank may have
 * many thousands.
 */
#ifndef WEFT_PLAN_NAMES_H
#define WEFT_PLAN_NAMES_H

#include "plan/edge.h"

struct wf_names {
	const struct wf_edge *first;	/* where the names lie, */
	uint32_t stride;		/* so many bytes from one to the next */
	int n;
	uint32_t *place;		/* 1 + index, or 0: free; of a few
					   names NULL; */
	uint32_t mask;			/* so many, less 1 */
};

/* Of n names, which stay where they are.  WEFT_ERR_NOMEM. */
int wf_names_init(struct wf_names *names, const struct wf_edge *first,
		  size_t stride, int n);
void wf_names_fini(struct wf_names *names);

/* The index of the edge; -1: none has the name. */
int wf_names_find(const struct wf_names *names, const struct wf_edge *edge);

#endif
