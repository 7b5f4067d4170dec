/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests of the program that are waited for or tested.  Native calls work on
 * its array itself, in which MPI_REQUEST_NULL is NULL until they return.
 */
#ifndef WEFT_MPI_MPI_WAIT_H
#define WEFT_MPI_MPI_WAIT_H

#include "mpi/mpi_status.h"

/* The array as native calls take it. */
static inline struct weft_request **wf_mpi_natives(MPI_Request requests[])
{
	return (struct weft_request **)requests;
}

/* Is there an end to be told of? Not of a persistent one without a start. */
static inline bool wf_mpi_is_awaited(const struct weft_request *req)
{
	return req && (!weft_request_is_persistent(req) ||
		       weft_request_is_active(req));
}

/* Arguments that are wrong: a code; MPI_SUCCESS: none is. */
int wf_mpi_requests_refuse(int n, const MPI_Request requests[],
			   const char *call);

/*
 * n requests become native ones.  Returns how many are awaited; statuses, NULL
 * or n, note which.
 */
int wf_mpi_requests_open(int n, MPI_Request requests[], MPI_Status statuses[]);

/* They are handles again; none has ended. */
void wf_mpi_requests_close(int n, MPI_Request requests[]);

/* One has ended: what it was for; then it goes, unless it is persistent. */
void wf_mpi_request_end(struct weft_request **req_p, MPI_Status *status);

/*
 * All have ended: of those that were awaited as above, else nobody's status.
 * Where one has failed, by the native statuses, each has its error, and the
 * result is MPI_ERR_IN_STATUS.
 */
int wf_mpi_requests_end(int n, MPI_Request requests[], MPI_Status statuses[],
			const int native[]);

struct wf_mpi_some {
	int n;
	const int *index;		/* n of them, in the array */
	const int *native;		/* and their native statuses */
};

/*
 * Those that have ended, by their indices; their statuses are the first ones.
 * Else as above.
 */
int wf_mpi_requests_end_some(const struct wf_mpi_some *some,
			     MPI_Request requests[], MPI_Status statuses[]);

#endif
