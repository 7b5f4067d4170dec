/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups. */
#include "mpi/error.h"
#include "mpi/mpi_alike.h"
#include "mpi/mpi_handle.h"
#include "mpi/mpi_int.h"

/* One that is none is told here: native calls cannot tell of what. */
static int is_none(const char *call)
{
	return wf_mpi_refuse(NULL, MPI_ERR_GROUP, "%s: group is no group",
			     call);
}

/* What a native call has made of groups that are there. */
static int made_of(int status, struct weft_group *made, MPI_Group *newgroup,
		   const char *call)
{
	*newgroup = made ? (MPI_Group)made : MPI_GROUP_NULL;
	if (made && !weft_group_size(made) && made != weft_group_empty() &&
	    !weft_group_free(&made))
		*newgroup = MPI_GROUP_EMPTY;
	return wf_mpi_done(status, call);
}

int PMPI_Group_size(MPI_Group group, int *size)
{
	const struct weft_group *native = wf_mpi_group(group);

	if (!native)
		return is_none(WF_MPI_CALL);
	*size = weft_group_size(native);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Group_size);

int PMPI_Group_rank(MPI_Group group, int *rank)
{
	const struct weft_group *native = wf_mpi_group(group);

	if (!native)
		return is_none(WF_MPI_CALL);
	*rank = weft_group_rank(native);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Group_rank);

int PMPI_Group_compare(MPI_Group group1, MPI_Group group2, int *result)
{
	const struct weft_group *one = wf_mpi_group(group1);
	const struct weft_group *two = wf_mpi_group(group2);
	enum weft_comparison alike = WEFT_UNEQUAL;
	int status;

	if (!one || !two)
		return is_none(WF_MPI_CALL);
	status = weft_group_compare(one, two, &alike);
	*result = wf_mpi_alike(alike);
	return wf_mpi_done(status, WF_MPI_CALL);
}
WF_MPI_NAME(Group_compare);

int PMPI_Group_translate_ranks(MPI_Group group1, int n, const int ranks1[],
			       MPI_Group group2, int ranks2[])
{
	const struct weft_group *from = wf_mpi_group(group1);
	const struct weft_group *to = wf_mpi_group(group2);
	int status;

	if (!from || !to)
		return is_none(WF_MPI_CALL);
	status = weft_group_translate(from, n, ranks1, to, ranks2);
	return wf_mpi_done(status, WF_MPI_CALL);
}
WF_MPI_NAME(Group_translate_ranks);

int PMPI_Group_union(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
	const struct weft_group *one = wf_mpi_group(group1);
	const struct weft_group *two = wf_mpi_group(group2);
	struct weft_group *made = NULL;
	int status;

	if (!one || !two)
		return is_none(WF_MPI_CALL);
	status = weft_group_union(one, two, &made);
	return made_of(status, made, newgroup, WF_MPI_CALL);
}
WF_MPI_NAME(Group_union);

int PMPI_Group_intersection(MPI_Group group1, MPI_Group group2,
			    MPI_Group *newgroup)
{
	const struct weft_group *one = wf_mpi_group(group1);
	const struct weft_group *two = wf_mpi_group(group2);
	struct weft_group *made = NULL;
	int status;

	if (!one || !two)
		return is_none(WF_MPI_CALL);
	status = weft_group_intersection(one, two, &made);
	return made_of(status, made, newgroup, WF_MPI_CALL);
}
WF_MPI_NAME(Group_intersection);

int PMPI_Group_difference(MPI_Group group1, MPI_Group group2,
			  MPI_Group *newgroup)
{
	const struct weft_group *one = wf_mpi_group(group1);
	const struct weft_group *two = wf_mpi_group(group2);
	struct weft_group *made = NULL;
	int status;

	if (!one || !two)
		return is_none(WF_MPI_CALL);
	status = weft_group_difference(one, two, &made);
	return made_of(status, made, newgroup, WF_MPI_CALL);
}
WF_MPI_NAME(Group_difference);

/* Of the predefined group no native call tells. */
static int refuse_ranks(int n, const char *call)
{
	return wf_mpi_refuse(NULL, MPI_ERR_RANK, "%s: %d of MPI_GROUP_EMPTY, "
			     "which has none", call, n);
}

int PMPI_Group_incl(MPI_Group group, int n, const int ranks[],
		    MPI_Group *newgroup)
{
	const struct weft_group *of = wf_mpi_group(group);
	struct weft_group *made = NULL;
	int status;

	if (!of)
		return is_none(WF_MPI_CALL);
	if (group == MPI_GROUP_EMPTY && n)
		return refuse_ranks(n, WF_MPI_CALL);
	status = weft_group_incl(of, n, ranks, &made);
	return made_of(status, made, newgroup, WF_MPI_CALL);
}
WF_MPI_NAME(Group_incl);

int PMPI_Group_excl(MPI_Group group, int n, const int ranks[],
		    MPI_Group *newgroup)
{
	const struct weft_group *of = wf_mpi_group(group);
	struct weft_group *made = NULL;
	int status;

	if (!of)
		return is_none(WF_MPI_CALL);
	if (group == MPI_GROUP_EMPTY && n)
		return refuse_ranks(n, WF_MPI_CALL);
	status = weft_group_excl(of, n, ranks, &made);
	return made_of(status, made, newgroup, WF_MPI_CALL);
}
WF_MPI_NAME(Group_excl);

/* A range of MPI is three numbers in the order of the native struct. */
_Static_assert(sizeof(struct weft_range) == sizeof(int[3]), "they are cast");

int PMPI_Group_range_incl(MPI_Group group, int n, int ranges[][3],
			  MPI_Group *newgroup)
{
	const struct weft_group *of = wf_mpi_group(group);
	struct weft_group *made = NULL;
	int status;

	if (!of)
		return is_none(WF_MPI_CALL);
	if (group == MPI_GROUP_EMPTY && n)
		return refuse_ranks(n, WF_MPI_CALL);
	status = weft_group_range_incl(of, n, (struct weft_range *)ranges,
					&made);
	return made_of(status, made, newgroup, WF_MPI_CALL);
}
WF_MPI_NAME(Group_range_incl);

int PMPI_Group_range_excl(MPI_Group group, int n, int ranges[][3],
			  MPI_Group *newgroup)
{
	const struct weft_group *of = wf_mpi_group(group);
	struct weft_group *made = NULL;
	int status;

	if (!of)
		return is_none(WF_MPI_CALL);
	if (group == MPI_GROUP_EMPTY && n)
		return refuse_ranks(n, WF_MPI_CALL);
	status = weft_group_range_excl(of, n, (struct weft_range *)ranges,
					&made);
	return made_of(status, made, newgroup, WF_MPI_CALL);
}
WF_MPI_NAME(Group_range_excl);

int PMPI_Group_free(MPI_Group *group)
{
	struct weft_group *native = (struct weft_group *)wf_mpi_group(*group);
	int status = WEFT_OK;

	if (!native)
		return is_none(WF_MPI_CALL);
	wf_mpi_int_forget(*group);
	if (*group != MPI_GROUP_EMPTY)
		status = weft_group_free(&native);
	if (!status)
		*group = MPI_GROUP_NULL;
	return wf_mpi_done(status, WF_MPI_CALL);
}
WF_MPI_NAME(Group_free);
