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

/**
 * weft_dist_parent_comm, weft_dist_comm - communicators of a Dist
 *
 * comm_p [out]   as it was given
 * graph_p [out]  a graph (weft/graph.h) of the parent's ranks: its destinations
 *                are msgs2ranks, its sources those of the inverse, both in this
 *                order.  It is the Dist's, which uses it: it is not to be
 *                freed, and there until the Dist is changed or freed.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (a parent that was freed; no pattern).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_dist_parent_comm(const struct weft_dist *dist,
				   struct weft_comm **comm_p) WEFT_MUST_CHECK;
WEFT_API int weft_dist_comm(const struct weft_dist *dist,
			    struct weft_comm **graph_p) WEFT_MUST_CHECK;

/**
 * weft_dist_nitems, weft_dist_nritems, weft_dist_nroots, weft_dist_nsrcs,
 * weft_dist_ndests - how many there are at this rank
 *
 * n_p [out]  forward items; reverse items; forward roots, which are items where
 *            roots2items is unset, and so packets that an exchange takes, which
 *            is nsrcs; the same of the inverse
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (also: no pattern).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_dist_nitems(const struct weft_dist *dist, size_t *n_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_dist_nritems(const struct weft_dist *dist, size_t *n_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_dist_nroots(const struct weft_dist *dist, size_t *n_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_dist_nsrcs(const struct weft_dist *dist, size_t *n_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_dist_ndests(const struct weft_dist *dist, size_t *n_p)
	WEFT_MUST_CHECK;

/**
 * weft_dist_msgs2ranks, weft_dist_msgs2content, weft_dist_content2msgs,
 * weft_dist_items2content, weft_dist_items2msgs, weft_dist_items2ranks,
 * weft_dist_roots2items - arrays of the forward direction
 *
 * map_p, offs_p [out]  n entries, which are the Dist's, and there until it is
 *                      changed or freed; unset: NULL and 0, which means the
 *                      identity
 * n_p [out]            of offsets one more than messages or roots
 *
 * Ranks are those of the parent; msgs2ranks ascends until a
 * weft_dist_change_comm().  content2msgs, items2msgs and items2ranks are made
 * when they are first asked for.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (also: no pattern), WEFT_ERR_NOMEM.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_dist_msgs2ranks(const struct weft_dist *dist,
				  const int32_t **map_p, size_t *n_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_dist_msgs2content(const struct weft_dist *dist,
				    const int32_t **offs_p, size_t *n_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_dist_content2msgs(const struct weft_dist *dist,
				    const int32_t **map_p, size_t *n_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_dist_items2content(const struct weft_dist *dist,
				     const int32_t **map_p, size_t *n_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_dist_items2msgs(const struct weft_dist *dist,
				  const int32_t **map_p, size_t *n_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_dist_items2ranks(const struct weft_dist *dist,
				   const int32_t **map_p, size_t *n_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_dist_roots2items(const struct weft_dist *dist,
				   const int32_t **offs_p, size_t *n_p)
	WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
