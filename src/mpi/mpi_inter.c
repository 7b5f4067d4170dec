/* SPDX-License-Identifier: BSD-3-Clause */
/* Two groups in one communicator. */
#include "mpi/error.h"
#include "mpi/mpi_handle.h"

int PMPI_Comm_test_inter(MPI_Comm comm, int *flag)
{
	struct weft_comm *native = wf_mpi_comm(comm);

	if (!native)
		return wf_mpi_fail_on(NULL, WEFT_ERR_ARG, WF_MPI_CALL);
	*flag = weft_comm_is_inter(native);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Comm_test_inter);

/* No process is made by another one. */
int PMPI_Comm_get_parent(MPI_Comm *parent)
{
	*parent = MPI_COMM_NULL;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Comm_get_parent);

int PMPI_Comm_remote_size(MPI_Comm comm, int *size)
{
	struct weft_comm *native = wf_mpi_comm(comm);

	if (!native)
		return wf_mpi_fail_on(NULL, WEFT_ERR_ARG, WF_MPI_CALL);
	if (!weft_comm_is_inter(native))
		return wf_mpi_refuse(native, MPI_ERR_COMM, "%s: comm is "
				     "an intracommunicator", WF_MPI_CALL);
	*size = weft_comm_remote_size(native);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Comm_remote_size);

int PMPI_Comm_remote_group(MPI_Comm comm, MPI_Group *group)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_group *made = NULL;
	int status = weft_comm_remote_group(native, &made);

	*group = made ? (MPI_Group)made : MPI_GROUP_NULL;
	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Comm_remote_group);

int PMPI_Intercomm_create(MPI_Comm local_comm, int local_leader,
			  MPI_Comm peer_comm, int remote_leader, int tag,
			  MPI_Comm *newintercomm)
{
	struct weft_comm *native = wf_mpi_comm(local_comm), *made = NULL;
	const struct weft_bridge bridge = {
		local_leader, wf_mpi_comm(peer_comm),
		remote_leader, tag
	};
	int status = weft_intercomm_create(native, &bridge, &made);

	*newintercomm = wf_mpi_comm_handle(made);
	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Intercomm_create);

int PMPI_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm *newintracomm)
{
	struct weft_comm *native = wf_mpi_comm(intercomm), *made = NULL;
	int status = weft_intercomm_merge(native, high, &made);

	*newintracomm = wf_mpi_comm_handle(made);
	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Intercomm_merge);
