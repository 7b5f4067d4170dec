/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What both ends of an edge are made of: its name, its landing slots, its
 * record of the last epochs, and what they tell each other about them.  For
 * the channels (channel.h) and for questions and answers (inquiry.h).
 */
#ifndef WEFT_PLAN_EDGE_H
#define WEFT_PLAN_EDGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "job/mailbox.h"
#include "transport/transport.h"

struct wf_in;

enum {
	WF_SLOTS_MAX = 8,		/* 2w, w up to 4 */
	WF_AREA_CHUNKS = 4,
	WF_MAILED_EPOCHS = 4,		/* a collective's first ones */
	WF_MAILED_MAX = 2048		/* bytes of their messages */
};

/* How an edge is named in mails: ranks of the communicator. */
struct wf_edge {
	int32_t sender, receiver;
	uint32_t k;			/* the k-th edge of this pair */
	uint32_t direction;		/* 0; a stage of a collective */
};

static inline bool wf_edge_is(const struct wf_edge *a, const struct wf_edge *b)
{
	return a->sender == b->sender && a->receiver == b->receiver &&
	       a->k == b->k && a->direction == b->direction;
}

/* Epochs: of a set, or where not every edge has each of them, of an edge. */
struct wf_count {
	uint64_t next;			/* epoch of the next start */
	uint64_t done;			/* all epochs below are complete */
	uint64_t lost;			/* first one that missed somebody */
	uint32_t mail_end;		/* epochs below go by mail */
	uint32_t early;			/* bit i: epoch done + i is complete */
};

/*
 * One set of landing slots and signals, serving epochs from `first` on, at the
 * receiver, which keeps those that may still be in use, the newest first.
 */
struct wf_landing {
	struct wf_landing *older;
	struct wf_owed mail;		/* tells the sender */
	struct wf_in *in;
	bool acknowledged;		/* the sender has it; */
	uint64_t older_until;		/* epochs below may use older ones */
	uint64_t first;
	uint64_t capacity;		/* payload bytes of a slot; 0: none */
	uint64_t offset;		/* slot 0 in the segment */
	uint32_t sig[WF_SLOTS_MAX];
	const _Atomic uint64_t *word[WF_SLOTS_MAX];
	uint64_t used[WF_SLOTS_MAX];	/* raises consumed */
};

/*
 * What the sender knows of a landing.  There is one for each epoch at most,
 * and of epochs that a receiver may have started and the sender not completed
 * there are less than 2w: so many lie beside their edge from its making on.
 */
struct wf_target {
	uint64_t first, capacity;
	struct wf_rloc base;		/* slot 0 */
	uint32_t sig[WF_SLOTS_MAX];
};

/* What an edge did in one of the last 2w epochs: for questions about it. */
struct wf_record {
	uint64_t epoch;
	uint64_t bytes;			/* WF_REFUSED: a refused call */
	int32_t status;			/* why it was refused */
	bool put;			/* it, or its ready line, went out */
	bool mailed;			/* all of it, by mail */
	bool over;			/* through with it here */
};
#define WF_REFUSED UINT64_MAX

/* One end's view of an epoch, as a question or answer tells it. */
struct wf_verdict {
	bool known : 1;
	bool question : 1;		/* it waits, and has not put; */
	bool early : 1;			/* nor begun, without a credit */
	bool put : 1, mailed : 1;	/* as in struct wf_record */
	int32_t status;			/* of a refusal; 0: sizes differ */
	uint64_t epoch;
	uint64_t bytes;
	uint64_t chunks;		/* that the sender ever put */
};

/*
 * Questions and answers of one end, made with their set: none of them needs
 * memory later.  An epoch has one at a time, the newest, which says what is
 * true when it leaves.
 */
enum wf_word {
	WF_WORD_NONE,
	WF_WORD_QUESTION,		/* of the record */
	WF_WORD_EARLY,			/* question, before there is one */
	WF_WORD_ANSWER,			/* of the record */
	WF_WORD_NEVER_PEER,		/* not put: somebody is dead */
	WF_WORD_NEVER_GRAPH		/* not put: the epoch does not come */
};

/* Behind the places of epochs, in wf_talk.due: the word on all to come. */
enum { WF_DUE_END = WF_SLOTS_MAX };

struct wf_talk {
	struct wf_owed owed;		/* the mail of the next of these */
	uint8_t due[WF_DUE_END + 1];	/* enum wf_word, of epochs mod 2w */
	bool wanted;			/* the word of the end: asked for, */
	bool said;			/* owed or sent, */
	bool ended;			/* heard: nothing comes any more */
	uint32_t after;			/* posts that are visible before it */
	struct wf_verdict *heard;	/* 2w: for `verdict` of the edge */
};

/* Landing slots that serve an epoch; NULL: none known yet. */
static inline struct wf_landing *wf_landing_of(struct wf_landing *newest,
					       uint64_t epoch)
{
	while (newest && newest->first > epoch)
		newest = newest->older;
	return newest;
}

#endif
