/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Reduce_scatter_block in its three forms, and for large counts. */
#include "mpi/mpi_request.h"

int PMPI_Reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
			      MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = weft_reduce_scatter_block(
		native, sendbuf,
		wf_mpi_data(recvbuf, recvcount, datatype), wf_mpi_op(op));

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Reduce_scatter_block);

int PMPI_Reduce_scatter_block_c(const void *sendbuf, void *recvbuf,
				MPI_Count recvcount, MPI_Datatype datatype,
				MPI_Op op, MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = weft_reduce_scatter_block(
		native, sendbuf,
		wf_mpi_data(recvbuf, recvcount, datatype), wf_mpi_op(op));

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Reduce_scatter_block_c);

int PMPI_Ireduce_scatter_block(const void *sendbuf, void *recvbuf,
			       int recvcount, MPI_Datatype datatype, MPI_Op op,
			       MPI_Comm comm, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_ireduce_scatter_block(
		native, sendbuf,
		wf_mpi_data(recvbuf, recvcount, datatype), wf_mpi_op(op),
		&made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Ireduce_scatter_block);

int PMPI_Ireduce_scatter_block_c(const void *sendbuf, void *recvbuf,
				 MPI_Count recvcount, MPI_Datatype datatype,
				 MPI_Op op, MPI_Comm comm,
				 MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_ireduce_scatter_block(
		native, sendbuf,
		wf_mpi_data(recvbuf, recvcount, datatype), wf_mpi_op(op),
		&made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Ireduce_scatter_block_c);

int PMPI_Reduce_scatter_block_init(const void *sendbuf, void *recvbuf,
				   int recvcount, MPI_Datatype datatype,
				   MPI_Op op, MPI_Comm comm, MPI_Info info,
				   MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_reduce_scatter_block_init(
		native, sendbuf,
		wf_mpi_data(recvbuf, recvcount, datatype), wf_mpi_op(op),
		&made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Reduce_scatter_block_init);

int PMPI_Reduce_scatter_block_init_c(const void *sendbuf, void *recvbuf,
				     MPI_Count recvcount, MPI_Datatype datatype,
				     MPI_Op op, MPI_Comm comm, MPI_Info info,
				     MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_reduce_scatter_block_init(
		native, sendbuf,
		wf_mpi_data(recvbuf, recvcount, datatype), wf_mpi_op(op),
		&made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Reduce_scatter_block_init_c);
