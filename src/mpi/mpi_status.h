/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Statuses.  The library's own part has the bytes of the message in the first
 * two words, which are not aligned for it, then whether it was cancelled.
 */
#ifndef WEFT_MPI_MPI_STATUS_H
#define WEFT_MPI_MPI_STATUS_H

#include <string.h>

#include "mpi/mpi_handle.h"

enum {
	WF_MPI_CANCELLED = 2		/* place in MPI_internal */
};

static inline int64_t wf_mpi_status_bytes(const MPI_Status *status)
{
	int64_t bytes;

	memcpy(&bytes, status->MPI_internal, sizeof(bytes));
	return bytes;
}

static inline void wf_mpi_status_set_bytes(MPI_Status *status, int64_t bytes)
{
	memcpy(status->MPI_internal, &bytes, sizeof(bytes));
}

/* All but MPI_ERROR, which only functions for several requests write. */
static inline void wf_mpi_status_set(MPI_Status *status,
				     const struct weft_message_status *got)
{
	if (status == MPI_STATUS_IGNORE)
		return;
	status->MPI_SOURCE = got->source;
	status->MPI_TAG = got->tag;
	wf_mpi_status_set_bytes(status, (int64_t)got->bytes);
	status->MPI_internal[WF_MPI_CANCELLED] = got->cancelled;
}

/* That of an operation which nobody waits for, or without a message. */
static inline void wf_mpi_status_empty(MPI_Status *status)
{
	if (status == MPI_STATUS_IGNORE)
		return;
	status->MPI_SOURCE = MPI_ANY_SOURCE;
	status->MPI_TAG = MPI_ANY_TAG;
	status->MPI_ERROR = MPI_SUCCESS;
	wf_mpi_status_set_bytes(status, 0);
	status->MPI_internal[WF_MPI_CANCELLED] = 0;
}

#endif
