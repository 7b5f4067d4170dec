/* SPDX-License-Identifier: BSD-3-Clause */
/* Datatypes that are a part of an array. */
#include <stdlib.h>

#include "mpi/mpi_type.h"

/* Numbers of a part: so many arrays of n, and what they become. */
enum {
	ARRAYS = 3
};

static int order_of(int order)
{
	return order == MPI_ORDER_FORTRAN ? WEFT_ORDER_FORTRAN : WEFT_ORDER_C;
}

/* What is wrong with the shape; MPI_SUCCESS: nothing. */
static int refuse_shape(int ndims, int order, const char *call)
{
	if (ndims < 1)
		return wf_mpi_refuse(NULL, MPI_ERR_ARG, "%s: ndims is %d",
				     call, ndims);
	if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN)
		return wf_mpi_refuse(NULL, MPI_ERR_ARG, "%s: order is %d, not "
				     "MPI_ORDER_C or _FORTRAN", call, order);
	return MPI_SUCCESS;
}

static void free_all(size_t *arrays[ARRAYS])
{
	for (int i = 0; i < ARRAYS; i++)
		free(arrays[i]);
}

/* ---- a part of an array ---- */

static int subarray(const struct weft_subarray *part, MPI_Datatype oldtype,
		    enum wf_mpi_counts counts, MPI_Datatype *newtype,
		    const char *call)
{
	struct weft_type *made = NULL;
	int status = weft_type_subarray(wf_mpi.job, part,
					wf_mpi_type(oldtype), &made);

	return wf_mpi_type_made(status, made, counts, newtype, call);
}

int PMPI_Type_create_subarray(int ndims, const int sizes[],
			      const int subsizes[], const int starts[],
			      int order, MPI_Datatype oldtype,
			      MPI_Datatype *newtype)
{
	size_t *arrays[ARRAYS];
	int code = refuse_shape(ndims, order, WF_MPI_CALL);

	if (code)
		return code;
	arrays[0] = wf_mpi_sizes(ndims, sizes);
	arrays[1] = wf_mpi_sizes(ndims, subsizes);
	arrays[2] = wf_mpi_sizes(ndims, starts);
	if (arrays[0] && arrays[1] && arrays[2])
		code = subarray(&(struct weft_subarray){
				ndims, arrays[0], arrays[1], arrays[2],
				order_of(order)
			}, oldtype, WF_MPI_INTS, newtype, WF_MPI_CALL);
	else
		code = wf_mpi_lacks(WEFT_ERR_NOMEM, WF_MPI_CALL);
	free_all(arrays);
	return code;
}
WF_MPI_NAME(Type_create_subarray);

int PMPI_Type_create_subarray_c(int ndims, const MPI_Count sizes[],
				const MPI_Count subsizes[],
				const MPI_Count starts[], int order,
				MPI_Datatype oldtype, MPI_Datatype *newtype)
{
	const struct weft_subarray part = {
		ndims, (const size_t *)sizes, (const size_t *)subsizes,
		(const size_t *)starts, order_of(order)
	};
	int code = refuse_shape(ndims, order, WF_MPI_CALL);

	return code ? code : subarray(&part, oldtype, WF_MPI_LARGE, newtype,
				      WF_MPI_CALL);
}
WF_MPI_NAME(Type_create_subarray_c);

/* ---- a part of a distributed array ---- */

/* What darray has as ints in both forms. */
struct grid {
	int size, rank, ndims;
	const int *distribs, *dargs, *psizes;
	int order;
	MPI_Datatype of;
};

/* The distributions, and blocks of which 0 is the default. */
static bool fill(const struct grid *g, enum weft_distribution how[],
		 size_t blocks[])
{
	for (int i = 0; i < g->ndims; i++) {
		int d = g->distribs[i];

		if (d != MPI_DISTRIBUTE_NONE && d != MPI_DISTRIBUTE_BLOCK &&
		    d != MPI_DISTRIBUTE_CYCLIC)
			return false;
		how[i] = d == MPI_DISTRIBUTE_NONE ? WEFT_DISTRIBUTE_NONE :
			 d == MPI_DISTRIBUTE_BLOCK ? WEFT_DISTRIBUTE_BLOCK :
			 WEFT_DISTRIBUTE_CYCLIC;
		blocks[i] = g->dargs[i] == MPI_DISTRIBUTE_DFLT_DARG ? 0 :
			    wf_mpi_count(g->dargs[i]);
	}
	return true;
}

/* sizes: NULL: no memory for them. */
static int darray(const struct grid *g, const size_t *sizes,
		  struct weft_type **made, const char *call)
{
	enum weft_distribution *how = malloc((size_t)g->ndims * sizeof(*how));
	size_t *blocks = malloc((size_t)g->ndims * sizeof(*blocks));
	int status = WEFT_ERR_NOMEM;

	if (sizes && how && blocks && !fill(g, how, blocks))
		status = wf_mpi_refuse(NULL, MPI_ERR_ARG, "%s: a distribution "
				       "is none of MPI_DISTRIBUTE_...", call);
	else if (sizes && how && blocks)
		status = weft_type_darray(wf_mpi.job, &(struct weft_darray){
				g->ndims, g->size, g->rank, sizes, how,
				blocks, g->psizes, order_of(g->order)
			}, wf_mpi_type(g->of), made);
	free(how);
	free(blocks);
	return status;
}

static int darray_made(int status, struct weft_type *made,
		       enum wf_mpi_counts counts, MPI_Datatype *newtype,
		       const char *call)
{
	*newtype = MPI_DATATYPE_NULL;
	/* above 0: a code, of what was told already */
	return status > 0 ? status :
		wf_mpi_type_made(status, made, counts, newtype, call);
}

int PMPI_Type_create_darray(int size, int rank, int ndims, const int gsizes[],
			    const int distribs[], const int dargs[],
			    const int psizes[], int order, MPI_Datatype oldtype,
			    MPI_Datatype *newtype)
{
	const struct grid grid = {
		size, rank, ndims, distribs, dargs, psizes, order, oldtype
	};
	int code = refuse_shape(ndims, order, WF_MPI_CALL);
	struct weft_type *made = NULL;
	size_t *sizes;
	int status;

	if (code)
		return code;
	sizes = wf_mpi_sizes(ndims, gsizes);
	status = darray(&grid, sizes, &made, WF_MPI_CALL);
	free(sizes);
	return darray_made(status, made, WF_MPI_INTS, newtype, WF_MPI_CALL);
}
WF_MPI_NAME(Type_create_darray);

int PMPI_Type_create_darray_c(int size, int rank, int ndims,
			      const MPI_Count gsizes[], const int distribs[],
			      const int dargs[], const int psizes[], int order,
			      MPI_Datatype oldtype, MPI_Datatype *newtype)
{
	const struct grid grid = {
		size, rank, ndims, distribs, dargs, psizes, order, oldtype
	};
	int code = refuse_shape(ndims, order, WF_MPI_CALL);
	struct weft_type *made = NULL;
	int status;

	if (code)
		return code;
	status = darray(&grid, (const size_t *)gsizes, &made, WF_MPI_CALL);
	return darray_made(status, made, WF_MPI_LARGE, newtype, WF_MPI_CALL);
}
WF_MPI_NAME(Type_create_darray_c);
