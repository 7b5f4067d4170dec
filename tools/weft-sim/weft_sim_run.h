/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One run of the simulator: what its ranks share, and what came out.
 *
 * The ranks are coroutines of one thread, so what they share needs no lock.
 */
#ifndef WEFT_SIM_RUN_H
#define WEFT_SIM_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <weft/reorder.h>

#include "tools/weft-sim/weft_sim_options.h"
#include "transport/sim/sim.h"

struct wsim_graph;
struct wsim_trace;

/* Of a communicator that was made, at its first rank of the world. */
struct wsim_id {
	long op;		/* in which operation */
	uint64_t id;
};

/* What a reorder has done, as the first rank hears it. */
struct wsim_moved {
	long op;		/* in which operation; -1: none */
	int moved;
	struct weft_reorder_cost before, after;
	char why[120];		/* or empty */
};

/* What a Dist takes, of all ranks and timed rounds together. */
struct wsim_use {
	int64_t heap, segment;	/* bytes */
	uint64_t neighbors;	/* ranks that items go to, each of its own */
};

struct wsim_run {
	const struct wsim_options *options;
	const struct wsim_graph *graph;	/* NULL: there is none */
	int ranks;
	size_t bytes;
	int radix;		/* of the algorithm */
	uint64_t seed;
	struct wsim_trace *trace;	/* NULL: none */
	bool kills;		/* somebody may die, */
	bool cuts;		/* or a link for good: nothing is timed */
	int phases;		/* operations of a round */
	long ops, first;	/* of all rounds; the first that is timed */

	/* where all ranks meet before a timed operation */
	int arrived;
	long met;
	uint64_t start;		/* of the operation, ns */
	uint64_t *end;		/* of each timed one, ps from its start, */
	uint64_t *took;		/* and of each rank, phase by phase; NULL where
				   there is one */

	int *entered;		/* ranks in each operation */
	struct wsim_id *id;	/* per rank: of the one that it leads */
	struct wsim_moved moved;
	double *want;		/* of an allreduce, */
	long want_op;		/* which one; -1: none */
	int refused;		/* ranks that ended with an error of these */
	size_t resident_before;
	size_t resident;	/* bytes, after the last operation */
	uint64_t posted;	/* messages, before the operation */
	uint64_t messages[WSIM_PHASES];	/* in timed ones */
	struct wsim_use use;
};

/* Of an operation among those of a round. */
struct wsim_phase {
	double median, max;	/* us, over the ranks, each from the start */
	double messages;	/* of a rank */
	double per_neighbor;
};

struct wsim_result {
	struct wf_sim_result sim;
	int refused;
	bool timed;
	double min, median, max;	/* us, of a round */
	double messages;	/* of a rank in an operation, or round */
	double memory;		/* bytes of a rank */
	struct wsim_phase phase[WSIM_PHASES];
	double heap, segment;	/* bytes of a Dist at a rank, */
	double neighbors;	/* and ranks that its items go to */
	double wall;		/* s */
};

/* False: it did not run, and it has been said why. */
bool wsim_run(struct wsim_run *run, struct wsim_result *result_p);

/* Did every rank end as it should? */
bool wsim_result_good(const struct wsim_run *run,
		      const struct wsim_result *result);

/* What a rank does; arg is the run. weft_sim_rank.c */
void wsim_rank_main(struct wf_sim_rank *rank, void *arg);

/* Doubles after which what ranks give to an allreduce repeats. */
enum { WSIM_PERIOD = 509 };

/* Bytes of this process in memory. */
size_t wsim_resident(void);

#endif
