/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A graph: the edges of this rank, the exchange set of blocking and
 * nonblocking calls, and the plans and requests that wait to be used again.
 */
#ifndef WEFT_TOPO_GRAPH_H
#define WEFT_TOPO_GRAPH_H

#include "plan/request_run.h"
#include "plan/vec_arg.h"
#include "topo/lore.h"
#include "topo/topo.h"
#include "topo/wired.h"

enum {
	WF_GRAPH_PLANS = 8		/* kept per graph */
};

/*
 * A plan that was made for these extents: of out-edges first, then of in-edges,
 * those of nobody left out.
 */
struct wf_kept_plan {
	struct wf_plan *plan;
	struct wf_extent *extent;
	int users;			/* runs under way */
	uint64_t last_use;
};

struct wf_reordered;

struct wf_graph {
	struct wf_topo topo;
	struct weft_comm *comm;
	struct wf_lore *lore;		/* NULL: it is a distributed one */
	int nout, nin;			/* also those of nobody */
	struct wf_edge *out, *in;
	struct wf_wired wired_out, wired_in;
	int *out_weight, *in_weight;	/* NULL: none, or no edges */
	struct wf_reordered *reordered;	/* NULL: the ranks are the parent's */
	struct wf_run reserve;		/* for calls without memory */
	struct wf_set *set;		/* number 0 */
	struct wf_kept_plan *kept;	/* so many; NULL: none so far */
	uint64_t uses;
	struct wf_extent *extent;	/* of the call that is being checked, */
	bool gaps;			/* whose elements are not all packed,
					   or which has parts of nobody */
	bool with_nobody;		/* some edges are not wired */
	bool weighted;			/* as all ranks agree, if they are
					   asked */
	struct wf_run_requests requests;
};

/* The graph of a communicator that has one, an intercommunicator, too. */
static inline struct wf_graph *wf_graph_inside(const struct weft_comm *comm)
{
	return wf_container(comm->topo, struct wf_graph, topo.cargo);
}

/* NULL: it is none, or an intercommunicator, whose graph is the library's. */
static inline struct wf_graph *wf_graph_of(const struct weft_comm *comm)
{
	return comm && comm->topo && !comm->across ? wf_graph_inside(comm) :
						     NULL;
}

/* All of a public call on one that is no graph, or NULL: its error. */
int wf_graph_refuse(const struct weft_comm *comm, const char *call);

/*
 * To a communicator that has no topology; takes a reference to the lore, where
 * there is one; some of it may be there behind an
 * error, and goes with the communicator.  The ids of its sets are taken in any
 * case.  WEFT_ERR_NOMEM.
 */
int wf_graph_attach(struct weft_comm *comm, struct wf_lore *lore,
		    const struct weft_edges *in, const struct weft_edges *out);

/* Have its edges weights?  As all ranks agree; else there are none. */
void wf_graph_weigh(struct wf_graph *graph, bool weighted);

int wf_graph_make_set(struct wf_graph *graph, uint32_t number, int window,
		      struct wf_set **set_p);

#endif
