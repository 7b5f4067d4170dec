/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a line and a put carry through the simulated network. Filled in when
 * they are posted (sim_rma.c, sim_tear.c), used up where they land.
 */
#ifndef WEFT_TRANSPORT_SIM_PUT_H
#define WEFT_TRANSPORT_SIM_PUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "transport/objects.h"

struct sim_line {
	struct wf_rloc dst;
	uint32_t n;
	uint32_t seq;
	char data[64];
};

struct sim_put {
	const char *src;
	uint64_t src_at;	/* where in the sender's segment, */
	uint32_t src_generation;/* if it is there: not 0 */
	uint32_t sig;
	struct wf_rloc dst;	/* of the payload */
	size_t n;
	size_t cut;		/* bytes of the first part */
	uint32_t lines;		/* of a torn one; 0: it is not torn */
	uint32_t line, stride;	/* the next one, and from it to the one after */
	uint32_t left;		/* lines still in flight */
	uint64_t head;
	struct wf_rloc head_dst;
	uint64_t late;		/* when a postponed or torn part has landed */
	uint8_t parts;		/* still in flight */
	bool has_head;
	bool has_signal;
	bool broken;		/* a part was dropped: no signal */
};

#endif
