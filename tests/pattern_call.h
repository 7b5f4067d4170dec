/* SPDX-License-Identifier: BSD-3-Clause */
/* The exchanges of a pattern by call and form, as neighbor_call.h has those of
 * a graph. */
#ifndef WEFT_TESTS_PATTERN_CALL_H
#define WEFT_TESTS_PATTERN_CALL_H

#include "tests/neighbor_call.h"

static inline int pattern_block(struct weft_pattern *pattern, enum call call,
				 const struct neighbor_args *a)
{
	switch (call) {
	case ALLGATHER:
		return weft_pattern_allgather(pattern, a->send, a->recv);
	case ALLGATHERV:
		return weft_pattern_allgatherv(pattern, a->send, a->recvs);
	case ALLTOALL:
		return weft_pattern_alltoall(pattern, a->send, a->recv);
	case ALLTOALLV:
		return weft_pattern_alltoallv(pattern, a->sends, a->recvs);
	case ALLTOALLW:
	case CALLS:
		break;
	}
	return weft_pattern_alltoallw(pattern, a->sends, a->recvs);
}

static inline int pattern_once(struct weft_pattern *pattern, enum call call,
				const struct neighbor_args *a,
				struct weft_request **req_p)
{
	switch (call) {
	case ALLGATHER:
		return weft_ipattern_allgather(pattern, a->send, a->recv,
					       req_p);
	case ALLGATHERV:
		return weft_ipattern_allgatherv(pattern, a->send, a->recvs,
						 req_p);
	case ALLTOALL:
		return weft_ipattern_alltoall(pattern, a->send, a->recv, req_p);
	case ALLTOALLV:
		return weft_ipattern_alltoallv(pattern, a->sends, a->recvs,
						req_p);
	case ALLTOALLW:
	case CALLS:
		break;
	}
	return weft_ipattern_alltoallw(pattern, a->sends, a->recvs, req_p);
}

static inline int pattern_init(struct weft_pattern *pattern, enum call call,
				const struct neighbor_args *a,
				struct weft_request **req_p)
{
	switch (call) {
	case ALLGATHER:
		return weft_pattern_allgather_init(pattern, a->send, a->recv,
						    req_p);
	case ALLGATHERV:
		return weft_pattern_allgatherv_init(pattern, a->send, a->recvs,
						     req_p);
	case ALLTOALL:
		return weft_pattern_alltoall_init(pattern, a->send, a->recv,
						   req_p);
	case ALLTOALLV:
		return weft_pattern_alltoallv_init(pattern, a->sends, a->recvs,
						    req_p);
	case ALLTOALLW:
	case CALLS:
		break;
	}
	return weft_pattern_alltoallw_init(pattern, a->sends, a->recvs, req_p);
}

/* One that blocks does not use req_p. */
static inline int pattern_call(struct weft_pattern *pattern, enum call call,
			       enum form form, const struct neighbor_args *a,
			       struct weft_request **req_p)
{
	if (form == BLOCKING)
		return pattern_block(pattern, call, a);
	return (form == NONBLOCKING ? pattern_once : pattern_init)
	       (pattern, call, a, req_p);
}

#endif
