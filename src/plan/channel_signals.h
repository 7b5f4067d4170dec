/* SPDX-License-Identifier: BSD-3-Clause */
/* The signals of this process that the peer of an edge raises. */
#ifndef WEFT_PLAN_CHANNEL_SIGNALS_H
#define WEFT_PLAN_CHANNEL_SIGNALS_H

#include <stdatomic.h>
#include <stdint.h>

struct wf_out;
struct wf_peer;

/*
 * For the endpoint that connects the peer; of one that has none yet the peer
 * will change the word.  WEFT_ERR_NOMEM.
 */
int wf_peer_take_signal(struct wf_peer *peer, uint32_t *sig_p,
			const _Atomic uint64_t **word_p);

/*
 * Those of the credits of an edge.  One-way edges take them when their set is
 * made: who has no memory for them later could not even be refused.
 */
int wf_out_take_credits(struct wf_out *out);

/*
 * Before the peer is told their numbers: it is connected now, and where its
 * device reports raises others may take fewer requests.  Without memory the
 * edge keeps those that it has.
 */
int wf_out_renew_credits(struct wf_out *out);
void wf_out_free_credits(struct wf_out *out);

#endif
