/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Gatherv in its three forms, and for large counts. */
#include "mpi/mpi_request.h"
#include "mpi/mpi_vec.h"

int PMPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
		 void *recvbuf, const int recvcounts[], const int displs[],
		 MPI_Datatype recvtype, int root, MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec recv =
		wf_mpi_vec(recvbuf, recvcounts, displs, recvtype);
	int status = weft_gatherv(native,
				  wf_mpi_data(sendbuf, sendcount, sendtype),
				  &recv, root);

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Gatherv);

int PMPI_Gatherv_c(const void *sendbuf, MPI_Count sendcount,
		   MPI_Datatype sendtype, void *recvbuf,
		   const MPI_Count recvcounts[], const MPI_Aint displs[],
		   MPI_Datatype recvtype, int root, MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec recv =
		wf_mpi_vec_c(recvbuf, recvcounts, displs, recvtype);
	int status = weft_gatherv(native,
				  wf_mpi_data(sendbuf, sendcount, sendtype),
				  &recv, root);

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Gatherv_c);

int PMPI_Igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
		  void *recvbuf, const int recvcounts[], const int displs[],
		  MPI_Datatype recvtype, int root, MPI_Comm comm,
		  MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec recv =
		wf_mpi_vec(recvbuf, recvcounts, displs, recvtype);
	struct weft_request *made = NULL;
	int status = weft_igatherv(native,
				   wf_mpi_data(sendbuf, sendcount, sendtype),
				   &recv, root, &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Igatherv);

int PMPI_Igatherv_c(const void *sendbuf, MPI_Count sendcount,
		    MPI_Datatype sendtype, void *recvbuf,
		    const MPI_Count recvcounts[], const MPI_Aint displs[],
		    MPI_Datatype recvtype, int root, MPI_Comm comm,
		    MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec recv =
		wf_mpi_vec_c(recvbuf, recvcounts, displs, recvtype);
	struct weft_request *made = NULL;
	int status = weft_igatherv(native,
				   wf_mpi_data(sendbuf, sendcount, sendtype),
				   &recv, root, &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Igatherv_c);

int PMPI_Gatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
		      void *recvbuf, const int recvcounts[], const int displs[],
		      MPI_Datatype recvtype, int root, MPI_Comm comm,
		      MPI_Info info, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec recv =
		wf_mpi_vec(recvbuf, recvcounts, displs, recvtype);
	struct weft_request *made = NULL;
	int status =
		weft_gatherv_init(native,
				  wf_mpi_data(sendbuf, sendcount, sendtype),
				  &recv, root, &made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Gatherv_init);

int PMPI_Gatherv_init_c(const void *sendbuf, MPI_Count sendcount,
			MPI_Datatype sendtype, void *recvbuf,
			const MPI_Count recvcounts[], const MPI_Aint displs[],
			MPI_Datatype recvtype, int root, MPI_Comm comm,
			MPI_Info info, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec recv =
		wf_mpi_vec_c(recvbuf, recvcounts, displs, recvtype);
	struct weft_request *made = NULL;
	int status =
		weft_gatherv_init(native,
				  wf_mpi_data(sendbuf, sendcount, sendtype),
				  &recv, root, &made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Gatherv_init_c);
