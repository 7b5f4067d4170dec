/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a reorder is computed from, on its way from all ranks to the one that
 * computes: nodes, out-edges, coordinates.
 */
#ifndef WEFT_TOPO_REORDER_INPUT_H
#define WEFT_TOPO_REORDER_INPUT_H

#include "topo/graph.h"
#include "topo/lone_mail.h"
#include "topo/reorder_keys.h"

/*
 * To the rank that computes.  graph: NULL, without edges; coords: three, or
 * NULL.  WEFT_ERR_NOMEM.
 */
int wf_reorder_mail_make(struct wf_lone_mail *mail, const struct weft_job *job,
			 const struct wf_graph *graph, const double *coords,
			 int root);

struct wf_reorder_input {
	struct wf_reorder_graph graph;
	struct wf_reorder_places places;
	int *node;			/* memory of these, */
	double *coords;			/* and of what keys point to */
	bool *keep;
};

/* From one message of each rank; WEFT_ERR_NOMEM, with nothing to free. */
int wf_reorder_input_make(struct wf_reorder_input *input,
			  const struct weft_sparse_got *got,
			  const struct wf_reorder_wishes *w);
void wf_reorder_input_free(struct wf_reorder_input *input);

#endif
