/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Attributes of a communicator, in the order in which they were set.
 *
 * Callbacks run with the job left, and the communicator and key held by who
 * calls them.  Meanwhile the value is marked: nobody else deletes or replaces
 * it.
 */
#ifndef WEFT_COMM_ATTR_H
#define WEFT_COMM_ATTR_H

#include <stdbool.h>
#include <weft/attr.h>
#include "base/list.h"

struct weft_keyval {
	struct weft_job *job;
	struct wf_list link;		/* in the job's */
	int refs;			/* the user's, and attributes */
	bool freed;			/* by weft_keyval_free() */
	weft_attr_copy *copy;
	weft_attr_delete *del;
	void *extra;
};

/* Of a communicator; NULL: none was ever set. */
struct wf_attrs {
	int n, capacity;
	struct wf_attr {
		struct weft_keyval *keyval;	/* held */
		void *value;
		bool going;		/* its delete callback is called */
	} at[];
};

/*
 * For a duplicate, by the copy callbacks; if one fails, those that were copied
 * are deleted.  WEFT_ERR_NOMEM, or what it returned, told for this call.
 */
int wf_attrs_copy(struct weft_comm *from, struct weft_comm *to,
		  const char *call);

/*
 * Deletes all, the last one first, by their callbacks; one that fails stays,
 * and those before it.  Returns what it returned, told for this call.
 */
int wf_attrs_delete(struct weft_comm *comm, const char *call);

/* Without callbacks: the job closes, or there are none. */
void wf_attrs_drop(struct weft_comm *comm);

void wf_keyval_drop(struct weft_keyval *keyval);

#endif
