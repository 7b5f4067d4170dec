/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that move elements between all ranks, or all and one: what is given and
 * what is got are parts of their own, and may be of different types.
 */
#ifndef WEFT_COLL_TRANSFER_H
#define WEFT_COLL_TRANSFER_H

#include "coll/across_call.h"
#include "plan/part_arg.h"

/* A broadcast of another call, with the communicator entered and held. */
int wf_bcast_held(struct weft_comm *comm, const char *call,
		  struct weft_part data, int root);

/* What such a call is given; root: 0 where there is none. */
struct wf_transfer {
	struct weft_part send, recv;
	int root;
};

/* On an intercommunicator: what it was given. */
static inline void wf_transfer_read_across(const struct wf_transfer *given,
					   enum wf_across_kind kind,
					   struct wf_across_call *across)
{
	across->kind = kind;
	across->send = given->send;
	across->recv = given->recv;
	across->root = given->root;
}

/* Its type, base and size; name: "send". */
int wf_transfer_check(struct weft_comm *comm, const char *call,
		      const char *name, const struct weft_part *part);

/* The same of one that has so many elements for each rank. */
int wf_transfer_check_all(struct weft_comm *comm, const char *call,
			  const char *name, const struct weft_part *part);

/* Has this rank as many bytes on both sides?  They were checked. */
int wf_transfer_check_equal(struct weft_comm *comm, const char *call,
			    const struct wf_transfer *given);

#endif
