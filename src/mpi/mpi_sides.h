/* SPDX-License-Identifier: BSD-3-Clause */
/* Both sides of a call that has a datatype for each rank or edge. */
#ifndef WEFT_MPI_MPI_SIDES_H
#define WEFT_MPI_MPI_SIDES_H

#include <weft/vec.h>

#include "mpi/library.h"

/*
 * The vectors, with native datatypes, which a native call has read when it
 * returns.  A side in place has none.
 */
struct wf_mpi_sides {
	struct weft_vec send, recv;
	const struct weft_type **copies[2];
};

/* Datatypes of each side; the vectors have all else.  WEFT_ERR_NOMEM. */
struct wf_mpi_types {
	int nsend, nrecv;
	const MPI_Datatype *send, *recv;
};
int wf_mpi_sides_begin(struct wf_mpi_sides *sides,
		       const struct wf_mpi_types *types);
void wf_mpi_sides_end(struct wf_mpi_sides *sides);

/* The end of a call for which there was no memory. */
int wf_mpi_sides_lack(struct wf_mpi_sides *sides, struct weft_comm *comm,
		      const char *call);

#endif
