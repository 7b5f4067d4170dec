/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several threads wait in a job, of which one sleeps for all: none of them
 * waits for longer than what it waits for, also when it comes while another
 * one sleeps.  The ranks are threads of this process, too, so that
 * ThreadSanitizer sees everything.
 */
#include <time.h>
#include "base/clock.h"
#include "base/random.h"
#include "job/job.h"
#include "tests/mp/graph_threads.h"

enum {
	PAUSE_US = 900,			/* three times WEFT_SLEEP, at most */
	LONG_EACH = 20,			/* rounds of the first graph */
	LONG_US = 20000,
	MOST_MS = 5000			/* of a sleep: no delay is as long */
};

static void pause_us(uint64_t us)
{
	struct timespec t = { .tv_nsec = (long)us * 1000 };

	nanosleep(&t, NULL);
}

/* Rank 1 is late for the first graph, whose thread at rank 0 sleeps. */
static void pause_sometimes(const struct worker *w, struct wf_random *random,
			    int round)
{
	uint64_t draw = wf_random_u64(random);

	if (w->line == 0 && w->rank->rank == 1 && round % LONG_EACH == 0)
		pause_us(LONG_US);
	else if (draw & 1)
		pause_us((draw >> 1) % PAUSE_US);
}

static int test_until_done(struct weft_request *req)
{
	bool done = false;
	int status = WEFT_OK;

	while (!status && !done) {
		status = weft_request_test(req, &done);
		if (!done)
			pause_us(20);
	}
	return status;
}

/* Blocking, by a wait, or by tests, from which another one's wait ends. */
static int exchange(struct full_graph *g, int round)
{
	struct weft_request *req;
	int status;

	if (round % 3 == 0)
		return full_graph_round(g, round);
	full_graph_write(g, round);
	status = weft_ineighbor_alltoallv(g->graph, &g->send, &g->recv,
					  &req);
	if (!status && round % 3 == 1)
		status = test_until_done(req);
	if (!status)
		status = weft_request_wait(req);
	if (!status)
		status = weft_request_free(&req);
	if (!status && full_graph_wrong(g, round) >= 0)
		status = WEFT_ERR_INTERNAL;
	return status;
}

static void *work(void *arg)
{
	struct worker *w = arg;
	struct wf_random random;
	int status = WEFT_OK;

	wf_random_init(&random, (uint64_t)(w->rank->rank * LINES + w->line));
	for (int i = 0; !status && i < w->rank->rounds; i++) {
		pause_sometimes(w, &random, i);
		status = exchange(&w->rank->line[w->line], i);
	}
	if (!TAP_EQUAL(status, WEFT_OK))
		tap_diag("rank %d, graph %d", w->rank->rank, w->line);
	return NULL;
}

static _Atomic uint64_t naps;		/* of all ranks */

static void sleep_now_and_then(struct rank *rank)
{
	rank->job->sleeps.most_ms = MOST_MS;
	work_by_threads(rank, work);
	TAP_EQUAL(rank->job->sleeps.late, 0);
	naps += rank->job->sleeps.taken;
}

static void one_sleeps_for_all(void)
{
	run_ranks((int)tap_figure("PAUSES", 400), sleep_now_and_then);
	TAP_CHECK(naps > 0);
}

/* ---- what a thread leaves behind wakes another one ---- */

enum {
	CALLS = 5,
	CALLS_MS = CALLS * MOST_MS / 4	/* without being woken: more */
};

static atomic_bool go_on;		/* rank 1 enters the barrier */

static void *wait_in_barrier(void *arg)
{
	TAP_EQUAL(weft_barrier(weft_job_world(arg)), WEFT_OK);
	return NULL;
}

static void *be_late(void *arg)
{
	struct weft_job *job = open_rank(arg, 1);

	TAP_EQUAL(weft_barrier(weft_job_world(job)), WEFT_OK);
	while (!go_on)
		pause_us(1000);
	TAP_EQUAL(weft_barrier(weft_job_world(job)), WEFT_OK);
	TAP_EQUAL(weft_job_close(job), WEFT_OK);
	return NULL;
}

/* How often has the job slept?  The sleeper is woken by the call. */
static uint64_t call(struct weft_job *job)
{
	uint64_t taken = 0;

	if (TAP_EQUAL(wf_job_enter(job), WEFT_OK)) {
		taken = job->sleeps.taken;
		wf_job_leave(job);
	}
	pause_us(1000);
	return taken;
}

static void call_often(struct weft_job *job)
{
	uint64_t first, began;

	while (!call(job))
		;
	first = call(job);
	began = wf_clock_ns();
	while (call(job) < first + CALLS)
		;
	began = (wf_clock_ns() - began) / WF_NS_PER_MS;
	if (!TAP_CHECK(began < CALLS_MS))
		tap_diag("%d sleeps took %d ms", CALLS, (int)began);
}

static void who_leaves_wakes(void)
{
	struct weft_inproc *inproc;
	struct weft_job *job;
	pthread_t late, waiter;

	if (!TAP_EQUAL(weft_inproc_create(RANKS, &inproc), WEFT_OK))
		return;
	go_on = false;
	pthread_create(&late, NULL, be_late, inproc);
	job = open_rank(inproc, 0);
	job->sleeps.most_ms = MOST_MS;
	TAP_EQUAL(weft_barrier(weft_job_world(job)), WEFT_OK);
	pthread_create(&waiter, NULL, wait_in_barrier, job);
	call_often(job);
	go_on = true;
	pthread_join(waiter, NULL);
	TAP_EQUAL(weft_job_close(job), WEFT_OK);
	pthread_join(late, NULL);
	weft_inproc_free(&inproc);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "one sleeps for all", one_sleeps_for_all },
		{ "who leaves the job wakes who sleeps", who_leaves_wakes }
	};

	setenv("WEFT_SLEEP", "300us", 1);
	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
