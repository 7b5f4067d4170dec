/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Networks of the simulator: what time an op and a flight take.
 *
 * LogGP without congestion: the CPU of the sender pays for a post, its NIC
 * sends one message after the other, the flight takes as long as the switches
 * between the two nodes and the bytes want. All is integer, so that a run has
 * the same times on every machine. The presets are kinds of networks and not
 * measurements of one.
 */
#ifndef WEFT_TRANSPORT_SIM_NET_H
#define WEFT_TRANSPORT_SIM_NET_H

#include <stdbool.h>
#include <stdint.h>

/* Times in picoseconds; what a byte costs in femtoseconds. */
struct wf_sim_net {
	const char *name;
	uint64_t first_ps;	/* CPU: the first post of a stage, */
	uint64_t post_ps;	/* each further one */
	uint64_t poll_ps;	/* CPU: each arrival that is looked at */
	uint64_t flight_ps;	/* NICs, wire and one switch */
	uint64_t hop_ps;	/* each further switch */
	uint64_t gap_ps;	/* NIC: each message */
	uint64_t byte_fs;	/* NIC and flight: each byte */
	uint64_t copy_fs;	/* CPU: each byte copied, */
	uint64_t reduce_fs;	/* each byte reduced */
};

enum wf_sim_shape {
	WF_SIM_FLAT,		/* one switch */
	WF_SIM_FATTREE,		/* switches of 40 ports, half of them up */
	WF_SIM_DRAGONFLY	/* groups of 32 switches of 16 nodes */
};

/* The presets, hdr200 first, a NULL name at the end. */
extern const struct wf_sim_net wf_sim_nets[];

/* A preset by its name; NULL: there is none. */
const struct wf_sim_net *wf_sim_net_find(const char *name);

/* A shape by its name, "flat", "fattree", "dragonfly"; false: it is none. */
bool wf_sim_shape_find(const char *name, enum wf_sim_shape *shape_p);
const char *wf_sim_shape_name(enum wf_sim_shape shape);

/* Switches on the way between two nodes, at least 1. */
int wf_sim_switches(enum wf_sim_shape shape, int from, int to);

/* Of one message: how long its flight is, how long the NIC is busy with it. */
uint64_t wf_sim_net_flight(const struct wf_sim_net *net, int switches,
			   uint64_t bytes);
uint64_t wf_sim_net_busy(const struct wf_sim_net *net, uint64_t bytes);

#endif
