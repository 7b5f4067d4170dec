/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for a request, and testing it. */
#include "mpi/mpi_wait.h"

#include "mpi/error.h"

/*
 * The end of a wait for one: of a request without a communicator, which was
 * freed before, nobody has heard.
 */
static int ended(int status, struct weft_request **req_p, MPI_Status *out,
		 const char *call)
{
	int code = MPI_SUCCESS;

	if (__builtin_expect(status, 0)) {
		const char *text = weft_request_error(*req_p);

		code = *text ? wf_mpi_code_of(status, text) :
			       wf_mpi_refuse(NULL, MPI_ERR_REQUEST,
					     "%s: the request was freed", call);
	}
	wf_mpi_request_end(req_p, out);
	return code;
}

int PMPI_Wait(MPI_Request *request, MPI_Status *status)
{
	struct weft_request *req = wf_mpi_request(*request);
	int code;

	if (!wf_mpi_is_awaited(req)) {
		wf_mpi_status_empty(status);
		return MPI_SUCCESS;
	}
	code = ended(weft_request_wait(req), &req, status, WF_MPI_CALL);
	*request = wf_mpi_request_handle(req);
	return code;
}
WF_MPI_NAME(Wait);

int PMPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
	struct weft_request *req = wf_mpi_request(*request);
	bool done = true;
	int code = MPI_SUCCESS, result;

	if (!wf_mpi_is_awaited(req)) {
		wf_mpi_status_empty(status);
		*flag = 1;
		return MPI_SUCCESS;
	}
	result = weft_request_test(req, &done);
	if (done || result)
		code = ended(result, &req, status, WF_MPI_CALL);
	*flag = done || result;
	*request = wf_mpi_request_handle(req);
	return code;
}
WF_MPI_NAME(Test);
