/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * By what a collective is done: the schedule whose edges it goes along, and the
 * builder of its plans.  No call names either.
 */
#ifndef WEFT_COLL_CHOICE_H
#define WEFT_COLL_CHOICE_H

#include "comm/comm.h"

struct wf_coll_key;
struct wf_plan;
struct wf_run_request;
struct wf_schedule;
struct wf_schedule_edges;
struct wf_set;
struct wf_staged;

enum wf_coll_op {
	WF_COLL_ALLREDUCE,		/* a barrier, too */
	WF_COLL_SCAN,
	WF_COLL_EXSCAN,
	WF_COLL_REDUCE_SCATTER,
	WF_COLL_SIDES,
	WF_COLL_ALLGATHER,
	WF_COLL_ALLTOALL,
	WF_COLL_BCAST,
	WF_COLL_REDUCE,
	WF_COLL_GATHER,
	WF_COLL_SCATTER,
	WF_COLL_GATHERV,		/* lengths first: */
	WF_COLL_SCATTERV,
	WF_COLL_LENGTHS_UP,
	WF_COLL_LENGTHS_DOWN,
	WF_COLL_PAIRS,
	WF_COLL_SPARSE,			/* by none of the forms of call.h */
	WF_COLL_OPS
};

/* Makes a plan on a set with the edges of the schedule. */
typedef int (*wf_coll_builder)(const struct wf_schedule *s, struct wf_set *set,
			       const struct wf_coll_key *key,
			       struct wf_plan **plan_p);

/* Where both sides of an operation are. */
struct wf_coll_memory {
	char *in, *out;
	struct wf_staged *staged;	/* of both, or NULL; a request has it */
};

/* An operation that goes along no schedule. */
struct wf_coll_apart {
	/* A request that was started; its status was told. */
	int (*start)(struct weft_comm *comm, const struct wf_coll_key *key,
		     const struct wf_coll_memory *memory,
		     struct weft_request **req_p);
	/* As wf_coll_refuse(). */
	int (*refuse)(struct weft_comm *comm, const struct wf_coll_key *key,
		      int status);
	/* Those of a persistent one. */
	int (*edges)(const struct wf_schedule *s,
		     const struct wf_coll_key *key,
		     struct wf_schedule_edges *e);
};

struct wf_algorithm {
	enum wf_coll_kind kind;		/* the schedule; of one apart, that
					   which has its persistent requests */
	wf_coll_builder build;
	int flow;			/* enum wf_tree_flow, along the tree */
	/*
	 * A request with a plan that serves any key, made fit for this one;
	 * NULL: plans are kept by their keys.
	 */
	int (*request)(struct wf_schedule *s, const struct wf_coll_key *key,
		       struct wf_run_request **req_p);
	/*
	 * It has another operation ahead of it, along the same edges, by which
	 * a key becomes complete; NULL: it has not.  This one does that alone,
	 * and waits.
	 */
	int (*learn)(struct weft_comm *comm, struct wf_coll_key *key);
	/* How it is done otherwise, but for a persistent one; NULL: as all. */
	const struct wf_coll_apart *apart;
};

extern const struct wf_algorithm wf_algorithms[WF_COLL_OPS];

/* What is long does not pass through others. */
const struct wf_algorithm *
wf_coll_choose_alltoall(const struct weft_comm *comm, uint64_t bytes);

/* Where ranks have different sizes, and know their own ones only. */
const struct wf_algorithm *wf_coll_choose_varying(const struct weft_comm *comm,
						  enum wf_coll_op op);

static inline const struct wf_algorithm *wf_coll_choose(enum wf_coll_op op)
{
	return &wf_algorithms[op];
}

#endif
