/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements packed side by side, and back. */
#include <limits.h>

#include "mpi/error.h"
#include "mpi/mpi_handle.h"

/* The communicator is not used, but for its handler of errors. */
static int moved(MPI_Comm comm, int status, const char *call)
{
	struct weft_comm *native = wf_mpi_comm(comm);

	if (!native)
		return wf_mpi_fail_on(NULL, WEFT_ERR_ARG, call);
	if (!status)
		return MPI_SUCCESS;
	return wf_mpi_refuse(native, wf_mpi_class(status), "%s",
			     weft_error_text(wf_mpi.job));
}

static int refuse_size(MPI_Comm comm, const char *call)
{
	return wf_mpi_refuse(wf_mpi_comm(comm), MPI_ERR_ARG, "%s: the size, or "
			     "the position, is below 0", call);
}

int PMPI_Pack(const void *inbuf, int incount, MPI_Datatype datatype,
	      void *outbuf, int outsize, int *position, MPI_Comm comm)
{
	size_t at = wf_mpi_count(*position);
	int status;

	if (outsize < 0 || *position < 0)
		return refuse_size(comm, WF_MPI_CALL);
	status = weft_pack(wf_mpi.job, wf_mpi_data(inbuf, incount, datatype),
			   outbuf, (size_t)outsize, &at);
	*position = (int)at;
	return moved(comm, status, WF_MPI_CALL);
}
WF_MPI_NAME(Pack);

int PMPI_Pack_c(const void *inbuf, MPI_Count incount, MPI_Datatype datatype,
		void *outbuf, MPI_Count outsize, MPI_Count *position,
		MPI_Comm comm)
{
	size_t at = wf_mpi_count(*position);
	int status;

	if (outsize < 0 || *position < 0)
		return refuse_size(comm, WF_MPI_CALL);
	status = weft_pack(wf_mpi.job, wf_mpi_data(inbuf, incount, datatype),
			   outbuf, (size_t)outsize, &at);
	*position = (MPI_Count)at;
	return moved(comm, status, WF_MPI_CALL);
}
WF_MPI_NAME(Pack_c);

int PMPI_Unpack(const void *inbuf, int insize, int *position, void *outbuf,
		int outcount, MPI_Datatype datatype, MPI_Comm comm)
{
	size_t at = wf_mpi_count(*position);
	int status;

	if (insize < 0 || *position < 0)
		return refuse_size(comm, WF_MPI_CALL);
	status = weft_unpack(wf_mpi.job, inbuf, (size_t)insize, &at,
			     wf_mpi_data(outbuf, outcount, datatype));
	*position = (int)at;
	return moved(comm, status, WF_MPI_CALL);
}
WF_MPI_NAME(Unpack);

int PMPI_Unpack_c(const void *inbuf, MPI_Count insize, MPI_Count *position,
		  void *outbuf, MPI_Count outcount, MPI_Datatype datatype,
		  MPI_Comm comm)
{
	size_t at = wf_mpi_count(*position);
	int status;

	if (insize < 0 || *position < 0)
		return refuse_size(comm, WF_MPI_CALL);
	status = weft_unpack(wf_mpi.job, inbuf, (size_t)insize, &at,
			     wf_mpi_data(outbuf, outcount, datatype));
	*position = (MPI_Count)at;
	return moved(comm, status, WF_MPI_CALL);
}
WF_MPI_NAME(Unpack_c);

/* More bytes than an int holds cannot be told. */
static int size_of(MPI_Count count, MPI_Datatype datatype, size_t *bytes_p,
		   const char *call)
{
	const struct weft_type *type = wf_mpi_type(datatype);

	if (!type)
		return wf_mpi_refuse(NULL, MPI_ERR_TYPE,
				     "%s: datatype is none", call);
	if (count < 0)
		return wf_mpi_refuse(NULL, MPI_ERR_COUNT,
				     "%s: count is %lld", call,
				     (long long)count);
	*bytes_p = weft_pack_size((size_t)count, type);
	return MPI_SUCCESS;
}

int PMPI_Pack_size(int incount, MPI_Datatype datatype, MPI_Comm comm,
		   int *size)
{
	size_t bytes = 0;
	int code = size_of(incount, datatype, &bytes, WF_MPI_CALL);

	if (!code)
		*size = bytes > INT_MAX ? MPI_UNDEFINED : (int)bytes;
	return code ? code : moved(comm, WEFT_OK, WF_MPI_CALL);
}
WF_MPI_NAME(Pack_size);

int PMPI_Pack_size_c(MPI_Count incount, MPI_Datatype datatype, MPI_Comm comm,
		     MPI_Count *size)
{
	size_t bytes = 0;
	int code = size_of(incount, datatype, &bytes, WF_MPI_CALL);

	if (!code)
		*size = bytes > INT64_MAX ? MPI_UNDEFINED : (MPI_Count)bytes;
	return code ? code : moved(comm, WEFT_OK, WF_MPI_CALL);
}
WF_MPI_NAME(Pack_size_c);
