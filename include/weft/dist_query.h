/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a Dist (weft/dist.h) is at a rank.  Arrays are those of the forward
 * direction; an inverse has the others.
 */
#ifndef WEFT_DIST_QUERY_H
#define WEFT_DIST_QUERY_H

#include <stddef.h>
#include <stdint.h>
#include <weft/dist.h>
#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_comm;

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

/**
 * weft_dist_items2dest_idxs, weft_dist_items2dests - where forward items go
 *
 * idxs_p [out]   of each item its root at the other side, or the number of its
 *                item there where roots2items is unset there
 * dests_p [out]  the rank besides: after weft_dist_create() as it was given
 * nitems         as many as there are: another number is an error here, at
 *                ranks whose items go here, and maybe where items go to
 *
 * One exchange along the inverse.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (also: no pattern), WEFT_ERR_NOMEM,
 *           WEFT_ERR_DEVICE, WEFT_ERR_PEER; the status of a neighbour whose
 *           call was refused.
 * Blocks:   until all has come.   Collective: over the parent, in one order
 *           with exchanges.
 */
WEFT_API int weft_dist_items2dest_idxs(struct weft_dist *dist, int32_t *idxs_p,
				       size_t nitems) WEFT_MUST_CHECK;
WEFT_API int weft_dist_items2dests(struct weft_dist *dist,
				   struct weft_remote *dests_p, size_t nitems)
	WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
