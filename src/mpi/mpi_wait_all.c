/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for all of several requests, and testing them. */
#include <stdlib.h>
#include <string.h>

#include "mpi/error.h"
#include "mpi/mpi_wait.h"

/* Native statuses of so many requests lie on the stack. */
enum {
	FEW = 64
};

static bool any_failed(int n, const int native[])
{
	for (int i = 0; i < n; i++) {
		if (native[i])
			return true;
	}
	return false;
}

/* flag: NULL: it waits. */
static int all(int n, MPI_Request requests[], int *flag, MPI_Status statuses[],
	       int native[])
{
	struct weft_request **req = wf_mpi_natives(requests);
	bool done = true;
	int status;

	wf_mpi_requests_open(n, requests, statuses);
	status = flag ? weft_request_test_all(req, n, &done, native) :
			weft_request_wait_all(req, n, native);
	if (flag)
		*flag = done;
	/* Else the call was refused, and has done nothing. */
	if (done && (!status || any_failed(n, native)))
		return wf_mpi_requests_end(n, requests, statuses, native);
	wf_mpi_requests_close(n, requests);
	return status ? wf_mpi_refuse(NULL, MPI_ERR_REQUEST, "%s",
				      weft_error_text(wf_mpi.job)) :
			MPI_SUCCESS;
}

static int all_of(int n, MPI_Request requests[], int *flag,
		  MPI_Status statuses[], const char *call)
{
	int few[FEW];
	int code = wf_mpi_requests_refuse(n, requests, call);
	int *native = few;

	if (code)
		return code;
	if (n > FEW)
		native = malloc((size_t)n * sizeof(*native));
	if (!native)
		return wf_mpi_refuse(NULL, MPI_ERR_NO_MEM, "%s: no memory for "
				     "the results of %d requests", call, n);
	memset(native, 0, (size_t)n * sizeof(*native));
	code = all(n, requests, flag, statuses, native);
	if (native != few)
		free(native);
	return code;
}

int PMPI_Waitall(int count, MPI_Request requests[], MPI_Status *statuses)
{
	return all_of(count, requests, NULL, statuses, WF_MPI_CALL);
}
WF_MPI_NAME(Waitall);

int PMPI_Testall(int count, MPI_Request requests[], int *flag,
		 MPI_Status *statuses)
{
	return all_of(count, requests, flag, statuses, WF_MPI_CALL);
}
WF_MPI_NAME(Testall);
