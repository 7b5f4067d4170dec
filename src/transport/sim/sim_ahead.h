/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looking ahead: what the next events need is fetched into the cache.
 */
#ifndef WEFT_TRANSPORT_SIM_AHEAD_H
#define WEFT_TRANSPORT_SIM_AHEAD_H

#include <stdbool.h>

struct wf_sim;

/* With windows, before each event; begins: it is the first of a turn. */
void wf_sim_look_ahead(const struct wf_sim *world, bool begins);

#endif
