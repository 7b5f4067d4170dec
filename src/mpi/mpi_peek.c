/* SPDX-License-Identifier: BSD-3-Clause */
/* Looking at requests, which stay as they are. */
#include <stdlib.h>

#include "mpi/error.h"
#include "mpi/mpi_wait.h"

/* What a native call gives of each request, and the requests themselves. */
struct look {
	int n;
	const struct weft_request **req;
	struct weft_message_status *got;
	int awaited;
};

static int look_begin(struct look *look, int n, const MPI_Request requests[],
		      const char *call)
{
	int code = wf_mpi_requests_refuse(n, requests, call);

	*look = (struct look){ .n = n };
	if (code || !n)
		return code;
	look->req = malloc((size_t)n * sizeof(*look->req));
	look->got = malloc((size_t)n * sizeof(*look->got));
	if (!look->req || !look->got)
		return wf_mpi_lacks(WEFT_ERR_NOMEM, call);
	for (int i = 0; i < n; i++) {
		look->req[i] = wf_mpi_request(requests[i]);
		look->awaited += wf_mpi_is_awaited(look->req[i]);
	}
	return MPI_SUCCESS;
}

/* Returns the code. */
static int look_end(struct look *look, int code)
{
	free(look->req);
	free(look->got);
	return code;
}

static struct weft_request *const *natives(const struct look *look)
{
	return (struct weft_request *const *)look->req;
}

/* A native call has refused what was passed. */
static int refused(int status, const char *call)
{
	return status ? wf_mpi_refuse(NULL, MPI_ERR_REQUEST, "%s: a request "
				      "was freed, or is of another job",
				      call) : MPI_SUCCESS;
}

int PMPI_Request_get_status(MPI_Request request, int *flag,
			    MPI_Status *status)
{
	struct weft_request *req = wf_mpi_request(request);
	struct weft_message_status got;
	bool done = true;
	int result;

	*flag = 1;
	if (!wf_mpi_is_awaited(req)) {
		wf_mpi_status_empty(status);
		return MPI_SUCCESS;
	}
	result = weft_request_peek(req, &done, &got);
	if (!result && done)
		wf_mpi_status_set(status, &got);
	*flag = done;
	return refused(result, WF_MPI_CALL);
}
WF_MPI_NAME(Request_get_status);

/* Of one that is not awaited the status is nobody's. */
static void tell_all(const struct look *look, MPI_Status *statuses)
{
	for (int i = 0; statuses && i < look->n; i++) {
		if (wf_mpi_is_awaited(look->req[i]))
			wf_mpi_status_set(&statuses[i], &look->got[i]);
		else
			wf_mpi_status_empty(&statuses[i]);
	}
}

int PMPI_Request_get_status_all(int count, const MPI_Request requests[],
				int *flag, MPI_Status *statuses)
{
	struct look look;
	bool done = true;
	int code = look_begin(&look, count, requests, WF_MPI_CALL);

	if (!code && look.awaited)
		code = refused(weft_request_peek_all(natives(&look), count,
						     &done, look.got),
			       WF_MPI_CALL);
	if (!code && done)
		tell_all(&look, statuses);
	*flag = done;
	return look_end(&look, code);
}
WF_MPI_NAME(Request_get_status_all);

int PMPI_Request_get_status_any(int count, const MPI_Request requests[],
				int *index, int *flag, MPI_Status *status)
{
	struct look look;
	int at = -1;
	int code = look_begin(&look, count, requests, WF_MPI_CALL);

	if (!code && look.awaited)
		code = refused(weft_request_peek_any(natives(&look), count,
						     &at, look.got),
			       WF_MPI_CALL);
	if (!code && at >= 0)
		wf_mpi_status_set(status, look.got);
	else if (!code && !look.awaited)
		wf_mpi_status_empty(status);
	*flag = at >= 0 || !look.awaited;
	*index = at >= 0 ? at : MPI_UNDEFINED;
	return look_end(&look, code);
}
WF_MPI_NAME(Request_get_status_any);

int PMPI_Request_get_status_some(int incount, const MPI_Request requests[],
				 int *outcount, int indices[],
				 MPI_Status *statuses)
{
	struct look look;
	int n = 0;
	int code = look_begin(&look, incount, requests, WF_MPI_CALL);

	if (!code && look.awaited)
		code = refused(weft_request_peek_some(natives(&look), incount,
						      indices, &n, look.got),
			       WF_MPI_CALL);
	for (int i = 0; statuses && i < n; i++)
		wf_mpi_status_set(&statuses[i], &look.got[i]);
	*outcount = look.awaited ? n : MPI_UNDEFINED;
	return look_end(&look, code);
}
WF_MPI_NAME(Request_get_status_some);
