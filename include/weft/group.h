/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups: ordered sets of ranks of a job.  A group is what a communicator is
 * made of, without the context: nothing can be sent in it.
 *
 * All calls are local: they send nothing and wait for no rank.  A group is
 * constant, and communicators share what they are made of with it; one whose
 * members are in a row, or each so many behind the one before, takes the same
 * memory whatever its size, and of a large one of another kind the ranks of a
 * node hold one table.  What is left when the job is closed goes with it.
 *
 * A group that is made of weft_group_empty() alone is of no job: calls on such
 * groups only keep no text of their errors (weft_error_text()), are made by one
 * thread at a time, and what they give is to be freed.
 *
 * Errors:   WEFT_ERR_ARG: a handle is NULL, groups of two jobs, or as said; the
 *           text names the argument.  WEFT_ERR_NOMEM.
 */
#ifndef WEFT_GROUP_H
#define WEFT_GROUP_H

#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_comm;
struct weft_group;

enum {
	WEFT_PROC_NULL = -3,		/* the rank of nobody */
	WEFT_UNDEFINED = -32766		/* no rank, no colour */
};

/* How two groups, or two communicators, are alike. */
enum weft_comparison {
	WEFT_IDENT,		/* groups: the same members in the same order;
				   communicators: one and the same */
	WEFT_CONGRUENT,		/* communicators: only the context differs */
	WEFT_SIMILAR,		/* the same members in another order */
	WEFT_UNEQUAL
};

/**
 * weft_comm_group - the group of a communicator
 *
 * group_p [out]    a new handle, to be freed by weft_group_free(), before the
 *                  communicator or behind it
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_NOMEM.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_comm_group(struct weft_comm *comm,
			     struct weft_group **group_p) WEFT_MUST_CHECK;

/**
 * weft_group_empty - the group without members
 *
 * Needs no job, and is not freed: weft_group_free() refuses it.
 *
 * Returns:  the same address each time.
 * Blocks:   no.   Collective: no.
 */
WEFT_API const struct weft_group *weft_group_empty(void);

/**
 * weft_group_size, weft_group_rank - how many, and who this process is in it
 *
 * Returns:  the number of members, 0 for NULL; the own rank, WEFT_UNDEFINED if
 *           this process is no member, or for NULL.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_group_size(const struct weft_group *group);
WEFT_API int weft_group_rank(const struct weft_group *group);

/**
 * weft_group_translate - who some ranks of a group are in another one
 *
 * ranks            n ranks of `from`, or WEFT_PROC_NULL
 * ranks_p [out]    n ranks of `to`; WEFT_UNDEFINED for who is not in it,
 *                  WEFT_PROC_NULL for WEFT_PROC_NULL.  May be `ranks`.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (a rank that is not in `from`, n below 0).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_group_translate(const struct weft_group *from, int n,
				  const int *ranks,
				  const struct weft_group *to, int *ranks_p)
	WEFT_MUST_CHECK;

/**
 * weft_group_compare - are they the same members, in the same order?
 *
 * result_p [out] WEFT_IDENT, WEFT_SIMILAR or WEFT_UNEQUAL
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_group_compare(const struct weft_group *a,
				const struct weft_group *b,
				enum weft_comparison *result_p)
	WEFT_MUST_CHECK;

/**
 * weft_group_union, weft_group_intersection, weft_group_difference - of two
 *
 * group_p [out]    the members of a, and behind them those of b that are not
 *                  in a; the members of a that are in b; those that are not.
 *                  In the order of a, then of b.  Empty groups are groups.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_NOMEM.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_group_union(const struct weft_group *a,
			      const struct weft_group *b,
			      struct weft_group **group_p) WEFT_MUST_CHECK;
WEFT_API int weft_group_intersection(const struct weft_group *a,
				     const struct weft_group *b,
				     struct weft_group **group_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_group_difference(const struct weft_group *a,
				   const struct weft_group *b,
				   struct weft_group **group_p)
	WEFT_MUST_CHECK;

/**
 * weft_group_incl, weft_group_excl - some of the members, or all others
 *
 * ranks            n different ranks of the group
 * group_p [out]    incl: these, in the order of `ranks`; excl: all others, in
 *                  the order of the group
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (a rank that is not in the group, or comes
 *           twice; n below 0), WEFT_ERR_NOMEM.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_group_incl(const struct weft_group *group, int n,
			     const int *ranks, struct weft_group **group_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_group_excl(const struct weft_group *group, int n,
			     const int *ranks, struct weft_group **group_p)
	WEFT_MUST_CHECK;

/* The ranks first, first + stride, ... up to last; stride may be below 0. */
struct weft_range {
	int first, last, stride;
};

/**
 * weft_group_range_incl, weft_group_range_excl - the same by ranges
 *
 * ranges           n of them; stride is not 0.  One whose last is before its
 *                  first, seen along the stride, is empty.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (stride 0; and as weft_group_incl()),
 *           WEFT_ERR_NOMEM.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_group_range_incl(const struct weft_group *group, int n,
				   const struct weft_range *ranges,
				   struct weft_group **group_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_group_range_excl(const struct weft_group *group, int n,
				   const struct weft_range *ranges,
				   struct weft_group **group_p)
	WEFT_MUST_CHECK;

/**
 * weft_comm_create_from_group - a communicator of a group alone
 *
 * group            has this rank; the same at all its members
 * tag              a text, which tells calls apart that the same ranks make at
 *                  once: any, the same at all members
 * created_p [out]  the ranks of the group, in its order; errors on it return
 *                  (weft/errors.h) until it is told otherwise
 *
 * As weft_comm_create_group(), with no communicator that has all of the group.
 *
 * Returns:  as weft_comm_create_group(); WEFT_ERR_ARG: also a group without
 *           this rank, tag NULL.  No handler of errors is called.
 * Blocks:   as weft_comm_create_group().
 * Collective: yes, over the group; else it does not synchronise.
 */
WEFT_API int weft_comm_create_from_group(const struct weft_group *group,
					 const char *tag,
					 struct weft_comm **created_p)
	WEFT_MUST_CHECK;

/**
 * weft_group_free - give a group up
 *
 * group_p          set to NULL; NULL inside is fine
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (NULL; weft_group_empty(), without a text).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_group_free(struct weft_group **group_p) WEFT_MUST_CHECK;

/**
 * weft_group_userdata, weft_group_set_userdata - a pointer of the program
 *
 * userdata  kept with the handle, and neither read nor freed; NULL at first
 *
 * Returns:  the pointer, NULL for NULL; WEFT_OK, WEFT_ERR_ARG (NULL;
 *           weft_group_empty(), which is shared, without a text).
 * Blocks:   no.   Collective: no.
 */
WEFT_API void *weft_group_userdata(const struct weft_group *group);
WEFT_API int weft_group_set_userdata(struct weft_group *group, void *userdata)
	WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
