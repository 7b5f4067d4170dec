/* SPDX-License-Identifier: BSD-3-Clause */
/* The same in the form of external32. */
#include <string.h>

#include "mpi/error.h"
#include "mpi/mpi_handle.h"

/* There is one representation; of numbers none is below 0. */
static int refuse_form(const char *datarep, MPI_Count number,
		       MPI_Count other, const char *call)
{
	if (number < 0 || other < 0)
		return wf_mpi_refuse(NULL, MPI_ERR_ARG, "%s: a count, size or "
				     "position is below 0", call);
	if (datarep && !strcmp(datarep, "external32"))
		return MPI_SUCCESS;
	return wf_mpi_refuse(NULL, MPI_ERR_ARG, "%s: datarep is %s, not "
			     "external32", call, datarep ? datarep : "NULL");
}

int PMPI_Pack_external(const char *datarep, const void *inbuf, int incount,
		       MPI_Datatype datatype, void *outbuf, MPI_Aint outsize,
		       MPI_Aint *position)
{
	size_t at = wf_mpi_count(*position);
	int code = refuse_form(datarep, outsize, *position, WF_MPI_CALL);
	int status;

	if (code)
		return code;
	status = weft_pack_external(wf_mpi.job,
				    wf_mpi_data(inbuf, incount, datatype),
				    outbuf, wf_mpi_count(outsize), &at);
	*position = (MPI_Aint)at;
	return wf_mpi_done(status, WF_MPI_CALL);
}
WF_MPI_NAME(Pack_external);

int PMPI_Pack_external_c(const char *datarep, const void *inbuf,
			 MPI_Count incount, MPI_Datatype datatype, void *outbuf,
			 MPI_Count outsize, MPI_Count *position)
{
	size_t at = wf_mpi_count(*position);
	int code = refuse_form(datarep, outsize, *position, WF_MPI_CALL);
	int status;

	if (code)
		return code;
	status = weft_pack_external(wf_mpi.job,
				    wf_mpi_data(inbuf, incount, datatype),
				    outbuf, wf_mpi_count(outsize), &at);
	*position = (MPI_Count)at;
	return wf_mpi_done(status, WF_MPI_CALL);
}
WF_MPI_NAME(Pack_external_c);

int PMPI_Unpack_external(const char datarep[], const void *inbuf,
			 MPI_Aint insize, MPI_Aint *position, void *outbuf,
			 int outcount, MPI_Datatype datatype)
{
	size_t at = wf_mpi_count(*position);
	int code = refuse_form(datarep, insize, *position, WF_MPI_CALL);
	int status;

	if (code)
		return code;
	status = weft_unpack_external(wf_mpi.job, inbuf, wf_mpi_count(insize),
				      &at, wf_mpi_data(outbuf, outcount,
						       datatype));
	*position = (MPI_Aint)at;
	return wf_mpi_done(status, WF_MPI_CALL);
}
WF_MPI_NAME(Unpack_external);

int PMPI_Unpack_external_c(const char datarep[], const void *inbuf,
			   MPI_Count insize, MPI_Count *position, void *outbuf,
			   MPI_Count outcount, MPI_Datatype datatype)
{
	size_t at = wf_mpi_count(*position);
	int code = refuse_form(datarep, insize, *position, WF_MPI_CALL);
	int status;

	if (code)
		return code;
	status = weft_unpack_external(wf_mpi.job, inbuf, wf_mpi_count(insize),
				      &at, wf_mpi_data(outbuf, outcount,
						       datatype));
	*position = (MPI_Count)at;
	return wf_mpi_done(status, WF_MPI_CALL);
}
WF_MPI_NAME(Unpack_external_c);

int PMPI_Pack_external_size(const char *datarep, int incount,
			    MPI_Datatype datatype, MPI_Aint *size)
{
	const struct weft_type *type = wf_mpi_type(datatype);
	int code = refuse_form(datarep, incount, 0, WF_MPI_CALL);

	if (code)
		return code;
	if (!type)
		return wf_mpi_refuse(NULL, MPI_ERR_TYPE,
				     "%s: datatype is none", WF_MPI_CALL);
	*size = (MPI_Aint)weft_pack_external_size(wf_mpi_count(incount), type);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Pack_external_size);

int PMPI_Pack_external_size_c(const char *datarep, MPI_Count incount,
			      MPI_Datatype datatype, MPI_Count *size)
{
	const struct weft_type *type = wf_mpi_type(datatype);
	int code = refuse_form(datarep, incount, 0, WF_MPI_CALL);

	if (code)
		return code;
	if (!type)
		return wf_mpi_refuse(NULL, MPI_ERR_TYPE,
				     "%s: datatype is none", WF_MPI_CALL);
	*size = (MPI_Count)weft_pack_external_size(wf_mpi_count(incount), type);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Pack_external_size_c);
