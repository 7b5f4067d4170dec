/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * get, fetch_add and cas of the simulator: what such an op holds while it is
 * under way, and what happens to it when a flight of it lands.
 */
#ifndef WEFT_TRANSPORT_SIM_FETCH_H
#define WEFT_TRANSPORT_SIM_FETCH_H

#include "transport/transport.h"
#include "transport/word.h"

struct sim_op;

/* Beside enum sim_kind. */
enum sim_fetch_kind {
	SIM_GET_FIRST = 32,		/* flights that read memory, */
	SIM_GET_SECOND,
	SIM_WORD,			/* or change a word of it; */
	SIM_VALUE			/* what they bring back */
};

struct sim_fetch {
	struct wf_rloc rloc;
	char *to;		/* of a get */
	uint64_t to_at;		/* where in the caller's segment, */
	uint32_t to_generation;	/* if it is there: not 0 */
	uint8_t parts;		/* still in flight */
	bool lost;		/* one of them */
	size_t n;
	size_t cut;		/* bytes of the first part */
	uint64_t *old;		/* of a word */
	uint64_t value;
	struct wf_word_op word;
};

int wf_sim_get(struct wf_ep *ep, struct wf_loc dst, struct wf_rloc src,
	       size_t n);
int wf_sim_fetch_add(struct wf_ep *ep, struct wf_rloc dst, uint64_t add,
		     uint64_t *old);
int wf_sim_cas(struct wf_ep *ep, struct wf_rloc dst, uint64_t expected,
	       uint64_t desired, uint64_t *old);

/* A request arrives, or is lost; then the answer to it. */
void wf_sim_land_fetch(struct sim_op *op, uint32_t kind, bool lands);
void wf_sim_land_value(struct sim_op *op);

#endif
