/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a communicator keeps for its collectives: one exchange set whose
 * channels are the (source, stage) pairs of the schedule, and the plans that
 * wait to be used again.
 */
#ifndef WEFT_COLL_COLL_H
#define WEFT_COLL_COLL_H

#include <weft/coll.h>
#include "coll/peers.h"
#include "plan/plan.h"

enum {
	WF_COLL_WINDOW = 4,
	WF_COLL_PLANS = 8
};

struct wf_coll;
struct wf_coll_key;

/* An algorithm: makes a plan. */
typedef int (*wf_coll_builder)(struct wf_coll *coll,
			       const struct wf_coll_key *key,
			       struct wf_plan **plan_p);

/* What tells plans apart, and who calls: "weft_barrier", for people. */
struct wf_coll_key {
	const char *call;
	wf_coll_builder build;
	uint64_t bytes;		/* of a rank */
	struct wf_combination with;	/* of what is reduced */
};

struct wf_coll_plan {
	struct wf_coll_key key;		/* build NULL: no plan */
	struct wf_plan *plan;
	struct wf_run run;
	uint64_t last_use;
};

struct wf_coll {
	struct wf_cargo cargo;
	struct weft_comm *comm;
	enum wf_coll_kind kind;
	struct wf_set *set;
	struct wf_ragged_cuts cuts;
	struct wf_plan *edges;		/* with zero bytes, */
	struct wf_run reserve;		/* for operations without memory */
	struct wf_coll_plan kept[WF_COLL_PLANS];
	uint64_t uses;
};

/*
 * The collectives of a communicator, made at the first one.  Those of the
 * program may wait where memory was lacking before.
 */
int wf_coll_of(struct weft_comm *comm, enum wf_coll_kind kind,
	       struct wf_coll **coll_p);

/*
 * weft_allgather() of some call, with the job entered, also on a communicator
 * that was freed and is held.
 */
int wf_allgather(struct weft_comm *comm, const char *call,
		 struct weft_part send, struct weft_part recv);

/*
 * Two exclusive scans in one: of what the ranks below gave, into the first of
 * two elements of so many bytes, and of what those above gave, into the second.
 * Where there is nobody it is left as it was.
 */
int wf_sides(struct weft_comm *comm, const char *call, const void *in,
	     void *out, size_t bytes, wf_kernel kernel);

/* The plan for a key, kept or built. */
int wf_coll_plan(struct wf_coll *coll, const struct wf_coll_key *key,
		 struct wf_coll_plan **plan_p);

/* Nothing is under way, and none comes any more at this rank. */
void wf_coll_end(struct weft_comm *comm, enum wf_coll_kind kind);

/*
 * Starts an operation, also one that fails, in the order of all ranks: its run.
 * most: bytes of its largest message, or more, the same at all ranks.
 */
struct wf_run *wf_coll_start(struct wf_coll *coll,
			     const struct wf_coll_key *key, uint64_t most,
			     const void *in, void *out);

/* One of the program from start to completion, with the job entered. */
int wf_coll_run(struct weft_comm *comm, const struct wf_coll_key *key,
		uint64_t most, const void *in, void *out);

/*
 * Takes part in an operation for which this rank has no memory, or another
 * reason not to call it: an error at all ranks.  Returns the status, told.
 */
int wf_coll_refuse(struct weft_comm *comm, const char *call, int status);

/*
 * The status of a collective behind which another one comes at ranks where it
 * did not fail, but not at this one.  A transport may have failed it here
 * alone: then nobody knows any more which of them belong together, and later
 * ones of the communicator are errors.  What else fails one fails it at all
 * ranks.
 */
void wf_coll_strays(struct weft_comm *comm, int status);

/* The builders, by algorithm. */
int wf_allreduce_build(struct wf_coll *coll, const struct wf_coll_key *key,
		       struct wf_plan **plan_p);
int wf_allgather_build(struct wf_coll *coll, const struct wf_coll_key *key,
		       struct wf_plan **plan_p);
int wf_scan_build(struct wf_coll *coll, const struct wf_coll_key *key,
		  struct wf_plan **plan_p);
int wf_exscan_build(struct wf_coll *coll, const struct wf_coll_key *key,
		    struct wf_plan **plan_p);
int wf_sides_build(struct wf_coll *coll, const struct wf_coll_key *key,
		   struct wf_plan **plan_p);

#endif
