/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a communicator's ranks.  Whoever aborts it mails that as a death
 * is mailed (job/flood.h), also to ranks that are not in it, which pass it on;
 * members end once those they tell have it, or a second later.  To all others
 * these are deaths as any.
 */
#ifndef WEFT_JOB_ABORT_H
#define WEFT_JOB_ABORT_H

#include <stdint.h>
#include "base/list.h"
#include "job/mailbox.h"

enum {
	WF_ABORT_MS = 1000,	/* for the others to be told */
	WF_ABORT_WORDS = 31	/* distances, of ranks that are an int */
};

/* One that this rank knows of; the word to each rank that it tells. */
struct wf_abort {
	struct wf_list link;		/* in job->aborts */
	uint64_t context;
	int rank;			/* who aborted it; of several groups
					   with this id it is the one's with
					   this member */
	int code;
	struct wf_abort_word {
		struct wf_owed owed;
		const struct wf_abort *of;
		struct wf_peer *to;	/* NULL: nobody is there */
	} words[WF_ABORT_WORDS];
};

/* No exit code that a shell would take for success is one of an abort. */
int wf_abort_code(int code);

/* Ends this rank and all others of a context, which it is in. */
void wf_abort_context(struct weft_job *job, uint64_t context, int code)
	__attribute__((noreturn));

/* WF_MAIL_ABORT has come. */
void wf_abort_deliver(struct weft_job *job, const struct wf_letter *letter);

/* A context is new here: was it aborted?  Progress ends the rank then. */
void wf_abort_look(struct weft_job *job);

/* By progress, behind a pass, if job->ending. */
void wf_abort_end(struct weft_job *job) __attribute__((noreturn));

void wf_abort_fini(struct weft_job *job);

#endif
