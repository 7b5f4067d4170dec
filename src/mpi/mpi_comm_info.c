/* SPDX-License-Identifier: BSD-3-Clause */
/* Hints of communicators; duplicates with other ones, or that come later. */
#include "mpi/mpi_request.h"

/* Without MPI_INFO_NULL: a handle that is none. */
static int is_no_info(struct weft_comm *comm, const char *call)
{
	return wf_mpi_refuse(comm, MPI_ERR_INFO,
			     "%s: info is no info object", call);
}

int PMPI_Comm_set_info(MPI_Comm comm, MPI_Info info)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_info *hints = wf_mpi_info(info);

	if (native && !hints)
		return is_no_info(native, WF_MPI_CALL);
	return wf_mpi_on(native, weft_comm_set_info(native, hints),
			 WF_MPI_CALL);
}
WF_MPI_NAME(Comm_set_info);

/* One that outlives the job, as all of MPI do. */
static int copy_of(const struct weft_info *hints, struct weft_info **made_p)
{
	int n = weft_info_count(hints);
	int status = weft_info_create(NULL, made_p);

	for (int i = 0; i < n && !status; i++) {
		const char *key = weft_info_key(hints, i);

		status = weft_info_set(*made_p, key,
				       weft_info_get(hints, key));
	}
	return status;
}

int PMPI_Comm_get_info(MPI_Comm comm, MPI_Info *info)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_info *hints = NULL, *made = NULL;
	int status = weft_comm_get_info(native, &hints);
	int copied = status ? status : copy_of(hints, &made);

	*info = wf_mpi_info_handle(made);
	if (hints && weft_info_free(&hints))
		hints = NULL;
	return status ? wf_mpi_on(native, status, WF_MPI_CALL) :
			wf_mpi_lacks(copied, WF_MPI_CALL);
}
WF_MPI_NAME(Comm_get_info);

int PMPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_comm *made = NULL;
	int status = weft_comm_dup_with_info(native, wf_mpi_info(info), &made);

	*newcomm = wf_mpi_comm_handle(made);
	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Comm_dup_with_info);

/*
 * The duplicate is written where the program wants it, as an address, which is
 * its handle, when the request is complete.
 */

int PMPI_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_comm_idup(native, (struct weft_comm **)newcomm,
				    &made);

	if (status)
		*newcomm = MPI_COMM_NULL;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Comm_idup);

int PMPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm,
			     MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_comm_idup_with_info(native, wf_mpi_info(info),
					      (struct weft_comm **)newcomm,
					      &made);

	if (status)
		*newcomm = MPI_COMM_NULL;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Comm_idup_with_info);
