/* SPDX-License-Identifier: BSD-3-Clause */
/* Distributed graphs; and which topology a communicator has. */
#include <stdlib.h>
#include <string.h>

#include "mpi/error.h"
#include "mpi/mpi_status.h"

static const int *weights_of(const int *weights)
{
	if (weights == MPI_WEIGHTS_EMPTY)
		return WEFT_WEIGHTS_EMPTY;
	return weights == MPI_UNWEIGHTED ? NULL : weights;
}

/* Where weights go: MPI_UNWEIGHTED: nowhere. */
static int *room_of(int *weights)
{
	return weights == MPI_UNWEIGHTED || weights == MPI_WEIGHTS_EMPTY ?
		NULL : weights;
}

int PMPI_Dist_graph_create(MPI_Comm comm, int n, const int sources[],
			   const int degrees[], const int destinations[],
			   const int *weights, MPI_Info info, int reorder,
			   MPI_Comm *newcomm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_graph_edges edges = {
		n, sources, degrees, destinations, weights_of(weights)
	};
	struct weft_comm *made = NULL;
	int status = weft_graph_create(native, &edges, wf_mpi_info(info),
				       reorder, &made);

	*newcomm = wf_mpi_comm_handle(made);
	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Dist_graph_create);

/* ---- edges that a rank gives of its own ---- */

/*
 * Ranks of which some are MPI_PROC_NULL, which has another value here: a copy;
 * else the array itself.  NULL: no memory, or no ranks.
 */
static const int *ranks_of(int n, const int ranks[])
{
	int *copy = NULL;

	for (int i = 0; i < n; i++) {
		if (ranks[i] != MPI_PROC_NULL)
			continue;
		if (!copy) {
			copy = malloc((size_t)n * sizeof(*copy));
			if (!copy)
				return NULL;
			memcpy(copy, ranks, (size_t)n * sizeof(*copy));
		}
		copy[i] = WEFT_PROC_NULL;
	}
	return copy ? copy : ranks;
}

static void drop(const int *copy, const int ranks[])
{
	if (copy != ranks)
		free((int *)copy);
}

int PMPI_Dist_graph_create_adjacent(MPI_Comm comm, int indegree,
				    const int sources[],
				    const int *sourceweights, int outdegree,
				    const int destinations[],
				    const int *destweights, MPI_Info info,
				    int reorder, MPI_Comm *newcomm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_edges in = {
		indegree, ranks_of(indegree, sources),
		weights_of(sourceweights)
	};
	const struct weft_edges out = {
		outdegree, ranks_of(outdegree, destinations),
		weights_of(destweights)
	};
	struct weft_comm *made = NULL;
	int status = weft_graph_create_adjacent(native, &in, &out,
						wf_mpi_info(info), reorder,
						&made);

	drop(in.ranks, sources);
	drop(out.ranks, destinations);
	*newcomm = wf_mpi_comm_handle(made);
	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Dist_graph_create_adjacent);

/* ---- what a rank has ---- */

/* Those of nobody have the value of MPI. */
static void name_nobody(int max, int degree, int ranks[])
{
	for (int i = 0; i < max && i < degree; i++)
		ranks[i] = wf_mpi_source(ranks[i]);
}

int PMPI_Dist_graph_neighbors_count(MPI_Comm comm, int *indegree,
				    int *outdegree, int *weighted)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	bool has = false;
	int status = native ? weft_graph_degrees(native, indegree, outdegree,
						 &has) : WEFT_ERR_ARG;

	*weighted = has;
	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Dist_graph_neighbors_count);

int PMPI_Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int sources[],
			      int *sourceweights, int maxoutdegree,
			      int destinations[], int *destweights)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_neighbors in = {
		maxindegree, sources, room_of(sourceweights)
	};
	const struct weft_neighbors out = {
		maxoutdegree, destinations, room_of(destweights)
	};
	int nin = 0, nout = 0;
	int status = native ? weft_graph_degrees(native, &nin, &nout, NULL) :
			      WEFT_ERR_ARG;

	if (!status)
		status = weft_graph_neighbors(native, &in, &out);
	if (!status) {
		name_nobody(maxindegree, nin, sources);
		name_nobody(maxoutdegree, nout, destinations);
	}
	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Dist_graph_neighbors);

int PMPI_Topo_test(MPI_Comm comm, int *status)
{
	static const int of[] = {
		[WEFT_TOPO_NONE] = MPI_UNDEFINED,
		[WEFT_TOPO_GRAPH] = MPI_DIST_GRAPH,
		[WEFT_TOPO_CART] = MPI_CART,
		[WEFT_TOPO_GRAPH_FULL] = MPI_GRAPH
	};
	struct weft_comm *native = wf_mpi_comm(comm);
	enum weft_topo kind = WEFT_TOPO_NONE;
	int result = weft_topo_kind(native, &kind);

	*status = of[kind];
	return wf_mpi_on(native, result, WF_MPI_CALL);
}
WF_MPI_NAME(Topo_test);
