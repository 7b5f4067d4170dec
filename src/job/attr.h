/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Attributes of a communicator or datatype, in the order in which they were
 * set.  comm/ and type/ have the calls of the program and hold the object while
 * one lasts; how a callback is called they say with the key's kind.
 *
 * Callbacks run with the job left, and the object and key held by who calls
 * them.  Meanwhile the value is marked: nobody else deletes or replaces it.
 */
#ifndef WEFT_JOB_ATTR_H
#define WEFT_JOB_ATTR_H

#include <stdbool.h>
#include <weft/attr.h>
#include "base/list.h"

/* What a key is for. */
struct wf_attr_kind {
	const char *name;		/* for people, of one: "communicator" */
	int (*copy)(void *object, struct weft_keyval *keyval, void *value,
		    void **copy_p, bool *keep_p);
	int (*del)(void *object, struct weft_keyval *keyval, void *value);
};

struct weft_keyval {
	struct weft_job *job;
	struct wf_list link;		/* in the job's */
	int refs;			/* the user's, and attributes */
	bool freed;			/* by weft_keyval_free() */
	/* The value, of one of the library's; NULL: one of a program. */
	const int *(*given)(const struct weft_job *job);
	const struct wf_attr_kind *kind;
	void (*copy)(void);		/* callbacks: kind knows their types; */
	void (*del)(void);		/* NULL: none */
	void *extra;
	char room[56];			/* for later members; zero */
};

/* Those of the library are copied into programs by the linker (type/type.h). */
_Static_assert(sizeof(struct weft_keyval) == 128, "linked into programs");

/* Of one object; NULL: none was ever set. */
struct wf_attrs {
	int n, capacity;
	struct wf_attr {
		struct weft_keyval *keyval;	/* held */
		void *value;
		bool going;		/* its delete callback is called */
	} at[];
};

/* What they hang to, for the length of a call that holds it. */
struct wf_bearer {
	struct weft_job *job;
	void *object;			/* first argument of callbacks */
	struct wf_attrs **attrs;
	const bool *freed;
};

/* ---- keys ---- */

/* One like this, but for its place and uses. */
int wf_keyval_create(struct weft_job *job, const struct weft_keyval *like,
		     const char *call, struct weft_keyval **keyval_p);

void wf_keyval_drop(struct weft_keyval *keyval);

/* Those that the program did not free; no attribute is left. */
void wf_keyvals_drop(struct weft_job *job);

/* ---- one attribute; texts are told for this call ---- */

/* May it be used for this object?  One that was freed only deletes. */
int wf_attr_check(const struct wf_bearer *b, const struct wf_attr_kind *kind,
		  const struct weft_keyval *keyval, bool deletes,
		  const char *call);

int wf_attr_set(const struct wf_bearer *b, struct weft_keyval *keyval,
		void *value, const char *call);
int wf_attr_delete(const struct wf_bearer *b, struct weft_keyval *keyval,
		   const char *call);
void wf_attr_get(const struct wf_bearer *b, const struct weft_keyval *keyval,
		 void **value_p, bool *found_p);

/* ---- all ---- */

/*
 * For a duplicate, by the copy callbacks; if one fails, those that were copied
 * are deleted.  WEFT_ERR_NOMEM, or what it returned.
 */
int wf_attrs_copy(const struct wf_bearer *from, const struct wf_bearer *to,
		  const char *call);

/*
 * Deletes all, the last one first, by their callbacks; one that fails stays,
 * and those before it.  Returns what it returned.
 */
int wf_attrs_delete(const struct wf_bearer *b, const char *call);

/* The same of all, whatever callbacks return. */
void wf_attrs_undo(const struct wf_bearer *b);

/* Without callbacks: the job closes, or there are none. */
void wf_attrs_drop(const struct wf_bearer *b);

#endif
