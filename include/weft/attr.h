/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Attributes: what a program or library hangs to a communicator under a key of
 * its own, and what becomes of it when that is duplicated or freed.
 *
 * All calls are local.  Callbacks may call the library: no lock is held, and
 * the communicator and the key stay until they return.  A value whose delete
 * callback is called can be looked at, but neither deleted nor replaced.  What
 * callbacks return is a status: 0 is success; anything else ends the call that
 * they serve, which returns it.
 *
 * Errors:   WEFT_ERR_ARG: a handle is NULL, a key of another job or one that
 *           was freed, or a value that is just being deleted; but for NULL the
 *           text says which.  WEFT_ERR_NOMEM.
 */
#ifndef WEFT_ATTR_H
#define WEFT_ATTR_H

#include <stdbool.h>
#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_comm;
struct weft_job;
struct weft_keyval;

/*
 * Called by weft_comm_dup(), in the order in which attributes were set: the
 * value for the duplicate goes to *copy_p.  *keep_p is false when it is called;
 * left so, the duplicate has no such attribute.
 */
typedef int weft_attr_copy(struct weft_comm *comm, struct weft_keyval *keyval,
			   void *extra, void *value, void **copy_p,
			   bool *keep_p);

/* Called for a value that is replaced or deleted, or whose owner is freed. */
typedef int weft_attr_delete(struct weft_comm *comm,
			     struct weft_keyval *keyval, void *value,
			     void *extra);

/**
 * weft_attr_copy_same - a copy callback: the duplicate has the same value
 *
 * Returns:  0.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_attr_copy_same(struct weft_comm *comm,
				 struct weft_keyval *keyval, void *extra,
				 void *value, void **copy_p, bool *keep_p);

/**
 * weft_keyval_create - a new key
 *
 * copy     NULL: a duplicate does not have the attribute
 * del      NULL: nothing is to be done
 * extra    for the callbacks
 *
 * It goes with the job if it was not freed.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_NOMEM.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_keyval_create(struct weft_job *job, weft_attr_copy *copy,
				weft_attr_delete *del, void *extra,
				struct weft_keyval **keyval_p) WEFT_MUST_CHECK;

/**
 * weft_keyval_free - give a key up
 *
 * keyval_p  set to NULL.  Communicators that have an attribute of it keep it,
 *           and callbacks are called as ever; it goes with the last of them.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (also one that was freed and is still held).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_keyval_free(struct weft_keyval **keyval_p) WEFT_MUST_CHECK;

/**
 * weft_comm_set_attr - hang a value to a communicator
 *
 * An older one of this key is deleted first, by its callback; if that fails, it
 * stays.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_NOMEM, what the callback returned.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_comm_set_attr(struct weft_comm *comm,
				struct weft_keyval *keyval, void *value)
	WEFT_MUST_CHECK;

/**
 * weft_comm_get_attr - the value that was set, if there is one
 *
 * value_p [out]  left alone where there is none
 * found_p [out]  whether there is one
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_comm_get_attr(struct weft_comm *comm,
				struct weft_keyval *keyval, void **value_p,
				bool *found_p) WEFT_MUST_CHECK;

/**
 * weft_comm_delete_attr - take a value off
 *
 * Its callback is called; if that fails, the value stays.  Where there is none
 * nothing happens.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, what the callback returned.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_comm_delete_attr(struct weft_comm *comm,
				   struct weft_keyval *keyval) WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
