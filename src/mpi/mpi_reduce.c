/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Reduce in its three forms, and for large counts. */
#include "mpi/mpi_request.h"

int PMPI_Reduce(const void *sendbuf, void *recvbuf, int count,
		MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = weft_reduce(native, sendbuf,
				 wf_mpi_data(recvbuf, count, datatype),
				 wf_mpi_op(op), root);

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Reduce);

int PMPI_Reduce_c(const void *sendbuf, void *recvbuf, MPI_Count count,
		  MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = weft_reduce(native, sendbuf,
				 wf_mpi_data(recvbuf, count, datatype),
				 wf_mpi_op(op), root);

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Reduce_c);

int PMPI_Ireduce(const void *sendbuf, void *recvbuf, int count,
		 MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm,
		 MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_ireduce(native, sendbuf,
				  wf_mpi_data(recvbuf, count, datatype),
				  wf_mpi_op(op), root, &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Ireduce);

int PMPI_Ireduce_c(const void *sendbuf, void *recvbuf, MPI_Count count,
		   MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm,
		   MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_ireduce(native, sendbuf,
				  wf_mpi_data(recvbuf, count, datatype),
				  wf_mpi_op(op), root, &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Ireduce_c);

int PMPI_Reduce_init(const void *sendbuf, void *recvbuf, int count,
		     MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm,
		     MPI_Info info, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_reduce_init(native, sendbuf,
				      wf_mpi_data(recvbuf, count, datatype),
				      wf_mpi_op(op), root, &made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Reduce_init);

int PMPI_Reduce_init_c(const void *sendbuf, void *recvbuf, MPI_Count count,
		       MPI_Datatype datatype, MPI_Op op, int root,
		       MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_reduce_init(native, sendbuf,
				      wf_mpi_data(recvbuf, count, datatype),
				      wf_mpi_op(op), root, &made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Reduce_init_c);
