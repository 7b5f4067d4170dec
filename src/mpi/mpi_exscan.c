/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Exscan in its three forms, and for large counts. */
#include "mpi/mpi_request.h"

int PMPI_Exscan(const void *sendbuf, void *recvbuf, int count,
		MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = weft_exscan(native, sendbuf,
				 wf_mpi_data(recvbuf, count, datatype),
				 wf_mpi_op(op));

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Exscan);

int PMPI_Exscan_c(const void *sendbuf, void *recvbuf, MPI_Count count,
		  MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = weft_exscan(native, sendbuf,
				 wf_mpi_data(recvbuf, count, datatype),
				 wf_mpi_op(op));

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Exscan_c);

int PMPI_Iexscan(const void *sendbuf, void *recvbuf, int count,
		 MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
		 MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_iexscan(native, sendbuf,
				  wf_mpi_data(recvbuf, count, datatype),
				  wf_mpi_op(op), &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Iexscan);

int PMPI_Iexscan_c(const void *sendbuf, void *recvbuf, MPI_Count count,
		   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
		   MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_iexscan(native, sendbuf,
				  wf_mpi_data(recvbuf, count, datatype),
				  wf_mpi_op(op), &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Iexscan_c);

int PMPI_Exscan_init(const void *sendbuf, void *recvbuf, int count,
		     MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
		     MPI_Info info, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_exscan_init(native, sendbuf,
				      wf_mpi_data(recvbuf, count, datatype),
				      wf_mpi_op(op), &made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Exscan_init);

int PMPI_Exscan_init_c(const void *sendbuf, void *recvbuf, MPI_Count count,
		       MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
		       MPI_Info info, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_exscan_init(native, sendbuf,
				      wf_mpi_data(recvbuf, count, datatype),
				      wf_mpi_op(op), &made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Exscan_init_c);
