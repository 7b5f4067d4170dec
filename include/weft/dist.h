/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dists: exchange patterns over a bipartite graph whose nodes are spread over
 * ranks.  On a rank its source nodes are forward roots, its destination nodes
 * reverse roots; an edge is a forward item where it leaves and a reverse item
 * where it arrives.  The same edges have four orders, each of them stable:
 *
 *   forward items     as the program numbers them, root after root
 *   forward content   by (rank it goes to, forward item): a message is what
 *                     goes to one rank
 *   reverse content   by (rank it comes from, forward item there)
 *   reverse items     as reverse content, or sorted by reverse root or global
 *                     number first
 *
 * Names are maps: a2b has for each a its b.  msgs2content and roots2items are
 * offsets, one more than there are messages or roots: the first is 0, none is
 * less than the one before, the last is the number of items.
 *
 * An inverse sees the two directions exchanged, and nothing in another order.
 * A Dist, its inverses and dups share arrays and channels: what one is set to
 * never shows in another, and exchanges of all of them are started in the same
 * order at all ranks.
 *
 * Calls that set are collective over the parent communicator where that is
 * said: also a rank that has nothing makes them.  What is wrong at one rank is
 * an error at all of them, which names the rank, the array, the position and
 * the value, and the pattern is as it was before.
 */
#ifndef WEFT_DIST_H
#define WEFT_DIST_H

#include <stddef.h>
#include <stdint.h>
#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_comm;
struct weft_dist;

/* A root of any rank. */
struct weft_remote {
	int32_t rank;			/* in the parent */
	int32_t idx;			/* of its roots there, from 0 on */
};

/**
 * weft_dist_create - a pattern from the destinations of this rank's items
 *
 * comm          parent communicator, which may be freed before the Dist
 * items2dests   of each forward item the reverse root that it goes to; read
 *               until the call returns.  NULL where nitems is 0.
 * nrroots       reverse roots of this rank, 0 included
 * dist_p [out]  free it with weft_dist_free()
 *
 * It is weft_dist_create_empty(), weft_dist_set_dest_ranks() and
 * weft_dist_set_dest_idxs() by one sparse exchange (weft/sparse.h).
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (NULL with items, nrroots below 0),
 *           WEFT_ERR_RANGE (a rank or root that there is not; more than
 *           2^31 - 1 items of a rank, on either side), WEFT_ERR_NOMEM,
 *           WEFT_ERR_DEVICE, WEFT_ERR_PEER.  Of other ranks it tells whose
 *           error it is.
 * Blocks:   yes.   Collective: over comm.
 */
WEFT_API int weft_dist_create(struct weft_comm *comm,
			      const struct weft_remote *items2dests,
			      size_t nitems, int32_t nrroots,
			      struct weft_dist **dist_p) WEFT_MUST_CHECK;

/**
 * weft_dist_create_empty - a Dist that has no pattern yet
 *
 * comm          its parent communicator, which may be freed before the Dist
 * dist_p [out]  free it with weft_dist_free()
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_NOMEM.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_dist_create_empty(struct weft_comm *comm,
				    struct weft_dist **dist_p) WEFT_MUST_CHECK;

/**
 * weft_dist_free - give a Dist up
 *
 * dist_p  set to NULL; NULL inside is fine.  Its inverses and dups stay, and
 *         what is under way is completed.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG.
 * Blocks:   no.   Collective: yes, but it does not synchronise.
 */
WEFT_API int weft_dist_free(struct weft_dist **dist_p) WEFT_MUST_CHECK;

/**
 * weft_dist_invert, weft_dist_dup - another handle of the same pattern
 *
 * inverse_p, dup_p [out]  in the other direction, or in the same one
 *
 * It takes no message, and neither time nor memory of the number of items.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_NOMEM.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_dist_invert(const struct weft_dist *dist,
			      struct weft_dist **inverse_p) WEFT_MUST_CHECK;
WEFT_API int weft_dist_dup(const struct weft_dist *dist,
			   struct weft_dist **dup_p) WEFT_MUST_CHECK;

/**
 * weft_dist_set_parent_comm - another parent, before there is a pattern
 *
 * comm  of the same job
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (there is a pattern: weft_dist_change_comm()
 *           is for that; a freed communicator, one of another job).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_dist_set_parent_comm(struct weft_dist *dist,
				       struct weft_comm *comm) WEFT_MUST_CHECK;

/**
 * weft_dist_set_dest_ranks - a new pattern from the ranks that items go to
 *
 * items2ranks  of each forward item; NULL where nitems is 0
 *
 * What was set before is unset, for this handle: reverse items are in the order
 * of reverse content, and each item is a root on both sides.
 *
 * Returns:  as weft_dist_create(), and WEFT_ERR_ARG of a parent that was freed.
 * Blocks:   yes.   Collective: over the parent.
 */
WEFT_API int weft_dist_set_dest_ranks(struct weft_dist *dist,
				      const int32_t *items2ranks,
				      size_t nitems) WEFT_MUST_CHECK;

/**
 * weft_dist_set_dest_idxs, weft_dist_set_dest_globals - sort reverse items
 *
 * srcs2rroots   of each source (weft_dist_nsrcs()) the reverse root that its
 *               items go to at their ranks
 * srcs2globals  of each source any number; those that are equal stay apart
 * nsrcs         as many as there are: another number is an error
 * nrroots       reverse roots of this rank, 0 included
 *
 * Reverse items are grouped by root, or sorted by number, where each of them is
 * a root; those that are equal stay in the order of content.  The later call of
 * both replaces what the earlier has set.  A source is a root where
 * weft_dist_set_roots2items() was called before, else an item.
 *
 * Returns:  as weft_dist_create(), and WEFT_ERR_ARG (no pattern, a parent that
 *           was freed, another number of sources).
 * Blocks:   yes.   Collective: over the parent.
 */
WEFT_API int weft_dist_set_dest_idxs(struct weft_dist *dist,
				     const int32_t *srcs2rroots, size_t nsrcs,
				     int32_t nrroots) WEFT_MUST_CHECK;
WEFT_API int weft_dist_set_dest_globals(struct weft_dist *dist,
					const int64_t *srcs2globals,
					size_t nsrcs) WEFT_MUST_CHECK;

/**
 * weft_dist_change_comm - the ranks of another communicator
 *
 * comm  of the same job, with all processes that items of this rank go to or
 *       come from.  It is the parent from now on.
 *
 * Ranks in msgs2ranks, and what follows from it, are those of comm then, and
 * may cease to ascend; nothing is in another order.  Dups and inverses that
 * were made before keep the old parent.  A process without items may stay
 * outside, and keeps what it had; each rank of comm brings a Dist with a
 * pattern, of any parent, so that one who joins has one of a communicator of
 * itself.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (a process that is missing, named by its rank
 *           in the old parent; no pattern; another job), WEFT_ERR_NOMEM,
 *           WEFT_ERR_DEVICE, WEFT_ERR_PEER.
 * Blocks:   yes.   Collective: over comm.
 */
WEFT_API int weft_dist_change_comm(struct weft_dist *dist,
				   struct weft_comm *comm) WEFT_MUST_CHECK;

/**
 * weft_dist_set_roots2items - which forward items are those of which root
 *
 * roots2items  nroots + 1 offsets, which are copied; NULL with 0: unset, each
 *              item is a root
 *
 * Exchanges take one packet for each root then.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (offsets that do not begin with 0, that fall,
 *           or do not end with the number of items; NULL with a count; no
 *           pattern), WEFT_ERR_RANGE (2^31 roots), WEFT_ERR_NOMEM.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_dist_set_roots2items(struct weft_dist *dist,
				       const int32_t *roots2items,
				       size_t nroots) WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
