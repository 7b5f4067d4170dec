/* SPDX-License-Identifier: BSD-3-Clause */
/* How two communicators, or two groups, are alike. */
#ifndef WEFT_MPI_MPI_ALIKE_H
#define WEFT_MPI_MPI_ALIKE_H

#include <weft/group.h>

#include "mpi/library.h"

static inline int wf_mpi_alike(enum weft_comparison alike)
{
	static const int of[] = {
		[WEFT_IDENT] = MPI_IDENT,
		[WEFT_CONGRUENT] = MPI_CONGRUENT,
		[WEFT_SIMILAR] = MPI_SIMILAR,
		[WEFT_UNEQUAL] = MPI_UNEQUAL
	};

	return of[alike];
}

#endif
