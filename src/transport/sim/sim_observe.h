/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who watches a simulation: each message from its post to its landing, what
 * the CPUs of ranks are busy with, deaths.
 *
 * An observer decides nothing and is asked nothing: a run with one is the run
 * without.  Its functions are called in the order of events; times are those
 * of the rank that they concern, in picoseconds, and its CPU may be ahead of
 * what lands.
 */
#ifndef WEFT_TRANSPORT_SIM_OBSERVE_H
#define WEFT_TRANSPORT_SIM_OBSERVE_H

#include <stdbool.h>
#include <stdint.h>

struct sim_op;
struct wf_sim;
struct wf_sim_rank;

/* A line, put or mail, or the request of a get or of an atomic. */
struct wf_sim_message {
	const char *kind;	/* "line", "put", "mail", "get", "atomic" */
	uint64_t number;	/* in the run, from 1 */
	int from, to;
	uint64_t bytes;		/* of the payload */
	uint64_t start_ps;	/* when the sender began to post it, */
	uint64_t end_ps;	/* was done; then: when it landed */
};

struct wf_sim_observer {
	void *arg;
	void (*posted)(void *arg, const struct wf_sim_message *message);

	/*
	 * Once for each that was posted; false: it is lost, or is under way at
	 * the end of the run.
	 */
	void (*landed)(void *arg, const struct wf_sim_message *message,
		       bool lands);

	/* "look", "copy", "reduce"; posts are not told here. */
	void (*busy)(void *arg, int rank, const char *what, uint64_t start_ps,
		     uint64_t end_ps);
	void (*died)(void *arg, int rank, uint64_t time_ps);
};

/*
 * The calls of the simulator; kind is that of an event (enum sim_kind), and the
 * parts of a put are none.
 */
void wf_sim_see_posted(struct sim_op *op, uint32_t kind);
void wf_sim_see_landed(const struct sim_op *op, uint32_t kind, bool lands);
void wf_sim_see_busy(const struct wf_sim_rank *rank, const char *what,
		     uint64_t ps);
void wf_sim_see_death(const struct wf_sim_rank *rank);

/* After the run: takes all events that are left, for what is under way. */
void wf_sim_see_rest(struct wf_sim *world);

#endif
