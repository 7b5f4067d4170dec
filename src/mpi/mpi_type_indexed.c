/* SPDX-License-Identifier: BSD-3-Clause */
/* Datatypes of blocks anywhere, of one type or several. */
#include <stdlib.h>

#include "mpi/mpi_type.h"

_Static_assert(sizeof(MPI_Count) == sizeof(size_t) &&
	       sizeof(MPI_Count) == sizeof(ptrdiff_t), "arrays are passed on");

/* The end, with what was copied for the call. */
static int made_by(int status, struct weft_type *made, MPI_Datatype *newtype,
		   void *copies[2], const char *call)
{
	free(copies[0]);
	free(copies[1]);
	return wf_mpi_type_made(status, made, WF_MPI_INTS, newtype, call);
}

static int refuse_count(int n, const char *call)
{
	return wf_mpi_refuse(NULL, MPI_ERR_COUNT, "%s: count is %d", call, n);
}

int PMPI_Type_indexed(int count, const int blocklengths[], const int displs[],
		      MPI_Datatype oldtype, MPI_Datatype *newtype)
{
	struct weft_type *made = NULL;
	void *copies[2] = { NULL, NULL };
	int status = WEFT_ERR_NOMEM;

	if (count < 0)
		return refuse_count(count, WF_MPI_CALL);
	copies[0] = wf_mpi_sizes(count, blocklengths);
	copies[1] = wf_mpi_displs(count, displs);
	if (!count || (copies[0] && copies[1]))
		status = weft_type_indexed(wf_mpi.job, (size_t)count, copies[0],
					   copies[1], wf_mpi_type(oldtype),
					   &made);
	return made_by(status, made, newtype, copies, WF_MPI_CALL);
}
WF_MPI_NAME(Type_indexed);

int PMPI_Type_indexed_c(MPI_Count count, const MPI_Count blocklengths[],
			const MPI_Count displs[], MPI_Datatype oldtype,
			MPI_Datatype *newtype)
{
	struct weft_type *made = NULL;
	int status = weft_type_indexed(wf_mpi.job, wf_mpi_count(count),
				       (const size_t *)blocklengths, displs,
				       wf_mpi_type(oldtype), &made);

	return wf_mpi_type_made(status, made, WF_MPI_LARGE, newtype,
				WF_MPI_CALL);
}
WF_MPI_NAME(Type_indexed_c);

int PMPI_Type_create_hindexed(int count, const int blocklengths[],
			      const MPI_Aint displs[], MPI_Datatype oldtype,
			      MPI_Datatype *newtype)
{
	struct weft_type *made = NULL;
	void *copies[2] = { NULL, NULL };
	int status = WEFT_ERR_NOMEM;

	if (count < 0)
		return refuse_count(count, WF_MPI_CALL);
	copies[0] = wf_mpi_sizes(count, blocklengths);
	if (!count || copies[0])
		status = weft_type_hindexed(wf_mpi.job, (size_t)count,
					    copies[0], displs,
					    wf_mpi_type(oldtype), &made);
	return made_by(status, made, newtype, copies, WF_MPI_CALL);
}
WF_MPI_NAME(Type_create_hindexed);

int PMPI_Type_create_hindexed_c(MPI_Count count, const MPI_Count blocklengths[],
				const MPI_Count displs[], MPI_Datatype oldtype,
				MPI_Datatype *newtype)
{
	struct weft_type *made = NULL;
	int status = weft_type_hindexed(wf_mpi.job, wf_mpi_count(count),
					(const size_t *)blocklengths, displs,
					wf_mpi_type(oldtype), &made);

	return wf_mpi_type_made(status, made, WF_MPI_LARGE, newtype,
				WF_MPI_CALL);
}
WF_MPI_NAME(Type_create_hindexed_c);

int PMPI_Type_create_indexed_block(int count, int blocklength,
				   const int displs[], MPI_Datatype oldtype,
				   MPI_Datatype *newtype)
{
	struct weft_type *made = NULL;
	void *copies[2] = { NULL, NULL };
	int status = WEFT_ERR_NOMEM;

	if (count < 0)
		return refuse_count(count, WF_MPI_CALL);
	copies[1] = wf_mpi_displs(count, displs);
	if (!count || copies[1])
		status = weft_type_indexed_block(wf_mpi.job, (size_t)count,
						 wf_mpi_count(blocklength),
						 copies[1],
						 wf_mpi_type(oldtype), &made);
	return made_by(status, made, newtype, copies, WF_MPI_CALL);
}
WF_MPI_NAME(Type_create_indexed_block);

int PMPI_Type_create_indexed_block_c(MPI_Count count, MPI_Count blocklength,
				     const MPI_Count displs[],
				     MPI_Datatype oldtype,
				     MPI_Datatype *newtype)
{
	struct weft_type *made = NULL;
	int status = weft_type_indexed_block(wf_mpi.job, wf_mpi_count(count),
					     wf_mpi_count(blocklength), displs,
					     wf_mpi_type(oldtype), &made);

	return wf_mpi_type_made(status, made, WF_MPI_LARGE, newtype,
				WF_MPI_CALL);
}
WF_MPI_NAME(Type_create_indexed_block_c);

int PMPI_Type_create_hindexed_block(int count, int blocklength,
				    const MPI_Aint displs[],
				    MPI_Datatype oldtype,
				    MPI_Datatype *newtype)
{
	struct weft_type *made = NULL;
	int status = weft_type_hindexed_block(
		wf_mpi.job, wf_mpi_count(count), wf_mpi_count(blocklength),
		displs, wf_mpi_type(oldtype), &made);

	return wf_mpi_type_made(status, made, WF_MPI_INTS, newtype,
				WF_MPI_CALL);
}
WF_MPI_NAME(Type_create_hindexed_block);

int PMPI_Type_create_hindexed_block_c(MPI_Count count, MPI_Count blocklength,
				      const MPI_Count displs[],
				      MPI_Datatype oldtype,
				      MPI_Datatype *newtype)
{
	struct weft_type *made = NULL;
	int status = weft_type_hindexed_block(
		wf_mpi.job, wf_mpi_count(count), wf_mpi_count(blocklength),
		displs, wf_mpi_type(oldtype), &made);

	return wf_mpi_type_made(status, made, WF_MPI_LARGE, newtype,
				WF_MPI_CALL);
}
WF_MPI_NAME(Type_create_hindexed_block_c);

/* ---- of several types ---- */

int PMPI_Type_create_struct(int count, const int blocklengths[],
			    const MPI_Aint displs[], const MPI_Datatype types[],
			    MPI_Datatype *newtype)
{
	struct weft_type *made = NULL;
	void *copies[2] = { NULL, NULL };
	int status = WEFT_ERR_NOMEM;

	if (count < 0)
		return refuse_count(count, WF_MPI_CALL);
	copies[0] = wf_mpi_sizes(count, blocklengths);
	copies[1] = wf_mpi_types_of(count, types);
	if (!count || (copies[0] && copies[1]))
		status = weft_type_struct(wf_mpi.job, (size_t)count, copies[0],
					  displs, copies[1], &made);
	return made_by(status, made, newtype, copies, WF_MPI_CALL);
}
WF_MPI_NAME(Type_create_struct);

int PMPI_Type_create_struct_c(MPI_Count count, const MPI_Count blocklengths[],
			      const MPI_Count displs[],
			      const MPI_Datatype types[],
			      MPI_Datatype *newtype)
{
	const struct weft_type **natives = wf_mpi_types_of(count, types);
	struct weft_type *made = NULL;
	int status = WEFT_ERR_NOMEM;

	if (natives || count <= 0)
		status = weft_type_struct(wf_mpi.job, wf_mpi_count(count),
					  (const size_t *)blocklengths, displs,
					  natives, &made);
	free(natives);
	return wf_mpi_type_made(status, made, WF_MPI_LARGE, newtype,
				WF_MPI_CALL);
}
WF_MPI_NAME(Type_create_struct_c);
