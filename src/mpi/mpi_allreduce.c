/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Allreduce in its three forms, and for large counts. */
#include "mpi/mpi_request.h"

int PMPI_Allreduce(const void *sendbuf, void *recvbuf, int count,
		   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = weft_allreduce(native, sendbuf,
				    wf_mpi_data(recvbuf, count, datatype),
				    wf_mpi_op(op));

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Allreduce);

int PMPI_Allreduce_c(const void *sendbuf, void *recvbuf, MPI_Count count,
		     MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = weft_allreduce(native, sendbuf,
				    wf_mpi_data(recvbuf, count, datatype),
				    wf_mpi_op(op));

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Allreduce_c);

int PMPI_Iallreduce(const void *sendbuf, void *recvbuf, int count,
		    MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
		    MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_iallreduce(native, sendbuf,
				     wf_mpi_data(recvbuf, count, datatype),
				     wf_mpi_op(op), &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Iallreduce);

int PMPI_Iallreduce_c(const void *sendbuf, void *recvbuf, MPI_Count count,
		      MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
		      MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_iallreduce(native, sendbuf,
				     wf_mpi_data(recvbuf, count, datatype),
				     wf_mpi_op(op), &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Iallreduce_c);

int PMPI_Allreduce_init(const void *sendbuf, void *recvbuf, int count,
			MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
			MPI_Info info, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_allreduce_init(native, sendbuf,
					 wf_mpi_data(recvbuf, count, datatype),
					 wf_mpi_op(op), &made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Allreduce_init);

int PMPI_Allreduce_init_c(const void *sendbuf, void *recvbuf, MPI_Count count,
			  MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
			  MPI_Info info, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_allreduce_init(native, sendbuf,
					 wf_mpi_data(recvbuf, count, datatype),
					 wf_mpi_op(op), &made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Allreduce_init_c);
