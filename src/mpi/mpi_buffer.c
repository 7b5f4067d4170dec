/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffer of buffered sends. */
#include <string.h>

#include "mpi/error.h"
#include "mpi/mpi_handle.h"

/* The address goes where a pointer to it says, whatever type that has. */
static int detach(void *buffer_addr, size_t *bytes_p, const char *call)
{
	void *buffer = NULL;
	int status = weft_buffer_detach(wf_mpi.job, &buffer, bytes_p);

	memcpy(buffer_addr, &buffer, sizeof(buffer));
	return wf_mpi_done(status, call);
}

int PMPI_Buffer_attach(void *buffer, int size)
{
	if (size < 0)
		return wf_mpi_refuse(NULL, MPI_ERR_ARG, "%s: size is below 0",
				     WF_MPI_CALL);
	return wf_mpi_done(weft_buffer_attach(wf_mpi.job, buffer,
					      (size_t)size), WF_MPI_CALL);
}
WF_MPI_NAME(Buffer_attach);

int PMPI_Buffer_attach_c(void *buffer, MPI_Count size)
{
	if (size < 0)
		return wf_mpi_refuse(NULL, MPI_ERR_ARG, "%s: size is below 0",
				     WF_MPI_CALL);
	return wf_mpi_done(weft_buffer_attach(wf_mpi.job, buffer,
					      (size_t)size), WF_MPI_CALL);
}
WF_MPI_NAME(Buffer_attach_c);

int PMPI_Buffer_detach(void *buffer_addr, int *size)
{
	size_t bytes = 0;
	int code = detach(buffer_addr, &bytes, WF_MPI_CALL);

	*size = (int)bytes;
	return code;
}
WF_MPI_NAME(Buffer_detach);

int PMPI_Buffer_detach_c(void *buffer_addr, MPI_Count *size)
{
	size_t bytes = 0;
	int code = detach(buffer_addr, &bytes, WF_MPI_CALL);

	*size = (MPI_Count)bytes;
	return code;
}
WF_MPI_NAME(Buffer_detach_c);
