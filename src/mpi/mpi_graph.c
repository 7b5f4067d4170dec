/* SPDX-License-Identifier: BSD-3-Clause */
/* Graph topologies, of which each rank knows all. */
#include "mpi/error.h"
#include "mpi/mpi_handle.h"

int PMPI_Graph_create(MPI_Comm comm, int nnodes, const int index[],
		      const int edges[], int reorder, MPI_Comm *newcomm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_graph_full full = { nnodes, index, edges };
	struct weft_comm *made = NULL;
	int status = weft_graph_full_create(native, &full, NULL, reorder,
					    &made);

	*newcomm = wf_mpi_comm_handle(made);
	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Graph_create);

int PMPI_Graph_map(MPI_Comm comm, int nnodes, const int index[],
		   const int edges[], int *newrank)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_graph_full full = { nnodes, index, edges };

	return wf_mpi_on(native, weft_graph_full_map(native, &full, newrank),
			 WF_MPI_CALL);
}
WF_MPI_NAME(Graph_map);

int PMPI_Graphdims_get(MPI_Comm comm, int *nnodes, int *nedges)
{
	struct weft_comm *native = wf_mpi_comm(comm);

	return wf_mpi_on(native, weft_graph_full_dims(native, nnodes, nedges),
		     WF_MPI_CALL);
}
WF_MPI_NAME(Graphdims_get);

int PMPI_Graph_get(MPI_Comm comm, int maxindex, int maxedges, int index[],
		   int edges[])
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = weft_graph_full_get(native, maxindex, maxedges, index,
					 edges);

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Graph_get);

int PMPI_Graph_neighbors_count(MPI_Comm comm, int rank, int *nneighbors)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = weft_graph_full_neighbors_count(native, rank, nneighbors);

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Graph_neighbors_count);

int PMPI_Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors,
			 int neighbors[])
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = weft_graph_full_neighbors(native, rank, maxneighbors,
					       neighbors);

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Graph_neighbors);
