/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for any of several requests, and testing them. */
#include "mpi/error.h"
#include "mpi/mpi_wait.h"

/* The call has returned this status and index. */
static int ended(int result, int index, MPI_Request requests[],
		 MPI_Status *status)
{
	const char *text = weft_error_text(wf_mpi.job);
	int code = MPI_SUCCESS;

	if (result && index < 0)
		return wf_mpi_refuse(NULL, MPI_ERR_REQUEST, "%s", text);
	if (result)
		code = wf_mpi_code_of(result, text);
	if (index >= 0)
		wf_mpi_request_end(&wf_mpi_natives(requests)[index], status);
	return code;
}

static int none(int *index, MPI_Status *status)
{
	*index = MPI_UNDEFINED;
	wf_mpi_status_empty(status);
	return MPI_SUCCESS;
}

int PMPI_Waitany(int count, MPI_Request requests[], int *index,
		 MPI_Status *status)
{
	struct weft_request **req = wf_mpi_natives(requests);
	int code = wf_mpi_requests_refuse(count, requests, WF_MPI_CALL);
	int at = -1, result;

	if (code)
		return code;
	if (!wf_mpi_requests_open(count, requests, NULL)) {
		wf_mpi_requests_close(count, requests);
		return none(index, status);
	}
	result = weft_request_wait_any(req, count, &at);
	code = ended(result, at, requests, status);
	wf_mpi_requests_close(count, requests);
	*index = at < 0 ? MPI_UNDEFINED : at;
	return code;
}
WF_MPI_NAME(Waitany);

int PMPI_Testany(int count, MPI_Request requests[], int *index, int *flag,
		 MPI_Status *status)
{
	struct weft_request **req = wf_mpi_natives(requests);
	int code = wf_mpi_requests_refuse(count, requests, WF_MPI_CALL);
	int at = -1, result;

	if (code)
		return code;
	*flag = 1;
	if (!wf_mpi_requests_open(count, requests, NULL)) {
		wf_mpi_requests_close(count, requests);
		return none(index, status);
	}
	result = weft_request_test_any(req, count, &at);
	code = ended(result, at, requests, status);
	wf_mpi_requests_close(count, requests);
	*flag = at >= 0;
	*index = at < 0 ? MPI_UNDEFINED : at;
	return code;
}
WF_MPI_NAME(Testany);
