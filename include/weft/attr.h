/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Attributes: what a program or library hangs to a communicator or datatype
 * under a key of its own, and what becomes of it when that is duplicated or
 * freed.
 *
 * All calls are local.  Callbacks may call the library: no lock is held, and
 * the object and the key stay until they return.  A value whose delete
 * callback is called can be looked at, but neither deleted nor replaced.  What
 * callbacks return is a status: 0 is success; anything else ends the call that
 * they serve, which returns it.
 *
 * Errors:   WEFT_ERR_ARG: a handle is NULL, a key of another job, one for
 *           another kind of object or one that was freed (which only deletes),
 *           or a value that is just being deleted; but for NULL the text says
 *           which.  WEFT_ERR_NOMEM.
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
struct weft_type;

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
 * weft_keyval_create - a new key, for communicators
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
 * keyval_p  set to NULL; NULL inside is fine.  What has an attribute of it
 *           keeps it, and callbacks are called as ever; it goes with the last
 *           of them.  By what the handle was they are deleted until then, and
 *           such a copy of the handle may be freed, too.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (also a key of the library).
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
				const struct weft_keyval *keyval,
				void **value_p, bool *found_p) WEFT_MUST_CHECK;

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

/*
 * Keys of what the library gives each communicator: the largest tag; how many
 * ranks there can be, and which of several programs this is, from 0 on, both
 * only where the launcher tells, by PMIx; whether CLOCK_MONOTONIC, which MPI's
 * time is, is one clock for all ranks: 1 if they are on one node, else 0, since
 * nobody has compared clocks.  The value points to an int that stays as long as
 * the job.  Keys are only passed to weft_comm_get_attr().
 */
WEFT_API extern const struct weft_keyval weft_key_tag_ub;
WEFT_API extern const struct weft_keyval weft_key_universe_size;
WEFT_API extern const struct weft_keyval weft_key_appnum;
WEFT_API extern const struct weft_keyval weft_key_wtime_is_global;

/* ---- datatypes ---- */

/* As those of communicators; copies are made by weft_type_dup(). */
typedef int weft_type_attr_copy(const struct weft_type *type,
				struct weft_keyval *keyval, void *extra,
				void *value, void **copy_p, bool *keep_p);
typedef int weft_type_attr_delete(const struct weft_type *type,
				  struct weft_keyval *keyval, void *value,
				  void *extra);

/**
 * weft_type_attr_copy_same - a copy callback: the duplicate has the same value
 *
 * Returns:  0.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_type_attr_copy_same(const struct weft_type *type,
				      struct weft_keyval *keyval, void *extra,
				      void *value, void **copy_p,
				      bool *keep_p);

/**
 * weft_type_keyval_create, weft_type_set_attr, weft_type_get_attr,
 * weft_type_delete_attr - attributes of datatypes
 *
 * type     a duplicate, or a basic one, which bears them in the job of the key
 *          alone, until that is closed; no callback is called then
 *
 * All else as for communicators.
 *
 * Returns:  as those.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_type_keyval_create(struct weft_job *job,
				     weft_type_attr_copy *copy,
				     weft_type_attr_delete *del, void *extra,
				     struct weft_keyval **keyval_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_type_set_attr(const struct weft_type *type,
				struct weft_keyval *keyval, void *value)
	WEFT_MUST_CHECK;
WEFT_API int weft_type_get_attr(const struct weft_type *type,
				const struct weft_keyval *keyval,
				void **value_p, bool *found_p) WEFT_MUST_CHECK;
WEFT_API int weft_type_delete_attr(const struct weft_type *type,
				   struct weft_keyval *keyval) WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
