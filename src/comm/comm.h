/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A communicator: an ordered group of ranks and a context.
 *
 * Its context id names it on the wire.  Ports are the receivers of mails
 * within a context: each exchange set of a graph, and the collectives.  A mail
 * for a context or port that is still to come is parked and delivered when it
 * comes; one for a freed context is dropped.
 */
#ifndef WEFT_COMM_COMM_H
#define WEFT_COMM_COMM_H

#include <weft/comm.h>
#include <weft/errors.h>
#include "base/list.h"
#include "comm/cargo.h"
#include "comm/contexts.h"
#include "comm/group.h"
#include "comm/info.h"
#include "job/attr.h"
#include "job/job.h"
#include "job/peer.h"

struct wf_accord;
struct wf_across;

/* Who gets the mails of (context, number); embedded in its owner. */
struct wf_port {
	uint32_t number;
	void (*deliver)(struct wf_port *port, const struct wf_letter *letter);
};

enum wf_port_number {
	WF_PORT_SETS = 0,		/* 0 and up: of graphs, and of what is
					   persistent */
	WF_PORT_COLL = 1u << 30,	/* the set of collectives */
	WF_PORT_RMA,			/* regions, all of a communicator */
	WF_PORT_RELAY,			/* never open: see wf_port_take() */
	WF_PORT_IDS,			/* the set of refills */
	WF_PORT_TREE,			/* the set of rooted collectives */
	WF_PORT_DIGITS,			/* that of alltoall */
	WF_PORT_MARKS,			/* of collective calls: comm/accord.h */
	WF_PORT_ROUTES			/* the set of sparse exchanges */
};

/* A lane to a rank, or from it: its number and the use are added. */
#define WF_PORT_LANE_OUT UINT32_C(0x80000000)
#define WF_PORT_LANE_IN UINT32_C(0xc0000000)
#define WF_PORT_MESSAGES UINT32_C(0)
#define WF_PORT_PAIRS UINT32_C(0x20000000)	/* collectives */

/* Collectives of a communicator that are numbered for themselves. */
enum wf_coll_kind {
	WF_COLL_PROGRAM,		/* calls, in the order of the program */
	WF_COLL_IDS,			/* refills of the pool, as they come */
	WF_COLL_TREE,			/* those with a root (coll/tree.h) */
	WF_COLL_DIGITS,			/* alltoall (coll/digits.h) */
	WF_COLL_ROUTES,			/* sparse exchanges (coll/route.h) */
	WF_COLL_KINDS
};

/* What coll/ keeps, of each kind. */
struct wf_coll_state {
	struct wf_cargo *schedule[WF_COLL_KINDS];	/* NULL: there was
							   none so far */
	uint16_t missed[WF_COLL_KINDS];	/* operations before there was one */
	int16_t strays[WF_COLL_KINDS];	/* status: see wf_coll_strays(); of
					   refills: this rank has given up */
};

enum { WF_MISSED_MOST = 4 };		/* more of them are not made */

/* Such ones with a root. */
struct wf_missed {
	int32_t root[WF_MISSED_MOST];
	uint8_t op[WF_MISSED_MOST];	/* enum wf_coll_op */
};

/* Which call of the program made a communicator. */
struct wf_origin {
	const char *call;		/* NULL: the job did */
	const void *where;		/* it returned to */
};

/* In a public call. */
#define WF_CALLED_FROM __builtin_return_address(0)

struct weft_comm {
	struct weft_job *job;
	uint64_t id;			/* context */
	struct wf_cid_pool pool;	/* ids of its children */
	int rank, size;
	struct weft_group *group;
	char *name;			/* for people; NULL: none */
	struct wf_origin origin;
	struct wf_on_error *errors;	/* what to do about them, shared; NULL:
					   to return */
	int refs;			/* the user's, and what is under way */
	bool freed;			/* marked by weft_comm_free(), */
	bool going : 1;			/* while that calls callbacks */
	bool owned_by_job : 1;
	bool relays_lost : 1;		/* some may be: struct wf_relay_note */
	bool pairs_stray : 1;		/* no pairwise one goes on here */
	bool special;			/* there is an accord or an across */
	struct wf_map ports;		/* number -> struct wf_port */
	uint32_t sets;			/* numbers given so far, */
	uint32_t ports_given;		/* below which absent is freed */
	struct wf_attrs *attrs;		/* NULL: none was ever set */
	void *userdata;
	struct weft_info *hints;	/* shared, constant; NULL: none */
	double *coords;			/* 3, for a reorder; NULL: none */
	struct wf_coll_state coll;
	struct wf_missed missed;	/* along the tree */
	uint32_t gone_seen;		/* job->gone at the last look */
	struct wf_list takers;		/* derive/: that wait for ids */
	struct wf_cargo *topo;		/* of topo/: a graph */
	struct wf_cargo *rma;		/* of rma/ */
	struct wf_cargo *p2p;		/* of p2p/ */
	struct wf_accord *accord;	/* NULL: calls are not compared */
	struct wf_across *across;	/* NULL: it has one group */
	uint64_t rma_created;		/* regions of all ranks so far */
	struct wf_cargo *pairs;		/* of coll/, its lanes */
	struct wf_peer *dead;		/* a member; NULL: none seen */
};

/*
 * One with this group, by a block of ids: enters the table and gets what was
 * parked for it.  No message.  Takes the reference to the group.  If it fails,
 * the block is passed over: WEFT_ERR_NOMEM, which is not told.
 */
int wf_comm_make(struct weft_job *job, struct weft_group *group,
		 const struct wf_cid_block *block, struct weft_comm **comm_p);

/*
 * The same in two steps, for who has the ids later.  The first one gives one
 * without a context, or NULL, and takes the reference in any case; the second
 * one leaves it so where it fails.
 */
struct weft_comm *wf_comm_new(struct weft_job *job, struct weft_group *group);
int wf_comm_place(struct weft_comm *comm, const struct wf_cid_block *block);

/* The first step for a duplicate: with its groups. */
struct weft_comm *wf_comm_new_like(const struct weft_comm *comm);

/* The second one; NULL: there was no memory for it.  It goes if it fails. */
int wf_comm_settle(struct weft_job *job, struct weft_comm *comm,
		   const struct wf_cid_block *block, struct weft_comm **comm_p);

/* Of one without a context: callbacks are not called. */
void wf_comm_discard(struct weft_comm *comm);

/* What it does about errors from now on; NULL: it returns. */
void wf_comm_set_errors(struct weft_comm *comm, struct wf_on_error *errors);

/* What the other one does; NULL: as above. */
void wf_comm_take_errors(struct weft_comm *comm,
			 const struct weft_comm *from);

/* Which one it is, for people: context 7 "halo". */
void wf_comm_tell(const struct weft_comm *comm, char *text, size_t bytes);

/* The job closes: warns of those that the program did not free. */
void wf_comm_warn_of_leaks(struct weft_job *job);

/*
 * By the program, in the name of a call, with the job entered, which is left:
 * *comm_p is NULL then.
 */
int wf_comm_give_up(struct weft_comm **comm_p, const char *call);

/* References; the last one frees it, leaving the table. */
void wf_comm_drop_last(struct weft_comm *comm);

static inline void wf_comm_hold(struct weft_comm *comm)
{
	comm->refs++;
}

static inline void wf_comm_drop(struct weft_comm *comm)
{
	if (comm->refs > 1)
		comm->refs--;
	else
		wf_comm_drop_last(comm);
}

static inline int wf_comm_world_rank(const struct weft_comm *comm, int rank)
{
	return wf_group_world_rank(comm->group, rank);
}

/* The peer of a rank; NULL: no memory. */
struct wf_peer *wf_comm_peer(struct weft_comm *comm, int rank);

/* A member that is dead; NULL if none is.  Cheap while nobody went. */
struct wf_peer *wf_comm_dead(struct weft_comm *comm);

/* A member is dead: true, and tells so behind what a peer has done. */
bool wf_comm_blame(struct weft_comm *comm, const struct wf_peer *peer,
		   char *text, size_t bytes);

/* ---- ports ---- */

/* Delivers what was parked for it, too.  WEFT_ERR_NOMEM. */
int wf_port_open(struct weft_comm *comm, struct wf_port *port);
void wf_port_close(struct weft_comm *comm, struct wf_port *port);

/*
 * Mails of a port that is never open: takes the first one that is parked for it
 * and which take() does not leave there.  False: there is none.
 */
bool wf_port_take(struct weft_comm *comm, uint32_t number,
		  bool (*take)(void *arg, const struct wf_letter *letter),
		  void *arg);

/* A set of this number was made by others only: what is mailed to it goes. */
void wf_port_pass_over(struct weft_comm *comm, uint32_t number);

/* p2p/ listens from now on: what was parked for it. */
void wf_ports_hand_over(struct weft_job *job);

/* A context was freed, or will not come: what was parked for it goes. */
void wf_ports_clear(struct weft_job *job);

/* ---- the table of contexts, one per job ---- */

int wf_contexts_init(struct weft_job *job);
void wf_contexts_fini(struct weft_job *job);

/* NULL: none is here, or not yet. */
static inline struct weft_comm *wf_comm_find(struct wf_contexts *ctx,
					     uint64_t id)
{
	if (!ctx->recent || ctx->recent->id != id)
		ctx->recent = wf_map_get(&ctx->comms, id);
	return ctx->recent;
}

/* Makes the world; the job joins and parts around it (world.c). */
int wf_comm_make_world(struct weft_job *job);

#include "comm/comm_entry.h"

#endif
