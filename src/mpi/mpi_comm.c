/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators: what they are, and how they are made of others. */
#include <stdio.h>
#include <string.h>

#include "mpi/error.h"
#include "mpi/mpi_handle.h"
#include "mpi/mpi_int.h"
#include "mpi/mpi_alike.h"

int PMPI_Comm_rank(MPI_Comm comm, int *rank)
{
	struct weft_comm *native = wf_mpi_comm(comm);

	if (!native)
		return wf_mpi_fail_on(NULL, WEFT_ERR_ARG, WF_MPI_CALL);
	*rank = weft_comm_rank(native);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Comm_rank);

int PMPI_Comm_size(MPI_Comm comm, int *size)
{
	struct weft_comm *native = wf_mpi_comm(comm);

	if (!native)
		return wf_mpi_fail_on(NULL, WEFT_ERR_ARG, WF_MPI_CALL);
	*size = weft_comm_size(native);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Comm_size);

int PMPI_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int *result)
{
	struct weft_comm *one = wf_mpi_comm(comm1);
	enum weft_comparison alike = WEFT_UNEQUAL;
	int status = weft_comm_compare(one, wf_mpi_comm(comm2), &alike);

	*result = wf_mpi_alike(alike);
	return wf_mpi_on(wf_mpi_comm(comm2) ? one : NULL, status, WF_MPI_CALL);
}
WF_MPI_NAME(Comm_compare);

int PMPI_Comm_group(MPI_Comm comm, MPI_Group *group)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_group *made = NULL;
	int status = weft_comm_group(native, &made);

	*group = made ? (MPI_Group)made : MPI_GROUP_NULL;
	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Comm_group);

/* ---- names ---- */

int PMPI_Comm_set_name(MPI_Comm comm, const char *name)
{
	struct weft_comm *native = wf_mpi_comm(comm);

	return wf_mpi_on(native, weft_comm_set_name(native, name),
			 WF_MPI_CALL);
}
WF_MPI_NAME(Comm_set_name);

int PMPI_Comm_get_name(MPI_Comm comm, char *name, int *length)
{
	struct weft_comm *native = wf_mpi_comm(comm);

	if (!native && comm != MPI_COMM_NULL)
		return wf_mpi_fail_on(NULL, WEFT_ERR_ARG, WF_MPI_CALL);
	snprintf(name, MPI_MAX_OBJECT_NAME, "%s",
		 native ? weft_comm_name(native) : "MPI_COMM_NULL");
	*length = (int)strlen(name);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Comm_get_name);

/* ---- making one ---- */

/* What a constructor has made of a communicator. */
static int made_of(struct weft_comm *comm, int status, struct weft_comm *made,
		   MPI_Comm *newcomm, const char *call)
{
	*newcomm = wf_mpi_comm_handle(made);
	return wf_mpi_on(comm, status, call);
}

int PMPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_comm *made = NULL;
	int status = weft_comm_dup(native, &made);

	return made_of(native, status, made, newcomm, WF_MPI_CALL);
}
WF_MPI_NAME(Comm_dup);

int PMPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_comm *made = NULL;
	int status = weft_comm_create(native, wf_mpi_group(group), &made);

	return made_of(native, status, made, newcomm, WF_MPI_CALL);
}
WF_MPI_NAME(Comm_create);

int PMPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag,
			   MPI_Comm *newcomm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_comm *made = NULL;
	int status = weft_comm_create_group(native, wf_mpi_group(group), tag,
					    &made);

	return made_of(native, status, made, newcomm, WF_MPI_CALL);
}
WF_MPI_NAME(Comm_create_group);

int PMPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_comm *made = NULL;
	int status = weft_comm_split(native, color, key, &made);

	return made_of(native, status, made, newcomm, WF_MPI_CALL);
}
WF_MPI_NAME(Comm_split);

/* Both ends of a communicator's life: with what is under way, or after it. */
static int give_up(int end(struct weft_comm **comm_p), MPI_Comm *comm,
		   const char *call)
{
	struct weft_comm *native = wf_mpi_comm(*comm);
	struct weft_comm *left = native;
	int status;

	if (!native)
		return wf_mpi_fail_on(NULL, WEFT_ERR_ARG, call);
	/* Before: another one at its address may have a number at once. */
	wf_mpi_int_forget(*comm);
	status = end(&left);
	if (!status)
		*comm = MPI_COMM_NULL;
	return wf_mpi_on(native, status, call);
}

int PMPI_Comm_free(MPI_Comm *comm)
{
	return give_up(weft_comm_free, comm, WF_MPI_CALL);
}
WF_MPI_NAME(Comm_free);

int PMPI_Comm_disconnect(MPI_Comm *comm)
{
	return give_up(weft_comm_disconnect, comm, WF_MPI_CALL);
}
WF_MPI_NAME(Comm_disconnect);
