/* SPDX-License-Identifier: BSD-3-Clause */
/* A part for each rank or edge, by the arrays of the caller as they are. */
#ifndef WEFT_MPI_MPI_VEC_H
#define WEFT_MPI_MPI_VEC_H

#include "mpi/mpi_handle.h"

_Static_assert(sizeof(MPI_Count) == sizeof(size_t) &&
	       sizeof(MPI_Aint) == sizeof(ptrdiff_t), "arrays are passed on");

static inline struct weft_vec wf_mpi_vec(const void *buf, const int counts[],
					 const int displs[], MPI_Datatype type)
{
	return (struct weft_vec){
		.base = (void *)buf, .type = wf_mpi_type(type),
		.int_counts = counts, .int_displs = displs
	};
}

static inline struct weft_vec wf_mpi_vec_c(const void *buf,
					   const MPI_Count counts[],
					   const MPI_Aint displs[],
					   MPI_Datatype type)
{
	return (struct weft_vec){
		.base = (void *)buf, .type = wf_mpi_type(type),
		.counts = (const size_t *)counts, .displs = displs
	};
}

#endif
