/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A constructor of communicators, from its call to its return.  All members
 * take the ids first, whatever one of them passed, so that their pools stay the
 * same; what one of them could not make the others may have, and send in.
 */
#ifndef WEFT_DERIVE_CHILD_H
#define WEFT_DERIVE_CHILD_H

#include "comm/comm.h"

struct wf_child {
	struct weft_comm *parent;
	struct wf_origin origin;
	const char *call, *result;	/* names for people: of its argument */
	struct wf_cid_block block;
	bool used;			/* the block: there is one, or was */
	struct weft_comm *made;		/* NULL: none, or not yet */
};

/* In a public call: the child of a communicator. */
#define WF_CHILD_OF(comm, name, result_name) (struct wf_child){ \
	.parent = (comm), .origin = { (name), WF_CALLED_FROM }, \
	.call = (name), .result = (result_name) }

/*
 * Enters the job, to be left by wf_child_end(); the ids are taken behind it,
 * and child->block is empty until then.
 */
int wf_child_enter(struct wf_child *child) WEFT_MUST_CHECK;

/*
 * Enters the job and takes the ids.  If it fails, the job is left, and that was
 * all; else wf_child_end() follows.
 */
int wf_child_begin(struct wf_child *child) WEFT_MUST_CHECK;

/* Before that, of a call for one group: has the parent two?  Told, and left. */
static inline int wf_child_refuse_across(const struct wf_child *child)
{
	return child->parent && child->parent->across ?
	       wf_comm_enter_one(child->parent, child->call) : WEFT_OK;
}

/* A group that was passed: does it have ranks of the parent only?  Told. */
int wf_child_check(const struct wf_child *child,
		   const struct weft_group *group);

/* Takes the reference to the group; an error is told. */
int wf_child_make(struct wf_child *child, struct weft_group *group);

/* The same of one that has no context so far; NULL: no memory. */
int wf_child_settle(struct wf_child *child, struct weft_comm *comm);

/* No memory: told. */
int wf_child_starves(const struct wf_child *child);

/*
 * Gives what was made, or NULL, and leaves the job; after an error nothing is
 * left of it.  Returns the status, or WEFT_ERR_ARG where there is no place for
 * it.
 */
int wf_child_end(struct wf_child *child, int status, struct weft_comm **made_p);

/* The same without a word to the parent's handler of errors. */
int wf_child_end_quietly(struct wf_child *child, int status,
			 struct weft_comm **made_p);

#endif
