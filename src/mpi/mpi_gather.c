/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Gather in its three forms, and for large counts. */
#include "mpi/mpi_request.h"

int PMPI_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
		void *recvbuf, int recvcount, MPI_Datatype recvtype, int root,
		MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = weft_gather(native,
				 wf_mpi_data(sendbuf, sendcount, sendtype),
				 wf_mpi_data(recvbuf, recvcount, recvtype),
				 root);

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Gather);

int PMPI_Gather_c(const void *sendbuf, MPI_Count sendcount,
		  MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
		  MPI_Datatype recvtype, int root, MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = weft_gather(native,
				 wf_mpi_data(sendbuf, sendcount, sendtype),
				 wf_mpi_data(recvbuf, recvcount, recvtype),
				 root);

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Gather_c);

int PMPI_Igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
		 void *recvbuf, int recvcount, MPI_Datatype recvtype, int root,
		 MPI_Comm comm, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_igather(native,
				  wf_mpi_data(sendbuf, sendcount, sendtype),
				  wf_mpi_data(recvbuf, recvcount, recvtype),
				  root, &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Igather);

int PMPI_Igather_c(const void *sendbuf, MPI_Count sendcount,
		   MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
		   MPI_Datatype recvtype, int root, MPI_Comm comm,
		   MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_igather(native,
				  wf_mpi_data(sendbuf, sendcount, sendtype),
				  wf_mpi_data(recvbuf, recvcount, recvtype),
				  root, &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Igather_c);

int PMPI_Gather_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
		     void *recvbuf, int recvcount, MPI_Datatype recvtype,
		     int root, MPI_Comm comm, MPI_Info info,
		     MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status =
		weft_gather_init(native,
				 wf_mpi_data(sendbuf, sendcount, sendtype),
				 wf_mpi_data(recvbuf, recvcount, recvtype),
				 root, &made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Gather_init);

int PMPI_Gather_init_c(const void *sendbuf, MPI_Count sendcount,
		       MPI_Datatype sendtype, void *recvbuf,
		       MPI_Count recvcount, MPI_Datatype recvtype, int root,
		       MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status =
		weft_gather_init(native,
				 wf_mpi_data(sendbuf, sendcount, sendtype),
				 wf_mpi_data(recvbuf, recvcount, recvtype),
				 root, &made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Gather_init_c);
