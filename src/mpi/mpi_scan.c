/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Scan in its three forms, and for large counts. */
#include "mpi/mpi_request.h"

int PMPI_Scan(const void *sendbuf, void *recvbuf, int count,
	      MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = weft_scan(native, sendbuf,
			       wf_mpi_data(recvbuf, count, datatype),
			       wf_mpi_op(op));

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Scan);

int PMPI_Scan_c(const void *sendbuf, void *recvbuf, MPI_Count count,
		MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	int status = weft_scan(native, sendbuf,
			       wf_mpi_data(recvbuf, count, datatype),
			       wf_mpi_op(op));

	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Scan_c);

int PMPI_Iscan(const void *sendbuf, void *recvbuf, int count,
	       MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
	       MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_iscan(native, sendbuf,
				wf_mpi_data(recvbuf, count, datatype),
				wf_mpi_op(op), &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Iscan);

int PMPI_Iscan_c(const void *sendbuf, void *recvbuf, MPI_Count count,
		 MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
		 MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_iscan(native, sendbuf,
				wf_mpi_data(recvbuf, count, datatype),
				wf_mpi_op(op), &made);

	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Iscan_c);

int PMPI_Scan_init(const void *sendbuf, void *recvbuf, int count,
		   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
		   MPI_Info info, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_scan_init(native, sendbuf,
				    wf_mpi_data(recvbuf, count, datatype),
				    wf_mpi_op(op), &made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Scan_init);

int PMPI_Scan_init_c(const void *sendbuf, void *recvbuf, MPI_Count count,
		     MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
		     MPI_Info info, MPI_Request *request)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_request *made = NULL;
	int status = weft_scan_init(native, sendbuf,
				    wf_mpi_data(recvbuf, count, datatype),
				    wf_mpi_op(op), &made);

	(void)info;
	return wf_mpi_begun(native, status, made, request, WF_MPI_CALL);
}
WF_MPI_NAME(Scan_init_c);
