/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Reduce_scatter in its three forms, and for large counts. */
#include "mpi/mpi_request.h"
#include "mpi/mpi_vec.h"

int PMPI_Reduce_scatter(const void *sendbuf, void *recvbuf,
			const int recvcounts[], MPI_Datatype datatype,
			MPI_Op op, MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec recv =
		wf_mpi_vec(recvbuf, recvcounts, NULL, datatype);
	int status = weft_reduce_scatter(native, sendbuf, &recv,
					 wf_mpi_op(op));

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Reduce_scatter);

int PMPI_Reduce_scatter_c(const void *sendbuf, void *recvbuf,
			  const MPI_Count recvcounts[], MPI_Datatype datatype,
			  MPI_Op op, MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec recv =
		wf_mpi_vec_c(recvbuf, recvcounts, NULL, datatype);
	int status = weft_reduce_scatter(native, sendbuf, &recv,
					 wf_mpi_op(op));

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Reduce_scatter_c);

int PMPI_Ireduce_scatter(const void *sendbuf, void *recvbuf,
			 const int recvcounts[], MPI_Datatype datatype,
			 MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec recv =
		wf_mpi_vec(recvbuf, recvcounts, NULL, datatype);
	struct weft_request *made = NULL;
	int status = weft_ireduce_scatter(native, sendbuf, &recv,
					  wf_mpi_op(op), &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Ireduce_scatter);

int PMPI_Ireduce_scatter_c(const void *sendbuf, void *recvbuf,
			   const MPI_Count recvcounts[], MPI_Datatype datatype,
			   MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec recv =
		wf_mpi_vec_c(recvbuf, recvcounts, NULL, datatype);
	struct weft_request *made = NULL;
	int status = weft_ireduce_scatter(native, sendbuf, &recv,
					  wf_mpi_op(op), &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Ireduce_scatter_c);

int PMPI_Reduce_scatter_init(const void *sendbuf, void *recvbuf,
			     const int recvcounts[], MPI_Datatype datatype,
			     MPI_Op op, MPI_Comm comm, MPI_Info info,
			     MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec recv =
		wf_mpi_vec(recvbuf, recvcounts, NULL, datatype);
	struct weft_request *made = NULL;
	int status = weft_reduce_scatter_init(native, sendbuf, &recv,
					      wf_mpi_op(op), &made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Reduce_scatter_init);

int PMPI_Reduce_scatter_init_c(const void *sendbuf, void *recvbuf,
			       const MPI_Count recvcounts[],
			       MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
			       MPI_Info info, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_vec recv =
		wf_mpi_vec_c(recvbuf, recvcounts, NULL, datatype);
	struct weft_request *made = NULL;
	int status = weft_reduce_scatter_init(native, sendbuf, &recv,
					      wf_mpi_op(op), &made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Reduce_scatter_init_c);
