/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From the arguments of a neighbour exchange to a plan and a request.
 */
#ifndef WEFT_TOPO_NEIGHBOR_PLAN_H
#define WEFT_TOPO_NEIGHBOR_PLAN_H

#include "topo/graph.h"

struct wf_sides;

/*
 * Check the arguments and fill graph->extent; an error is told.  With
 * WEFT_CHECK=0 only what is computed anyway is checked.
 */
int wf_neighbor_extents(struct wf_graph *graph, const char *call,
			const struct wf_sides *sides);

/*
 * Where graph->with_nobody says so, behind that and before anything else:
 * extents of edges of nobody go, and graph->gaps is what the sides say.
 */
void wf_neighbor_leave_out(struct wf_graph *graph,
			   const struct wf_sides *sides);

/*
 * Of arguments that were checked just now, where graph->gaps says that some are
 * not packed; WEFT_ERR_NOMEM.
 */
int wf_neighbor_stage(struct wf_graph *graph, const struct wf_sides *sides,
		      struct wf_staged **staged_p);

/* Memory of the program, or the copy in the place of it, which is the run's. */
void wf_neighbor_aim(struct wf_run *run, const struct wf_sides *sides,
		     struct wf_staged *staged);

/* The same, and what is given is there: it is started now. */
void wf_neighbor_load(struct wf_run *run, const struct wf_sides *sides,
		      struct wf_staged *staged);

/* Once more, of packets that begin here now. */
void wf_neighbor_reload(struct wf_run *run, char *const base[2]);

/*
 * A request on the set of the graph with a plan for graph->extent, kept from
 * an earlier call or built now; refused: a plan of edges alone.
 */
int wf_neighbor_request(struct wf_graph *graph, int refused,
			struct wf_run_request **req_p);

/*
 * May it stay with who has used it?  It keeps its plan in the graph, which has
 * places for others then.
 */
bool wf_neighbor_may_stay(const struct wf_graph *graph,
			  const struct wf_run_request *req);

/*
 * There is no memory for a call: its epoch is refused all the same, by a run
 * that was made with the graph.  Waits for it where calls fail in a row.
 */
void wf_neighbor_refuse(struct wf_graph *graph, const char *call, int status);

/* That run, when the graph is made and when it goes. */
int wf_neighbor_reserve(struct wf_graph *graph);
void wf_neighbor_reserve_fini(struct wf_graph *graph);

/* As errors and reports name runs that no call has used yet. */
extern const char wf_neighbor_call[];

/* A plan on a set of the graph for these extents. */
int wf_neighbor_build(struct wf_graph *graph, struct wf_set *set,
		      const struct wf_extent *extent,
		      struct wf_plan **plan_p);

#endif
