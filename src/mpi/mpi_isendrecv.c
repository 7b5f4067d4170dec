/* SPDX-License-Identifier: BSD-3-Clause */
/* What sends and receives at once, without waiting. */
#include "mpi/mpi_request.h"

int PMPI_Isendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
		   int dest, int sendtag, void *recvbuf, int recvcount,
		   MPI_Datatype recvtype, int source, int recvtag,
		   MPI_Comm comm, MPI_Request *request)
{
	const struct weft_outgoing send = {
		sendbuf, wf_mpi_count(sendcount), wf_mpi_type(sendtype),
		weft_to(dest, sendtag)
	};
	const struct weft_incoming recv = {
		recvbuf, wf_mpi_count(recvcount), wf_mpi_type(recvtype),
		weft_from(source, recvtag)
	};
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_isendrecv(native, &send, &recv, &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Isendrecv);

int PMPI_Isendrecv_c(const void *sendbuf, MPI_Count sendcount,
		     MPI_Datatype sendtype, int dest, int sendtag,
		     void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
		     int source, int recvtag, MPI_Comm comm,
		     MPI_Request *request)
{
	const struct weft_outgoing send = {
		sendbuf, wf_mpi_count(sendcount), wf_mpi_type(sendtype),
		weft_to(dest, sendtag)
	};
	const struct weft_incoming recv = {
		recvbuf, wf_mpi_count(recvcount), wf_mpi_type(recvtype),
		weft_from(source, recvtag)
	};
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_isendrecv(native, &send, &recv, &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Isendrecv_c);

int PMPI_Isendrecv_replace(void *buf, int count, MPI_Datatype datatype,
			   int dest, int sendtag, int source, int recvtag,
			   MPI_Comm comm, MPI_Request *request)
{
	const struct weft_incoming data = {
		buf, wf_mpi_count(count), wf_mpi_type(datatype),
		weft_from(source, recvtag)
	};
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_isendrecv_replace(native, &data,
					    weft_to(dest, sendtag), &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Isendrecv_replace);

int PMPI_Isendrecv_replace_c(void *buf, MPI_Count count, MPI_Datatype datatype,
			     int dest, int sendtag, int source, int recvtag,
			     MPI_Comm comm, MPI_Request *request)
{
	const struct weft_incoming data = {
		buf, wf_mpi_count(count), wf_mpi_type(datatype),
		weft_from(source, recvtag)
	};
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_isendrecv_replace(native, &data,
					    weft_to(dest, sendtag), &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Isendrecv_replace_c);
