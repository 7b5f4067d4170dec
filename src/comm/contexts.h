/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a job keeps of its communicators: the table of contexts, the ids, what
 * came too early, and who above listens.
 */
#ifndef WEFT_COMM_CONTEXTS_H
#define WEFT_COMM_CONTEXTS_H

#include "base/list.h"
#include "base/map.h"
#include "comm/cid.h"
#include "job/job.h"
#include "job/mailbox.h"
#include "job/poller.h"

/* What goes with its job where the program did not give it up. */
struct wf_leftover {
	struct wf_list link;
	void (*drop)(struct wf_leftover *leftover);
};

struct wf_contexts {
	/* plan/: a mail whose context or port was freed; NULL: dropped. */
	void (*orphan)(struct weft_job *job, const struct wf_letter *letter);
	/*
	 * p2p/: makes who listens to matched messages, where it can; NULL while
	 * there is only the world, which is not freed, and holds nothing that
	 * senders wait for in vain.  And: contexts were freed, or the job
	 * closes.
	 */
	void (*listen)(struct weft_job *job);
	void (*swept)(struct weft_job *job);
	struct wf_cargo *office;	/* of p2p/ */
	struct wf_owed *spare_answer;	/* plan/: without memory; freed here */
	struct wf_map comms;		/* id -> struct weft_comm */
	struct weft_comm *recent;	/* found last; NULL: it was freed */
	struct wf_cid_space ids;
	struct wf_list groups;		/* struct weft_group, all */
	struct wf_list infos;		/* struct weft_info, all */
	struct wf_list leftovers;	/* struct wf_leftover */
	struct wf_list parked;		/* in arrival order */
	struct wf_list places;		/* for when there is no memory */
	uint64_t nparked;		/* now, */
	uint64_t parked_ever;		/* and so far */
	bool relays_lost;		/* of contexts still to come */
	uint64_t made;			/* communicators, freed ones too */
	uint64_t refills;		/* of pools */
	bool said_kept;			/* of topo/: a reorder needs a key */
	bool lacks;			/* of coll/: something was missed, */
	struct wf_poller lacking;	/* which this refuses later */
};

/*
 * What WF_MAIL_RELAY carries to a member of a group, whose ids others make
 * (derive/relay.h).  One that finds no memory to be parked is lost, with its
 * ids, and all later ones of the communicator are dropped.
 */
struct wf_relay_note {
	uint64_t print;			/* of the group */
	uint64_t low, end;		/* the ids; none after a failure */
	int32_t tag;
	int32_t status;
	int32_t dead;			/* a member, in the world, or -1 */
	uint32_t deaths;		/* 1: the sender knows of one */
};

static inline struct wf_contexts *wf_contexts(const struct weft_job *job)
{
	return job->comms;
}

#endif
