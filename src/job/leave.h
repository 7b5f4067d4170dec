/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who has closed its job, known also to those who have never met it, so that
 * its end is no death: where no memory tells, lifelines do.
 *
 * Behind its byes a rank that leaves tells two keepers of itself, and of all
 * others that it knows of: the first rank that lives of those behind it, and of
 * those half of the job away and behind.  So who finds somebody gone whom it
 * has never met asks the first that lives from the same place on: that one
 * knows of a leaving, and if all in front of it have left, too, and are gone,
 * what it does not know of is a death.  Both give up behind a few that leave at
 * the same time: then all that is known is that it has ended.
 */
#ifndef WEFT_JOB_LEAVE_H
#define WEFT_JOB_LEAVE_H

#include <stdbool.h>
#include <stdint.h>
#include "base/rangeset.h"
#include "job/lifeline_talk.h"

struct weft_job;
struct wf_peer;
struct wf_probe;

enum wf_leave_stage {
	WF_LEAVE_NOT,
	WF_LEAVE_TELLS,
	WF_LEAVE_DONE
};

struct wf_leave {
	bool on;			/* ranks tell and ask: job->env.live */
	struct wf_rangeset left;	/* ranks that have */
	enum wf_leave_stage stage;
	bool asks;			/* a question is under way: */
	int about;			/* whether this rank is dead */
	bool sure;			/* that it has ended */
	int keeper;			/* 0 or 1, of it or of this rank */
	int with;			/* who is talked to */
	int others;			/* that may be, with it */
	int passed;			/* that were not there, or leave */
	uint64_t since;			/* with it */
	uint64_t served;		/* the own lifeline, by then */
	uint64_t begun;			/* the leaving */
	struct wf_life_talk talk;
	struct wf_probe *probe;		/* of that; NULL: none */
};

/* How a conversation goes. */
enum wf_said {
	WF_SAID_NOT_YET,
	WF_SAID_THERE,			/* its host has it, and it is busy */
	WF_SAID_ANSWERED,
	WF_SAID_TO_NOBODY,		/* it is gone, */
	WF_SAID_REFUSED,		/* or seems to be */
	WF_SAID_IN_VAIN			/* it does not listen, or leaves, too */
};

void wf_leave_init(struct weft_job *job);
void wf_leave_fini(struct weft_job *job);

/* Upcall of the lifeline: these have left.  False: no memory, or no ranks. */
bool wf_leave_told(void *arg, int first, int last);

bool wf_leave_knows(const struct weft_job *job, int rank);

/*
 * A peer that has never been met has ended, or, if that is not sure, seems to
 * have: find out how.  Nothing, while another question is under way.
 */
void wf_leave_ask(struct wf_peer *peer, bool sure);

/* By the detector's ticks. */
void wf_leave_progress(struct weft_job *job);

/* Is a question under way, or does this rank leave? */
static inline bool wf_leave_is_busy(const struct wf_leave *leave)
{
	return leave->asks || leave->stage != WF_LEAVE_NOT;
}

/* This rank leaves, behind its byes: tell, for 2 s at most. */
void wf_leave_tell(struct weft_job *job);

#endif
