/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Scatterv in its three forms, and for large counts. */
#include "mpi/mpi_request.h"
#include "mpi/mpi_vec.h"

int PMPI_Scatterv(const void *sendbuf, const int sendcounts[],
		  const int displs[], MPI_Datatype sendtype, void *recvbuf,
		  int recvcount, MPI_Datatype recvtype, int root,
		  MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec send =
		wf_mpi_vec(sendbuf, sendcounts, displs, sendtype);
	int status = weft_scatterv(native, &send,
				   wf_mpi_data(recvbuf, recvcount, recvtype),
				   root);

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Scatterv);

int PMPI_Scatterv_c(const void *sendbuf, const MPI_Count sendcounts[],
		    const MPI_Aint displs[], MPI_Datatype sendtype,
		    void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
		    int root, MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec send =
		wf_mpi_vec_c(sendbuf, sendcounts, displs, sendtype);
	int status = weft_scatterv(native, &send,
				   wf_mpi_data(recvbuf, recvcount, recvtype),
				   root);

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Scatterv_c);

int PMPI_Iscatterv(const void *sendbuf, const int sendcounts[],
		   const int displs[], MPI_Datatype sendtype, void *recvbuf,
		   int recvcount, MPI_Datatype recvtype, int root,
		   MPI_Comm comm, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec send =
		wf_mpi_vec(sendbuf, sendcounts, displs, sendtype);
	struct weft_request *made = NULL;
	int status = weft_iscatterv(native, &send,
				    wf_mpi_data(recvbuf, recvcount, recvtype),
				    root, &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Iscatterv);

int PMPI_Iscatterv_c(const void *sendbuf, const MPI_Count sendcounts[],
		     const MPI_Aint displs[], MPI_Datatype sendtype,
		     void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
		     int root, MPI_Comm comm, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec send =
		wf_mpi_vec_c(sendbuf, sendcounts, displs, sendtype);
	struct weft_request *made = NULL;
	int status = weft_iscatterv(native, &send,
				    wf_mpi_data(recvbuf, recvcount, recvtype),
				    root, &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Iscatterv_c);

int PMPI_Scatterv_init(const void *sendbuf, const int sendcounts[],
		       const int displs[], MPI_Datatype sendtype, void *recvbuf,
		       int recvcount, MPI_Datatype recvtype, int root,
		       MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec send =
		wf_mpi_vec(sendbuf, sendcounts, displs, sendtype);
	struct weft_request *made = NULL;
	int status =
		weft_scatterv_init(native, &send,
				   wf_mpi_data(recvbuf, recvcount, recvtype),
				   root, &made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Scatterv_init);

int PMPI_Scatterv_init_c(const void *sendbuf, const MPI_Count sendcounts[],
			 const MPI_Aint displs[], MPI_Datatype sendtype,
			 void *recvbuf, MPI_Count recvcount,
			 MPI_Datatype recvtype, int root, MPI_Comm comm,
			 MPI_Info info, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec send =
		wf_mpi_vec_c(sendbuf, sendcounts, displs, sendtype);
	struct weft_request *made = NULL;
	int status =
		weft_scatterv_init(native, &send,
				   wf_mpi_data(recvbuf, recvcount, recvtype),
				   root, &made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Scatterv_init_c);
