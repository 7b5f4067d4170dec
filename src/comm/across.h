/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intercommunicators: two groups in one communicator.  Within the library it is
 * one of all ranks, those of one group behind those of the other, and a
 * graph with an edge from each rank to each one of the remote group.  A program
 * sees its local group, and sends to ranks of the other one.
 */
#ifndef WEFT_COMM_ACROSS_H
#define WEFT_COMM_ACROSS_H

#include "comm/comm.h"

struct wf_across_ops;			/* of coll/: its collectives */
struct wf_child;

struct wf_across {
	const struct wf_across_ops *ops;
	struct weft_group *local, *remote;	/* the own one, the other */
	int local_first, remote_first;	/* where they begin among all ranks */
};

/*
 * To one without a context: takes both groups, which are in comm->group, also
 * if it fails.  WEFT_ERR_NOMEM.
 */
int wf_across_set(struct weft_comm *comm, const struct wf_across_ops *ops,
		  struct weft_group *local, struct weft_group *remote);

/* The same groups as another one has. */
int wf_across_copy(const struct weft_comm *from, struct weft_comm *to);

void wf_across_free(struct wf_across *across);

/* The error of a call that needs an intracommunicator, told. */
int wf_across_refuse(struct weft_comm *comm, const char *call);

/* The own rank in the local group. */
static inline int wf_across_rank(const struct weft_comm *comm)
{
	return comm->rank - comm->across->local_first;
}

/* The ranks that messages go to, of any communicator: in a row among all. */
static inline int wf_remote_first(const struct weft_comm *comm)
{
	return comm->across ? comm->across->remote_first : 0;
}

static inline int wf_remote_size(const struct weft_comm *comm)
{
	return comm->across ? comm->across->remote->size : comm->size;
}

#endif
