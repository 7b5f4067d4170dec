/* SPDX-License-Identifier: BSD-3-Clause */
/* Datatypes for each rank or edge, as native ones. */
#include "mpi/mpi_sides.h"

#include <stdlib.h>

#include "mpi/mpi_type.h"

/* False: no memory. */
static bool fill(struct weft_vec *vec, int n, const MPI_Datatype types[],
		 const struct weft_type ***copy_p)
{
	*copy_p = vec->base == WEFT_IN_PLACE ? NULL :
					       wf_mpi_types_of(n, types);
	vec->types = *copy_p;
	return *copy_p || n < 1 || vec->base == WEFT_IN_PLACE;
}

int wf_mpi_sides_begin(struct wf_mpi_sides *sides,
		       const struct wf_mpi_types *types)
{
	bool send = fill(&sides->send, types->nsend, types->send,
			 &sides->copies[0]);
	bool recv = fill(&sides->recv, types->nrecv, types->recv,
			 &sides->copies[1]);

	return send && recv ? WEFT_OK : WEFT_ERR_NOMEM;
}

void wf_mpi_sides_end(struct wf_mpi_sides *sides)
{
	free(sides->copies[0]);
	free(sides->copies[1]);
}

int wf_mpi_sides_lack(struct wf_mpi_sides *sides, struct weft_comm *comm,
		      const char *call)
{
	wf_mpi_sides_end(sides);
	return wf_mpi_refuse(comm, MPI_ERR_NO_MEM, "%s: no memory for the "
			     "datatypes of both sides", call);
}
