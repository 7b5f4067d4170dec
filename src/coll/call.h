/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective calls of the program in their three forms: blocking, nonblocking
 * and persistent.  What differs between collectives is how arguments are read.
 */
#ifndef WEFT_COLL_CALL_H
#define WEFT_COLL_CALL_H

#include "coll/schedule.h"

struct wf_across_call;

/*
 * What a call moves.  The type of a part from which nothing is given, or into
 * which nothing is got, is not looked at.
 */
struct wf_coll_call {
	struct wf_coll_key key;
	uint64_t most;			/* as of wf_coll_start() */
	struct weft_part give, get;
	uint64_t give_bytes, get_bytes;	/* packed */
	bool apart;			/* they overlap: by a packed copy */
	bool own_sizes;			/* each rank has its own */
	const struct weft_op *op;	/* of what is reduced; NULL: nothing */
	/*
	 * Both sides in parts, where a packed copy is made of several: those
	 * that are given, and those that are got; NULL: each is one.
	 */
	struct wf_staged_part *parts;
	int ngiven, ngot;
	/* Of an intercommunicator all that is read; else NULL. */
	struct wf_across_call *across;
	uint64_t *ends;			/* for the key: freed with it, as */
	struct wf_pair_extents *pairs;	/* these and the parts are */
};

/*
 * Checks the arguments of a call, whose name is in the key, and fills in the
 * rest of zeros; its status was told.  The key has its algorithm also where
 * something else is wrong: others may hear of it that way.
 */
typedef int wf_coll_reader(struct weft_comm *comm, const void *args,
			   struct wf_coll_call *call);

/* Of an argument: is it a rank? */
int wf_call_check_root(struct weft_comm *comm, const char *name, int root);

/*
 * All of a public call.  One that is refused for its arguments is not made;
 * where memory is lacking it is an error at all ranks that wait for this one.
 */
int wf_call_block(struct weft_comm *comm, const char *name,
		  wf_coll_reader *read, const void *args);

/* The first of them with the communicator entered and held, as it stays. */
int wf_call_block_held(struct weft_comm *comm, const char *name,
		       wf_coll_reader *read, const void *args);
int wf_call_once(struct weft_comm *comm, const char *name,
		 wf_coll_reader *read, const void *args,
		 struct weft_request **req_p);

/* A request exists everywhere or nowhere, so the ranks wait for each other. */
int wf_call_init(struct weft_comm *comm, const char *name,
		 wf_coll_reader *read, const void *args,
		 struct weft_request **req_p);

/* The same of a call that is entered, from start to completion. */
int wf_call_run(struct weft_comm *comm, const struct wf_coll_call *call);

#endif
