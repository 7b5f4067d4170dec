/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Bcast in its three forms, and for large counts. */
#include "mpi/mpi_request.h"

int PMPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root,
	       MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = weft_bcast(native, wf_mpi_data(buffer, count, datatype),
				root);

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Bcast);

int PMPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root,
		 MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = weft_bcast(native, wf_mpi_data(buffer, count, datatype),
				root);

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Bcast_c);

int PMPI_Ibcast(void *buffer, int count, MPI_Datatype datatype, int root,
		MPI_Comm comm, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_ibcast(native, wf_mpi_data(buffer, count, datatype),
				 root, &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Ibcast);

int PMPI_Ibcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype,
		  int root, MPI_Comm comm, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_ibcast(native, wf_mpi_data(buffer, count, datatype),
				 root, &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Ibcast_c);

int PMPI_Bcast_init(void *buffer, int count, MPI_Datatype datatype, int root,
		    MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_bcast_init(native,
				     wf_mpi_data(buffer, count, datatype),
				     root, &made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Bcast_init);

int PMPI_Bcast_init_c(void *buffer, MPI_Count count, MPI_Datatype datatype,
		      int root, MPI_Comm comm, MPI_Info info,
		      MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_bcast_init(native,
				     wf_mpi_data(buffer, count, datatype),
				     root, &made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Bcast_init_c);
