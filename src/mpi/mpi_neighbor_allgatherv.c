/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Neighbor_allgatherv in its three forms, and for large counts. */
#include "mpi/mpi_request.h"
#include "mpi/mpi_vec.h"

int PMPI_Neighbor_allgatherv(const void *sendbuf, int sendcount,
			     MPI_Datatype sendtype, void *recvbuf,
			     const int recvcounts[], const int displs[],
			     MPI_Datatype recvtype, MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec recv =
		wf_mpi_vec(recvbuf, recvcounts, displs, recvtype);
	int status = weft_neighbor_allgatherv(
		native, wf_mpi_data(sendbuf, sendcount, sendtype), &recv);

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Neighbor_allgatherv);

int PMPI_Neighbor_allgatherv_c(const void *sendbuf, MPI_Count sendcount,
			       MPI_Datatype sendtype, void *recvbuf,
			       const MPI_Count recvcounts[],
			       const MPI_Aint displs[], MPI_Datatype recvtype,
			       MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec recv =
		wf_mpi_vec_c(recvbuf, recvcounts, displs, recvtype);
	int status = weft_neighbor_allgatherv(
		native, wf_mpi_data(sendbuf, sendcount, sendtype), &recv);

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Neighbor_allgatherv_c);

int PMPI_Ineighbor_allgatherv(const void *sendbuf, int sendcount,
			      MPI_Datatype sendtype, void *recvbuf,
			      const int recvcounts[], const int displs[],
			      MPI_Datatype recvtype, MPI_Comm comm,
			      MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec recv =
		wf_mpi_vec(recvbuf, recvcounts, displs, recvtype);
	struct weft_request *made = NULL;
	int status = weft_ineighbor_allgatherv(
		native, wf_mpi_data(sendbuf, sendcount, sendtype), &recv,
		&made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Ineighbor_allgatherv);

int PMPI_Ineighbor_allgatherv_c(const void *sendbuf, MPI_Count sendcount,
				MPI_Datatype sendtype, void *recvbuf,
				const MPI_Count recvcounts[],
				const MPI_Aint displs[], MPI_Datatype recvtype,
				MPI_Comm comm, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec recv =
		wf_mpi_vec_c(recvbuf, recvcounts, displs, recvtype);
	struct weft_request *made = NULL;
	int status = weft_ineighbor_allgatherv(
		native, wf_mpi_data(sendbuf, sendcount, sendtype), &recv,
		&made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Ineighbor_allgatherv_c);

int PMPI_Neighbor_allgatherv_init(const void *sendbuf, int sendcount,
				  MPI_Datatype sendtype, void *recvbuf,
				  const int recvcounts[], const int displs[],
				  MPI_Datatype recvtype, MPI_Comm comm,
				  MPI_Info info, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec recv =
		wf_mpi_vec(recvbuf, recvcounts, displs, recvtype);
	struct weft_request *made = NULL;
	int status = weft_neighbor_allgatherv_init(
		native, wf_mpi_data(sendbuf, sendcount, sendtype), &recv,
		&made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Neighbor_allgatherv_init);

int PMPI_Neighbor_allgatherv_init_c(const void *sendbuf, MPI_Count sendcount,
				    MPI_Datatype sendtype, void *recvbuf,
				    const MPI_Count recvcounts[],
				    const MPI_Aint displs[],
				    MPI_Datatype recvtype, MPI_Comm comm,
				    MPI_Info info, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec recv =
		wf_mpi_vec_c(recvbuf, recvcounts, displs, recvtype);
	struct weft_request *made = NULL;
	int status = weft_neighbor_allgatherv_init(
		native, wf_mpi_data(sendbuf, sendcount, sendtype), &recv,
		&made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Neighbor_allgatherv_init_c);
