/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_fortran.h - handles and statuses of Fortran as C programs convert them
 *
 * The binary interface of MPI leaves these names out, because they depend on
 * MPI_Fint; here they stand on MPI_X_toint() and MPI_X_fromint(), and on a
 * status having MPI_F_STATUS_SIZE integers.  mpi.h includes it with
 * -DWEFT_MPI_FORTRAN.  MPI_Fint is the INTEGER of compilers without options.
 */
#ifndef WEFT_MPI_FORTRAN_H
#define WEFT_MPI_FORTRAN_H

#include <mpi.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int MPI_Fint;
typedef MPI_Status MPI_F08_status;

/* ---- handles ---- */

static inline MPI_Fint MPI_Comm_c2f(MPI_Comm handle)
{
	return MPI_Comm_toint(handle);
}

static inline MPI_Comm MPI_Comm_f2c(MPI_Fint number)
{
	return MPI_Comm_fromint(number);
}

static inline MPI_Fint MPI_Errhandler_c2f(MPI_Errhandler handle)
{
	return MPI_Errhandler_toint(handle);
}

static inline MPI_Errhandler MPI_Errhandler_f2c(MPI_Fint number)
{
	return MPI_Errhandler_fromint(number);
}

static inline MPI_Fint MPI_Group_c2f(MPI_Group handle)
{
	return MPI_Group_toint(handle);
}

static inline MPI_Group MPI_Group_f2c(MPI_Fint number)
{
	return MPI_Group_fromint(number);
}

static inline MPI_Fint MPI_Info_c2f(MPI_Info handle)
{
	return MPI_Info_toint(handle);
}

static inline MPI_Info MPI_Info_f2c(MPI_Fint number)
{
	return MPI_Info_fromint(number);
}

static inline MPI_Fint MPI_Message_c2f(MPI_Message handle)
{
	return MPI_Message_toint(handle);
}

static inline MPI_Message MPI_Message_f2c(MPI_Fint number)
{
	return MPI_Message_fromint(number);
}

static inline MPI_Fint MPI_Op_c2f(MPI_Op handle)
{
	return MPI_Op_toint(handle);
}

static inline MPI_Op MPI_Op_f2c(MPI_Fint number)
{
	return MPI_Op_fromint(number);
}

static inline MPI_Fint MPI_Request_c2f(MPI_Request handle)
{
	return MPI_Request_toint(handle);
}

static inline MPI_Request MPI_Request_f2c(MPI_Fint number)
{
	return MPI_Request_fromint(number);
}

static inline MPI_Fint MPI_Session_c2f(MPI_Session handle)
{
	return MPI_Session_toint(handle);
}

static inline MPI_Session MPI_Session_f2c(MPI_Fint number)
{
	return MPI_Session_fromint(number);
}

static inline MPI_Fint MPI_Type_c2f(MPI_Datatype handle)
{
	return MPI_Type_toint(handle);
}

static inline MPI_Datatype MPI_Type_f2c(MPI_Fint number)
{
	return MPI_Type_fromint(number);
}

/* ---- statuses: as many integers, in the same order ---- */

static inline int MPI_Status_c2f(const MPI_Status *c, MPI_Fint *f)
{
	memcpy(f, c, MPI_F_STATUS_SIZE * sizeof(*f));
	return MPI_SUCCESS;
}

static inline int MPI_Status_f2c(const MPI_Fint *f, MPI_Status *c)
{
	memcpy(c, f, MPI_F_STATUS_SIZE * sizeof(*f));
	return MPI_SUCCESS;
}

static inline int MPI_Status_c2f08(const MPI_Status *c, MPI_F08_status *f08)
{
	*f08 = *c;
	return MPI_SUCCESS;
}

static inline int MPI_Status_f082c(const MPI_F08_status *f08, MPI_Status *c)
{
	*c = *f08;
	return MPI_SUCCESS;
}

static inline int MPI_Status_f2f08(const MPI_Fint *f, MPI_F08_status *f08)
{
	return MPI_Status_f2c(f, f08);
}

static inline int MPI_Status_f082f(const MPI_F08_status *f08, MPI_Fint *f)
{
	return MPI_Status_c2f(f08, f);
}

#ifdef __cplusplus
}
#endif

#endif
