/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The neighbour exchanges of the public interface by call and form, for tests
 * that try all of them.
 */
#ifndef WEFT_TESTS_NEIGHBOR_CALL_H
#define WEFT_TESTS_NEIGHBOR_CALL_H

#include <weft.h>

enum call { ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV, ALLTOALLW, CALLS };
enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };

/* Of each side as a part and as a vector; a call looks at one of them. */
struct neighbor_args {
	struct weft_part send, recv;
	const struct weft_vec *sends, *recvs;
};

static inline bool neighbor_sends_part(enum call call)
{
	return call <= ALLTOALL;
}

static inline bool neighbor_recvs_part(enum call call)
{
	return call == ALLGATHER || call == ALLTOALL;
}

static inline int neighbor_block(struct weft_comm *graph, enum call call,
				 const struct neighbor_args *a)
{
	switch (call) {
	case ALLGATHER:
		return weft_neighbor_allgather(graph, a->send, a->recv);
	case ALLGATHERV:
		return weft_neighbor_allgatherv(graph, a->send, a->recvs);
	case ALLTOALL:
		return weft_neighbor_alltoall(graph, a->send, a->recv);
	case ALLTOALLV:
		return weft_neighbor_alltoallv(graph, a->sends, a->recvs);
	case ALLTOALLW:
	case CALLS:
		break;
	}
	return weft_neighbor_alltoallw(graph, a->sends, a->recvs);
}

static inline int neighbor_once(struct weft_comm *graph, enum call call,
				const struct neighbor_args *a,
				struct weft_request **req_p)
{
	switch (call) {
	case ALLGATHER:
		return weft_ineighbor_allgather(graph, a->send, a->recv, req_p);
	case ALLGATHERV:
		return weft_ineighbor_allgatherv(graph, a->send, a->recvs,
						 req_p);
	case ALLTOALL:
		return weft_ineighbor_alltoall(graph, a->send, a->recv, req_p);
	case ALLTOALLV:
		return weft_ineighbor_alltoallv(graph, a->sends, a->recvs,
						req_p);
	case ALLTOALLW:
	case CALLS:
		break;
	}
	return weft_ineighbor_alltoallw(graph, a->sends, a->recvs, req_p);
}

static inline int neighbor_init(struct weft_comm *graph, enum call call,
				const struct neighbor_args *a,
				struct weft_request **req_p)
{
	switch (call) {
	case ALLGATHER:
		return weft_neighbor_allgather_init(graph, a->send, a->recv,
						    req_p);
	case ALLGATHERV:
		return weft_neighbor_allgatherv_init(graph, a->send, a->recvs,
						     req_p);
	case ALLTOALL:
		return weft_neighbor_alltoall_init(graph, a->send, a->recv,
						   req_p);
	case ALLTOALLV:
		return weft_neighbor_alltoallv_init(graph, a->sends, a->recvs,
						    req_p);
	case ALLTOALLW:
	case CALLS:
		break;
	}
	return weft_neighbor_alltoallw_init(graph, a->sends, a->recvs, req_p);
}

/* One that blocks does not use req_p. */
static inline int neighbor_call(struct weft_comm *graph, enum call call,
				enum form form, const struct neighbor_args *a,
				struct weft_request **req_p)
{
	if (form == BLOCKING)
		return neighbor_block(graph, call, a);
	return (form == NONBLOCKING ? neighbor_once : neighbor_init)
	       (graph, call, a, req_p);
}

/* As errors have it. */
static inline const char *neighbor_call_name(enum call call, enum form form)
{
	static const char *const names[CALLS][FORMS] = {
		{ "weft_neighbor_allgather", "weft_ineighbor_allgather",
		  "weft_neighbor_allgather_init" },
		{ "weft_neighbor_allgatherv", "weft_ineighbor_allgatherv",
		  "weft_neighbor_allgatherv_init" },
		{ "weft_neighbor_alltoall", "weft_ineighbor_alltoall",
		  "weft_neighbor_alltoall_init" },
		{ "weft_neighbor_alltoallv", "weft_ineighbor_alltoallv",
		  "weft_neighbor_alltoallv_init" },
		{ "weft_neighbor_alltoallw", "weft_ineighbor_alltoallw",
		  "weft_neighbor_alltoallw_init" }
	};

	return names[call][form];
}

#endif
