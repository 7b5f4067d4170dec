/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is said by a lifeline behind its greeting: words of 8 letters, two ranks
 * of 4 bytes, and their tag by the key of the listener's blob.
 */
#ifndef WEFT_JOB_LIFELINE_TALK_H
#define WEFT_JOB_LIFELINE_TALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wf_blob_key;
struct wf_rangeset;

enum {
	WF_LIFE_WORD = 24
};

enum wf_life_kind {
	WF_LIFE_LOST,		/* the caller has given the listener up */
	WF_LIFE_LEFT,		/* these have closed their jobs */
	WF_LIFE_ENDS,		/* those were all; in answer to that: kept */
	WF_LIFE_WHO,		/* which of these have?  LEFT..., ENDS */
	WF_LIFE_KINDS
};

struct wf_life_word {
	enum wf_life_kind kind;
	int first, last;	/* ranks; of LOST: the caller's, 0 */
};

/* False: that is none, or of somebody without the key. */
bool wf_life_read(const uint8_t bytes[WF_LIFE_WORD], struct wf_life_word *word,
		  const struct wf_blob_key *key);
void wf_life_write(uint8_t bytes[WF_LIFE_WORD],
		   const struct wf_life_word *word,
		   const struct wf_blob_key *key);

/*
 * What a caller says, to its end: the ranges of a set, if there is one, then
 * the last word, which is answered.
 */
struct wf_life_talk {
	const struct wf_rangeset *tells;	/* NULL: none */
	struct wf_life_word last;			/* ENDS or WHO */
	bool (*left)(void *arg, int first, int last);	/* of the answer */
	void *arg;
	bool over;			/* it is answered */
	bool hung_up;			/* it was cut off behind the greeting */
	size_t said;			/* bytes */
	unsigned n;			/* so far, of the next word */
	uint8_t bytes[WF_LIFE_WORD];
};

/* From its beginning. */
void wf_life_renew(struct wf_life_talk *talk);

/* Has all been said? */
bool wf_life_is_said(const struct wf_life_talk *talk);

/* These never wait.  False: there is nobody to talk to by this connection. */
bool wf_life_say(struct wf_life_talk *talk, int fd,
		 const struct wf_blob_key *key);
bool wf_life_hear(struct wf_life_talk *talk, int fd,
		  const struct wf_blob_key *key);

/* What a listener answers: those of the set that were asked for. */
bool wf_life_answer(const struct wf_rangeset *gone,
		    const struct wf_life_word *who, int fd,
		    const struct wf_blob_key *key);

#endif
