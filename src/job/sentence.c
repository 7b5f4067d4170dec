/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdatomic.h>
#include <stdlib.h>
#include "job/job.h"

/* Never taken out of the list before the job closes. */
struct wf_sentence {
	struct wf_sentence *next;
	pthread_t thread;
	char text[WF_ERROR_TEXT];
};

static struct wf_sentence *find(const struct weft_job *job)
{
	struct wf_sentence *s = atomic_load_explicit(&job->sentences,
						     memory_order_acquire);

	while (s && !pthread_equal(s->thread, pthread_self()))
		s = s->next;
	return s;
}

char *wf_sentence(struct weft_job *job)
{
	struct wf_sentence *s;

	if (!job->threads)
		return job->error;
	s = find(job);
	if (s)
		return s->text;
	s = calloc(1, sizeof(*s));
	if (!s)
		return job->error;
	s->thread = pthread_self();
	s->next = atomic_load_explicit(&job->sentences, memory_order_relaxed);
	atomic_store_explicit(&job->sentences, s, memory_order_release);
	return s->text;
}

const char *weft_error_text(const struct weft_job *job)
{
	const struct wf_sentence *s;

	if (!job)
		return "";
	if (!job->threads)
		return job->error;
	s = find(job);
	return s ? s->text : "";
}

void wf_sentences_fini(struct weft_job *job)
{
	struct wf_sentence *s = atomic_load_explicit(&job->sentences,
						     memory_order_acquire);

	while (s) {
		struct wf_sentence *next = s->next;

		free(s);
		s = next;
	}
}
