/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchanges whose bytes can be checked: a graph by a rule that every rank
 * evaluates for itself, bytes of each message by another, contents that
 * differ by edge, exchange and place, and guards around what is received.
 *
 * For tests of simulated ranks; a failure counts as a violation of the run.
 */
#ifndef WEFT_TESTS_SIM_FLOW_H
#define WEFT_TESTS_SIM_FLOW_H

#include <weft.h>
#include "tests/sim/sim_job.h"

enum {
	SIM_FLOW_EDGES = 16,		/* most of a rank, in one direction */
	SIM_BYTES_MOST = 100000		/* of sim_bytes_class() */
};

/* What all ranks know. */
struct sim_flow_shape {
	/* How many edges lead from one rank to another? */
	int (*edges)(int from, int to, int ranks);
	/* Bytes of exchange `round` on the k-th of them; NULL: `most`. */
	size_t (*bytes)(const struct sim_flow_shape *shape, int from, int to,
			int k, int round);
	size_t most;			/* that bytes() ever says */
	int variant;			/* for the rules */
};

/*
 * Rules of edges: to both neighbours of a ring, to the next rank, to all
 * others, to all later ones, and to those with two edges to the next.
 */
int sim_edges_ring(int from, int to, int ranks);
int sim_edges_chain(int from, int to, int ranks);
int sim_edges_all(int from, int to, int ranks);
int sim_edges_later(int from, int to, int ranks);
int sim_edges_slope(int from, int to, int ranks);

/*
 * Settings with a short arena: class limits so small that few bytes make every
 * class; the usual limits, and no agreement on a graph, so that each rank makes
 * it for itself.
 */
extern char *const sim_small_env[];
extern char *const sim_unchecked_env[];

/* By turns one of these, the usual ones, and calls that are compared. */
char *const *sim_any_env(uint64_t seed);

/* Variant 0: a line, 1: a slot, 2: a large message, by the usual limits. */
size_t sim_bytes_class(const struct sim_flow_shape *shape, int from, int to,
		       int k, int round);

/* A rank's end of a graph. */
struct sim_flow {
	const struct sim_flow_shape *shape;
	struct wf_sim_rank *rank;
	struct weft_job *job;
	struct weft_comm *graph;
	int me, nout, nin;
	int to[SIM_FLOW_EDGES], out_k[SIM_FLOW_EDGES];
	int from[SIM_FLOW_EDGES], in_k[SIM_FLOW_EDGES];
};

/* The buffers of one exchange, and the request of one that is under way. */
struct sim_parcel {
	struct sim_flow *flow;
	bool arena;
	int sizes;		/* round whose sizes it always has; -1: none */
	int round;
	unsigned char *send, *recv;
	size_t send_bytes[SIM_FLOW_EDGES], recv_bytes[SIM_FLOW_EDGES];
	ptrdiff_t send_at[SIM_FLOW_EDGES], recv_at[SIM_FLOW_EDGES];
	struct weft_vec out, in;
	struct weft_request *req;
};

/* The job and a graph, and both closed; false, with the failure told. */
bool sim_flow_join(struct sim_flow *flow, const struct sim_flow_shape *shape,
		   struct wf_sim_rank *rank);
void sim_flow_part(struct sim_flow *flow);

/* A graph alone; the second gives the status instead of telling it. */
bool sim_flow_open(struct sim_flow *flow, const struct sim_flow_shape *shape,
		   struct wf_sim_rank *rank, struct weft_job *job);
int sim_flow_try(struct sim_flow *flow, const struct sim_flow_shape *shape,
		 struct wf_sim_rank *rank, struct weft_job *job);
void sim_flow_close(struct sim_flow *flow);

/* arena: memory that peers can write. */
bool sim_parcel_init(struct sim_parcel *parcel, struct sim_flow *flow,
		     bool arena);
void sim_parcel_fini(struct sim_parcel *parcel);

/* Write what goes out in a round and what must be overwritten by it. */
void sim_parcel_fill(struct sim_parcel *parcel, int round);

/* Everything came, and nothing else; false: it was told. */
bool sim_parcel_check(const struct sim_parcel *parcel);

/* Fill, then exchange: blocking and checked, or nonblocking. */
void sim_parcel_exchange(struct sim_parcel *parcel, int round);
void sim_parcel_start(struct sim_parcel *parcel, int round);

/* Wait for a started one, check it and give its request back. */
void sim_parcel_wait(struct sim_parcel *parcel);

/* Let virtual time pass: a rank that computes, without progress. */
void sim_flow_compute(struct sim_flow *flow, uint64_t ns);

/* The same with progress, so that all that is under way arrives. */
void sim_flow_settle(struct sim_flow *flow);

/* What the job holds of its segment, in blocks and in signals. */
struct sim_holdings {
	size_t blocks;
	uint32_t signals;
};

struct sim_holdings sim_flow_holdings(const struct sim_flow *flow);

/* The job must hold what it held before. */
void sim_flow_check_holdings(const struct sim_flow *flow,
			     struct sim_holdings before);

/*
 * At a graph whose exchanges are all over, everywhere and for a while: no
 * credit is due, and those that have come are those of what was consumed.
 */
void sim_flow_check_credits(const struct sim_flow *flow,
			    const struct weft_comm *graph);

/*
 * Run a program once; false: a rule was broken or a rank did not finish, other
 * than the one to die, and it was told.
 */
bool sim_flow_run(const struct wf_sim_options *options,
		  void (*program)(struct wf_sim_rank *rank, void *arg),
		  void *arg);

/*
 * Run a program over SEEDS seeds (usual: seeds) from FIRST_SEED on, with
 * everything varied; stops at the first that breaks a rule, and says which:
 * false.
 */
bool sim_flow_seeds(int ranks, long seeds, char *const *environ,
		    void (*program)(struct wf_sim_rank *rank, void *arg),
		    void *arg);

/* The same, but for what the test sets itself. */
bool sim_flow_seeds_set(int ranks, long seeds, char *const *environ,
			void (*set)(struct wf_sim_options *options),
			void (*program)(struct wf_sim_rank *rank, void *arg),
			void *arg);

#endif
