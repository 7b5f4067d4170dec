/* SPDX-License-Identifier: BSD-3-Clause */
/* Each thread of a job reads the sentence of its own last failure. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "tests/tap.h"
#include <weft.h>

enum {
	THREADS = 4,
	ROUNDS = 500
};

struct caller {
	pthread_t thread;
	int number;
	int wrong;
	bool silent;			/* it had read nothing by then */
};

static struct weft_job *job;
static pthread_barrier_t together;

static bool tells(const char *text)
{
	return strstr(weft_error_text(job), text);
}

/* All have failed before any of them asks why. */
static void fail_otherwise(struct caller *c, int round)
{
	const int tag = -100 - round * THREADS - c->number;
	char text[32];
	int out = 0;

	snprintf(text, sizeof(text), "the tag is %d", tag);
	c->wrong += weft_send(weft_job_world(job), &out, 1, &weft_type_int32,
			      weft_to(0, tag)) != WEFT_ERR_RANGE;
	pthread_barrier_wait(&together);
	c->wrong += !tells(text);
	/* What succeeds leaves it. */
	c->wrong += weft_job_progress(job) != WEFT_OK;
	c->wrong += !tells(text);
	pthread_barrier_wait(&together);
}

/* The first one does not fail before the others have failed once. */
static void *call(void *arg)
{
	struct caller *c = arg;

	if (!c->number) {
		pthread_barrier_wait(&together);
		c->silent = !*weft_error_text(job);
		pthread_barrier_wait(&together);
	}
	for (int round = !c->number; round < ROUNDS; round++)
		fail_otherwise(c, round);
	return NULL;
}

static struct weft_inproc *inproc;

static bool open_job(void)
{
	struct weft_job_options options;

	if (!TAP_EQUAL(weft_inproc_create(1, &inproc), WEFT_OK))
		return false;
	weft_job_options_init(&options, sizeof(options));
	options.inproc = inproc;
	options.threads = true;
	return TAP_EQUAL(weft_job_open(&options, &job), WEFT_OK);
}

static void close_job(void)
{
	TAP_EQUAL(weft_job_close(job), WEFT_OK);
	weft_inproc_free(&inproc);
}

static void each_its_own(void)
{
	static struct caller caller[THREADS];

	if (!open_job())
		return;
	pthread_barrier_init(&together, NULL, THREADS);
	for (int i = 0; i < THREADS; i++) {
		caller[i].number = i;
		pthread_create(&caller[i].thread, NULL, call, &caller[i]);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(caller[i].thread, NULL);
		TAP_EQUAL(caller[i].wrong, 0);
	}
	TAP_CHECK(caller[0].silent);
	TAP_CHECK(!*weft_error_text(job));
	pthread_barrier_destroy(&together);
	close_job();
}

/* It has the stack of the one before, as a rule, and so its pthread_t. */
static void *fail_at_first(void *arg)
{
	struct caller *c = arg;

	c->silent = !*weft_error_text(job);
	c->wrong += weft_comm_split_type(weft_job_world(job), -1, 0, NULL) !=
		    WEFT_ERR_ARG;
	c->wrong += !*weft_error_text(job);
	return NULL;
}

static void one_after_the_other(void)
{
	if (!open_job())
		return;
	for (int i = 0; i < 5; i++) {
		struct caller c = { .number = i };

		pthread_create(&c.thread, NULL, fail_at_first, &c);
		pthread_join(c.thread, NULL);
		TAP_CHECK(c.silent);
		TAP_EQUAL(c.wrong, 0);
	}
	close_job();
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "each thread has a sentence of its own", each_its_own },
		{ "a new thread has none", one_after_the_other }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
