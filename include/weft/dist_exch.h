/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchanges along the pattern of a Dist (weft/dist.h): packets go from sources
 * to items, or on to roots, where they are combined.  A neighbour gets one
 * message.
 *
 * A packet is width elements of a type, the same number of bytes at all ranks.
 * weft_type_remote carries struct weft_remote, which nothing changes.
 * Exchanges of a Dist, its inverses and dups are started in the same order on
 * all ranks.
 */
#ifndef WEFT_DIST_EXCH_H
#define WEFT_DIST_EXCH_H

#include <weft/op.h>
#include <weft/status.h>
#include <weft/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_dist;
struct weft_request;

/**
 * weft_dist_exch, weft_dist_iexch, weft_dist_exch_init - a packet from each
 *                                      source to each of its items; the
 *                                      second one is nonblocking, the third
 *                                      one to be started many times
 *
 * srcs          one packet for each of weft_dist_nsrcs(): a root, whose packet
 *               goes to all its items, or an item where roots2items is unset
 * ritems [out]  one packet for each reverse item: weft_dist_nritems()
 * req_p [out]   to be waited for, or inactive; weft_request_free() frees it.
 *               It ends by the pattern that it was made with, also if the Dist
 *               is changed or freed meanwhile.
 *
 * Buffers: until the exchange completes srcs may be read, ritems not touched,
 * and both may not overlap.  The two structs may go out of scope at return.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (no pattern; another number of packets than
 *           the pattern has, width 0, a type that does not serve, packets of
 *           other sizes in srcs and ritems, NULL with packets), WEFT_ERR_RANGE
 *           (2^63 bytes), WEFT_ERR_NOMEM: nothing is sent then, and ranks that
 *           get packets of this one have the same error.  WEFT_ERR_TRUNCATE or
 *           WEFT_ERR_SIZE: packets of a neighbour have another size.
 *           Else as weft_neighbor_alltoallv().
 * Blocks:   as weft_neighbor_alltoallv(), _ineighbor_alltoallv() and
 *           _neighbor_alltoallv_init().   Collective: over the parent.
 */
WEFT_API int weft_dist_exch(struct weft_dist *dist,
			    const struct weft_packets *srcs,
			    const struct weft_packets *ritems) WEFT_MUST_CHECK;
WEFT_API int weft_dist_iexch(struct weft_dist *dist,
			     const struct weft_packets *srcs,
			     const struct weft_packets *ritems,
			     struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_dist_exch_init(struct weft_dist *dist,
				 const struct weft_packets *srcs,
				 const struct weft_packets *ritems,
				 struct weft_request **req_p) WEFT_MUST_CHECK;

/**
 * weft_dist_exch_reduce, weft_dist_iexch_reduce,
 * weft_dist_exch_reduce_init - the same, and on to roots, which combine their
 *                              items
 *
 * op            component by component
 * rroots [out]  one packet for each reverse root: weft_dist_ndests()
 *
 * A root's items are combined in their order, whatever comes first, so that the
 * bits depend on the pattern alone.  Sum, minimum and maximum of numbers start
 * with 0, the largest and the lowest value, infinity where there is one, which
 * a root without items has in the end: so a NaN is passed over by minimum and
 * maximum, and of equal values the first one stays.  Other operations start
 * with the first item, and a root without items stays as it was.  Where reverse
 * roots are unset nothing is combined: it is weft_dist_exch().
 *
 * Returns:  as weft_dist_exch(), and WEFT_ERR_ARG for an operation that is NULL
 *           or not defined for the type.
 * Blocks:   as weft_dist_exch() and so on.   Collective: over the parent.
 */
WEFT_API int weft_dist_exch_reduce(struct weft_dist *dist,
				   const struct weft_packets *srcs,
				   const struct weft_op *op,
				   const struct weft_packets *rroots)
	WEFT_MUST_CHECK;
WEFT_API int weft_dist_iexch_reduce(struct weft_dist *dist,
				    const struct weft_packets *srcs,
				    const struct weft_op *op,
				    const struct weft_packets *rroots,
				    struct weft_request **req_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_dist_exch_reduce_init(struct weft_dist *dist,
					const struct weft_packets *srcs,
					const struct weft_op *op,
					const struct weft_packets *rroots,
					struct weft_request **req_p)
	WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
