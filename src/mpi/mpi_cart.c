/* SPDX-License-Identifier: BSD-3-Clause */
/* Cartesian topologies. */
#include "mpi/error.h"
#include "mpi/mpi_handle.h"

int PMPI_Cart_create(MPI_Comm comm, int ndims, const int dims[],
		     const int periods[], int reorder, MPI_Comm *newcomm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_grid grid = { ndims, dims, periods };
	struct weft_comm *made = NULL;
	int status = weft_cart_create(native, &grid, NULL, reorder, &made);

	*newcomm = wf_mpi_comm_handle(made);
	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Cart_create);

int PMPI_Cart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm *newcomm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_comm *made = NULL;
	int status = weft_cart_sub(native, remain_dims, &made);

	*newcomm = wf_mpi_comm_handle(made);
	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Cart_sub);

int PMPI_Cart_map(MPI_Comm comm, int ndims, const int dims[],
		  const int periods[], int *newrank)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_grid grid = { ndims, dims, periods };
	int status = weft_cart_map(native, &grid, newrank);

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Cart_map);

int PMPI_Cartdim_get(MPI_Comm comm, int *ndims)
{
	struct weft_comm *native = wf_mpi_comm(comm);

	return wf_mpi_on(native, weft_cart_ndims(native, ndims), WF_MPI_CALL);
}
WF_MPI_NAME(Cartdim_get);

int PMPI_Cart_get(MPI_Comm comm, int maxdims, int dims[], int periods[],
		  int coords[])
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = weft_cart_get(native, maxdims, dims, periods, coords);

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Cart_get);

int PMPI_Cart_rank(MPI_Comm comm, const int coords[], int *rank)
{
	struct weft_comm *native = wf_mpi_comm(comm);

	return wf_mpi_on(native, weft_cart_rank(native, coords, rank),
		     WF_MPI_CALL);
}
WF_MPI_NAME(Cart_rank);

int PMPI_Cart_coords(MPI_Comm comm, int rank, int maxdims, int coords[])
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = weft_cart_coords(native, rank, maxdims, coords);

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Cart_coords);

int PMPI_Cart_shift(MPI_Comm comm, int direction, int disp, int *source,
		    int *dest)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = weft_cart_shift(native, direction, disp, source, dest);

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Cart_shift);

int PMPI_Dims_create(int nnodes, int ndims, int dims[])
{
	int status = weft_dims_create(wf_mpi.job, nnodes, ndims, dims);

	if (status && wf_mpi.job && status != WEFT_ERR_NOMEM)
		return wf_mpi_refuse(NULL, MPI_ERR_DIMS, "%s",
				     weft_error_text(wf_mpi.job));
	return wf_mpi_done(status, WF_MPI_CALL);
}
WF_MPI_NAME(Dims_create);
