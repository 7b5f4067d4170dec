/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles as integers, as Fortran has them: predefined ones are their number,
 * an object of the program gets one when it is first asked for, and keeps it.
 */
#ifndef WEFT_MPI_MPI_INT_H
#define WEFT_MPI_MPI_INT_H

/* The number of a handle of any type; 0: no memory. */
int wf_mpi_toint(const void *handle);

/*
 * The handle of a number that wf_mpi_toint() gave, or of a predefined one; null
 * where there is none.
 */
void *wf_mpi_fromint(int number, void *null);

/* Numbers that stand for an object of the program. */
extern _Atomic int wf_mpi_numbered;

void wf_mpi_int_drop(const void *handle);

/* Its object is gone: another one at the address gets another number. */
static inline void wf_mpi_int_forget(const void *handle)
{
	if (__builtin_expect(wf_mpi_numbered, 0))
		wf_mpi_int_drop(handle);
}

#endif
