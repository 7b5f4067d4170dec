/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends of four modes: blocking, nonblocking and persistent. */
#include "mpi/mpi_request.h"

typedef int send_call(struct weft_comm *comm, const void *data, size_t n,
		      const struct weft_type *type, struct weft_envelope to);
typedef int begin_call(struct weft_comm *comm, const void *data, size_t n,
		       const struct weft_type *type, struct weft_envelope to,
		       struct weft_request **req_p);

static inline int send_by(send_call *call, struct weft_part data,
			  struct weft_envelope to, MPI_Comm comm,
			  const char *name)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = call(native, data.base, data.count, data.type, to);

	return wf_mpi_on(native, status, name);
}

static inline int begin_by(begin_call *call, struct weft_part data,
			   struct weft_envelope to, MPI_Comm comm,
			   MPI_Request *request, const char *name)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = call(native, data.base, data.count, data.type, to, &made);

	return wf_mpi_begun(native, status, made, request, name);
}

/* ---- MPI_Send ---- */

int PMPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest,
	      int tag, MPI_Comm comm)
{
	return send_by(weft_send, wf_mpi_data(buf, count, datatype),
		       weft_to(dest, tag), comm, WF_MPI_CALL);
}
WF_MPI_NAME(Send);

int PMPI_Send_c(const void *buf, MPI_Count count, MPI_Datatype datatype,
		int dest, int tag, MPI_Comm comm)
{
	return send_by(weft_send, wf_mpi_data(buf, count, datatype),
		       weft_to(dest, tag), comm, WF_MPI_CALL);
}
WF_MPI_NAME(Send_c);

int PMPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest,
	       int tag, MPI_Comm comm, MPI_Request *request)
{
	return begin_by(weft_isend, wf_mpi_data(buf, count, datatype),
			weft_to(dest, tag), comm, request, WF_MPI_CALL);
}
WF_MPI_NAME(Isend);

int PMPI_Isend_c(const void *buf, MPI_Count count, MPI_Datatype datatype,
		 int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
	return begin_by(weft_isend, wf_mpi_data(buf, count, datatype),
			weft_to(dest, tag), comm, request, WF_MPI_CALL);
}
WF_MPI_NAME(Isend_c);

int PMPI_Send_init(const void *buf, int count, MPI_Datatype datatype, int dest,
		   int tag, MPI_Comm comm, MPI_Request *request)
{
	return begin_by(weft_send_init, wf_mpi_data(buf, count, datatype),
			weft_to(dest, tag), comm, request, WF_MPI_CALL);
}
WF_MPI_NAME(Send_init);

int PMPI_Send_init_c(const void *buf, MPI_Count count, MPI_Datatype datatype,
		     int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
	return begin_by(weft_send_init, wf_mpi_data(buf, count, datatype),
			weft_to(dest, tag), comm, request, WF_MPI_CALL);
}
WF_MPI_NAME(Send_init_c);

/* ---- MPI_Bsend ---- */

int PMPI_Bsend(const void *buf, int count, MPI_Datatype datatype, int dest,
	       int tag, MPI_Comm comm)
{
	return send_by(weft_bsend, wf_mpi_data(buf, count, datatype),
		       weft_to(dest, tag), comm, WF_MPI_CALL);
}
WF_MPI_NAME(Bsend);

int PMPI_Bsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype,
		 int dest, int tag, MPI_Comm comm)
{
	return send_by(weft_bsend, wf_mpi_data(buf, count, datatype),
		       weft_to(dest, tag), comm, WF_MPI_CALL);
}
WF_MPI_NAME(Bsend_c);

int PMPI_Ibsend(const void *buf, int count, MPI_Datatype datatype, int dest,
		int tag, MPI_Comm comm, MPI_Request *request)
{
	return begin_by(weft_ibsend, wf_mpi_data(buf, count, datatype),
			weft_to(dest, tag), comm, request, WF_MPI_CALL);
}
WF_MPI_NAME(Ibsend);

int PMPI_Ibsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype,
		  int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
	return begin_by(weft_ibsend, wf_mpi_data(buf, count, datatype),
			weft_to(dest, tag), comm, request, WF_MPI_CALL);
}
WF_MPI_NAME(Ibsend_c);

int PMPI_Bsend_init(const void *buf, int count, MPI_Datatype datatype, int dest,
		    int tag, MPI_Comm comm, MPI_Request *request)
{
	return begin_by(weft_bsend_init, wf_mpi_data(buf, count, datatype),
			weft_to(dest, tag), comm, request, WF_MPI_CALL);
}
WF_MPI_NAME(Bsend_init);

int PMPI_Bsend_init_c(const void *buf, MPI_Count count, MPI_Datatype datatype,
		      int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
	return begin_by(weft_bsend_init, wf_mpi_data(buf, count, datatype),
			weft_to(dest, tag), comm, request, WF_MPI_CALL);
}
WF_MPI_NAME(Bsend_init_c);

/* ---- MPI_Ssend ---- */

int PMPI_Ssend(const void *buf, int count, MPI_Datatype datatype, int dest,
	       int tag, MPI_Comm comm)
{
	return send_by(weft_ssend, wf_mpi_data(buf, count, datatype),
		       weft_to(dest, tag), comm, WF_MPI_CALL);
}
WF_MPI_NAME(Ssend);

int PMPI_Ssend_c(const void *buf, MPI_Count count, MPI_Datatype datatype,
		 int dest, int tag, MPI_Comm comm)
{
	return send_by(weft_ssend, wf_mpi_data(buf, count, datatype),
		       weft_to(dest, tag), comm, WF_MPI_CALL);
}
WF_MPI_NAME(Ssend_c);

int PMPI_Issend(const void *buf, int count, MPI_Datatype datatype, int dest,
		int tag, MPI_Comm comm, MPI_Request *request)
{
	return begin_by(weft_issend, wf_mpi_data(buf, count, datatype),
			weft_to(dest, tag), comm, request, WF_MPI_CALL);
}
WF_MPI_NAME(Issend);

int PMPI_Issend_c(const void *buf, MPI_Count count, MPI_Datatype datatype,
		  int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
	return begin_by(weft_issend, wf_mpi_data(buf, count, datatype),
			weft_to(dest, tag), comm, request, WF_MPI_CALL);
}
WF_MPI_NAME(Issend_c);

int PMPI_Ssend_init(const void *buf, int count, MPI_Datatype datatype, int dest,
		    int tag, MPI_Comm comm, MPI_Request *request)
{
	return begin_by(weft_ssend_init, wf_mpi_data(buf, count, datatype),
			weft_to(dest, tag), comm, request, WF_MPI_CALL);
}
WF_MPI_NAME(Ssend_init);

int PMPI_Ssend_init_c(const void *buf, MPI_Count count, MPI_Datatype datatype,
		      int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
	return begin_by(weft_ssend_init, wf_mpi_data(buf, count, datatype),
			weft_to(dest, tag), comm, request, WF_MPI_CALL);
}
WF_MPI_NAME(Ssend_init_c);

/* ---- MPI_Rsend ---- */

int PMPI_Rsend(const void *buf, int count, MPI_Datatype datatype, int dest,
	       int tag, MPI_Comm comm)
{
	return send_by(weft_rsend, wf_mpi_data(buf, count, datatype),
		       weft_to(dest, tag), comm, WF_MPI_CALL);
}
WF_MPI_NAME(Rsend);

int PMPI_Rsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype,
		 int dest, int tag, MPI_Comm comm)
{
	return send_by(weft_rsend, wf_mpi_data(buf, count, datatype),
		       weft_to(dest, tag), comm, WF_MPI_CALL);
}
WF_MPI_NAME(Rsend_c);

int PMPI_Irsend(const void *buf, int count, MPI_Datatype datatype, int dest,
		int tag, MPI_Comm comm, MPI_Request *request)
{
	return begin_by(weft_irsend, wf_mpi_data(buf, count, datatype),
			weft_to(dest, tag), comm, request, WF_MPI_CALL);
}
WF_MPI_NAME(Irsend);

int PMPI_Irsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype,
		  int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
	return begin_by(weft_irsend, wf_mpi_data(buf, count, datatype),
			weft_to(dest, tag), comm, request, WF_MPI_CALL);
}
WF_MPI_NAME(Irsend_c);

int PMPI_Rsend_init(const void *buf, int count, MPI_Datatype datatype, int dest,
		    int tag, MPI_Comm comm, MPI_Request *request)
{
	return begin_by(weft_rsend_init, wf_mpi_data(buf, count, datatype),
			weft_to(dest, tag), comm, request, WF_MPI_CALL);
}
WF_MPI_NAME(Rsend_init);

int PMPI_Rsend_init_c(const void *buf, MPI_Count count, MPI_Datatype datatype,
		      int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
	return begin_by(weft_rsend_init, wf_mpi_data(buf, count, datatype),
			weft_to(dest, tag), comm, request, WF_MPI_CALL);
}
WF_MPI_NAME(Rsend_init_c);
