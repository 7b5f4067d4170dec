/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective calls on an intercommunicator (comm/across.h): what they were
 * given goes to the room that has graphs, since along the edges of one each of
 * them is an exchange.
 */
#ifndef WEFT_COLL_ACROSS_CALL_H
#define WEFT_COLL_ACROSS_CALL_H

#include "coll/call.h"
#include "comm/mark.h"
#include "comm/across.h"

enum wf_across_kind {
	WF_ACROSS_NONE,			/* it is for one group */
	WF_ACROSS_BARRIER,
	WF_ACROSS_BCAST,		/* send at the root, recv elsewhere */
	WF_ACROSS_GATHER,		/* send; at the root recv, or recvs */
	WF_ACROSS_SCATTER,		/* at the root send, or sends; recv */
	WF_ACROSS_ALLGATHER,		/* send; recv, or recvs */
	WF_ACROSS_ALLTOALL,		/* both, or sends and recvs */
	WF_ACROSS_REDUCE,		/* in; recv at the root */
	WF_ACROSS_ALLREDUCE,		/* in; recv */
	WF_ACROSS_REDUCE_SCATTER	/* in; recv, or recvs, of the own
					   group */
};

/* Arguments, as the program gave them; checked by who takes them. */
struct wf_across_call {
	enum wf_across_kind kind;
	bool varies;			/* vectors in the place of parts that
					   are of all ranks */
	struct weft_part send, recv;
	const struct weft_vec *sends, *recvs;
	const void *in;
	const struct weft_op *op;
	int root;			/* or WEFT_ROOT, WEFT_PROC_NULL */
};

struct wf_across_ops {
	/*
	 * A request, also of a call that blocks; with the communicator entered
	 * and held.  Told.
	 */
	int (*start)(struct weft_comm *comm, const char *call,
		     const struct wf_across_call *given,
		     enum wf_mark_form form, struct weft_request **req_p);
	/*
	 * An intercommunicator of two groups, both of which it takes, with the
	 * job entered; told.
	 */
	int (*make)(struct wf_child *child, struct weft_group *local,
		    struct weft_group *remote);
};

/* The three forms, of a call whose reader tells what it was given. */
int wf_across_block(struct weft_comm *comm, const char *call,
		    wf_coll_reader *read, const void *args);
int wf_across_begin(struct weft_comm *comm, const char *call,
		    wf_coll_reader *read, const void *args,
		    enum wf_mark_form form, struct weft_request **req_p);

/* The first of them with the communicator entered and held, as it stays. */
int wf_across_block_held(struct weft_comm *comm, const char *call,
			 wf_coll_reader *read, const void *args);

#endif
