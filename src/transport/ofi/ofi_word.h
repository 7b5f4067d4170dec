/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomics by mail: what an endpoint has asked its peer to do with words there,
 * and what it owes to the peer, whose words are here.
 *
 * The window bounds both: who asks has at most WF_OFI_ASKS under way, so the
 * answers that are owed find room.
 */
#ifndef WEFT_TRANSPORT_OFI_WORD_H
#define WEFT_TRANSPORT_OFI_WORD_H

#include "transport/ofi/ofi_wire.h"

struct wf_ofi_asked {
	uint64_t post;			/* 0: no answer is awaited */
	uint64_t *old;
	uint32_t number;
};

struct wf_ofi_owed {
	uint64_t old;
	uint32_t number;
	uint32_t refused;
};

struct wf_ofi_words {
	uint32_t next;			/* number of the next that is asked */
	int nasked;
	struct wf_ofi_asked asked[WF_OFI_ASKS];	/* by number */
	uint32_t head, tail;		/* owed ever, answered */
	struct wf_ofi_owed owed[WF_OFI_ASKS];
};

struct wf_ofi;
struct wf_ofi_ep;

int wf_ofi_fetch_add(struct wf_ep *ep, struct wf_rloc dst, uint64_t add,
		     uint64_t *old);
int wf_ofi_cas(struct wf_ep *ep, struct wf_rloc dst, uint64_t expected,
	       uint64_t desired, uint64_t *old);

/* A message of the peer, of the right length, with our key. */
void wf_ofi_ask_comes(struct wf_ofi *dev, const struct wf_ofi_ask *ask);
void wf_ofi_answer_comes(struct wf_ofi *dev, const struct wf_ofi_answer *a);

/* Send the answers that are owed; false: something is left. */
bool wf_ofi_answer(struct wf_ofi_ep *ep);

/* The lowest post whose answer is awaited, else none. */
uint64_t wf_ofi_first_asked(const struct wf_ofi_ep *ep, uint64_t none);

/* The endpoint is broken: nothing is awaited any more. */
void wf_ofi_forget_asked(struct wf_ofi_ep *ep);

#endif
