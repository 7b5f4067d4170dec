/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Datatypes.  The basic ones are constants: they need no job, are never freed,
 * and their addresses are the handles.  Duplicates, and what is made of others
 * (weft/derived.h), belong to a job.  All bear attributes (weft/attr.h).
 */
#ifndef WEFT_TYPE_H
#define WEFT_TYPE_H

#include <stddef.h>
#include <stdint.h>
#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_job;
struct weft_type;

/*
 * Those of C by their names, integers by their bits.  What operations they have
 * is in weft/op.h.
 */
WEFT_API extern const struct weft_type weft_type_byte;	/* bits alone */
WEFT_API extern const struct weft_type weft_type_char;	/* no operations */
WEFT_API extern const struct weft_type weft_type_wchar;	/* no operations */
WEFT_API extern const struct weft_type weft_type_int8;
WEFT_API extern const struct weft_type weft_type_uint8;
WEFT_API extern const struct weft_type weft_type_int16;
WEFT_API extern const struct weft_type weft_type_uint16;
WEFT_API extern const struct weft_type weft_type_int32;
WEFT_API extern const struct weft_type weft_type_uint32;
WEFT_API extern const struct weft_type weft_type_int64;
WEFT_API extern const struct weft_type weft_type_uint64;
WEFT_API extern const struct weft_type weft_type_int128;	/* __int128 */
WEFT_API extern const struct weft_type weft_type_float;
WEFT_API extern const struct weft_type weft_type_double;
WEFT_API extern const struct weft_type weft_type_long_double;
WEFT_API extern const struct weft_type weft_type_complex_float;
WEFT_API extern const struct weft_type weft_type_complex_double;
WEFT_API extern const struct weft_type weft_type_complex_long_double;
WEFT_API extern const struct weft_type weft_type_bool;	/* _Bool */

/*
 * A value and an index, for weft_op_minloc and weft_op_maxloc: what a C struct
 * of the two has in memory, gaps included, which nothing writes to.  short,
 * int and long are those of C; 2int is two of them.
 */
WEFT_API extern const struct weft_type weft_type_float_int;
WEFT_API extern const struct weft_type weft_type_double_int;
WEFT_API extern const struct weft_type weft_type_long_int;
WEFT_API extern const struct weft_type weft_type_2int;
WEFT_API extern const struct weft_type weft_type_short_int;
WEFT_API extern const struct weft_type weft_type_long_double_int;
WEFT_API extern const struct weft_type weft_type_2float;
WEFT_API extern const struct weft_type weft_type_2double;
WEFT_API extern const struct weft_type weft_type_2int64;
WEFT_API extern const struct weft_type weft_type_float_int64;
WEFT_API extern const struct weft_type weft_type_double_int64;
WEFT_API extern const struct weft_type weft_type_long_double_int64;

/* struct weft_remote of weft/dist.h; no operations */
WEFT_API extern const struct weft_type weft_type_remote;

/**
 * weft_type_pair - the datatype of a value and an index
 *
 * value, index  basic types, such as of float and int32
 *
 * Returns:  one of the above; NULL where there is none.
 * Blocks:   no.   Collective: no.
 */
WEFT_API const struct weft_type *weft_type_pair(const struct weft_type *value,
						const struct weft_type *index);

/**
 * weft_type_size, weft_type_name - what a datatype is
 *
 * Returns:  bytes of one element, without gaps; a string like "double", valid
 *           until the datatype is named or freed.
 * Blocks:   no.   Collective: no.
 */
WEFT_API size_t weft_type_size(const struct weft_type *type);
WEFT_API const char *weft_type_name(const struct weft_type *type);

/* In bytes from the address of an element. */
struct weft_bounds {
	ptrdiff_t lb, ub;		/* of what it takes */
	ptrdiff_t true_lb, true_ub;	/* of its bytes */
};

/**
 * weft_type_extent, weft_type_bounds - where elements lie
 *
 * Returns:  bytes from an element to the next one, ub - lb; all bounds.
 * Blocks:   no.   Collective: no.
 */
WEFT_API ptrdiff_t weft_type_extent(const struct weft_type *type);
WEFT_API struct weft_bounds weft_type_bounds(const struct weft_type *type);

/**
 * weft_type_elements - how many basic elements are in so many bytes?
 *
 * type      also one that is not committed
 * bytes     packed, such as a message has that ends within an element of type
 * n_p [out] of a pair, such as weft_type_float_int, two, of a complex one;
 *           WEFT_UNDEFINED: they end within a basic element, or type has no
 *           bytes
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (NULL, one that was freed).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_type_elements(const struct weft_type *type, uint64_t bytes,
				int64_t *n_p) WEFT_MUST_CHECK;

/**
 * weft_type_element_bytes - how many bytes have n basic elements?
 *
 * type           as of weft_type_elements(), whose inverse this is
 * bytes_p [out]  of the first n
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (NULL, one that was freed), WEFT_ERR_RANGE
 *           (2^63 bytes and more, or type has no elements and n is not 0).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_type_element_bytes(const struct weft_type *type, uint64_t n,
				     uint64_t *bytes_p) WEFT_MUST_CHECK;

/**
 * weft_type_dup - a datatype that is like another one
 *
 * type         a basic one, or one of the same job
 * dup_p [out]  of the same bytes and operations, committed if type is, with
 *              the attributes of type as their keys say.  It goes with the job
 *              if it was not freed.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (NULL, of another job, freed),
 *           WEFT_ERR_NOMEM, what a callback of an attribute returned.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_type_dup(struct weft_job *job, const struct weft_type *type,
			   struct weft_type **dup_p) WEFT_MUST_CHECK;

/**
 * weft_type_free - give a datatype up
 *
 * type_p  set to NULL; NULL inside is fine.  What is under way with it
 *         completes, and what is made of it stays.  Before, its attributes are
 *         deleted, the last one first; if a callback fails, it stays.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (NULL; a basic one, of which there is no
 *           text; one that is just being freed), what a callback of an
 *           attribute returned.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_type_free(struct weft_type **type_p) WEFT_MUST_CHECK;

/**
 * weft_type_userdata, weft_type_set_userdata - a pointer of the program
 *
 * userdata  kept with one of a job, and neither read nor freed; NULL at first
 *
 * Returns:  the pointer, NULL for NULL and for a basic one; WEFT_OK,
 *           WEFT_ERR_ARG (NULL, a basic one, one that was freed).
 * Blocks:   no.   Collective: no.
 */
WEFT_API void *weft_type_userdata(const struct weft_type *type);
WEFT_API int weft_type_set_userdata(struct weft_type *type, void *userdata)
	WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
