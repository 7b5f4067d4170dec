/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All edges of a rank on their way to the process that takes its place: the
 * neighbours keep their names, as their places have moved, too.
 */
#ifndef WEFT_TOPO_GRAPH_MOVE_H
#define WEFT_TOPO_GRAPH_MOVE_H

#include "topo/graph.h"
#include "topo/lone_mail.h"

/* WEFT_ERR_NOMEM. */
int wf_move_mail_make(struct wf_lone_mail *mail, const struct wf_graph *graph,
		      int to);

/* The one message that has come: edges in its memory, weighted or not. */
void wf_move_read(const struct weft_sparse_got *got, bool weighted,
		  struct weft_edges *in, struct weft_edges *out);

#endif
