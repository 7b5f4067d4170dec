/* SPDX-License-Identifier: BSD-3-Clause */
/* Datatypes of equal blocks; other bounds, and duplicates. */
#include "mpi/mpi_type.h"

int PMPI_Type_contiguous(int count, MPI_Datatype oldtype,
			 MPI_Datatype *newtype)
{
	struct weft_type *made = NULL;
	int status = weft_type_contiguous(wf_mpi.job, wf_mpi_count(count),
					  wf_mpi_type(oldtype), &made);

	return wf_mpi_type_made(status, made, WF_MPI_INTS, newtype,
				WF_MPI_CALL);
}
WF_MPI_NAME(Type_contiguous);

int PMPI_Type_contiguous_c(MPI_Count count, MPI_Datatype oldtype,
			   MPI_Datatype *newtype)
{
	struct weft_type *made = NULL;
	int status = weft_type_contiguous(wf_mpi.job, wf_mpi_count(count),
					  wf_mpi_type(oldtype), &made);

	return wf_mpi_type_made(status, made, WF_MPI_LARGE, newtype,
				WF_MPI_CALL);
}
WF_MPI_NAME(Type_contiguous_c);

int PMPI_Type_vector(int count, int blocklength, int stride,
		     MPI_Datatype oldtype, MPI_Datatype *newtype)
{
	struct weft_type *made = NULL;
	int status = weft_type_vector(wf_mpi.job, wf_mpi_count(count),
				      wf_mpi_count(blocklength), stride,
				      wf_mpi_type(oldtype), &made);

	return wf_mpi_type_made(status, made, WF_MPI_INTS, newtype,
				WF_MPI_CALL);
}
WF_MPI_NAME(Type_vector);

int PMPI_Type_vector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride,
		       MPI_Datatype oldtype, MPI_Datatype *newtype)
{
	struct weft_type *made = NULL;
	int status = weft_type_vector(wf_mpi.job, wf_mpi_count(count),
				      wf_mpi_count(blocklength), stride,
				      wf_mpi_type(oldtype), &made);

	return wf_mpi_type_made(status, made, WF_MPI_LARGE, newtype,
				WF_MPI_CALL);
}
WF_MPI_NAME(Type_vector_c);

int PMPI_Type_create_hvector(int count, int blocklength, MPI_Aint stride,
			     MPI_Datatype oldtype, MPI_Datatype *newtype)
{
	struct weft_type *made = NULL;
	int status = weft_type_hvector(wf_mpi.job, wf_mpi_count(count),
				       wf_mpi_count(blocklength), stride,
				       wf_mpi_type(oldtype), &made);

	return wf_mpi_type_made(status, made, WF_MPI_INTS, newtype,
				WF_MPI_CALL);
}
WF_MPI_NAME(Type_create_hvector);

int PMPI_Type_create_hvector_c(MPI_Count count, MPI_Count blocklength,
			       MPI_Count stride, MPI_Datatype oldtype,
			       MPI_Datatype *newtype)
{
	struct weft_type *made = NULL;
	int status = weft_type_hvector(wf_mpi.job, wf_mpi_count(count),
				       wf_mpi_count(blocklength), stride,
				       wf_mpi_type(oldtype), &made);

	return wf_mpi_type_made(status, made, WF_MPI_LARGE, newtype,
				WF_MPI_CALL);
}
WF_MPI_NAME(Type_create_hvector_c);

int PMPI_Type_create_resized(MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent,
			     MPI_Datatype *newtype)
{
	struct weft_type *made = NULL;
	int status = weft_type_resized(wf_mpi.job, wf_mpi_type(oldtype), lb,
				       extent, &made);

	return wf_mpi_type_made(status, made, WF_MPI_INTS, newtype,
				WF_MPI_CALL);
}
WF_MPI_NAME(Type_create_resized);

int PMPI_Type_create_resized_c(MPI_Datatype oldtype, MPI_Count lb,
			       MPI_Count extent, MPI_Datatype *newtype)
{
	struct weft_type *made = NULL;
	int status = weft_type_resized(wf_mpi.job, wf_mpi_type(oldtype), lb,
				       extent, &made);

	return wf_mpi_type_made(status, made, WF_MPI_LARGE, newtype,
				WF_MPI_CALL);
}
WF_MPI_NAME(Type_create_resized_c);

int PMPI_Type_dup(MPI_Datatype oldtype, MPI_Datatype *newtype)
{
	struct weft_type *made = NULL;
	int status = weft_type_dup(wf_mpi.job, wf_mpi_type(oldtype), &made);

	return wf_mpi_type_made(status, made, WF_MPI_INTS, newtype,
				WF_MPI_CALL);
}
WF_MPI_NAME(Type_dup);
