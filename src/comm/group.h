/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A group: world ranks in an order.  Constant but for its references and what
 * helps to search it; a row or stride of ranks has no table, and the ranks of a
 * node hold one copy of one above WEFT_GROUP_SHARE.
 */
#ifndef WEFT_COMM_GROUP_H
#define WEFT_COMM_GROUP_H

#include <stdint.h>
#include <weft/group.h>
#include "base/list.h"
#include "job/shared.h"

struct weft_job;

struct weft_group {
	struct weft_job *job;		/* NULL: an empty one, of none */
	struct wf_list link;		/* in the job's */
	struct weft_group *owner;	/* of the table, held; NULL: itself */
	void *userdata;
	int refs;
	int size;
	int rank;			/* the own one, or WEFT_UNDEFINED */
	int first, stride;		/* without a table */
	int *table;			/* world ranks; NULL: a stride */
	int *sorted;			/* ranks by world rank; NULL: not yet */
	struct wf_shared shared;	/* both, of this node, not to write */
};

/*
 * The group of n different world ranks.  Takes the table, which malloc() gave,
 * also if it fails; NULL is no memory, too.  WEFT_ERR_NOMEM.
 */
int wf_group_make(struct weft_job *job, int *table, int n,
		  struct weft_group **group_p);

/* n ranks in a row, from a world rank on. */
int wf_group_make_row(struct weft_job *job, int first, int n,
		      struct weft_group **group_p);

/* Another handle of the same.  WEFT_ERR_NOMEM. */
int wf_group_alias(struct weft_group *group, struct weft_group **alias_p);

/* n ranks of another group, from one on, each so many behind the one before. */
int wf_group_make_part(const struct weft_group *of, int first, int stride,
		       int n, struct weft_group **group_p);

static inline struct weft_group *wf_group_hold(const struct weft_group *group)
{
	struct weft_group *held = (struct weft_group *)group;

	held->refs++;
	return held;
}

void wf_group_drop(struct weft_group *group);

static inline int wf_group_world_rank(const struct weft_group *group, int rank)
{
	return group->table ? group->table[rank] :
			      group->first + rank * group->stride;
}

/* Of one that is no row. */
int wf_group_search(const struct weft_group *group, int world_rank);

/* The rank of a world rank; WEFT_UNDEFINED: it is no member. */
static inline int wf_group_find(const struct weft_group *group, int world_rank)
{
	int rank = world_rank - group->first;

	if (group->table || group->stride != 1)
		return wf_group_search(group, world_rank);
	return rank < 0 || rank >= group->size ? WEFT_UNDEFINED : rank;
}

/* WEFT_IDENT, WEFT_SIMILAR or WEFT_UNEQUAL. */
enum weft_comparison wf_group_comparison(const struct weft_group *a,
					 const struct weft_group *b);

/* Of its members in their order, the same at all ranks; never 0. */
uint64_t wf_group_print(const struct weft_group *group);

/* That of two groups which have one in common; NULL: none. */
static inline struct weft_job *wf_group_job(const struct weft_group *a,
					    const struct weft_group *b)
{
	return a->job ? a->job : b->job;
}

/*
 * Argument check and entry of public calls: both are of one job, which
 * wf_job_leave_if() leaves, or of none.
 */
int wf_group_enter(const char *call, const struct weft_group *a,
		   const struct weft_group *b);

/* As wf_job_refuse(); each of the groups may be NULL. */
int wf_group_refuse(const char *call, const struct weft_group *a,
		    const struct weft_group *b, const char *argument);

/* The same of a call on a and b that gives something: its name. */
int wf_group_refuse_pair(const char *call, const struct weft_group *a,
			 const struct weft_group *b, const char *result);

#endif
