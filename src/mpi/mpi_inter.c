/* SPDX-License-Identifier: BSD-3-Clause */
/* Two groups at once: there are none so far, nor parents of processes. */
#include "mpi/error.h"
#include "mpi/mpi_handle.h"

int PMPI_Comm_test_inter(MPI_Comm comm, int *flag)
{
	if (!wf_mpi_comm(comm))
		return wf_mpi_fail_on(NULL, WEFT_ERR_ARG, WF_MPI_CALL);
	*flag = 0;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Comm_test_inter);

int PMPI_Comm_get_parent(MPI_Comm *parent)
{
	*parent = MPI_COMM_NULL;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Comm_get_parent);
