/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Neighbor_allgather in its three forms, and for large counts. */
#include "mpi/mpi_request.h"

int PMPI_Neighbor_allgather(const void *sendbuf, int sendcount,
			    MPI_Datatype sendtype, void *recvbuf, int recvcount,
			    MPI_Datatype recvtype, MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = weft_neighbor_allgather(
		native, wf_mpi_data(sendbuf, sendcount, sendtype),
		wf_mpi_data(recvbuf, recvcount, recvtype));

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Neighbor_allgather);

int PMPI_Neighbor_allgather_c(const void *sendbuf, MPI_Count sendcount,
			      MPI_Datatype sendtype, void *recvbuf,
			      MPI_Count recvcount, MPI_Datatype recvtype,
			      MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = weft_neighbor_allgather(
		native, wf_mpi_data(sendbuf, sendcount, sendtype),
		wf_mpi_data(recvbuf, recvcount, recvtype));

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Neighbor_allgather_c);

int PMPI_Ineighbor_allgather(const void *sendbuf, int sendcount,
			     MPI_Datatype sendtype, void *recvbuf,
			     int recvcount, MPI_Datatype recvtype,
			     MPI_Comm comm, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_ineighbor_allgather(
		native, wf_mpi_data(sendbuf, sendcount, sendtype),
		wf_mpi_data(recvbuf, recvcount, recvtype), &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Ineighbor_allgather);

int PMPI_Ineighbor_allgather_c(const void *sendbuf, MPI_Count sendcount,
			       MPI_Datatype sendtype, void *recvbuf,
			       MPI_Count recvcount, MPI_Datatype recvtype,
			       MPI_Comm comm, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_ineighbor_allgather(
		native, wf_mpi_data(sendbuf, sendcount, sendtype),
		wf_mpi_data(recvbuf, recvcount, recvtype), &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Ineighbor_allgather_c);

int PMPI_Neighbor_allgather_init(const void *sendbuf, int sendcount,
				 MPI_Datatype sendtype, void *recvbuf,
				 int recvcount, MPI_Datatype recvtype,
				 MPI_Comm comm, MPI_Info info,
				 MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_neighbor_allgather_init(
		native, wf_mpi_data(sendbuf, sendcount, sendtype),
		wf_mpi_data(recvbuf, recvcount, recvtype), &made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Neighbor_allgather_init);

int PMPI_Neighbor_allgather_init_c(const void *sendbuf, MPI_Count sendcount,
				   MPI_Datatype sendtype, void *recvbuf,
				   MPI_Count recvcount, MPI_Datatype recvtype,
				   MPI_Comm comm, MPI_Info info,
				   MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_neighbor_allgather_init(
		native, wf_mpi_data(sendbuf, sendcount, sendtype),
		wf_mpi_data(recvbuf, recvcount, recvtype), &made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Neighbor_allgather_init_c);
