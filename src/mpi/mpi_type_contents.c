/* SPDX-License-Identifier: BSD-3-Clause */
/* How a datatype was made: its constructor and the arguments. */
#include <stdlib.h>

#include "mpi/mpi_type.h"
#include "mpi/mpi_type_f90.h"

/* How many of each kind MPI tells of. */
struct numbers {
	size_t ints, addresses, counts, types;
};

/* A datatype, by its native recipe. */
struct made {
	const struct weft_type *type;
	struct weft_type_recipe is;
	bool large;
	size_t *sizes;			/* native arguments, in MPI's numbers */
	ptrdiff_t *displs;
	struct weft_type **types;
};

static int combiner_of(const struct made *m)
{
	static const int of[] = {
		[WEFT_COMBINER_NAMED] = MPI_COMBINER_NAMED,
		[WEFT_COMBINER_DUP] = MPI_COMBINER_DUP,
		[WEFT_COMBINER_CONTIGUOUS] = MPI_COMBINER_CONTIGUOUS,
		[WEFT_COMBINER_VECTOR] = MPI_COMBINER_VECTOR,
		[WEFT_COMBINER_HVECTOR] = MPI_COMBINER_HVECTOR,
		[WEFT_COMBINER_INDEXED] = MPI_COMBINER_INDEXED,
		[WEFT_COMBINER_HINDEXED] = MPI_COMBINER_HINDEXED,
		[WEFT_COMBINER_INDEXED_BLOCK] = MPI_COMBINER_INDEXED_BLOCK,
		[WEFT_COMBINER_HINDEXED_BLOCK] = MPI_COMBINER_HINDEXED_BLOCK,
		[WEFT_COMBINER_STRUCT] = MPI_COMBINER_STRUCT,
		[WEFT_COMBINER_RESIZED] = MPI_COMBINER_RESIZED,
		[WEFT_COMBINER_SUBARRAY] = MPI_COMBINER_SUBARRAY,
		[WEFT_COMBINER_DARRAY] = MPI_COMBINER_DARRAY
	};

	return of[m->is.combiner];
}

/* Are displacements of this one int, where counts are? */
static bool has_int_displs(const struct made *m)
{
	return m->is.combiner == WEFT_COMBINER_VECTOR ||
	       m->is.combiner == WEFT_COMBINER_INDEXED ||
	       m->is.combiner == WEFT_COMBINER_INDEXED_BLOCK;
}

/* Dimensions of an array, of which three arrays are large counts, or one. */
static size_t dimensions(const struct made *m)
{
	return m->is.combiner == WEFT_COMBINER_SUBARRAY ?
		(m->is.nsizes - 2) / 3 : (m->is.nsizes - 4) / 4;
}

/*
 * Where in the sizes are large counts? The others are int.  Of arrays that is
 * behind what comes first, of all else everywhere.
 */
static void find_counts(const struct made *m, size_t *first, size_t *n)
{
	*first = 0;
	*n = m->is.nsizes;
	if (m->is.combiner == WEFT_COMBINER_SUBARRAY) {
		*first = 1;
		*n = 3 * dimensions(m);
	} else if (m->is.combiner == WEFT_COMBINER_DARRAY) {
		*first = 3;
		*n = dimensions(m);
	}
}

static struct numbers numbers_of(const struct made *m)
{
	struct numbers n = { .types = m->is.ntypes };
	size_t first, counts;

	if (m->large) {
		find_counts(m, &first, &counts);
		n.ints = m->is.nsizes - counts;
		n.counts = counts + m->is.ndispls;
	} else if (has_int_displs(m)) {
		n.ints = m->is.nsizes + m->is.ndispls;
	} else {
		n.ints = m->is.nsizes;
		n.addresses = m->is.ndispls;
	}
	return n;
}

static int look_at(MPI_Datatype datatype, struct made *m, const char *call)
{
	*m = (struct made){ .type = wf_mpi_type(datatype) };
	if (!m->type)
		return wf_mpi_type_refuse(call);
	m->large = wf_mpi_type_is_large(m->type);
	return wf_mpi_done(weft_type_get_recipe(m->type, &m->is), call);
}

/* ---- the envelope ---- */

int PMPI_Type_get_envelope(MPI_Datatype datatype, int *integers,
			   int *addresses, int *datatypes, int *combiner)
{
	struct made m;
	struct numbers n;
	int code;

	if (wf_mpi_type_is_f90(datatype, integers, combiner)) {
		*addresses = *datatypes = 0;
		return MPI_SUCCESS;
	}
	code = look_at(datatype, &m, WF_MPI_CALL);
	if (code)
		return code;
	n = numbers_of(&m);
	if (n.counts)
		return wf_mpi_type_refuse(WF_MPI_CALL);
	*integers = (int)n.ints;
	*addresses = (int)n.addresses;
	*datatypes = (int)n.types;
	*combiner = combiner_of(&m);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Type_get_envelope);

int PMPI_Type_get_envelope_c(MPI_Datatype datatype, MPI_Count *integers,
			     MPI_Count *addresses, MPI_Count *counts,
			     MPI_Count *datatypes, int *combiner)
{
	struct made m;
	struct numbers n;
	int code, ints;

	if (wf_mpi_type_is_f90(datatype, &ints, combiner)) {
		*integers = ints;
		*addresses = *counts = *datatypes = 0;
		return MPI_SUCCESS;
	}
	code = look_at(datatype, &m, WF_MPI_CALL);
	if (code)
		return code;
	n = numbers_of(&m);
	*integers = (MPI_Count)n.ints;
	*addresses = (MPI_Count)n.addresses;
	*counts = (MPI_Count)n.counts;
	*datatypes = (MPI_Count)n.types;
	*combiner = combiner_of(&m);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Type_get_envelope_c);

/* ---- the contents ---- */

/* Native constants become those of MPI. */
static void translate(struct made *m)
{
	static const int distribution[] = {
		[WEFT_DISTRIBUTE_NONE] = MPI_DISTRIBUTE_NONE,
		[WEFT_DISTRIBUTE_BLOCK] = MPI_DISTRIBUTE_BLOCK,
		[WEFT_DISTRIBUTE_CYCLIC] = MPI_DISTRIBUTE_CYCLIC
	};
	size_t n = m->is.nsizes, d = dimensions(m);

	if (m->is.combiner != WEFT_COMBINER_SUBARRAY &&
	    m->is.combiner != WEFT_COMBINER_DARRAY)
		return;
	m->sizes[n - 1] = m->sizes[n - 1] == WEFT_ORDER_FORTRAN ?
		MPI_ORDER_FORTRAN : MPI_ORDER_C;
	for (size_t i = 0; m->is.combiner == WEFT_COMBINER_DARRAY && i < d;
	     i++) {
		size_t *how = &m->sizes[3 + d + i], *block = how + d;

		*how = (size_t)distribution[*how];
		if (!*block)
			*block = MPI_DISTRIBUTE_DFLT_DARG;
	}
}

/* Where they go; NULL: not wanted, as there are none. */
struct room {
	int *ints;
	MPI_Aint *addresses;
	MPI_Count *counts;
	MPI_Datatype *types;
};

static void tell_large(const struct made *m, const struct room *room)
{
	size_t first, counts, n = 0;

	find_counts(m, &first, &counts);
	for (size_t i = 0; i < m->is.nsizes; i++) {
		if (i >= first && i < first + counts)
			room->counts[i - first] = (MPI_Count)m->sizes[i];
		else
			room->ints[n++] = (int)m->sizes[i];
	}
	for (size_t i = 0; i < m->is.ndispls; i++)
		room->counts[counts + i] = m->displs[i];
}

static void tell_ints(const struct made *m, const struct room *room)
{
	bool ints = has_int_displs(m);

	for (size_t i = 0; i < m->is.nsizes; i++)
		room->ints[i] = (int)m->sizes[i];
	for (size_t i = 0; i < m->is.ndispls; i++) {
		if (ints)
			room->ints[m->is.nsizes + i] = (int)m->displs[i];
		else
			room->addresses[i] = m->displs[i];
	}
}

static int tell(struct made *m, const struct room *room, const char *call)
{
	int code = wf_mpi_done(weft_type_get_contents(m->type,
			&(struct weft_type_contents){
				m->sizes, m->displs, m->types
			}), call);

	if (code)
		return code;
	translate(m);
	if (m->large)
		tell_large(m, room);
	else
		tell_ints(m, room);
	for (size_t i = 0; i < m->is.ntypes; i++)
		room->types[i] = wf_mpi_type_handle(m->types[i]);
	return MPI_SUCCESS;
}

static void *room_for(size_t n, size_t bytes)
{
	return malloc(n ? n * bytes : 1);
}

static int tell_by(struct made *m, const struct room *room, const char *call)
{
	int code;

	m->sizes = room_for(m->is.nsizes, sizeof(*m->sizes));
	m->displs = room_for(m->is.ndispls, sizeof(*m->displs));
	m->types = room_for(m->is.ntypes, sizeof(*m->types));
	code = m->sizes && m->displs && m->types ? tell(m, room, call) :
		wf_mpi_lacks(WEFT_ERR_NOMEM, call);
	free(m->sizes);
	free(m->displs);
	free(m->types);
	return code;
}

/* Fewer than there are, or of a named one. */
static int refuse_room(const struct made *m, const struct numbers *max,
		       const char *call)
{
	struct numbers n = numbers_of(m);

	if (m->is.combiner == WEFT_COMBINER_NAMED)
		return wf_mpi_type_refuse(call);
	if (n.ints <= max->ints && n.addresses <= max->addresses &&
	    n.counts <= max->counts && n.types <= max->types)
		return MPI_SUCCESS;
	return wf_mpi_refuse(NULL, MPI_ERR_ARG, "%s: there are %zu integers, "
			     "%zu addresses, %zu large counts and %zu "
			     "datatypes, more than there is room for", call,
			     n.ints, n.addresses, n.counts, n.types);
}

static int contents(MPI_Datatype datatype, const struct numbers *max,
		    const struct room *room, const char *call)
{
	struct made m;
	int code, n, combiner;

	if (wf_mpi_type_is_f90(datatype, &n, &combiner)) {
		if (max->ints < (size_t)n)
			return wf_mpi_refuse(NULL, MPI_ERR_ARG, "%s: there "
					     "are %d integers, more than there "
					     "is room for", call, n);
		wf_mpi_type_f90_contents(datatype, room->ints);
		return MPI_SUCCESS;
	}
	code = look_at(datatype, &m, call);
	if (!code)
		code = refuse_room(&m, max, call);
	return code ? code : tell_by(&m, room, call);
}

/* Below 0 there is none. */
static size_t room_of(MPI_Count n)
{
	return n < 0 ? 0 : (size_t)n;
}

int PMPI_Type_get_contents(MPI_Datatype datatype, int max_integers,
			   int max_addresses, int max_datatypes,
			   int integers[], MPI_Aint addresses[],
			   MPI_Datatype datatypes[])
{
	const struct numbers max = {
		.ints = room_of(max_integers),
		.addresses = room_of(max_addresses),
		.types = room_of(max_datatypes)
	};
	const struct room room = {
		.ints = integers, .addresses = addresses, .types = datatypes
	};

	return contents(datatype, &max, &room, WF_MPI_CALL);
}
WF_MPI_NAME(Type_get_contents);

int PMPI_Type_get_contents_c(MPI_Datatype datatype, MPI_Count max_integers,
			     MPI_Count max_addresses, MPI_Count max_counts,
			     MPI_Count max_datatypes, int integers[],
			     MPI_Aint addresses[], MPI_Count counts[],
			     MPI_Datatype datatypes[])
{
	const struct numbers max = {
		.ints = room_of(max_integers),
		.addresses = room_of(max_addresses),
		.counts = room_of(max_counts),
		.types = room_of(max_datatypes)
	};
	const struct room room = {
		integers, addresses, counts, datatypes
	};

	return contents(datatype, &max, &room, WF_MPI_CALL);
}
WF_MPI_NAME(Type_get_contents_c);
