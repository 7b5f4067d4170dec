/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What calls of matched messages are made of: a request is prepared, which
 * checks the arguments and finds all memory that starting it needs, and then
 * started, which never fails but in the request.  All with the job entered.
 */
#ifndef WEFT_P2P_P2P_CALLS_H
#define WEFT_P2P_P2P_CALLS_H

#include "p2p/p2p.h"
#include "type/type_made.h"

/* What a call was given, and how many bytes that is once it is checked. */
struct wf_p2p_args {
	const char *call;
	void *data;			/* of a send: only read */
	size_t n;
	const struct weft_type *type;
	struct weft_envelope with;	/* to, or from */
	bool sends, synchronous;
	bool buffered;			/* it is copied at its start */
	uint64_t bytes;
};

/* A call that makes a request enters the job; *req_p is NULL from then on. */
int wf_p2p_enter(struct weft_comm *comm, const char *call,
		 struct weft_request **req_p);

/* WEFT_ERR_ARG, WEFT_ERR_RANGE, WEFT_ERR_NOMEM, told in the name of a call. */
int wf_p2p_prepare_send(struct weft_comm *comm, const char *call,
			const struct weft_outgoing *out, enum wf_p2p_mode mode,
			struct wf_p2p_request **req_p);
int wf_p2p_prepare_receive(struct weft_comm *comm, const char *call,
			   const struct weft_incoming *in,
			   struct wf_p2p_request **req_p);

/* What is wrong with the data is told: WEFT_ERR_ARG, WEFT_ERR_RANGE. */
int wf_p2p_refuse_data(struct weft_comm *comm, const struct wf_p2p_args *a);

/* Of a send or receive; sets the bytes. */
static inline int wf_p2p_check_data(struct weft_comm *comm,
				    struct wf_p2p_args *a)
{
	if (wf_type_serves(comm->job, a->type) &&
	    !__builtin_mul_overflow(a->n, wf_type_bytes(a->type), &a->bytes) &&
	    a->bytes <= INT64_MAX &&
	    (!a->bytes || wf_type_lies_at(a->type, a->data)))
		return WEFT_OK;
	return wf_p2p_refuse_data(comm, a);
}

static inline bool wf_p2p_is_source(const struct weft_comm *comm, int rank)
{
	return (rank >= 0 && rank < wf_remote_size(comm)) ||
	       rank == WEFT_ANY_SOURCE || rank == WEFT_PROC_NULL;
}

/* What is wrong with it is told: WEFT_ERR_RANGE. */
int wf_p2p_refuse_pattern(struct weft_comm *comm, const char *call,
			  struct weft_envelope from);

/* Of a receive or probe. */
static inline int wf_p2p_check_pattern(struct weft_comm *comm, const char *call,
				       struct weft_envelope from)
{
	if (wf_p2p_is_source(comm, from.rank) &&
	    (from.tag >= 0 || from.tag == WEFT_ANY_TAG))
		return WEFT_OK;
	return wf_p2p_refuse_pattern(comm, call, from);
}

/* The memory of a request, or a packed copy of it; WEFT_ERR_NOMEM, told. */
int wf_p2p_aim(struct wf_p2p_request *req, const struct wf_p2p_args *a);

/* Of what was checked; WEFT_ERR_NOMEM, told. */
int wf_p2p_new(struct weft_comm *comm, const struct wf_p2p_args *a,
	       struct wf_p2p_request **req_p);

/* weft_sendrecv() of another call. */
int wf_sendrecv_inside(struct weft_comm *comm, const char *call,
		       const struct weft_outgoing *send,
		       const struct weft_incoming *recv);

void wf_p2p_start_send(struct wf_p2p_request *req);
void wf_p2p_start_receive(struct wf_p2p_request *req);

/* What the start, or the use, before has left in it is gone. */
void wf_p2p_reset(struct wf_p2p_request *req);

/* It is persistent; and starts, as one of those does. */
void wf_p2p_persist(struct wf_p2p_request *req);
void wf_p2p_restart(struct weft_request *base);

/* From nobody: that it has received. */
void wf_p2p_receive_nothing(struct wf_p2p_request *req);

#endif
