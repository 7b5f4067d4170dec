/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ops and flights cost in virtual time; all in picoseconds.
 *
 * The ops ask when what they post lands, the scheduler how far a rank is.
 */
#ifndef WEFT_TRANSPORT_SIM_COST_H
#define WEFT_TRANSPORT_SIM_COST_H

#include "transport/sim/sim_world.h"

uint64_t wf_sim_ps(uint64_t ns);	/* UINT64_MAX stays */

/* A random number of whole nanoseconds, less than ns, in picoseconds. */
uint64_t wf_sim_below(struct wf_sim *world, uint64_t ns);

/* The node of a rank: 0, where all are on one. */
int wf_sim_node(const struct wf_sim_rank *rank);

/* Which network a new link goes through. */
void wf_sim_route(struct sim_link *link);

/*
 * Before a post: must the world's time catch up with the sender?  Then others
 * run until it is no more ahead (sim_sched.c).
 */
bool wf_sim_is_ahead(const struct sim_link *link);
void wf_sim_catch_up(struct wf_sim_rank *rank);

/* When what a link's sender posts now lands; the sender's CPU pays for it. */
uint64_t wf_sim_flight(struct sim_link *link, uint64_t bytes);

/* The same of what goes back to the sender, by the NIC of the other end. */
uint64_t wf_sim_answer(struct sim_link *link, uint64_t bytes);

/* What has landed must be looked at; the rank looks at all that has. */
void wf_sim_arrived(const struct sim_link *link);
void wf_sim_looks(struct wf_sim_rank *rank);

/* How far a rank is, when it can run again, what a poll for nothing adds. */
uint64_t wf_sim_clock(const struct wf_sim_rank *rank);
uint64_t wf_sim_free_at(struct wf_sim_rank *rank);
uint64_t wf_sim_vain_poll(const struct wf_sim_rank *rank);

#endif
