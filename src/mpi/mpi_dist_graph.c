/* SPDX-License-Identifier: BSD-3-Clause */
/* Distributed graphs; and which topology a communicator has. */
#include "mpi/error.h"
#include "mpi/mpi_handle.h"

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

int PMPI_Dist_graph_create_adjacent(MPI_Comm comm, int indegree,
				    const int sources[],
				    const int *sourceweights, int outdegree,
				    const int destinations[],
				    const int *destweights, MPI_Info info,
				    int reorder, MPI_Comm *newcomm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_edges in = {
		indegree, sources, weights_of(sourceweights)
	};
	const struct weft_edges out = {
		outdegree, destinations, weights_of(destweights)
	};
	struct weft_comm *made = NULL;
	int status = weft_graph_create_adjacent(native, &in, &out,
						wf_mpi_info(info), reorder,
						&made);

	*newcomm = wf_mpi_comm_handle(made);
	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Dist_graph_create_adjacent);

/* ---- what a rank has ---- */

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
	int status = native ? weft_graph_neighbors(native, &in, &out) :
			      WEFT_ERR_ARG;

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
