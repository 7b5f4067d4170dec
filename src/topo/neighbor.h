/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Neighbour exchanges of the program in their three forms: blocking,
 * nonblocking and persistent.  What differs between calls is what their sides
 * are given.
 */
#ifndef WEFT_TOPO_NEIGHBOR_H
#define WEFT_TOPO_NEIGHBOR_H

#include "topo/neighbor_side.h"

struct weft_comm;
struct weft_request;
struct wf_run_request;

/* All of a public call; name: how errors and reports name it. */
int wf_neighbor_block(struct weft_comm *graph, const char *name,
		      const struct wf_sides *sides);
int wf_neighbor_once(struct weft_comm *graph, const char *name,
		     const struct wf_sides *sides, struct weft_request **req_p);

/*
 * One that blocks, with the job entered and a good graph.  status: an error of
 * this rank, told; its epoch is refused then, and sides are not looked at.
 */
int wf_neighbor_inside(struct weft_comm *graph, const char *name, int status,
		       const struct wf_sides *sides);

/*
 * The same of packets; *stays_p: with what was found out for it the next one
 * can begin, or NULL: none could, or little would be gained.
 */
int wf_neighbor_first(struct weft_comm *graph, const char *name,
		      const struct wf_sides *sides,
		      struct wf_run_request **stays_p);

/*
 * Once more, with the graph held, of packets of the same number, type and
 * width, which begin here.  WEFT_ERR_NOMEM before anything was done, untold:
 * wf_neighbor_wake().
 */
int wf_neighbor_wake(struct wf_run_request *req);
int wf_neighbor_again(struct wf_run_request *req, const char *name,
		      char *const base[2]);

/* One that does not block, or is persistent, with a good graph entered. */
int wf_neighbor_begin(struct weft_comm *graph, const char *name,
		      const struct wf_sides *sides,
		      struct weft_request **req_p);
int wf_neighbor_prepare(struct weft_comm *graph, const char *name,
			const struct wf_sides *sides,
			struct weft_request **req_p);

/* It does not stay. */
void wf_neighbor_leave(struct wf_run_request *req);

/* A request exists everywhere or nowhere, so the ranks wait for each other. */
int wf_neighbor_init(struct weft_comm *graph, const char *name,
		     const struct wf_sides *sides, struct weft_request **req_p);

#endif
