/* SPDX-License-Identifier: BSD-3-Clause */
/* The colours and keys of all ranks, where each has to know them. */
#ifndef WEFT_DERIVE_WISHES_H
#define WEFT_DERIVE_WISHES_H

#include "derive/child.h"
#include "derive/row.h"

/* Ranks of the parent, in a row. */
struct wf_wishers {
	int first, n;
};

/*
 * By an allgather of 8 bytes per rank.  Without memory at one rank it fails at
 * all; told.  *wishes_p is to be freed, and is NULL after an error.
 */
int wf_wishes_ask(struct wf_child *child, struct wf_wish wish,
		  struct wf_wish **wishes_p);

/*
 * Those of some ranks with the colour of this one, by key, of equal keys by
 * rank; NULL: there are none.  WEFT_ERR_NOMEM.
 */
int wf_wishes_group(struct weft_comm *comm, const struct wf_wish *wishes,
		    const struct wf_wishers *of, struct weft_group **group_p);

/*
 * The child of an intercommunicator: those of the colour in either; nothing
 * where one of them has nobody.  Told.
 */
int wf_wishes_across(struct wf_child *child, struct wf_wish wish);

#endif
