/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Datatypes of Fortran's kinds: a duplicate of the type that has as many
 * digits, one for all who ask for the same.  And types by their size.
 */
#include "mpi/mpi_type_f90.h"

#include <stdlib.h>

#include "mpi/mpi_type.h"

/* One that was asked for. */
struct kind {
	struct kind *next;
	int combiner;
	int precision, range;		/* MPI_UNDEFINED: not given */
	struct weft_type *type;
};

static struct {
	pthread_mutex_t lock;
	struct kind *first;
} kinds = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- what there is ---- */

/* Of a real the decimal digits and exponents, of an integer the digits. */
struct digits {
	int precision, range;
	int size;
	unsigned handle;
};

static const struct digits reals[] = {
	{ 6, 37, 4, 0x2d2 }, { 15, 307, 8, 0x2da }
};
static const struct digits complexes[] = {
	{ 6, 37, 8, 0x2db }, { 15, 307, 16, 0x2e3 }
};
static const struct digits integers[] = {
	{ 0, 2, 1, 0x2c1 }, { 0, 4, 2, 0x2c9 }, { 0, 9, 4, 0x2d1 },
	{ 0, 18, 8, 0x2d9 }, { 0, 38, 16, 0x2e1 }
};

/* The smallest that has as many digits; NULL: none has. */
static const struct weft_type *fit(const struct digits *table, size_t n,
				   const struct kind *want)
{
	for (size_t i = 0; i < n; i++) {
		if ((want->precision == MPI_UNDEFINED ||
		     want->precision <= table[i].precision) &&
		    (want->range == MPI_UNDEFINED ||
		     want->range <= table[i].range))
			return &wf_mpi_types[table[i].handle -
					     WF_MPI_FIRST_TYPE];
	}
	return NULL;
}

static const struct weft_type *fitting(const struct kind *want)
{
	if (want->combiner == MPI_COMBINER_F90_INTEGER)
		return fit(integers, sizeof(integers) / sizeof(integers[0]),
			   want);
	return want->combiner == MPI_COMBINER_F90_REAL ?
		fit(reals, sizeof(reals) / sizeof(reals[0]), want) :
		fit(complexes, sizeof(complexes) / sizeof(complexes[0]), want);
}

/* ---- those that were asked for ---- */

static struct kind *find(const struct kind *want)
{
	struct kind *kind = kinds.first;

	while (kind && (kind->combiner != want->combiner ||
			kind->precision != want->precision ||
			kind->range != want->range))
		kind = kind->next;
	return kind;
}

static int make(const struct kind *want, const struct weft_type *like,
		struct kind **kind_p)
{
	struct kind *kind = malloc(sizeof(*kind));
	int status = kind ? WEFT_OK : WEFT_ERR_NOMEM;

	if (kind) {
		*kind = *want;
		status = weft_type_dup(wf_mpi.job, like, &kind->type);
	}
	if (status) {
		free(kind);
		return status;
	}
	kind->next = kinds.first;
	kinds.first = kind;
	*kind_p = kind;
	return WEFT_OK;
}

static int get(const struct kind *want, MPI_Datatype *newtype,
	       const char *call)
{
	const struct weft_type *like = fitting(want);
	struct kind *kind;
	int status = WEFT_OK;

	*newtype = MPI_DATATYPE_NULL;
	if (!like)
		return wf_mpi_refuse(NULL, MPI_ERR_ARG, "%s: no type has as "
				     "many digits", call);
	pthread_mutex_lock(&kinds.lock);
	kind = find(want);
	if (!kind)
		status = make(want, like, &kind);
	if (!status)
		*newtype = wf_mpi_type_handle(kind->type);
	pthread_mutex_unlock(&kinds.lock);
	return wf_mpi_done(status, call);
}

int PMPI_Type_create_f90_real(int p, int r, MPI_Datatype *newtype)
{
	const struct kind want = {
		.combiner = MPI_COMBINER_F90_REAL, .precision = p, .range = r
	};

	return get(&want, newtype, WF_MPI_CALL);
}
WF_MPI_NAME(Type_create_f90_real);

int PMPI_Type_create_f90_complex(int p, int r, MPI_Datatype *newtype)
{
	const struct kind want = {
		.combiner = MPI_COMBINER_F90_COMPLEX, .precision = p,
		.range = r
	};

	return get(&want, newtype, WF_MPI_CALL);
}
WF_MPI_NAME(Type_create_f90_complex);

int PMPI_Type_create_f90_integer(int r, MPI_Datatype *newtype)
{
	const struct kind want = {
		.combiner = MPI_COMBINER_F90_INTEGER,
		.precision = MPI_UNDEFINED, .range = r
	};

	return get(&want, newtype, WF_MPI_CALL);
}
WF_MPI_NAME(Type_create_f90_integer);

/* ---- how they were made ---- */

static bool look_up(MPI_Datatype datatype, struct kind *kind_p)
{
	const struct weft_type *type = wf_mpi_made_type(datatype);
	const struct kind *kind;

	pthread_mutex_lock(&kinds.lock);
	kind = kinds.first;
	while (kind && kind->type != type)
		kind = kind->next;
	if (kind)
		*kind_p = *kind;
	pthread_mutex_unlock(&kinds.lock);
	return type && kind;
}

bool wf_mpi_type_is_f90(MPI_Datatype datatype, int *n_p, int *combiner_p)
{
	struct kind kind;

	if (!look_up(datatype, &kind))
		return false;
	*n_p = kind.combiner == MPI_COMBINER_F90_INTEGER ? 1 : 2;
	*combiner_p = kind.combiner;
	return true;
}

bool wf_mpi_type_f90_contents(MPI_Datatype datatype, int numbers[])
{
	struct kind kind;

	if (!look_up(datatype, &kind))
		return false;
	if (kind.combiner != MPI_COMBINER_F90_INTEGER)
		*numbers++ = kind.precision;
	*numbers = kind.range;
	return true;
}

void wf_mpi_types_f90_drop(void)
{
	while (kinds.first) {
		struct kind *kind = kinds.first;

		kinds.first = kind->next;
		free(kind);
	}
}

/* ---- by size ---- */

static MPI_Datatype of_size(const struct digits *table, size_t n, int size)
{
	for (size_t i = 0; i < n; i++) {
		if (table[i].size == size)
			return (MPI_Datatype)(uintptr_t)table[i].handle;
	}
	return MPI_DATATYPE_NULL;
}

int PMPI_Type_match_size(int typeclass, int size, MPI_Datatype *datatype)
{
	*datatype = MPI_DATATYPE_NULL;
	if (typeclass == MPI_TYPECLASS_REAL)
		*datatype = of_size(reals, sizeof(reals) / sizeof(reals[0]),
				    size);
	else if (typeclass == MPI_TYPECLASS_INTEGER)
		*datatype = of_size(integers, sizeof(integers) /
				    sizeof(integers[0]), size);
	else if (typeclass == MPI_TYPECLASS_COMPLEX)
		*datatype = of_size(complexes, sizeof(complexes) /
				    sizeof(complexes[0]), size);
	if (*datatype != MPI_DATATYPE_NULL)
		return MPI_SUCCESS;
	return wf_mpi_refuse(NULL, MPI_ERR_ARG, "%s: no type of class %d has "
			     "%d bytes", WF_MPI_CALL, typeclass, size);
}
WF_MPI_NAME(Type_match_size);

/* A predefined one, if it has a name; else a native constant. */
int PMPI_Type_get_value_index(MPI_Datatype value_type, MPI_Datatype index_type,
			      MPI_Datatype *pair_type)
{
	const struct weft_type *pair =
		weft_type_pair(wf_mpi_type(value_type),
			       wf_mpi_type(index_type));

	*pair_type = pair ? wf_mpi_type_handle(pair) : MPI_DATATYPE_NULL;
	for (size_t i = 0; pair && i < WF_MPI_TYPES; i++) {
		if (wf_mpi_types[i].name &&
		    wf_mpi_types[i].kind == pair->kind) {
			*pair_type = wf_mpi_type_handle(&wf_mpi_types[i]);
			break;
		}
	}
	return MPI_SUCCESS;
}
WF_MPI_NAME(Type_get_value_index);
