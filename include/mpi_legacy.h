/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_legacy.h - names of MPI-1 that old programs still use
 *
 * The binary interface of MPI leaves them out; here each is a call by the name
 * that has replaced it.  mpi.h includes it with -DWEFT_MPI_LEGACY.  MPI_LB,
 * MPI_UB and the combiners of Fortran's constructors have no value any more,
 * and are not there.
 */
#ifndef WEFT_MPI_LEGACY_H
#define WEFT_MPI_LEGACY_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef MPI_Comm_errhandler_function MPI_Handler_function;
typedef MPI_Comm_copy_attr_function MPI_Copy_function;
typedef MPI_Comm_delete_attr_function MPI_Delete_function;

#define MPI_NULL_COPY_FN	MPI_COMM_NULL_COPY_FN
#define MPI_DUP_FN		MPI_COMM_DUP_FN
#define MPI_NULL_DELETE_FN	MPI_COMM_NULL_DELETE_FN

/* ---- attributes ---- */

static inline int MPI_Attr_put(MPI_Comm comm, int keyval, void *value)
{
	return MPI_Comm_set_attr(comm, keyval, value);
}

static inline int MPI_Attr_get(MPI_Comm comm, int keyval, void *value_p,
			       int *flag)
{
	return MPI_Comm_get_attr(comm, keyval, value_p, flag);
}

static inline int MPI_Attr_delete(MPI_Comm comm, int keyval)
{
	return MPI_Comm_delete_attr(comm, keyval);
}

static inline int MPI_Keyval_create(MPI_Copy_function *copy,
				    MPI_Delete_function *del, int *keyval,
				    void *extra)
{
	return MPI_Comm_create_keyval(copy, del, keyval, extra);
}

static inline int MPI_Keyval_free(int *keyval)
{
	return MPI_Comm_free_keyval(keyval);
}

/* ---- handlers of errors ---- */

static inline int MPI_Errhandler_create(MPI_Handler_function *function,
					MPI_Errhandler *errhandler)
{
	return MPI_Comm_create_errhandler(function, errhandler);
}

static inline int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *errhandler)
{
	return MPI_Comm_get_errhandler(comm, errhandler);
}

static inline int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler)
{
	return MPI_Comm_set_errhandler(comm, errhandler);
}

/* ---- datatypes ---- */

static inline int MPI_Address(void *location, MPI_Aint *address)
{
	return MPI_Get_address(location, address);
}

static inline int MPI_Type_hvector(int count, int blocklength, MPI_Aint stride,
				   MPI_Datatype oldtype, MPI_Datatype *newtype)
{
	return MPI_Type_create_hvector(count, blocklength, stride, oldtype,
				       newtype);
}

static inline int MPI_Type_hindexed(int count, int *blocklengths,
				    MPI_Aint *displs, MPI_Datatype oldtype,
				    MPI_Datatype *newtype)
{
	return MPI_Type_create_hindexed(count, blocklengths, displs, oldtype,
					newtype);
}

static inline int MPI_Type_struct(int count, int *blocklengths,
				  MPI_Aint *displs, MPI_Datatype *types,
				  MPI_Datatype *newtype)
{
	return MPI_Type_create_struct(count, blocklengths, displs, types,
				      newtype);
}

static inline int MPI_Type_extent(MPI_Datatype datatype, MPI_Aint *extent)
{
	MPI_Aint lb;

	return MPI_Type_get_extent(datatype, &lb, extent);
}

static inline int MPI_Type_lb(MPI_Datatype datatype, MPI_Aint *lb)
{
	MPI_Aint extent;

	return MPI_Type_get_extent(datatype, lb, &extent);
}

static inline int MPI_Type_ub(MPI_Datatype datatype, MPI_Aint *ub)
{
	MPI_Aint lb = 0, extent = 0;
	int code = MPI_Type_get_extent(datatype, &lb, &extent);

	*ub = lb + extent;
	return code;
}

#ifdef __cplusplus
}
#endif

#endif
