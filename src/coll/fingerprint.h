/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * With WEFT_CHECK=2 collective calls are compared between ranks: what of one
 * has to be alike, for comm/accord.h.
 */
#ifndef WEFT_COLL_FINGERPRINT_H
#define WEFT_COLL_FINGERPRINT_H

#include "coll/call.h"
#include "comm/accord.h"

int wf_fingerprint_take(struct weft_comm *comm, const struct wf_coll_call *call,
			enum wf_mark_form form);
int wf_fingerprint_take_any(struct weft_comm *comm, const char *name);

/* On an intercommunicator arguments differ: by its name and form alone. */
int wf_fingerprint_take_name(struct weft_comm *comm, const char *name,
			     enum wf_mark_form form);

/*
 * Of a call whose arguments are good, behind which it begins.  Where it blocks,
 * and of a persistent one, this waits for the neighbours.  WEFT_ERR_ARG, told:
 * the ranks are at odds, and it does not begin.
 */
static inline int wf_fingerprint(struct weft_comm *comm,
				 const struct wf_coll_call *call,
				 enum wf_mark_form form)
{
	return comm->accord ? wf_fingerprint_take(comm, call, form) : WEFT_OK;
}

/* Of one that this rank refuses, and others make: any goes with it. */
static inline int wf_fingerprint_any(struct weft_comm *comm, const char *name)
{
	return comm->accord ? wf_fingerprint_take_any(comm, name) : WEFT_OK;
}

#endif
