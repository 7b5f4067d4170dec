/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program can ask of a graph known as a whole: the calls. */
#include <string.h>
#include "topo/graph_full.h"

/* All of a query begins with this; an error: that was all. */
static int enter(struct weft_comm *comm, const char *call,
		 const struct wf_graph_full **full_p)
{
	int status = wf_comm_ask(comm);

	if (status)
		return status;
	*full_p = wf_graph_full_of(comm);
	if (*full_p)
		return WEFT_OK;
	status = wf_job_fail(comm->job, WEFT_ERR_GRAPH, "%s: the communicator "
			     "was not made by weft_graph_full_create()", call);
	return wf_comm_leave(comm, status);
}

static int check_max(const struct weft_comm *comm, const char *call,
		     const char *name, int max)
{
	if (max >= 0)
		return WEFT_OK;
	return wf_job_fail_for(comm->job, WEFT_ARGUMENT_COUNT, WEFT_ERR_ARG,
			       "%s: %s is %d", call, name, max);
}

static int check_rank(const struct weft_comm *comm, const char *call, int rank)
{
	if (rank >= 0 && rank < comm->size)
		return WEFT_OK;
	return wf_job_fail_for(comm->job, WEFT_ARGUMENT_RANK, WEFT_ERR_ARG,
			       "%s: rank is %d, the communicator has %d ranks",
			       call, rank, comm->size);
}

int weft_graph_full_map(struct weft_comm *comm,
			const struct weft_graph_full *full, int *rank_p)
{
	int status = wf_comm_ask(comm);

	if (status)
		return status;
	if (comm->across)
		return wf_comm_refuse_across(comm, __func__);
	status = wf_graph_full_check(comm->job, __func__, full, comm->size);
	if (!status && !rank_p)
		status = wf_job_fail_null(comm->job, __func__, "rank_p");
	if (!status)
		*rank_p = comm->rank < full->n ? comm->rank : WEFT_UNDEFINED;
	return wf_comm_leave(comm, status);
}

int weft_graph_full_dims(struct weft_comm *graph, int *n_p, int *edges_p)
{
	const struct wf_graph_full *f;
	int status = enter(graph, __func__, &f);

	if (status)
		return status;
	if (n_p)
		*n_p = f->lore.n;
	if (edges_p)
		*edges_p = f->nedges;
	return wf_comm_leave(graph, WEFT_OK);
}

/* The first ones, if they are wanted. */
static void copy(int *to, const int *from, int n, int max)
{
	int some = n < max ? n : max;

	if (to && some)
		memcpy(to, from, (size_t)some * sizeof(*to));
}

int weft_graph_full_get(struct weft_comm *graph, int max_index, int max_edges,
			int *index, int *edges)
{
	const struct wf_graph_full *f;
	int status = enter(graph, __func__, &f);

	if (status)
		return status;
	status = check_max(graph, __func__, "max_index", max_index);
	if (!status)
		status = check_max(graph, __func__, "max_edges", max_edges);
	if (!status) {
		copy(index, f->index, f->lore.n, max_index);
		copy(edges, f->edges, f->nedges, max_edges);
	}
	return wf_comm_leave(graph, status);
}

int weft_graph_full_neighbors_count(struct weft_comm *graph, int rank,
				    int *n_p)
{
	const struct wf_graph_full *f;
	int status = enter(graph, __func__, &f);

	if (status)
		return status;
	status = check_rank(graph, __func__, rank);
	if (!status && !n_p)
		status = wf_job_fail_null(graph->job, __func__, "n_p");
	if (!status)
		*n_p = f->index[rank] - wf_graph_full_first(f, rank);
	return wf_comm_leave(graph, status);
}

int weft_graph_full_neighbors(struct weft_comm *graph, int rank, int max,
			      int *ranks)
{
	const struct wf_graph_full *f;
	int status = enter(graph, __func__, &f), first, n;

	if (status)
		return status;
	status = check_rank(graph, __func__, rank);
	if (!status)
		status = check_max(graph, __func__, "max", max);
	if (status)
		return wf_comm_leave(graph, status);
	first = wf_graph_full_first(f, rank);
	n = f->index[rank] - first;
	if (n && max && !ranks)
		status = wf_job_fail_null(graph->job, __func__, "ranks");
	copy(ranks, f->edges + first, n, max);
	return wf_comm_leave(graph, status);
}
