/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers of buffered sends: that of the process, and of communicators. */
#include <limits.h>
#include <string.h>

#include "mpi/mpi_request.h"
#include "mpi/mpi_session.h"

static void *given(void *buffer)
{
	return buffer == MPI_BUFFER_AUTOMATIC ? WEFT_BUFFER_AUTOMATIC : buffer;
}

/* Below 0 it is no size; an automatic buffer has none. */
static int refuse_size(struct weft_comm *comm, MPI_Count size,
		       const char *call)
{
	return size < 0 ? wf_mpi_refuse(comm, MPI_ERR_ARG, "%s: size is %lld",
					call, (long long)size) : MPI_SUCCESS;
}

/*
 * What was attached: the address goes to where buffer_addr points, whatever
 * type that has.
 */
static void *taken(void *buffer_addr, void *buffer)
{
	if (buffer == WEFT_BUFFER_AUTOMATIC)
		buffer = MPI_BUFFER_AUTOMATIC;
	return memcpy(buffer_addr, &buffer, sizeof(buffer));
}

/* ---- of the process ---- */

int PMPI_Buffer_attach(void *buffer, int size)
{
	int code = refuse_size(NULL, size, WF_MPI_CALL);

	return code ? code :
		wf_mpi_done(weft_buffer_attach(wf_mpi.job, given(buffer),
					       wf_mpi_count(size)),
			    WF_MPI_CALL);
}
WF_MPI_NAME(Buffer_attach);

int PMPI_Buffer_attach_c(void *buffer, MPI_Count size)
{
	int code = refuse_size(NULL, size, WF_MPI_CALL);

	return code ? code :
		wf_mpi_done(weft_buffer_attach(wf_mpi.job, given(buffer),
					       wf_mpi_count(size)),
			    WF_MPI_CALL);
}
WF_MPI_NAME(Buffer_attach_c);

int PMPI_Buffer_detach(void *buffer_addr, int *size)
{
	void *buffer = NULL;
	size_t bytes = 0;
	int status = weft_buffer_detach(wf_mpi.job, &buffer, &bytes);

	taken(buffer_addr, buffer);
	*size = bytes > INT_MAX ? MPI_UNDEFINED : (int)bytes;
	return wf_mpi_done(status, WF_MPI_CALL);
}
WF_MPI_NAME(Buffer_detach);

int PMPI_Buffer_detach_c(void *buffer_addr, MPI_Count *size)
{
	void *buffer = NULL;
	size_t bytes = 0;
	int status = weft_buffer_detach(wf_mpi.job, &buffer, &bytes);

	taken(buffer_addr, buffer);
	*size = (MPI_Count)bytes;
	return wf_mpi_done(status, WF_MPI_CALL);
}
WF_MPI_NAME(Buffer_detach_c);

int PMPI_Buffer_flush(void)
{
	return wf_mpi_done(weft_buffer_flush(wf_mpi.job), WF_MPI_CALL);
}
WF_MPI_NAME(Buffer_flush);

int PMPI_Buffer_iflush(MPI_Request *request)
{
	struct weft_request *made = NULL;
	int status = weft_buffer_iflush(wf_mpi.job, &made);

	*request = wf_mpi_request_handle(made);
	return wf_mpi_done(status, WF_MPI_CALL);
}
WF_MPI_NAME(Buffer_iflush);

/* ---- of a communicator ---- */

int PMPI_Comm_attach_buffer(MPI_Comm comm, void *buffer, int size)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int code = refuse_size(native, size, WF_MPI_CALL);

	return code ? code :
		wf_mpi_on(native,
			  weft_comm_buffer_attach(native, given(buffer),
						  wf_mpi_count(size)),
			  WF_MPI_CALL);
}
WF_MPI_NAME(Comm_attach_buffer);

int PMPI_Comm_attach_buffer_c(MPI_Comm comm, void *buffer, MPI_Count size)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int code = refuse_size(native, size, WF_MPI_CALL);

	return code ? code :
		wf_mpi_on(native,
			  weft_comm_buffer_attach(native, given(buffer),
						  wf_mpi_count(size)),
			  WF_MPI_CALL);
}
WF_MPI_NAME(Comm_attach_buffer_c);

int PMPI_Comm_detach_buffer(MPI_Comm comm, void *buffer_addr, int *size)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	void *buffer = NULL;
	size_t bytes = 0;
	int status = weft_comm_buffer_detach(native, &buffer, &bytes);

	taken(buffer_addr, buffer);
	*size = bytes > INT_MAX ? MPI_UNDEFINED : (int)bytes;
	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Comm_detach_buffer);

int PMPI_Comm_detach_buffer_c(MPI_Comm comm, void *buffer_addr,
			      MPI_Count *size)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	void *buffer = NULL;
	size_t bytes = 0;
	int status = weft_comm_buffer_detach(native, &buffer, &bytes);

	taken(buffer_addr, buffer);
	*size = (MPI_Count)bytes;
	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Comm_detach_buffer_c);

int PMPI_Comm_flush_buffer(MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);

	return wf_mpi_on(native, weft_comm_buffer_flush(native), WF_MPI_CALL);
}
WF_MPI_NAME(Comm_flush_buffer);

int PMPI_Comm_iflush_buffer(MPI_Comm comm, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_comm_buffer_iflush(native, &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Comm_iflush_buffer);

/* ---- of a session: that of the process, since all share one job ---- */

static int attach(MPI_Session session, void *buffer, MPI_Count size,
		  const char *call)
{
	struct wf_mpi_session *own = wf_mpi_session(session);

	if (!own)
		return wf_mpi_session_on(NULL, WEFT_OK, call);
	if (size < 0)
		return wf_mpi_session_refuse(own, MPI_ERR_ARG, "%s: size is "
					     "%lld", call, (long long)size);
	return wf_mpi_session_on(own, weft_buffer_attach(wf_mpi.job,
							 given(buffer),
							 wf_mpi_count(size)),
				 call);
}

static int detach(MPI_Session session, void *buffer_addr, MPI_Count *size,
		  const char *call)
{
	struct wf_mpi_session *own = wf_mpi_session(session);
	void *buffer = NULL;
	size_t bytes = 0;
	int status = own ? weft_buffer_detach(wf_mpi.job, &buffer, &bytes) :
			   WEFT_OK;

	taken(buffer_addr, buffer);
	*size = (MPI_Count)bytes;
	return wf_mpi_session_on(own, status, call);
}

int PMPI_Session_attach_buffer(MPI_Session session, void *buffer, int size)
{
	return attach(session, buffer, size, WF_MPI_CALL);
}
WF_MPI_NAME(Session_attach_buffer);

int PMPI_Session_attach_buffer_c(MPI_Session session, void *buffer,
				 MPI_Count size)
{
	return attach(session, buffer, size, WF_MPI_CALL);
}
WF_MPI_NAME(Session_attach_buffer_c);

int PMPI_Session_detach_buffer(MPI_Session session, void *buffer_addr,
			       int *size)
{
	MPI_Count bytes;
	int code = detach(session, buffer_addr, &bytes, WF_MPI_CALL);

	*size = bytes > INT_MAX ? MPI_UNDEFINED : (int)bytes;
	return code;
}
WF_MPI_NAME(Session_detach_buffer);

int PMPI_Session_detach_buffer_c(MPI_Session session, void *buffer_addr,
				 MPI_Count *size)
{
	return detach(session, buffer_addr, size, WF_MPI_CALL);
}
WF_MPI_NAME(Session_detach_buffer_c);

int PMPI_Session_flush_buffer(MPI_Session session)
{
	struct wf_mpi_session *own = wf_mpi_session(session);

	return wf_mpi_session_on(own, own ? weft_buffer_flush(wf_mpi.job) :
					    WEFT_OK, WF_MPI_CALL);
}
WF_MPI_NAME(Session_flush_buffer);

int PMPI_Session_iflush_buffer(MPI_Session session, MPI_Request *request)
{
	struct wf_mpi_session *own = wf_mpi_session(session);
	struct weft_request *made = NULL;
	int status = own ? weft_buffer_iflush(wf_mpi.job, &made) : WEFT_OK;

	*request = wf_mpi_request_handle(made);
	return wf_mpi_session_on(own, status, WF_MPI_CALL);
}
WF_MPI_NAME(Session_iflush_buffer);
