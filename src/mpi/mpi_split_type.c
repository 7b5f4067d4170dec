/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits by what ranks share. */
#include <string.h>

#include "mpi/error.h"
#include "mpi/mpi_handle.h"

/* Resources by the names of MPI and hwloc, from the widest one on. */
static const struct resource {
	const char *name;
	enum weft_split split;
} resources[] = {
	{ "mpi_shared_memory", WEFT_SPLIT_NODE },
	{ "hwloc://Package", WEFT_SPLIT_PACKAGE },
	{ "hwloc://NUMANode", WEFT_SPLIT_NUMA },
	{ "hwloc://L3Cache", WEFT_SPLIT_L3 }
};

enum {
	RESOURCES = sizeof(resources) / sizeof(resources[0])
};

/* The one that an info object names; WEFT_UNDEFINED: none that is known. */
static int named_by(const struct weft_info *info)
{
	const char *name = info ? weft_info_get(info, "mpi_hw_resource_type") :
				  NULL;

	for (int i = 0; name && i < RESOURCES; i++) {
		if (!strcmp(name, resources[i].name))
			return (int)resources[i].split;
	}
	return WEFT_UNDEFINED;
}

/*
 * By the widest resource of which this communicator has several.  Where one
 * rank is with all others, all are: so they agree without a word.
 */
static int split_unguided(struct weft_comm *comm, int key,
			  struct weft_info *info, struct weft_comm **made_p)
{
	int status = WEFT_OK;

	for (int i = 0; i < RESOURCES && !status; i++) {
		status = weft_comm_split_type(comm, (int)resources[i].split,
					      key, made_p);
		if (status || !*made_p ||
		    weft_comm_size(*made_p) < weft_comm_size(comm)) {
			return status || !info ? status :
				weft_info_set(info, "mpi_hw_resource_type",
					      resources[i].name);
		}
		status = weft_comm_free(made_p);
	}
	return status;
}

int PMPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info,
			 MPI_Comm *newcomm)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_comm *made = NULL;
	int status, how;

	if (native && type != MPI_COMM_TYPE_SHARED && type != MPI_UNDEFINED &&
	    type != MPI_COMM_TYPE_HW_UNGUIDED &&
	    type != MPI_COMM_TYPE_HW_GUIDED &&
	    type != MPI_COMM_TYPE_RESOURCE_GUIDED)
		return wf_mpi_refuse(native, MPI_ERR_ARG, "%s: type %d is "
				     "none of MPI_COMM_TYPE_...", WF_MPI_CALL,
				     type);
	if (native && type == MPI_COMM_TYPE_HW_UNGUIDED) {
		status = split_unguided(native, key, wf_mpi_info(info), &made);
	} else {
		how = type == MPI_COMM_TYPE_SHARED ? (int)WEFT_SPLIT_NODE :
		      type == MPI_UNDEFINED ? WEFT_UNDEFINED :
		      named_by(wf_mpi_info(info));
		status = weft_comm_split_type(native, how, key, &made);
	}
	*newcomm = wf_mpi_comm_handle(made);
	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Comm_split_type);

/* Is this process bound to one such resource? */
static int add_resource(struct weft_info *info, const struct resource *one)
{
	struct weft_comm *made = NULL;
	int status = weft_comm_split_type(wf_mpi.self, (int)one->split, 0,
					  &made);

	int freed;

	if (!status)
		status = weft_info_set(info, one->name,
				       made ? "true" : "false");
	freed = weft_comm_free(&made);
	return status ? status : freed;
}

int PMPI_Get_hw_resource_info(MPI_Info *info)
{
	struct weft_info *made = NULL;
	int status = weft_info_create(NULL, &made);

	for (int i = 0; i < RESOURCES && !status; i++)
		status = add_resource(made, &resources[i]);
	*info = wf_mpi_info_handle(made);
	return wf_mpi_done(status, WF_MPI_CALL);
}
WF_MPI_NAME(Get_hw_resource_info);
