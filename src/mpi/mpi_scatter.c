/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Scatter in its three forms, and for large counts. */
#include "mpi/mpi_request.h"

int PMPI_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
		 void *recvbuf, int recvcount, MPI_Datatype recvtype, int root,
		 MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = weft_scatter(native,
				  wf_mpi_data(sendbuf, sendcount, sendtype),
				  wf_mpi_data(recvbuf, recvcount, recvtype),
				  root);

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Scatter);

int PMPI_Scatter_c(const void *sendbuf, MPI_Count sendcount,
		   MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
		   MPI_Datatype recvtype, int root, MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = weft_scatter(native,
				  wf_mpi_data(sendbuf, sendcount, sendtype),
				  wf_mpi_data(recvbuf, recvcount, recvtype),
				  root);

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Scatter_c);

int PMPI_Iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
		  void *recvbuf, int recvcount, MPI_Datatype recvtype, int root,
		  MPI_Comm comm, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_iscatter(native,
				   wf_mpi_data(sendbuf, sendcount, sendtype),
				   wf_mpi_data(recvbuf, recvcount, recvtype),
				   root, &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Iscatter);

int PMPI_Iscatter_c(const void *sendbuf, MPI_Count sendcount,
		    MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
		    MPI_Datatype recvtype, int root, MPI_Comm comm,
		    MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_iscatter(native,
				   wf_mpi_data(sendbuf, sendcount, sendtype),
				   wf_mpi_data(recvbuf, recvcount, recvtype),
				   root, &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Iscatter_c);

int PMPI_Scatter_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
		      void *recvbuf, int recvcount, MPI_Datatype recvtype,
		      int root, MPI_Comm comm, MPI_Info info,
		      MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status =
		weft_scatter_init(native,
				  wf_mpi_data(sendbuf, sendcount, sendtype),
				  wf_mpi_data(recvbuf, recvcount, recvtype),
				  root, &made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Scatter_init);

int PMPI_Scatter_init_c(const void *sendbuf, MPI_Count sendcount,
			MPI_Datatype sendtype, void *recvbuf,
			MPI_Count recvcount, MPI_Datatype recvtype, int root,
			MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status =
		weft_scatter_init(native,
				  wf_mpi_data(sendbuf, sendcount, sendtype),
				  wf_mpi_data(recvbuf, recvcount, recvtype),
				  root, &made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Scatter_init_c);
