/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A simulated rank with a device and no job, for tests of the simulator: its
 * segment and signals, an endpoint to every other rank, and what came up.
 */
#ifndef WEFT_TESTS_SIM_NODE_H
#define WEFT_TESTS_SIM_NODE_H

#include "base/config.h"
#include "base/log.h"
#include "base/random.h"
#include "transport/segment.h"
#include "transport/signals.h"
#include "transport/sim/sim.h"
#include "transport/transport.h"

enum {
	NODE_RANKS = 33,
	NODE_MAILS = 64,
	NODE_BYE = 255		/* kind of the mail that ends it */
};

struct node {
	struct wf_sim_rank *rank;
	struct wf_log log;
	struct wf_config config;
	struct wf_random random;
	struct wf_segment segment;
	struct wf_signals signals;
	struct wf_device *dev;
	struct wf_ep *ep[NODE_RANKS];
	bool bye[NODE_RANKS];
	int told;		/* the rank that is dead, -1: none */
	bool may_suspect;	/* else a suspicion is a failure */
	int suspected;		/* how often */
	int mails;		/* arrived, byes not counted */
	struct wf_mail mail[NODE_MAILS];
	int from[NODE_MAILS];
};

/* Opens the device and connects to all ranks; failures are reported. */
bool node_open(struct node *node, struct wf_sim_rank *rank);

/* The device only. */
bool node_open_alone(struct node *node, struct wf_sim_rank *rank);

/* Says bye to all who live, waits for theirs, and closes. */
void node_close(struct node *node);

/* Progress, then waits for whatever comes next. */
void node_wait(struct node *node);

/* Each repeats its op until there is room. */
void node_mail(struct node *node, int to, uint8_t kind, uint32_t word);
void node_line(struct node *node, int to, struct wf_rloc dst,
	       const void *data, uint32_t n, uint32_t seq);
void node_put(struct node *node, int to, const void *src, struct wf_rloc dst,
	      size_t n, uint32_t sig);

#endif
