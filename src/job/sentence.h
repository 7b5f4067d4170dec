/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sentence of the last failed call, of each thread that had one.  All hang
 * from the job.  A thread reads its own without the lock: no other writes it.
 */
#ifndef WEFT_JOB_SENTENCE_H
#define WEFT_JOB_SENTENCE_H

#include <weft/job.h>

enum {
	WF_ERROR_TEXT = 508		/* bytes of a sentence */
};

struct wf_failure {
	enum weft_argument argument;	/* that the text names */
	char text[WF_ERROR_TEXT];
};

struct wf_sentence;

/*
 * What this thread has been told last, to be written.  With the job entered.
 * Without memory it is the job's, which no thread is shown.
 */
struct wf_failure *wf_failure(struct weft_job *job);

static inline char *wf_sentence(struct weft_job *job)
{
	return wf_failure(job)->text;
}

void wf_sentences_fini(struct weft_job *job);

#endif
