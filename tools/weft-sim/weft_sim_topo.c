/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs of --graph: see weft_sim_topo.h. */
#include "tools/weft-sim/weft_sim_topo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft.h>

#include "tools/weft-sim/weft_sim_graph.h"

bool wsim_topo_is_made(enum wsim_command command)
{
	return command == WSIM_GRAPH || command == WSIM_GRAPH_ANY ||
	       command == WSIM_REORDER;
}

static struct weft_edges edges_of(const struct wsim_graph *g, int rank,
				  bool out)
{
	const size_t *first = out ? g->out : g->in;

	return (struct weft_edges){
		(int)(first[rank + 1] - first[rank]),
		(out ? g->to : g->from) + first[rank], NULL
	};
}

/* info NULL: ranks stay. */
static int make_adjacent(const struct wsim_run *run, struct weft_comm *world,
			 const struct weft_info *info,
			 struct weft_comm **graph_p)
{
	int me = weft_comm_rank(world);
	struct weft_edges in = edges_of(run->graph, me, false);
	struct weft_edges out = edges_of(run->graph, me, true);

	return weft_graph_create_adjacent(world, &in, &out, info, info != NULL,
					  graph_p);
}

int wsim_topo_adjacent(const struct wsim_run *run, struct weft_comm *world,
		       struct weft_comm **graph_p)
{
	return make_adjacent(run, world, NULL, graph_p);
}

static int make_reordered(const struct wsim_run *run, struct weft_comm *world,
			  struct weft_comm **graph_p)
{
	struct weft_info *info;
	int status = weft_info_create(weft_comm_job(world), &info), freed;

	if (status)
		return status;
	status = weft_info_set(info, "weft_reorder", run->options->method);
	if (!status)
		status = make_adjacent(run, world, info, graph_p);
	freed = weft_info_free(&info);
	return status ? status : freed;
}

int wsim_topo_make(const struct wsim_run *run, struct weft_comm *world,
		   struct weft_comm **graph_p)
{
	int size = weft_comm_size(world);
	int source = (weft_comm_rank(world) + size - 1) % size;
	struct weft_edges out = edges_of(run->graph, source, true);

	if (run->options->command == WSIM_GRAPH)
		return wsim_topo_adjacent(run, world, graph_p);
	if (run->options->command == WSIM_REORDER)
		return make_reordered(run, world, graph_p);
	return weft_graph_create(world, &(struct weft_graph_edges){
		1, &source, &out.n, out.ranks, NULL
	}, NULL, false, graph_p);
}

static int by_rank(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

/* In their order, or, from edges that others have given, in that of ranks. */
static bool side_is_wrong(const struct wsim_run *run,
			  const struct weft_comm *graph, bool out)
{
	struct weft_edges e = edges_of(run->graph, weft_comm_rank(graph), out);
	size_t n = (size_t)e.n, bytes = n * sizeof(int);
	int *ranks = malloc(2 * bytes + 1), *want = ranks + n;
	const struct weft_neighbors side = { e.n, ranks, NULL };
	bool wrong = !ranks;

	if (wrong)
		return true;
	memcpy(want, e.ranks, bytes);
	if (run->options->command == WSIM_GRAPH_ANY)
		qsort(want, n, sizeof(int), by_rank);
	wrong = weft_graph_neighbors(graph, out ? NULL : &side,
				     out ? &side : NULL) ||
		memcmp(ranks, want, bytes);
	free(ranks);
	return wrong;
}

static bool is_same(const struct weft_reorder_cost *a,
		    const struct weft_reorder_cost *b)
{
	return a->sum == b->sum && a->max == b->max &&
	       a->messages == b->messages;
}

/* All ranks hear the same, and that nothing has become worse. */
static bool moved_is_wrong(struct wsim_run *run, long op,
			   const struct weft_comm *graph)
{
	struct wsim_moved *moved = &run->moved;
	struct weft_reorder_info info;

	if (weft_reorder_query(graph, &info))
		return true;
	if (moved->op != op) {
		*moved = (struct wsim_moved){ op, info.moved, info.before,
					      info.after, "" };
		snprintf(moved->why, sizeof(moved->why), "%s",
			 info.why ? info.why : "");
	}
	return info.moved != moved->moved ||
	       !is_same(&info.before, &moved->before) ||
	       !is_same(&info.after, &moved->after) ||
	       info.after.sum > info.before.sum;
}

bool wsim_topo_is_wrong(struct wsim_run *run, long op,
			struct weft_comm **graph_p)
{
	int me = weft_comm_rank(*graph_p), nin, nout;
	bool wrong = weft_graph_degrees(*graph_p, &nin, &nout, NULL) ||
		     nin != edges_of(run->graph, me, false).n ||
		     nout != edges_of(run->graph, me, true).n ||
		     side_is_wrong(run, *graph_p, false) ||
		     side_is_wrong(run, *graph_p, true);

	if (run->options->command == WSIM_REORDER)
		wrong |= moved_is_wrong(run, op, *graph_p);
	return weft_comm_free(graph_p) || wrong;
}
