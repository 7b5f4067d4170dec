/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for some of several requests, and testing them. */
#include <stdlib.h>

#include "mpi/error.h"
#include "mpi/mpi_wait.h"

/* Native statuses of so many requests lie on the stack. */
enum {
	FEW = 64
};

typedef int some_call(struct weft_request *const *req, int n, int *index_p,
		      int *count_p, int *status_p);

/* What the program gave. */
struct given {
	int n;
	MPI_Request *requests;
	int *outcount, *indices;
	MPI_Status *statuses;
};

static int some(some_call *call, const struct given *given, int native[])
{
	struct wf_mpi_some some = {
		.index = given->indices, .native = native
	};
	int code = MPI_SUCCESS, status = WEFT_OK;

	if (!wf_mpi_requests_open(given->n, given->requests, NULL)) {
		*given->outcount = MPI_UNDEFINED;
	} else {
		status = call(wf_mpi_natives(given->requests), given->n,
			      given->indices, &some.n, native);
		*given->outcount = some.n;
		code = wf_mpi_requests_end_some(&some, given->requests,
						given->statuses);
	}
	wf_mpi_requests_close(given->n, given->requests);
	return status && !some.n ?
		wf_mpi_refuse(NULL, MPI_ERR_REQUEST, "%s",
			      weft_error_text(wf_mpi.job)) : code;
}

static int some_of(some_call *call, const struct given *given,
		   const char *name)
{
	int few[FEW];
	int code = wf_mpi_requests_refuse(given->n, given->requests, name);
	int *native = few;

	if (code)
		return code;
	if (given->n > FEW)
		native = malloc((size_t)given->n * sizeof(*native));
	if (!native)
		return wf_mpi_refuse(NULL, MPI_ERR_NO_MEM, "%s: no memory for "
				     "the results of %d requests", name,
				     given->n);
	code = some(call, given, native);
	if (native != few)
		free(native);
	return code;
}

int PMPI_Waitsome(int incount, MPI_Request requests[], int *outcount,
		  int indices[], MPI_Status *statuses)
{
	const struct given given = {
		incount, requests, outcount, indices, statuses
	};

	return some_of(weft_request_wait_some, &given, WF_MPI_CALL);
}
WF_MPI_NAME(Waitsome);

int PMPI_Testsome(int incount, MPI_Request requests[], int *outcount,
		  int indices[], MPI_Status *statuses)
{
	const struct given given = {
		incount, requests, outcount, indices, statuses
	};

	return some_of(weft_request_test_some, &given, WF_MPI_CALL);
}
WF_MPI_NAME(Testsome);
