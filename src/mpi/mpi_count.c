/* SPDX-License-Identifier: BSD-3-Clause */
/* What is in a status. */
#include <limits.h>

#include "mpi/error.h"
#include "mpi/mpi_status.h"

/* Elements of so many bytes; MPI_UNDEFINED where they are no whole number. */
static int64_t count_of(const MPI_Status *status,
			const struct weft_type *type)
{
	int64_t bytes = wf_mpi_status_bytes(status);
	int64_t size = (int64_t)weft_type_size(type);

	if (!size)
		return bytes ? MPI_UNDEFINED : 0;
	return bytes % size ? MPI_UNDEFINED : bytes / size;
}

int PMPI_Get_count(const MPI_Status *status, MPI_Datatype datatype,
		   int *count)
{
	const struct weft_type *type = wf_mpi_type(datatype);
	int64_t n;

	if (!type)
		return wf_mpi_refuse(NULL, MPI_ERR_TYPE,
				     "%s: datatype is none", WF_MPI_CALL);
	n = count_of(status, type);
	*count = n > INT_MAX ? MPI_UNDEFINED : (int)n;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Get_count);

int PMPI_Get_count_c(const MPI_Status *status, MPI_Datatype datatype,
		     MPI_Count *count)
{
	const struct weft_type *type = wf_mpi_type(datatype);

	if (!type)
		return wf_mpi_refuse(NULL, MPI_ERR_TYPE,
				     "%s: datatype is none", WF_MPI_CALL);
	*count = count_of(status, type);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Get_count_c);

int PMPI_Test_cancelled(const MPI_Status *status, int *flag)
{
	*flag = status->MPI_internal[WF_MPI_CANCELLED];
	return MPI_SUCCESS;
}
WF_MPI_NAME(Test_cancelled);

int PMPI_Status_set_cancelled(MPI_Status *status, int flag)
{
	status->MPI_internal[WF_MPI_CANCELLED] = !!flag;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Status_set_cancelled);

/* ---- members ---- */

int PMPI_Status_get_source(const MPI_Status *status, int *source)
{
	*source = status->MPI_SOURCE;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Status_get_source);

int PMPI_Status_get_tag(const MPI_Status *status, int *tag)
{
	*tag = status->MPI_TAG;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Status_get_tag);

int PMPI_Status_get_error(const MPI_Status *status, int *error)
{
	*error = status->MPI_ERROR;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Status_get_error);

int PMPI_Status_set_source(MPI_Status *status, int source)
{
	status->MPI_SOURCE = source;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Status_set_source);

int PMPI_Status_set_tag(MPI_Status *status, int tag)
{
	status->MPI_TAG = tag;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Status_set_tag);

int PMPI_Status_set_error(MPI_Status *status, int error)
{
	status->MPI_ERROR = error;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Status_set_error);
