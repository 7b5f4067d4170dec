/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Alltoallv in its three forms, and for large counts. */
#include "mpi/mpi_request.h"
#include "mpi/mpi_vec.h"

int PMPI_Alltoallv(const void *sendbuf, const int sendcounts[],
		   const int sdispls[], MPI_Datatype sendtype, void *recvbuf,
		   const int recvcounts[], const int rdispls[],
		   MPI_Datatype recvtype, MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec send =
		wf_mpi_vec(sendbuf, sendcounts, sdispls, sendtype);
	const struct weft_vec recv =
		wf_mpi_vec(recvbuf, recvcounts, rdispls, recvtype);
	int status = weft_alltoallv(native, &send, &recv);

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Alltoallv);

int PMPI_Alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[],
		     const MPI_Aint sdispls[], MPI_Datatype sendtype,
		     void *recvbuf, const MPI_Count recvcounts[],
		     const MPI_Aint rdispls[], MPI_Datatype recvtype,
		     MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec send =
		wf_mpi_vec_c(sendbuf, sendcounts, sdispls, sendtype);
	const struct weft_vec recv =
		wf_mpi_vec_c(recvbuf, recvcounts, rdispls, recvtype);
	int status = weft_alltoallv(native, &send, &recv);

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Alltoallv_c);

int PMPI_Ialltoallv(const void *sendbuf, const int sendcounts[],
		    const int sdispls[], MPI_Datatype sendtype, void *recvbuf,
		    const int recvcounts[], const int rdispls[],
		    MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec send =
		wf_mpi_vec(sendbuf, sendcounts, sdispls, sendtype);
	const struct weft_vec recv =
		wf_mpi_vec(recvbuf, recvcounts, rdispls, recvtype);
	struct weft_request *made = NULL;
	int status = weft_ialltoallv(native, &send, &recv, &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Ialltoallv);

int PMPI_Ialltoallv_c(const void *sendbuf, const MPI_Count sendcounts[],
		      const MPI_Aint sdispls[], MPI_Datatype sendtype,
		      void *recvbuf, const MPI_Count recvcounts[],
		      const MPI_Aint rdispls[], MPI_Datatype recvtype,
		      MPI_Comm comm, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec send =
		wf_mpi_vec_c(sendbuf, sendcounts, sdispls, sendtype);
	const struct weft_vec recv =
		wf_mpi_vec_c(recvbuf, recvcounts, rdispls, recvtype);
	struct weft_request *made = NULL;
	int status = weft_ialltoallv(native, &send, &recv, &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Ialltoallv_c);

int PMPI_Alltoallv_init(const void *sendbuf, const int sendcounts[],
			const int sdispls[], MPI_Datatype sendtype,
			void *recvbuf, const int recvcounts[],
			const int rdispls[], MPI_Datatype recvtype,
			MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec send =
		wf_mpi_vec(sendbuf, sendcounts, sdispls, sendtype);
	const struct weft_vec recv =
		wf_mpi_vec(recvbuf, recvcounts, rdispls, recvtype);
	struct weft_request *made = NULL;
	int status = weft_alltoallv_init(native, &send, &recv, &made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Alltoallv_init);

int PMPI_Alltoallv_init_c(const void *sendbuf, const MPI_Count sendcounts[],
			  const MPI_Aint sdispls[], MPI_Datatype sendtype,
			  void *recvbuf, const MPI_Count recvcounts[],
			  const MPI_Aint rdispls[], MPI_Datatype recvtype,
			  MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec send =
		wf_mpi_vec_c(sendbuf, sendcounts, sdispls, sendtype);
	const struct weft_vec recv =
		wf_mpi_vec_c(recvbuf, recvcounts, rdispls, recvtype);
	struct weft_request *made = NULL;
	int status = weft_alltoallv_init(native, &send, &recv, &made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Alltoallv_init_c);
