/* SPDX-License-Identifier: BSD-3-Clause */
/* Probes, and messages that they take. */
#include "mpi/mpi_request.h"
#include "mpi/mpi_status.h"

int PMPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_message_status got;
	int result = weft_probe(native, weft_from(source, tag), &got);

	if (!result)
		wf_mpi_status_set(status, &got);
	return wf_mpi_on(native, result, WF_MPI_CALL);
}
WF_MPI_NAME(Probe);

int PMPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag,
		MPI_Status *status)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_message_status got;
	bool found = false;
	int result = weft_iprobe(native, weft_from(source, tag), &found,
				 &got);

	if (found)
		wf_mpi_status_set(status, &got);
	*flag = found;
	return wf_mpi_on(native, result, WF_MPI_CALL);
}
WF_MPI_NAME(Iprobe);

/* ---- matched ---- */

static MPI_Message message_handle(struct weft_message *message)
{
	return message ? (MPI_Message)message : MPI_MESSAGE_NULL;
}

static struct weft_message *message_of(MPI_Message message)
{
	return wf_mpi_is_predefined(message) ? NULL :
					       (struct weft_message *)message;
}

/* One of nobody is no object; a rank that is none finds it at once. */
static int found_nobody(MPI_Comm comm, MPI_Message *message,
			MPI_Status *status, const char *call)
{
	const struct weft_message_status nobodys = {
		.source = WEFT_PROC_NULL, .tag = WEFT_ANY_TAG
	};

	if (!wf_mpi_comm(comm))
		return wf_mpi_fail_on(NULL, WEFT_ERR_ARG, call);
	*message = MPI_MESSAGE_NO_PROC;
	wf_mpi_status_set(status, &nobodys);
	return MPI_SUCCESS;
}

int PMPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message,
		MPI_Status *status)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_message_status got;
	struct weft_message *taken = NULL;
	int result;

	if (source == MPI_PROC_NULL)
		return found_nobody(comm, message, status, WF_MPI_CALL);
	result = weft_mprobe(native, weft_from(source, tag), &taken, &got);
	if (!result)
		wf_mpi_status_set(status, &got);
	*message = message_handle(taken);
	return wf_mpi_on(native, result, WF_MPI_CALL);
}
WF_MPI_NAME(Mprobe);

int PMPI_Improbe(int source, int tag, MPI_Comm comm, int *flag,
		 MPI_Message *message, MPI_Status *status)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_message_status got;
	struct weft_message *taken = NULL;
	int result;

	*flag = 1;
	if (source == MPI_PROC_NULL)
		return found_nobody(comm, message, status, WF_MPI_CALL);
	result = weft_improbe(native, weft_from(source, tag), &taken, &got);
	if (taken)
		wf_mpi_status_set(status, &got);
	*flag = !!taken;
	*message = message_handle(taken);
	return wf_mpi_on(native, result, WF_MPI_CALL);
}
WF_MPI_NAME(Improbe);

/* Of a message that is none, or was received, no communicator is known. */
static int matched(int result, const struct weft_message *message,
		   const char *call)
{
	if (!result)
		return MPI_SUCCESS;
	if (!message)
		return wf_mpi_refuse(NULL, MPI_ERR_REQUEST, "%s: the message "
				     "is MPI_MESSAGE_NULL, or was received",
				     call);
	return wf_mpi_code_of(result, weft_error_text(wf_mpi.job));
}

/* A receive from nobody, of what nobody has sent. */
static int from_nobody(MPI_Message *message, struct weft_request **made)
{
	*message = MPI_MESSAGE_NULL;
	return weft_irecv(wf_mpi.self, NULL, 0, &weft_type_byte,
			  weft_from(WEFT_PROC_NULL, 0), made);
}

static inline int begin(struct weft_part data, MPI_Message *message,
			MPI_Request *request, const char *call)
{
	struct weft_message *taken = message_of(*message);
	const struct weft_message *const given = taken;
	struct weft_request *made = NULL;
	int result;

	if (*message == MPI_MESSAGE_NO_PROC) {
		result = from_nobody(message, &made);
		return wf_mpi_begun(wf_mpi.self, result, made, request,
				    call);
	}
	result = weft_imrecv(&taken, data.base, data.count, data.type, &made);
	*message = message_handle(taken);
	*request = wf_mpi_request_handle(made);
	return matched(result, given, call);
}

static inline int receive(struct weft_part data, MPI_Message *message,
			  MPI_Status *status, const char *call)
{
	struct weft_message *taken = message_of(*message);
	const struct weft_message *const given = taken;
	struct weft_message_status got;
	int result;

	if (*message == MPI_MESSAGE_NO_PROC) {
		result = found_nobody(MPI_COMM_SELF, message, status, call);
		*message = MPI_MESSAGE_NULL;
		return result;
	}
	result = weft_mrecv(&taken, data.base, data.count, data.type, &got);
	if (!result || result == WEFT_ERR_TRUNCATE)
		wf_mpi_status_set(status, &got);
	*message = message_handle(taken);
	return matched(result, given, call);
}

int PMPI_Mrecv(void *buf, int count, MPI_Datatype datatype,
	       MPI_Message *message, MPI_Status *status)
{
	return receive(wf_mpi_data(buf, count, datatype), message, status,
		       WF_MPI_CALL);
}
WF_MPI_NAME(Mrecv);

int PMPI_Mrecv_c(void *buf, MPI_Count count, MPI_Datatype datatype,
		 MPI_Message *message, MPI_Status *status)
{
	return receive(wf_mpi_data(buf, count, datatype), message, status,
		       WF_MPI_CALL);
}
WF_MPI_NAME(Mrecv_c);

int PMPI_Imrecv(void *buf, int count, MPI_Datatype datatype,
		MPI_Message *message, MPI_Request *request)
{
	return begin(wf_mpi_data(buf, count, datatype), message, request,
		     WF_MPI_CALL);
}
WF_MPI_NAME(Imrecv);

int PMPI_Imrecv_c(void *buf, MPI_Count count, MPI_Datatype datatype,
		  MPI_Message *message, MPI_Request *request)
{
	return begin(wf_mpi_data(buf, count, datatype), message, request,
		     WF_MPI_CALL);
}
WF_MPI_NAME(Imrecv_c);
