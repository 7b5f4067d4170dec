/* SPDX-License-Identifier: BSD-3-Clause */
/* What all functions that wait for requests, or test them, do with these. */
#include "mpi/mpi_wait.h"

#include "mpi/error.h"
#include "mpi/mpi_int.h"

/* Its place in MPI_internal of a status, until that is written. */
enum {
	WAS_AWAITED = 4
};

int wf_mpi_requests_refuse(int n, const MPI_Request requests[],
			   const char *call)
{
	if (n < 0)
		return wf_mpi_refuse(NULL, MPI_ERR_COUNT,
				     "%s: %d requests", call, n);
	return n && !requests ?
		wf_mpi_refuse_null(NULL, call, "the array of requests") :
		MPI_SUCCESS;
}

int wf_mpi_requests_open(int n, MPI_Request requests[], MPI_Status statuses[])
{
	int awaited = 0;

	for (int i = 0; i < n; i++) {
		struct weft_request *req = wf_mpi_request(requests[i]);
		bool is = wf_mpi_is_awaited(req);

		awaited += is;
		wf_mpi_natives(requests)[i] = req;
		if (statuses)
			statuses[i].MPI_internal[WAS_AWAITED] = is;
	}
	return awaited;
}

void wf_mpi_requests_close(int n, MPI_Request requests[])
{
	for (int i = 0; i < n; i++) {
		if (!wf_mpi_natives(requests)[i])
			requests[i] = MPI_REQUEST_NULL;
	}
}

void wf_mpi_request_end(struct weft_request **req_p, MPI_Status *status)
{
	struct weft_message_status got;

	if (status && *req_p && !weft_request_status(*req_p, &got))
		wf_mpi_status_set(status, &got);
	if (!*req_p || weft_request_is_persistent(*req_p))
		return;
	wf_mpi_int_forget(*req_p);
	if (weft_request_free(req_p))
		*req_p = NULL;	/* freed before: nothing is left of it */
}

/* Where any has failed a status has an error, of a native status. */
static void set_error(MPI_Status *status, const struct weft_request *req,
		      int native)
{
	status->MPI_ERROR = native ?
		wf_mpi_code_of(native, req ? weft_request_error(req) : "") :
		MPI_SUCCESS;
}

static bool any_failed(int n, const int native[])
{
	for (int i = 0; i < n; i++) {
		if (native[i])
			return true;
	}
	return false;
}

/* By one call, where none is persistent; false: one by one. */
static bool free_all(int n, struct weft_request *req[])
{
	for (int i = 0; i < n; i++) {
		if (weft_request_is_persistent(req[i]))
			return false;
	}
	for (int i = 0; i < n; i++)
		wf_mpi_int_forget(req[i]);
	return weft_request_free_all(req, n) == WEFT_OK;
}

int wf_mpi_requests_end(int n, MPI_Request requests[], MPI_Status statuses[],
			const int native[])
{
	bool failed = any_failed(n, native);

	if (!statuses && !failed && free_all(n, wf_mpi_natives(requests))) {
		wf_mpi_requests_close(n, requests);
		return MPI_SUCCESS;
	}
	for (int i = 0; i < n; i++) {
		MPI_Status *status = statuses ? &statuses[i] : NULL;
		struct weft_request **req = &wf_mpi_natives(requests)[i];

		if (status && !status->MPI_internal[WAS_AWAITED]) {
			wf_mpi_status_empty(status);
			status = NULL;
		}
		if (status && failed)
			set_error(status, *req, native[i]);
		wf_mpi_request_end(req, status);
	}
	wf_mpi_requests_close(n, requests);
	return failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

int wf_mpi_requests_end_some(const struct wf_mpi_some *some,
			     MPI_Request requests[], MPI_Status statuses[])
{
	bool failed = any_failed(some->n, some->native);

	for (int i = 0; i < some->n; i++) {
		MPI_Status *status = statuses ? &statuses[i] : NULL;
		struct weft_request **req =
			&wf_mpi_natives(requests)[some->index[i]];

		if (status && failed)
			set_error(status, *req, some->native[i]);
		wf_mpi_request_end(req, status);
	}
	return failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}
