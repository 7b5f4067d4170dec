/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where more ranks than CPUs share the node a wait spins while one that it
 * waits for is on a CPU, and yields where none is; who yields says so.  Two
 * ranks that are one thread here, so that each knows what the other one does.
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <weft.h>
#include "job/yield.h"
#include "tests/meet.h"

enum { LOOKS = 50 };

static struct weft_job *job[2];
static struct weft_inproc *inproc;
static _Atomic uint32_t *watched;	/* while rank 0 waits here */
static int yields;			/* meanwhile, */
static bool unseen;			/* in one of which it was not away */

/* Instead of that of the system. */
int sched_yield(void)
{
	if (watched) {
		yields++;
		unseen |= !*watched;
	}
	return (int)syscall(SYS_sched_yield);
}

static void *open_rank(void *arg)
{
	int rank = (int)(intptr_t)arg;
	struct weft_job_options options;

	weft_job_options_init(&options, sizeof(options));
	options.inproc = inproc;
	options.inproc_rank = rank;
	if (TAP_EQUAL(weft_job_open(&options, &job[rank]), WEFT_OK))
		TAP_EQUAL(meet(job[rank]), WEFT_OK);
	return NULL;
}

static void *close_rank(void *arg)
{
	TAP_EQUAL(weft_job_close(job[(intptr_t)arg]), WEFT_OK);
	return NULL;
}

static void both(void *(*main)(void *arg))
{
	pthread_t thread;

	pthread_create(&thread, NULL, main, (void *)1);
	main((void *)0);
	pthread_join(thread, NULL);
}

static void set_up(void)
{
	setenv("WEFT_TRANSPORT", "shm", 1);
	if (!TAP_EQUAL(weft_inproc_create(2, &inproc), WEFT_OK))
		abort();
	both(open_rank);
	if (!job[0] || !job[1])
		abort();
	job[0]->crowded = true;
	job[0]->pass_mask = 0;
	job[0]->spin = 2 * LOOKS;
	job[0]->config.sleep_ns = UINT64_MAX;
}

static void take_down(void)
{
	both(close_rank);
	weft_inproc_free(&inproc);
}

static struct weft_request *receive(int from)
{
	struct weft_request *req = NULL;

	TAP_EQUAL(weft_irecv(weft_job_world(job[0]), NULL, 0, &weft_type_byte,
			     weft_from(from, 0), &req), WEFT_OK);
	return req;
}

static void give(int rank)
{
	TAP_EQUAL(weft_send(weft_job_world(job[rank]), NULL, 0,
			    &weft_type_byte, weft_to(0, 0)), WEFT_OK);
}

static void end(struct weft_request *req)
{
	TAP_EQUAL(weft_request_wait(req), WEFT_OK);
	TAP_EQUAL(weft_request_free(&req), WEFT_OK);
}

static bool enough(void *arg)
{
	return ++*(int *)arg > LOOKS;
}

static void describe(void *arg, char *text, size_t bytes)
{
	(void)arg;
	snprintf(text, bytes, "some looks");
}

/* So many times a wait of some looks yields. */
static int count_yields(void)
{
	int looks = 0;
	struct wf_wait wait = { enough, describe, &looks };

	while (wf_job_progress(job[0]))
		;
	yields = 0;
	watched = job[0]->dev[0]->away;
	wf_job_wait(job[0], &wait);
	watched = NULL;
	return yields;
}

/* ---- cases ---- */

static void peers(void)
{
	struct weft_request *req;

	set_up();
	TAP_CHECK(!wf_job_is_served(job[0]));
	req = receive(1);
	TAP_CHECK(wf_job_is_served(job[0]));
	wf_job_set_away(job[1], true);
	TAP_CHECK(!wf_job_is_served(job[0]));
	wf_job_set_away(job[1], false);
	TAP_CHECK(wf_job_is_served(job[0]));
	give(1);
	end(req);
	TAP_CHECK(!wf_job_is_served(job[0]));
	take_down();
}

/* From itself nothing comes while it waits; from anybody something may. */
static void itself(void)
{
	struct weft_request *req;

	set_up();
	req = receive(0);
	TAP_CHECK(!wf_job_is_served(job[0]));
	give(0);
	end(req);
	req = receive(WEFT_ANY_SOURCE);
	TAP_CHECK(wf_job_is_served(job[0]));
	give(1);
	end(req);
	take_down();
}

static void waits(void)
{
	struct weft_request *req;

	set_up();
	req = receive(1);
	TAP_EQUAL(count_yields(), 0);
	wf_job_set_away(job[1], true);
	TAP_EQUAL(count_yields(), LOOKS);
	wf_job_set_away(job[1], false);
	/* not for ever: it may have been taken off its CPU */
	job[0]->spin = LOOKS / 5;
	TAP_EQUAL(count_yields(), 4);
	TAP_CHECK(!unseen);
	TAP_EQUAL(*job[0]->dev[0]->away, 0);
	give(1);
	end(req);
	take_down();
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a peer that is on a CPU, or away", peers },
		{ "a message to oneself, and one of anybody", itself },
		{ "a wait spins, or yields and says so", waits },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
