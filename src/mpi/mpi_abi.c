/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be asked about the binary interface, and told of Fortran. */
#include <stdio.h>
#include <string.h>

#include "mpi/error.h"
#include "mpi/mpi_handle.h"

int PMPI_Abi_get_version(int *version, int *subversion)
{
	*version = MPI_ABI_VERSION;
	*subversion = MPI_ABI_SUBVERSION;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Abi_get_version);

/* A pair of texts for an info object. */
struct pair {
	const char *key, *value;
};

/* A new one with so many pairs. */
static int made_of(const struct pair *pair, size_t n, MPI_Info *info,
		   const char *call)
{
	struct weft_info *made = NULL;
	int status = weft_info_create(NULL, &made);

	for (size_t i = 0; i < n && !status; i++)
		status = weft_info_set(made, pair[i].key, pair[i].value);
	*info = wf_mpi_info_handle(made);
	return wf_mpi_lacks(status, call);
}

int PMPI_Abi_get_info(MPI_Info *info)
{
	static const struct pair pairs[] = {
		{ "mpi_aint_size", "8" },
		{ "mpi_count_size", "8" },
		{ "mpi_offset_size", "8" }
	};

	_Static_assert(sizeof(MPI_Aint) == 8 && sizeof(MPI_Count) == 8 &&
		       sizeof(MPI_Offset) == 8, "as the texts say");
	return made_of(pairs, sizeof(pairs) / sizeof(pairs[0]), info,
		       WF_MPI_CALL);
}
WF_MPI_NAME(Abi_get_info);

/* ---- Fortran, whose sizes are those of datatype.c ---- */

int PMPI_Abi_get_fortran_info(MPI_Info *info)
{
	static const struct pair pairs[] = {
		{ "mpi_logical_size", "4" },
		{ "mpi_integer_size", "4" },
		{ "mpi_real_size", "4" },
		{ "mpi_double_precision_size", "8" },
		{ "mpi_logical1_supported", "true" },
		{ "mpi_logical2_supported", "true" },
		{ "mpi_logical4_supported", "true" },
		{ "mpi_logical8_supported", "true" },
		{ "mpi_logical16_supported", "false" },
		{ "mpi_integer1_supported", "true" },
		{ "mpi_integer2_supported", "true" },
		{ "mpi_integer4_supported", "true" },
		{ "mpi_integer8_supported", "true" },
		{ "mpi_integer16_supported", "true" },
		{ "mpi_real2_supported", "false" },
		{ "mpi_real4_supported", "true" },
		{ "mpi_real8_supported", "true" },
		{ "mpi_real16_supported", "false" },
		{ "mpi_complex4_supported", "false" },
		{ "mpi_complex8_supported", "true" },
		{ "mpi_complex16_supported", "true" },
		{ "mpi_complex32_supported", "false" },
		{ "mpi_double_complex_supported", "true" }
	};

	return made_of(pairs, sizeof(pairs) / sizeof(pairs[0]), info,
		       WF_MPI_CALL);
}
WF_MPI_NAME(Abi_get_fortran_info);

/* They are known already. */
int PMPI_Abi_set_fortran_info(MPI_Info info)
{
	(void)info;
	return wf_mpi_refuse(NULL, MPI_ERR_ABI, "%s: the sizes of Fortran are "
			     "known: MPI_Abi_get_fortran_info has them",
			     WF_MPI_CALL);
}
WF_MPI_NAME(Abi_set_fortran_info);

/* .TRUE. and .FALSE., as long as LOGICAL is at most. */
static struct {
	pthread_mutex_t lock;
	int size;			/* 0: not known */
	unsigned char value[2][16];
} logical = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int refuse_size(int size, const char *call)
{
	return wf_mpi_refuse(NULL, size < 1 || size > 16 ? MPI_ERR_ARG :
			     MPI_ERR_ABI, "%s: LOGICAL of %d bytes: another "
			     "size is known, or it has 1 to 16", call, size);
}

int PMPI_Abi_set_fortran_booleans(int logical_size, void *logical_true,
				  void *logical_false)
{
	bool taken = false;

	if (logical_size < 1 || logical_size > 16)
		return refuse_size(logical_size, WF_MPI_CALL);
	pthread_mutex_lock(&logical.lock);
	if (!logical.size) {
		logical.size = logical_size;
		memcpy(logical.value[0], logical_true, (size_t)logical_size);
		memcpy(logical.value[1], logical_false, (size_t)logical_size);
		taken = true;
	}
	pthread_mutex_unlock(&logical.lock);
	return taken ? MPI_SUCCESS :
		wf_mpi_refuse(NULL, MPI_ERR_ABI, "%s: the values of LOGICAL "
			      "were set before", WF_MPI_CALL);
}
WF_MPI_NAME(Abi_set_fortran_booleans);

int PMPI_Abi_get_fortran_booleans(int logical_size, void *logical_true,
				  void *logical_false, int *is_set)
{
	int known;

	pthread_mutex_lock(&logical.lock);
	known = logical.size;
	if (known && known == logical_size) {
		memcpy(logical_true, logical.value[0], (size_t)known);
		memcpy(logical_false, logical.value[1], (size_t)known);
	}
	pthread_mutex_unlock(&logical.lock);
	*is_set = !!known;
	return known && known != logical_size ?
		refuse_size(logical_size, WF_MPI_CALL) : MPI_SUCCESS;
}
WF_MPI_NAME(Abi_get_fortran_booleans);
