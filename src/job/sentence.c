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
	struct wf_failure failure;
};

static bool is_own(const struct wf_sentence *s)
{
	return atomic_load_explicit(&s->tid, memory_order_relaxed) ==
	       syscall(SYS_gettid);
}

static struct wf_failure *take_over(struct wf_sentence *s)
{
	atomic_store_explicit(&s->tid, syscall(SYS_gettid),
			      memory_order_relaxed);
	s->failure.argument = WEFT_ARGUMENT_NONE;
	s->failure.text[0] = 0;
	return &s->failure;
}

static struct wf_sentence *find(const struct weft_job *job)
{
	struct wf_sentence *s = atomic_load_explicit(&job->sentences,
						     memory_order_acquire);

	while (s && !pthread_equal(s->thread, pthread_self()))
		s = s->next;
	return s;
}

struct wf_failure *wf_failure(struct weft_job *job)
{
	struct wf_sentence *s;

	if (!job->threads)
		return &job->failure;
	s = find(job);
	if (s)
		return is_own(s) ? &s->failure : take_over(s);
	s = calloc(1, sizeof(*s));
	if (!s)
		return &job->failure;
	s->thread = pthread_self();
	take_over(s);
	s->next = atomic_load_explicit(&job->sentences, memory_order_relaxed);
	atomic_store_explicit(&job->sentences, s, memory_order_release);
	return &s->failure;
}

/* NULL: this thread has been told nothing. */
static const struct wf_failure *own_failure(const struct weft_job *job)
{
	const struct wf_sentence *s;

	if (!job || !job->threads)
		return job ? &job->failure : NULL;
	s = find(job);
	return s && is_own(s) ? &s->failure : NULL;
}

const char *weft_error_text(const struct weft_job *job)
{
	const struct wf_failure *failure = own_failure(job);

	return failure ? failure->text : "";
}

enum weft_argument weft_error_argument(const struct weft_job *job)
{
	const struct wf_failure *failure = own_failure(job);

	return failure ? failure->argument : WEFT_ARGUMENT_NONE;
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
