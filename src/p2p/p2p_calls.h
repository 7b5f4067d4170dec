/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What calls of matched messages are made of: a request is prepared, which
 * checks the arguments and finds all memory that starting it needs, and then
 * started, which never fails but in the request.  All with the job entered.
 */
#ifndef WEFT_P2P_P2P_CALLS_H
#define WEFT_P2P_P2P_CALLS_H

#include "p2p/p2p.h"

/* A call that makes a request enters the job; *req_p is NULL from then on. */
int wf_p2p_enter(struct weft_comm *comm, const char *call,
		 struct weft_request **req_p);

/* WEFT_ERR_ARG, WEFT_ERR_RANGE, WEFT_ERR_NOMEM, told in the name of a call. */
int wf_p2p_prepare_send(struct weft_comm *comm, const char *call,
			const struct weft_outgoing *out,
			struct wf_p2p_request **req_p);
int wf_p2p_prepare_receive(struct weft_comm *comm, const char *call,
			   const struct weft_incoming *in,
			   struct wf_p2p_request **req_p);

int wf_p2p_check_incoming(struct weft_comm *comm, const char *call,
			  const struct weft_incoming *in, uint64_t *bytes_p);

void wf_p2p_start_send(struct wf_p2p_request *req);
void wf_p2p_start_receive(struct wf_p2p_request *req);

/* What the start, or the use, before has left in it is gone. */
void wf_p2p_reset(struct wf_p2p_request *req);

/* It is persistent; and starts, as one of those does. */
void wf_p2p_persist(struct wf_p2p_request *req);
void wf_p2p_restart(struct weft_request *base);

/* From nobody: that it has received. */
void wf_p2p_receive_nothing(struct wf_p2p_request *req);

/* Of a request whose rank is known; WEFT_ERR_NOMEM. */
int wf_p2p_find_pair(struct wf_p2p_request *req);

#endif
