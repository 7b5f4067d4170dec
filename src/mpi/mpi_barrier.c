/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Barrier in its three forms. */
#include "mpi/mpi_request.h"

int PMPI_Barrier(MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = weft_barrier(native);

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Barrier);

int PMPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_ibarrier(native, &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Ibarrier);

int PMPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_barrier_init(native, &made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Barrier_init);
