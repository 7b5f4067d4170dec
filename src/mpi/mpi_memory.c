/* SPDX-License-Identifier: BSD-3-Clause */
/* Addresses, and memory that peers can write directly. */
#include "mpi/error.h"
#include "mpi/mpi_handle.h"

int PMPI_Get_address(const void *location, MPI_Aint *address)
{
	*address = (MPI_Aint)location;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Get_address);

MPI_Aint PMPI_Aint_add(MPI_Aint base, MPI_Aint disp)
{
	return (MPI_Aint)((uintptr_t)base + (uintptr_t)disp);
}
WF_MPI_NAME(Aint_add);

MPI_Aint PMPI_Aint_diff(MPI_Aint addr1, MPI_Aint addr2)
{
	return (MPI_Aint)((uintptr_t)addr1 - (uintptr_t)addr2);
}
WF_MPI_NAME(Aint_diff);

int PMPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr)
{
	void *base = NULL;
	int status;

	(void)info;	/* any alignment up to that of a line is there */
	if (size < 0)
		return wf_mpi_refuse(NULL, MPI_ERR_ARG, "%s: size is %lld",
				     WF_MPI_CALL, (long long)size);
	status = weft_mem_alloc(wf_mpi.job, (size_t)size, &base);
	*(void **)baseptr = base;
	return wf_mpi_done(status, WF_MPI_CALL);
}
WF_MPI_NAME(Alloc_mem);

int PMPI_Free_mem(void *base)
{
	if (!wf_mpi.job)
		return wf_mpi_fail(WEFT_ERR_ARG, WF_MPI_CALL);
	weft_mem_free(wf_mpi.job, base);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Free_mem);
