/* SPDX-License-Identifier: BSD-3-Clause */
/* The command p2p: matched messages along the edges of a graph. */
#ifndef WEFT_SIM_MESSAGES_H
#define WEFT_SIM_MESSAGES_H

#include "tools/weft-sim/weft_sim_run.h"

struct weft_comm;

/*
 * Receives, then sends, of one rank, all at once, and the wait for them; the
 * messages lie one behind the other.  A status.
 */
int wsim_messages_pass(const struct wsim_run *run, struct weft_comm *world,
		       const char *send, char *recv);

#endif
