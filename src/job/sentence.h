/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sentence of the last failed call, of each thread that had one.  All hang
 * from the job.  A thread reads its own without the lock: no other writes it.
 */
#ifndef WEFT_JOB_SENTENCE_H
#define WEFT_JOB_SENTENCE_H

struct weft_job;

enum {
	WF_ERROR_TEXT = 512		/* bytes of a sentence */
};

struct wf_sentence;

/*
 * WF_ERROR_TEXT bytes for the sentence of this thread.  With the job entered.
 * Without memory the job has bytes that weft_error_text() does not show.
 */
char *wf_sentence(struct weft_job *job);

void wf_sentences_fini(struct weft_job *job);

#endif
