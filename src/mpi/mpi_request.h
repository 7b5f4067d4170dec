/* SPDX-License-Identifier: BSD-3-Clause */
/* What a call that begins something gives: a request. */
#ifndef WEFT_MPI_MPI_REQUEST_H
#define WEFT_MPI_MPI_REQUEST_H

#include "mpi/error.h"
#include "mpi/mpi_handle.h"

/* The end of such a function; made: NULL where the native call has failed. */
static inline int wf_mpi_begun(struct weft_comm *comm, int status,
			       struct weft_request *made,
			       MPI_Request *request, const char *call)
{
	*request = wf_mpi_request_handle(made);
	return wf_mpi_on(comm, status, call);
}

#endif
