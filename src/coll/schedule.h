/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Schedules: who talks to whom in the collectives of a communicator.  A
 * schedule is an exchange set whose channels are its edges, the plans of
 * operations along them that wait to be used again, and the requests of those
 * that do not block.
 *
 * A communicator may have several, each made at its first use, and each counts
 * its own operations: all ranks choose the same one for the same call, so along
 * each schedule they come in one order everywhere, and what one schedule is at
 * says nothing of another.
 */
#ifndef WEFT_COLL_SCHEDULE_H
#define WEFT_COLL_SCHEDULE_H

#include <weft/icoll.h>
#include "coll/choice.h"
#include "coll/peers.h"
#include "plan/request_run.h"

enum {
	WF_COLL_WINDOW = 4,
	WF_COLL_PLANS = 8
};

/* What tells plans apart, and who calls: "weft_barrier", for people. */
struct wf_coll_key {
	const char *call;
	const struct wf_algorithm *by;
	uint64_t bytes;		/* of a rank; of an allgather with ends, of
				   all */
	int root;		/* 0 where there is none */
	const uint64_t *ends;	/* of each rank's bytes among all; NULL: all
				   have as many */
	const struct wf_pair_extents *pairs;	/* pairwise; NULL: all have as
						   many */
	struct wf_combination with;	/* of what is reduced */
};

/* Where what a rank has begins among all, in the order of ranks. */
static inline uint64_t wf_coll_before(const struct wf_coll_key *key, int rank)
{
	if (!key->ends)
		return key->bytes * (uint64_t)rank;
	return rank ? key->ends[rank - 1] : 0;
}

struct wf_coll_plan {
	struct wf_coll_key key;
	struct wf_plan *plan;		/* NULL: none */
	struct wf_run *run;		/* of calls that block; NULL: none so
					   far */
	int users;			/* requests that have it */
	uint64_t last_use;
};

/* The edges of a rank. */
struct wf_schedule_edges {
	int nout, nin;
	struct wf_edge *out, *in;
};

/* What differs between schedules. */
struct wf_schedule_kind {
	uint32_t port;
	bool rooted;		/* an operation uses some of the edges only */
	/* Where it has more than others; NULL: it has not. */
	struct wf_schedule *(*make)(struct weft_comm *comm);
	void (*end)(struct wf_schedule *s);	/* its own runs */
	void (*free)(struct wf_schedule *s);
	int (*find_edges)(const struct wf_schedule *s,
			  struct wf_schedule_edges *e);
	/*
	 * A plan of edges alone, for an operation that this rank refuses, and
	 * what it has to know of that; aim NULL: nothing.
	 */
	int (*build_refused)(const struct wf_schedule *s,
			     struct wf_plan **plan_p);
	void (*aim_refused)(const struct wf_schedule *s, struct wf_plan *plan,
			    const struct wf_coll_key *key);
	/*
	 * Instead of both: what it needs besides its set, whose channels are
	 * there before the first epoch; the last is the run in reserve.  What
	 * was missed is then refused.  WEFT_ERR_NOMEM; NULL: as all.
	 */
	int (*complete)(struct wf_schedule *s);
};

struct wf_schedule {
	struct wf_cargo cargo;
	const struct wf_schedule_kind *kind;
	struct weft_comm *comm;
	struct wf_ragged_cuts cuts;
	struct wf_set *set;
	struct wf_run reserve;		/* of an operation that is refused */
	struct wf_coll_plan kept[WF_COLL_PLANS];
	uint64_t uses;
	struct wf_run_requests requests;
	bool completing;		/* what was missed is refused now */
};

/* Room for so many edges each way, none of them there; WEFT_ERR_NOMEM. */
int wf_schedule_edges_init(struct wf_schedule_edges *e, size_t most);
void wf_schedule_edges_fini(struct wf_schedule_edges *e);

/* That of a communicator, perhaps without channels so far. */
int wf_schedule_plain(struct weft_comm *comm, enum wf_coll_kind kind,
		      struct wf_schedule **s_p);

/* One that is not complete, or not there. */
int wf_schedule_finish(struct weft_comm *comm, enum wf_coll_kind kind,
		       struct wf_schedule **s_p);

/*
 * With channels, made at its first use.  Those of the program may wait where
 * memory was lacking before.
 */
static inline int wf_schedule_of(struct weft_comm *comm, enum wf_coll_kind kind,
				 struct wf_schedule **s_p)
{
	struct wf_cargo *cargo = comm->coll.schedule[kind];

	if (!cargo)
		return wf_schedule_finish(comm, kind, s_p);
	*s_p = wf_container(cargo, struct wf_schedule, cargo);
	return (*s_p)->reserve.move ? WEFT_OK :
				      wf_schedule_finish(comm, kind, s_p);
}

/* Another set, for one persistent operation: with its edges, or others. */
int wf_schedule_make_set(const struct wf_schedule *s,
			 const struct wf_coll_key *key, uint32_t number,
			 struct wf_set **set_p);

/* Nothing is under way, and none comes any more at this rank. */
void wf_schedule_end(struct weft_comm *comm, enum wf_coll_kind kind);

/*
 * weft_allgather() of some call, with the job entered, also on a communicator
 * that was freed and is held.
 */
int wf_allgather(struct weft_comm *comm, const char *call,
		 struct weft_part send, struct weft_part recv);

/* This rank cannot call it: it takes part, and the status is told to all. */
int wf_allgather_refuse(struct weft_comm *comm, const char *call, int status);

/*
 * Two exclusive scans in one: of what the ranks below gave, into the first of
 * two elements of so many bytes, and of what those above gave, into the second.
 * Where there is nobody it is left as it was.
 */
int wf_sides(struct weft_comm *comm, const char *call, const void *in,
	     void *out, size_t bytes, wf_kernel kernel);

/*
 * Starts an operation, also one that fails, in the order of all ranks: its run,
 * whose call blocks or is the only one.  most: bytes of its largest message, or
 * more, the same at all ranks.
 */
struct wf_run *wf_coll_start(struct wf_schedule *s,
			     const struct wf_coll_key *key, uint64_t most,
			     const void *in, void *out);

/* A request with a plan for it, not started; WEFT_ERR_NOMEM. */
int wf_coll_request(struct wf_schedule *s, const struct wf_coll_key *key,
		    struct wf_run_request **req_p);

/* Starts its run, whose buffers are set; most as above. */
void wf_coll_go(struct wf_run *run, uint64_t most);

/* One of the program from start to completion, with the job entered. */
int wf_coll_run(struct weft_comm *comm, const struct wf_coll_key *key,
		uint64_t most, const void *in, void *out);

/*
 * Takes part in an operation that this rank cannot make, for lack of memory or
 * another reason: an error at all that wait for it.  Returns the status, told.
 */
int wf_coll_refuse(struct weft_comm *comm, const struct wf_coll_key *key,
		   int status);

/*
 * The same without waiting for the others; without any memory it waits if the
 * operation that was refused before is still under way, which of one that has
 * lengths ahead of it (choice.h) is that of the lengths.
 */
int wf_coll_refuse_apart(struct weft_comm *comm, const struct wf_coll_key *key,
			 int status);

/*
 * The status of a collective behind which another one comes at ranks where it
 * did not fail, but not at this one.  A transport may have failed it here
 * alone: then nobody knows any more which of them belong together, and later
 * ones of the communicator are errors.  What else fails one fails it at all
 * ranks.
 */
void wf_coll_strays(struct weft_comm *comm, int status);

/* The same of all that is called later: an error, and told. */
int wf_coll_refuse_stray(struct weft_comm *comm, const struct wf_coll_key *key,
			 bool waits);

#endif
