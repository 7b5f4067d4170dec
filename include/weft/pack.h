/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements packed into memory of the program, side by side, and back. */
#ifndef WEFT_PACK_H
#define WEFT_PACK_H

#include <weft/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_job;

/**
 * weft_pack, weft_unpack - append elements to packed ones; take the next ones
 *
 * from, to        elements where they lie
 * packed, bytes   memory, and its length; it may be sent and received as bytes,
 *                 and received as the elements that are in it
 * at_p [in, out]  bytes that are packed, or unpacked, already
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_RANGE (it has not so many bytes;
 *           nothing was done).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_pack(struct weft_job *job, struct weft_part from,
		       void *packed, size_t bytes, size_t *at_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_unpack(struct weft_job *job, const void *packed,
			 size_t bytes, size_t *at_p, struct weft_part to)
	WEFT_MUST_CHECK;

/**
 * weft_pack_size - bytes that elements take
 *
 * Returns:  count times weft_type_size(type); SIZE_MAX where that is beyond
 *           the numbers.
 * Blocks:   no.   Collective: no.
 */
WEFT_API size_t weft_pack_size(size_t count, const struct weft_type *type);

/**
 * weft_pack_external, weft_unpack_external - the same in a form for any machine
 *
 * from, to        as above
 * packed, bytes   as external32 of MPI has them: big-endian, of IEEE 754, a
 *                 wide character in 2 bytes, a long double in 16
 * at_p [in, out]  bytes that are packed, or unpacked, already
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_RANGE (it has not so many bytes,
 *           and nothing was done; a wide character above 0xffff, and what is
 *           behind *at_p is undefined), WEFT_ERR_NOMEM (structs of several
 *           types, more than 8 deep).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_pack_external(struct weft_job *job, struct weft_part from,
				void *packed, size_t bytes, size_t *at_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_unpack_external(struct weft_job *job, const void *packed,
				  size_t bytes, size_t *at_p,
				  struct weft_part to)
	WEFT_MUST_CHECK;

/**
 * weft_pack_external_size - bytes that elements take in that form
 *
 * Returns:  no more than weft_pack_size(); SIZE_MAX where that is beyond the
 *           numbers.
 * Blocks:   no.   Collective: no.
 */
WEFT_API size_t weft_pack_external_size(size_t count,
					const struct weft_type *type);

#ifdef __cplusplus
}
#endif

#endif
