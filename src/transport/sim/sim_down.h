/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The link that is down: for a time flights over it are late, for good they
 * are lost.
 */
#ifndef WEFT_TRANSPORT_SIM_DOWN_H
#define WEFT_TRANSPORT_SIM_DOWN_H

#include <stdbool.h>
#include <stdint.h>

struct sim_link;
struct wf_sim;

/* Does it join the two nodes of wf_sim_options.down? */
bool wf_sim_is_weak(const struct sim_link *link);

/* When a flight lands that left at start and would land then. */
uint64_t wf_sim_delayed(const struct sim_link *link, uint64_t start,
			uint64_t lands);

/* Is what lands now lost? */
bool wf_sim_is_severed(const struct sim_link *link);

/* The sender's endpoint is broken, if it has one; its progress tells. */
void wf_sim_break(struct sim_link *link);

/* The same of the receiver's endpoint back to the sender. */
void wf_sim_break_back(struct sim_link *link);

/*
 * What the other end waits for without a post of its own was lost: the contact
 * that answers its own, a credit. Both ends learn that.
 */
void wf_sim_break_both(struct sim_link *link);

#endif
