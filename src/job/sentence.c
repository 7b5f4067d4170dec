/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "job/job.h"

/*
 * Never taken out of the list before the job closes.  A new thread may get the
 * pthread_t of one that has ended, and then has its place, not its sentence:
 * the numbers of the kernel tell them apart.
 */
struct wf_sentence {
	struct wf_sentence *next;
	pthread_t thread;
	atomic_long tid;
	char text[WF_ERROR_TEXT];
};

static bool is_own(const struct wf_sentence *s)
{
	return atomic_load_explicit(&s->tid, memory_order_relaxed) ==
	       syscall(SYS_gettid);
}

static char *take_over(struct wf_sentence *s)
{
	atomic_store_explicit(&s->tid, syscall(SYS_gettid),
			      memory_order_relaxed);
	s->text[0] = 0;
	return s->text;
}

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
		return is_own(s) ? s->text : take_over(s);
	s = calloc(1, sizeof(*s));
	if (!s)
		return job->error;
	s->thread = pthread_self();
	take_over(s);
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
	return s && is_own(s) ? s->text : "";
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
