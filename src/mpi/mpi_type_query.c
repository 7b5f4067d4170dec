/* SPDX-License-Identifier: BSD-3-Clause */
/* What a datatype is, and what becomes of it. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "mpi/mpi_int.h"
#include "mpi/mpi_type.h"
#include "mpi/mpi_type_f90.h"

/* A number that an int may not hold. */
static int int_of(int64_t n)
{
	return n > INT_MAX ? MPI_UNDEFINED : (int)n;
}

/* Fortran types that compilers here do not have: a size that says so. */
static bool is_unsupported(MPI_Datatype datatype)
{
	static const MPI_Datatype none[] = {
		MPI_REAL2, MPI_COMPLEX4, MPI_LOGICAL16, MPI_REAL16,
		MPI_COMPLEX32
	};

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		if (datatype == none[i])
			return true;
	}
	return false;
}

static int64_t size_of(const struct weft_type *type)
{
	return type ? (int64_t)weft_type_size(type) : MPI_UNDEFINED;
}

int PMPI_Type_size(MPI_Datatype datatype, int *size)
{
	const struct weft_type *type = wf_mpi_type(datatype);

	if (!type && !is_unsupported(datatype))
		return wf_mpi_type_refuse(WF_MPI_CALL);
	*size = int_of(size_of(type));
	return MPI_SUCCESS;
}
WF_MPI_NAME(Type_size);

int PMPI_Type_size_c(MPI_Datatype datatype, MPI_Count *size)
{
	const struct weft_type *type = wf_mpi_type(datatype);

	if (!type && !is_unsupported(datatype))
		return wf_mpi_type_refuse(WF_MPI_CALL);
	*size = size_of(type);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Type_size_c);

int PMPI_Type_size_x(MPI_Datatype datatype, MPI_Count *size)
{
	const struct weft_type *type = wf_mpi_type(datatype);

	if (!type && !is_unsupported(datatype))
		return wf_mpi_type_refuse(WF_MPI_CALL);
	*size = size_of(type);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Type_size_x);

int PMPI_Type_get_extent(MPI_Datatype datatype, MPI_Aint *lb, MPI_Aint *extent)
{
	const struct weft_type *type = wf_mpi_type(datatype);

	if (!type)
		return wf_mpi_type_refuse(WF_MPI_CALL);
	*lb = weft_type_bounds(type).lb;
	*extent = weft_type_extent(type);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Type_get_extent);

int PMPI_Type_get_extent_c(MPI_Datatype datatype, MPI_Count *lb,
			   MPI_Count *extent)
{
	const struct weft_type *type = wf_mpi_type(datatype);

	if (!type)
		return wf_mpi_type_refuse(WF_MPI_CALL);
	*lb = weft_type_bounds(type).lb;
	*extent = weft_type_extent(type);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Type_get_extent_c);

int PMPI_Type_get_extent_x(MPI_Datatype datatype, MPI_Count *lb,
			   MPI_Count *extent)
{
	const struct weft_type *type = wf_mpi_type(datatype);

	if (!type)
		return wf_mpi_type_refuse(WF_MPI_CALL);
	*lb = weft_type_bounds(type).lb;
	*extent = weft_type_extent(type);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Type_get_extent_x);

int PMPI_Type_get_true_extent(MPI_Datatype datatype, MPI_Aint *true_lb,
			      MPI_Aint *true_extent)
{
	const struct weft_type *type = wf_mpi_type(datatype);

	if (!type)
		return wf_mpi_type_refuse(WF_MPI_CALL);
	*true_lb = weft_type_bounds(type).true_lb;
	*true_extent = weft_type_bounds(type).true_ub - *true_lb;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Type_get_true_extent);

int PMPI_Type_get_true_extent_c(MPI_Datatype datatype, MPI_Count *true_lb,
				MPI_Count *true_extent)
{
	const struct weft_type *type = wf_mpi_type(datatype);

	if (!type)
		return wf_mpi_type_refuse(WF_MPI_CALL);
	*true_lb = weft_type_bounds(type).true_lb;
	*true_extent = weft_type_bounds(type).true_ub - *true_lb;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Type_get_true_extent_c);

int PMPI_Type_get_true_extent_x(MPI_Datatype datatype, MPI_Count *true_lb,
				MPI_Count *true_extent)
{
	const struct weft_type *type = wf_mpi_type(datatype);

	if (!type)
		return wf_mpi_type_refuse(WF_MPI_CALL);
	*true_lb = weft_type_bounds(type).true_lb;
	*true_extent = weft_type_bounds(type).true_ub - *true_lb;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Type_get_true_extent_x);

/* ---- what becomes of one ---- */

int PMPI_Type_commit(MPI_Datatype *datatype)
{
	if (!wf_mpi_type(*datatype))
		return wf_mpi_type_refuse(WF_MPI_CALL);
	if (wf_mpi_is_predefined(*datatype))
		return MPI_SUCCESS;
	return wf_mpi_done(weft_type_commit(wf_mpi_made_type(*datatype)),
			   WF_MPI_CALL);
}
WF_MPI_NAME(Type_commit);

int PMPI_Type_free(MPI_Datatype *datatype)
{
	struct weft_type *made = wf_mpi_made_type(*datatype);
	int status, n, combiner;

	/* Those of Fortran's kinds are predefined. */
	if (!made || wf_mpi_type_is_f90(*datatype, &n, &combiner))
		return wf_mpi_type_refuse(WF_MPI_CALL);
	wf_mpi_int_forget(*datatype);
	status = weft_type_free(&made);
	if (!status)
		*datatype = MPI_DATATYPE_NULL;
	return wf_mpi_done(status, WF_MPI_CALL);
}
WF_MPI_NAME(Type_free);

/* ---- names ---- */

/* Else the native name says how it was made. */
static bool is_named(const struct weft_type *type)
{
	static const char *const made[] = {
		"dup", "contiguous", "vector", "hvector", "indexed",
		"hindexed", "indexed_block", "hindexed_block", "struct",
		"resized", "subarray", "darray"
	};

	for (size_t i = 0; type->made && i < sizeof(made) / sizeof(made[0]);
	     i++) {
		if (!strcmp(weft_type_name(type), made[i]))
			return false;
	}
	return true;
}

int PMPI_Type_set_name(MPI_Datatype datatype, const char *name)
{
	struct weft_type *made = wf_mpi_made_type(datatype);

	if (!made)
		return wf_mpi_type_refuse(WF_MPI_CALL);
	if (!name)
		return wf_mpi_refuse_null(NULL, WF_MPI_CALL, "name");
	return wf_mpi_done(weft_type_set_name(made, name), WF_MPI_CALL);
}
WF_MPI_NAME(Type_set_name);

int PMPI_Type_get_name(MPI_Datatype datatype, char *name, int *length)
{
	const struct weft_type *type = wf_mpi_type(datatype);

	if (!type && datatype != MPI_DATATYPE_NULL)
		return wf_mpi_type_refuse(WF_MPI_CALL);
	snprintf(name, MPI_MAX_OBJECT_NAME, "%s",
		 !type ? "MPI_DATATYPE_NULL" :
		 is_named(type) ? weft_type_name(type) : "");
	*length = (int)strlen(name);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Type_get_name);
