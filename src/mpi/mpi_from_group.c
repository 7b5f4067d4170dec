/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators of groups, whose handler of errors the call is given. */
#include <stdio.h>

#include "mpi/error.h"
#include "mpi/mpi_errhandler.h"
#include "mpi/mpi_handle.h"

/* What it is told, and its hints; errors go to the handler, too. */
static int finish(int status, struct weft_comm *made,
		  const struct weft_errhandler *errors, MPI_Info info,
		  MPI_Comm *newcomm)
{
	MPI_Comm none = MPI_COMM_NULL;
	const char *text;

	if (!status && wf_mpi_info(info))
		status = weft_comm_set_info(made, wf_mpi_info(info));
	if (!status)
		status = weft_comm_set_errhandler(made, errors);
	*newcomm = wf_mpi_comm_handle(made);
	if (!status)
		return MPI_SUCCESS;
	text = weft_error_text(wf_mpi.job);
	return wf_mpi_errhandler_call(errors, &none,
				      wf_mpi_code_of(status, text), text);
}

/* What is wrong with a group, told to the handler; 0: it has ranks. */
static int check_group(const struct weft_group *group,
		       const struct weft_errhandler *errors, const char *name,
		       const char *call)
{
	char text[MPI_MAX_ERROR_STRING];
	MPI_Comm none = MPI_COMM_NULL;

	if (group)
		return MPI_SUCCESS;
	snprintf(text, sizeof(text), "%s: %s is no group", call, name);
	return wf_mpi_errhandler_call(errors, &none,
				      wf_mpi_code(MPI_ERR_GROUP, text), text);
}

static int is_no_errhandler(const char *call)
{
	return wf_mpi_refuse(NULL, MPI_ERR_ERRHANDLER,
			     "%s: errhandler is no handler of errors of "
			     "communicators", call);
}

int PMPI_Comm_create_from_group(MPI_Group group, const char *stringtag,
				MPI_Info info, MPI_Errhandler errhandler,
				MPI_Comm *newcomm)
{
	const struct weft_group *native = wf_mpi_group(group);
	struct weft_errhandler errors;
	struct weft_comm *made = NULL;
	int status;

	*newcomm = MPI_COMM_NULL;
	if (!wf_mpi_errhandler_native(errhandler, &errors))
		return is_no_errhandler(WF_MPI_CALL);
	status = check_group(native, &errors, "group", WF_MPI_CALL);
	if (status || !weft_group_size(native))
		return status;
	status = weft_comm_create_from_group(native, stringtag, &made);
	return finish(status, made, &errors, info, newcomm);
}
WF_MPI_NAME(Comm_create_from_group);

int PMPI_Intercomm_create_from_groups(MPI_Group local_group, int local_leader,
				      MPI_Group remote_group, int remote_leader,
				      const char *stringtag, MPI_Info info,
				      MPI_Errhandler errhandler,
				      MPI_Comm *newintercomm)
{
	const struct weft_group *local = wf_mpi_group(local_group);
	const struct weft_group *remote = wf_mpi_group(remote_group);
	struct weft_errhandler errors;
	struct weft_comm *made = NULL;
	int status;

	*newintercomm = MPI_COMM_NULL;
	if (!wf_mpi_errhandler_native(errhandler, &errors))
		return is_no_errhandler(WF_MPI_CALL);
	status = check_group(local, &errors, "local_group", WF_MPI_CALL);
	if (status || !weft_group_size(local) ||
	    remote == weft_group_empty())
		return status;
	status = weft_intercomm_create_from_groups(local, local_leader, remote,
						   remote_leader, stringtag,
						   &made);
	return finish(status, made, &errors, info, newintercomm);
}
WF_MPI_NAME(Intercomm_create_from_groups);
