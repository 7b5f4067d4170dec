/* SPDX-License-Identifier: BSD-3-Clause */
/* Datatypes that the program makes. */
#ifndef WEFT_MPI_MPI_TYPE_H
#define WEFT_MPI_MPI_TYPE_H

#include "mpi/error.h"
#include "mpi/mpi_handle.h"

/* How the arguments of its constructor were given. */
enum wf_mpi_counts {
	WF_MPI_INTS,
	WF_MPI_LARGE			/* by the form for large counts */
};

/* The end of a constructor; made: NULL where the native call has failed. */
int wf_mpi_type_made(int status, struct weft_type *made,
		     enum wf_mpi_counts counts, MPI_Datatype *newtype,
		     const char *call);

/* Was it made by a form for large counts? */
bool wf_mpi_type_is_large(const struct weft_type *type);

/* No type: MPI_ERR_TYPE. */
int wf_mpi_type_refuse(const char *call);

/*
 * Numbers of a constructor as native ones take them: those of an array, or a
 * copy of it.  NULL: no memory, or n is below 1.
 */
size_t *wf_mpi_sizes(int n, const int numbers[]);
ptrdiff_t *wf_mpi_displs(int n, const int numbers[]);
const struct weft_type **wf_mpi_types_of(MPI_Count n,
					 const MPI_Datatype types[]);

#endif
