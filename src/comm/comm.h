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
#include "base/list.h"
#include "base/map.h"
#include "comm/attr.h"
#include "comm/cid.h"
#include "comm/group.h"
#include "comm/info.h"
#include "job/job.h"
#include "job/mailbox.h"
#include "job/peer.h"

/* Who gets the mails of (context, number); embedded in its owner. */
struct wf_port {
	uint32_t number;
	void (*deliver)(struct wf_port *port, const struct wf_letter *letter);
};

enum wf_port_number {
	WF_PORT_SETS = 0,		/* 0 and up: exchange sets of a graph */
	WF_PORT_COLL = 1u << 30,	/* the set of collectives */
	WF_PORT_RMA			/* regions, all of a communicator */
};

/* What a communicator carries for a room above; freed with it. */
struct wf_cargo {
	void (*destroy)(struct wf_cargo *cargo);
	/* For a duplicate, to which it gives a copy; NULL: it stays alone. */
	int (*copy)(const struct wf_cargo *cargo, struct weft_comm *to);
};

struct weft_comm {
	struct weft_job *job;
	uint64_t id;			/* context */
	struct wf_cid_pool pool;	/* ids of its children */
	int rank, size;
	struct weft_group *group;
	char *name;			/* for people; NULL: none */
	int refs;			/* the user's, and what is under way */
	bool freed;			/* marked by weft_comm_free(), */
	bool going;			/* while that calls callbacks */
	bool owned_by_job;
	struct wf_map ports;		/* number -> struct wf_port */
	uint32_t ports_given;		/* sets: below it, absent is freed */
	struct wf_attrs *attrs;		/* NULL: none was ever set */
	struct weft_info *hints;	/* shared, constant; NULL: none */
	struct wf_cargo *coll;		/* of coll/ */
	unsigned coll_missed;		/* operations before there was one */
	int coll_strays;		/* status: see wf_coll_strays() */
	struct wf_cargo *topo;		/* of topo/: a graph */
	struct wf_cargo *rma;		/* of rma/ */
	uint64_t rma_created;		/* regions of all ranks so far */
	uint32_t gone_seen;		/* job->gone at the last look */
	struct wf_peer *dead;		/* a member; NULL: none seen */
};

/*
 * One with this group, by a block of ids: enters the table and gets what was
 * parked for it.  No message.  Takes the reference to the group.  If it fails,
 * the block is passed over: WEFT_ERR_NOMEM, which is not told.
 */
int wf_comm_make(struct weft_job *job, struct weft_group *group,
		 const struct wf_cid_block *block, struct weft_comm **comm_p);

/* Which one it is, for people: context 7 "halo". */
void wf_comm_tell(const struct weft_comm *comm, char *text, size_t bytes);

/* References; the last one frees it, leaving the table. */
void wf_comm_hold(struct weft_comm *comm);
void wf_comm_drop(struct weft_comm *comm);

/* Argument check and entry of public calls: WEFT_ERR_ARG, WEFT_ERR_FORKED. */
int wf_comm_enter(struct weft_comm *comm) WEFT_MUST_CHECK;

static inline int wf_comm_world_rank(const struct weft_comm *comm, int rank)
{
	return wf_group_world_rank(comm->group, rank);
}

/* The peer of a rank; NULL: no memory. */
struct wf_peer *wf_comm_peer(struct weft_comm *comm, int rank);

/* A member that is dead; NULL if none is.  Cheap while nobody went. */
struct wf_peer *wf_comm_dead(struct weft_comm *comm);

/* ---- ports ---- */

/* Delivers what was parked for it, too.  WEFT_ERR_NOMEM. */
int wf_port_open(struct weft_comm *comm, struct wf_port *port);
void wf_port_close(struct weft_comm *comm, struct wf_port *port);

/* A set of this number was made by others only: what is mailed to it goes. */
void wf_port_pass_over(struct weft_comm *comm, uint32_t number);

/* A context was freed, or will not come: what was parked for it goes. */
void wf_ports_clear(struct weft_job *job);

/* ---- the table of contexts, one per job ---- */

int wf_contexts_init(struct weft_job *job);
void wf_contexts_fini(struct weft_job *job);

struct wf_contexts {
	/* plan/: a mail whose context or port was freed; NULL: dropped. */
	void (*orphan)(struct weft_job *job, const struct wf_letter *letter);
	struct wf_owed *spare_answer;	/* plan/: without memory; freed here */
	struct wf_map comms;		/* id -> struct weft_comm */
	struct wf_cid_space ids;
	struct wf_list groups;		/* struct weft_group, all */
	struct wf_list keyvals;		/* struct weft_keyval, all */
	struct wf_list infos;		/* struct weft_info, all */
	struct wf_list parked;		/* in arrival order */
	struct wf_list places;		/* for when there is no memory */
	uint64_t nparked;
	uint64_t made;			/* communicators, freed ones too */
	uint64_t refills;		/* of pools */
};

static inline struct wf_contexts *wf_contexts(const struct weft_job *job)
{
	return job->comms;
}

/* Makes the world; the job joins and parts around it (world.c). */
int wf_comm_make_world(struct weft_job *job);

#endif
