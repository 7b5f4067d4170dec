/* SPDX-License-Identifier: BSD-3-Clause */
/* Receives, and what sends and receives at once. */
#include "mpi/mpi_request.h"
#include "mpi/mpi_status.h"

/* The end of a call that has received: status is written if it has. */
static inline int received(struct weft_comm *comm, int result,
			   const struct weft_message_status *got,
			   MPI_Status *status, const char *name)
{
	if (!result || result == WEFT_ERR_TRUNCATE)
		wf_mpi_status_set(status, got);
	return wf_mpi_on(comm, result, name);
}

static inline int recv_by(struct weft_part data, struct weft_envelope from,
			  MPI_Comm comm, MPI_Status *status, const char *name)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_message_status got;
	int result = weft_recv(native, data.base, data.count, data.type, from,
			       status ? &got : NULL);

	return received(native, result, &got, status, name);
}

typedef int begin_call(struct weft_comm *comm, void *data, size_t n,
		       const struct weft_type *type, struct weft_envelope from,
		       struct weft_request **req_p);

static inline int begin_by(begin_call *call, struct weft_part data,
			   struct weft_envelope from, MPI_Comm comm,
			   MPI_Request *request, const char *name)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = call(native, data.base, data.count, data.type, from,
			  &made);

	return wf_mpi_begun(native, status, made, request, name);
}

int PMPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag,
	      MPI_Comm comm, MPI_Status *status)
{
	return recv_by(wf_mpi_data(buf, count, datatype),
		       weft_from(source, tag), comm, status, WF_MPI_CALL);
}
WF_MPI_NAME(Recv);

int PMPI_Recv_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source,
		int tag, MPI_Comm comm, MPI_Status *status)
{
	return recv_by(wf_mpi_data(buf, count, datatype),
		       weft_from(source, tag), comm, status, WF_MPI_CALL);
}
WF_MPI_NAME(Recv_c);

int PMPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag,
	       MPI_Comm comm, MPI_Request *request)
{
	return begin_by(weft_irecv, wf_mpi_data(buf, count, datatype),
			weft_from(source, tag), comm, request, WF_MPI_CALL);
}
WF_MPI_NAME(Irecv);

int PMPI_Irecv_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source,
		 int tag, MPI_Comm comm, MPI_Request *request)
{
	return begin_by(weft_irecv, wf_mpi_data(buf, count, datatype),
			weft_from(source, tag), comm, request, WF_MPI_CALL);
}
WF_MPI_NAME(Irecv_c);

int PMPI_Recv_init(void *buf, int count, MPI_Datatype datatype, int source,
		   int tag, MPI_Comm comm, MPI_Request *request)
{
	return begin_by(weft_recv_init, wf_mpi_data(buf, count, datatype),
			weft_from(source, tag), comm, request, WF_MPI_CALL);
}
WF_MPI_NAME(Recv_init);

int PMPI_Recv_init_c(void *buf, MPI_Count count, MPI_Datatype datatype,
		     int source, int tag, MPI_Comm comm, MPI_Request *request)
{
	return begin_by(weft_recv_init, wf_mpi_data(buf, count, datatype),
			weft_from(source, tag), comm, request, WF_MPI_CALL);
}
WF_MPI_NAME(Recv_init_c);

/* ---- both at once ---- */

static inline int exchange(MPI_Comm comm, const struct weft_outgoing *send,
			   const struct weft_incoming *recv,
			   MPI_Status *status, const char *name)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_message_status got;
	int result = weft_sendrecv(native, send, recv, status ? &got : NULL);

	return received(native, result, &got, status, name);
}

static inline int replace(MPI_Comm comm, const struct weft_incoming *data,
			  struct weft_envelope to, MPI_Status *status,
			  const char *name)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_message_status got;
	int result = weft_sendrecv_replace(native, data, to,
					   status ? &got : NULL);

	return received(native, result, &got, status, name);
}

int PMPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
		  int dest, int sendtag, void *recvbuf, int recvcount,
		  MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
		  MPI_Status *status)
{
	const struct weft_outgoing send = {
		sendbuf, wf_mpi_count(sendcount), wf_mpi_type(sendtype),
		weft_to(dest, sendtag)
	};
	const struct weft_incoming recv = {
		recvbuf, wf_mpi_count(recvcount), wf_mpi_type(recvtype),
		weft_from(source, recvtag)
	};

	return exchange(comm, &send, &recv, status, WF_MPI_CALL);
}
WF_MPI_NAME(Sendrecv);

int PMPI_Sendrecv_c(const void *sendbuf, MPI_Count sendcount,
		    MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
		    MPI_Count recvcount, MPI_Datatype recvtype, int source,
		    int recvtag, MPI_Comm comm, MPI_Status *status)
{
	const struct weft_outgoing send = {
		sendbuf, wf_mpi_count(sendcount), wf_mpi_type(sendtype),
		weft_to(dest, sendtag)
	};
	const struct weft_incoming recv = {
		recvbuf, wf_mpi_count(recvcount), wf_mpi_type(recvtype),
		weft_from(source, recvtag)
	};

	return exchange(comm, &send, &recv, status, WF_MPI_CALL);
}
WF_MPI_NAME(Sendrecv_c);

int PMPI_Sendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest,
			  int sendtag, int source, int recvtag, MPI_Comm comm,
			  MPI_Status *status)
{
	const struct weft_incoming data = {
		buf, wf_mpi_count(count), wf_mpi_type(datatype),
		weft_from(source, recvtag)
	};

	return replace(comm, &data, weft_to(dest, sendtag), status,
		       WF_MPI_CALL);
}
WF_MPI_NAME(Sendrecv_replace);

int PMPI_Sendrecv_replace_c(void *buf, MPI_Count count, MPI_Datatype datatype,
			    int dest, int sendtag, int source, int recvtag,
			    MPI_Comm comm, MPI_Status *status)
{
	const struct weft_incoming data = {
		buf, wf_mpi_count(count), wf_mpi_type(datatype),
		weft_from(source, recvtag)
	};

	return replace(comm, &data, weft_to(dest, sendtag), status,
		       WF_MPI_CALL);
}
WF_MPI_NAME(Sendrecv_replace_c);
