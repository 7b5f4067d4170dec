/* SPDX-License-Identifier: BSD-3-Clause */
/* What all constructors of datatypes do. */
#include "mpi/mpi_type.h"

#include <stdlib.h>

/* Which form has made it, in the pointer that natives keep for us. */
static char large;

int wf_mpi_type_made(int status, struct weft_type *made,
		     enum wf_mpi_counts counts, MPI_Datatype *newtype,
		     const char *call)
{
	if (!status && counts == WF_MPI_LARGE)
		status = weft_type_set_userdata(made, &large);
	*newtype = wf_mpi_type_handle(made);
	return wf_mpi_done(status, call);
}

bool wf_mpi_type_is_large(const struct weft_type *type)
{
	return weft_type_userdata(type) == &large;
}

int wf_mpi_type_refuse(const char *call)
{
	return wf_mpi_refuse(NULL, MPI_ERR_TYPE, "%s: a datatype is none, or "
			     "not one that may be used here", call);
}

size_t *wf_mpi_sizes(int n, const int numbers[])
{
	size_t *sizes = n > 0 ? malloc((size_t)n * sizeof(*sizes)) : NULL;

	for (int i = 0; sizes && i < n; i++)
		sizes[i] = wf_mpi_count(numbers[i]);
	return sizes;
}

ptrdiff_t *wf_mpi_displs(int n, const int numbers[])
{
	ptrdiff_t *displs = n > 0 ? malloc((size_t)n * sizeof(*displs)) : NULL;

	for (int i = 0; displs && i < n; i++)
		displs[i] = numbers[i];
	return displs;
}

const struct weft_type **wf_mpi_types_of(MPI_Count n,
					 const MPI_Datatype types[])
{
	const struct weft_type **natives =
		n > 0 ? malloc((size_t)n * sizeof(*natives)) : NULL;

	for (MPI_Count i = 0; natives && i < n; i++)
		natives[i] = wf_mpi_type(types[i]);
	return natives;
}
