/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Info objects: pairs of texts, by which a program gives hints.
 *
 * All calls but those that make a communicator, and weft_comm_set_info(), are
 * local.  What is left when its job is closed goes with it; one of no job
 * stays.  An object is used by one thread at a time.
 *
 * Errors:   WEFT_ERR_ARG: a handle or text is NULL, or as said;
 *           WEFT_ERR_NOMEM.
 */
#ifndef WEFT_INFO_H
#define WEFT_INFO_H

#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_comm;
struct weft_info;
struct weft_job;
struct weft_request;

enum {
	WEFT_INFO_KEY_MAX = 255		/* characters of a key */
};

/**
 * weft_info_create, weft_info_dup, weft_info_free - life of an info object
 *
 * job      that its errors are told to; NULL: to none, so it may be made before
 *          a job is opened, and outlives it; used with jobs as any other one
 * info_p   an empty one; one with the same pairs in the same order, of the same
 *          job; set to NULL, which inside is fine
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_NOMEM.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_info_create(struct weft_job *job, struct weft_info **info_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_info_dup(const struct weft_info *info,
			   struct weft_info **dup_p) WEFT_MUST_CHECK;
WEFT_API int weft_info_free(struct weft_info **info_p) WEFT_MUST_CHECK;

/**
 * weft_info_set - add a pair, or give a key another value
 *
 * key, value  copied; a key has 1 to WEFT_INFO_KEY_MAX characters, a value any
 *             number
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (also a key of another length),
 *           WEFT_ERR_NOMEM.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_info_set(struct weft_info *info, const char *key,
			   const char *value) WEFT_MUST_CHECK;

/**
 * weft_info_delete - take a pair away
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (also: there is no such key).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_info_delete(struct weft_info *info, const char *key)
	WEFT_MUST_CHECK;

/**
 * weft_info_get, weft_info_count, weft_info_key - what there is
 *
 * at       0 up to weft_info_count(), in the order in which keys were added
 *
 * Returns:  the value of a key, NULL for none; the number of pairs, 0 for NULL;
 *           a key, NULL for none.  The texts are valid until their pair is set
 *           again or deleted, or the object freed.
 * Blocks:   no.   Collective: no.
 */
WEFT_API const char *weft_info_get(const struct weft_info *info,
				   const char *key);
WEFT_API int weft_info_count(const struct weft_info *info);
WEFT_API const char *weft_info_key(const struct weft_info *info, int at);

/**
 * weft_comm_set_info - give a communicator hints
 *
 * info     its pairs replace or join those that the communicator has; the
 *          object stays the caller's
 *
 * Communicators keep all hints; none changes what the library does so far.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_NOMEM.
 * Blocks:   no.   Collective: yes, but it does not synchronise.
 */
WEFT_API int weft_comm_set_info(struct weft_comm *comm,
				const struct weft_info *info) WEFT_MUST_CHECK;

/**
 * weft_comm_get_info - the hints of a communicator
 *
 * info_p   a new object with them, empty if there are none
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_NOMEM.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_comm_get_info(struct weft_comm *comm,
				struct weft_info **info_p) WEFT_MUST_CHECK;

/**
 * weft_comm_dup_with_info - as weft_comm_dup(), with other hints
 *
 * info     the hints of the duplicate, instead of those of comm; NULL: none
 *
 * Returns:  as weft_comm_dup().
 * Blocks:   as weft_comm_dup().
 * Collective: as weft_comm_dup().
 */
WEFT_API int weft_comm_dup_with_info(struct weft_comm *comm,
				     const struct weft_info *info,
				     struct weft_comm **dup_p) WEFT_MUST_CHECK;

/**
 * weft_comm_idup_with_info - the same, without blocking
 *
 * info     as of weft_comm_dup_with_info(); not used any more at return
 *
 * Returns:  as weft_comm_idup().
 * Blocks:   as weft_comm_idup().
 * Collective: as weft_comm_idup().
 */
WEFT_API int weft_comm_idup_with_info(struct weft_comm *comm,
				      const struct weft_info *info,
				      struct weft_comm **dup_p,
				      struct weft_request **req_p)
	WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
