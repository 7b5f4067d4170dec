/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting persistent requests; giving requests up, and taking them back. */
#include "mpi/mpi_wait.h"

#include "mpi/error.h"
#include "mpi/mpi_int.h"

/*
 * The end of a native call on a request: one without a communicator was freed
 * before.
 */
static int done(int status, const char *call)
{
	if (status == WEFT_ERR_ARG)
		return wf_mpi_refuse(NULL, MPI_ERR_REQUEST, "%s: the request "
				     "is MPI_REQUEST_NULL, or was freed",
				     call);
	/* All else the handler of its communicator has heard. */
	return status ? wf_mpi_code_of(status, weft_error_text(wf_mpi.job)) :
			MPI_SUCCESS;
}

int PMPI_Start(MPI_Request *request)
{
	return done(weft_request_start(wf_mpi_request(*request)),
		    WF_MPI_CALL);
}
WF_MPI_NAME(Start);

int PMPI_Startall(int count, MPI_Request requests[])
{
	int code = wf_mpi_requests_refuse(count, requests, WF_MPI_CALL);

	for (int i = 0; i < count && !code; i++) {
		if (wf_mpi_is_predefined(requests[i]))
			return done(WEFT_ERR_ARG, WF_MPI_CALL);
	}
	return code ? code :
		done(weft_request_start_all(wf_mpi_natives(requests), count),
		     WF_MPI_CALL);
}
WF_MPI_NAME(Startall);

int PMPI_Request_free(MPI_Request *request)
{
	struct weft_request *req = wf_mpi_request(*request);
	int status = WEFT_ERR_ARG;

	wf_mpi_int_forget(*request);
	if (req)
		status = weft_request_free(&req);
	*request = wf_mpi_request_handle(req);
	return done(status, WF_MPI_CALL);
}
WF_MPI_NAME(Request_free);

int PMPI_Cancel(MPI_Request *request)
{
	return done(weft_request_cancel(wf_mpi_request(*request)),
		    WF_MPI_CALL);
}
WF_MPI_NAME(Cancel);
