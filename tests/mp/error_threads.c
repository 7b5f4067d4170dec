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

static void each_its_own(void)
{
	static struct caller caller[THREADS];
	struct weft_inproc *inproc;
	struct weft_job_options options;

	if (!TAP_EQUAL(weft_inproc_create(1, &inproc), WEFT_OK))
		return;
	weft_job_options_init(&options, sizeof(options));
	options.inproc = inproc;
	options.threads = true;
	if (!TAP_EQUAL(weft_job_open(&options, &job), WEFT_OK))
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
	TAP_EQUAL(weft_job_close(job), WEFT_OK);
	weft_inproc_destroy(inproc);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "each thread has a sentence of its own", each_its_own }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
