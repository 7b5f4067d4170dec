/* SPDX-License-Identifier: BSD-3-Clause */
/* Datatypes of Fortran's kinds, by the digits that a program asks for. */
#ifndef WEFT_MPI_MPI_TYPE_F90_H
#define WEFT_MPI_MPI_TYPE_F90_H

#include "mpi/library.h"

/* Is it one? How many numbers it was made of, and its combiner. */
bool wf_mpi_type_is_f90(MPI_Datatype datatype, int *n_p, int *combiner_p);

/* The numbers that it was made of; false: it is none. */
bool wf_mpi_type_f90_contents(MPI_Datatype datatype, int numbers[]);

/* They go with the job. */
void wf_mpi_types_f90_drop(void);

#endif
