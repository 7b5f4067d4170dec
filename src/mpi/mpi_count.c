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

/* ---- basic elements ---- */

/* Of a type that is none a code; else MPI_UNDEFINED where there is none. */
static int elements_of(const MPI_Status *status, MPI_Datatype datatype,
		       int64_t *n_p, const char *call)
{
	const struct weft_type *type = wf_mpi_type(datatype);

	if (!type)
		return wf_mpi_refuse(NULL, MPI_ERR_TYPE,
				     "%s: datatype is none", call);
	return wf_mpi_done(weft_type_elements(type,
			(uint64_t)wf_mpi_status_bytes(status), n_p), call);
}

_Static_assert((int)WEFT_UNDEFINED == (int)MPI_UNDEFINED, "it is passed on");

int PMPI_Get_elements(const MPI_Status *status, MPI_Datatype datatype,
		      int *count)
{
	int64_t n = 0;
	int code = elements_of(status, datatype, &n, WF_MPI_CALL);

	*count = n > INT_MAX ? MPI_UNDEFINED : (int)n;
	return code;
}
WF_MPI_NAME(Get_elements);

int PMPI_Get_elements_c(const MPI_Status *status, MPI_Datatype datatype,
			MPI_Count *count)
{
	int64_t n = 0;
	int code = elements_of(status, datatype, &n, WF_MPI_CALL);

	*count = n;
	return code;
}
WF_MPI_NAME(Get_elements_c);

int PMPI_Get_elements_x(const MPI_Status *status, MPI_Datatype datatype,
			MPI_Count *count)
{
	int64_t n = 0;
	int code = elements_of(status, datatype, &n, WF_MPI_CALL);

	*count = n;
	return code;
}
WF_MPI_NAME(Get_elements_x);

static int set_elements(MPI_Status *status, MPI_Datatype datatype,
			MPI_Count count, const char *call)
{
	const struct weft_type *type = wf_mpi_type(datatype);
	uint64_t bytes = 0;
	int code;

	if (!type || count < 0)
		return wf_mpi_refuse(NULL, type ? MPI_ERR_COUNT : MPI_ERR_TYPE,
				     "%s: datatype is none, or count below 0",
				     call);
	code = wf_mpi_done(weft_type_element_bytes(type, (uint64_t)count,
						   &bytes), call);
	if (!code)
		wf_mpi_status_set_bytes(status, (int64_t)bytes);
	return code;
}

int PMPI_Status_set_elements(MPI_Status *status, MPI_Datatype datatype,
			     int count)
{
	return set_elements(status, datatype, count, WF_MPI_CALL);
}
WF_MPI_NAME(Status_set_elements);

int PMPI_Status_set_elements_c(MPI_Status *status, MPI_Datatype datatype,
			       MPI_Count count)
{
	return set_elements(status, datatype, count, WF_MPI_CALL);
}
WF_MPI_NAME(Status_set_elements_c);

int PMPI_Status_set_elements_x(MPI_Status *status, MPI_Datatype datatype,
			       MPI_Count count)
{
	return set_elements(status, datatype, count, WF_MPI_CALL);
}
WF_MPI_NAME(Status_set_elements_x);
