/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-bench entry: what a short local call takes while another thread of its
 * rank waits in the library.
 *
 * That thread waits for a message which the rank sends to itself at the end, so
 * it makes progress all the time, and each call takes the lock from it.  The
 * other one computes between two calls, long enough for the lock to be taken
 * again.  Each call is timed by itself.
 */
#include "bench/weft_bench_run.h"
#include "bench/weft_bench_time.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
	PAUSE_USEC = 20,	/* between two calls */
	OF_THE_CALLS = 0,	/* tags */
	OF_THE_END = 1
};

struct entry {
	struct bench_run *run;
	int (*once)(struct bench_run *run, double *us_p);
	pthread_t thread;
	atomic_bool waits;	/* it is about to */
	int waited;		/* status of its wait */
	double *samples;	/* of one call each */
	int n;
};

/* ---- the calls ---- */

static int get_attr(struct bench_run *run, double *us_p)
{
	double start = bench_now();
	void *value;
	bool found;
	int status = weft_comm_get_attr(run->world, &weft_key_tag_ub, &value,
					&found);

	*us_p = bench_now() - start;
	return status;
}

static int probe(struct bench_run *run, double *us_p)
{
	double start = bench_now();
	bool found;
	int status = weft_iprobe(run->world,
				 weft_from(run->rank, OF_THE_CALLS), &found,
				 NULL);

	*us_p = bench_now() - start;
	return status;
}

/* Its receive and the rest are not timed. */
static int send(struct bench_run *run, double *us_p)
{
	struct weft_request *req = NULL;
	double start = bench_now();
	char byte = 1;
	int status = weft_isend(run->world, &byte, 1, &weft_type_byte,
				weft_to(run->rank, OF_THE_CALLS), &req), freed;

	*us_p = bench_now() - start;
	if (status == WEFT_OK)
		status = weft_recv(run->world, &byte, 1, &weft_type_byte,
				   weft_from(run->rank, OF_THE_CALLS), NULL);
	if (status == WEFT_OK)
		status = weft_request_wait(req);
	freed = weft_request_free(&req);
	return status == WEFT_OK ? freed : status;
}

/* ---- the thread that waits ---- */

static void *wait(void *arg)
{
	struct entry *e = arg;
	struct bench_run *run = e->run;

	atomic_store(&e->waits, true);
	e->waited = weft_recv(run->world, NULL, 0, &weft_type_byte,
			      weft_from(run->rank, OF_THE_END), NULL);
	return NULL;
}

/* Returns a status. */
static int begin_wait(struct entry *e)
{
	atomic_init(&e->waits, false);
	if (pthread_create(&e->thread, NULL, wait, e))
		return WEFT_ERR_NOMEM;
	while (!atomic_load(&e->waits))
		;
	return WEFT_OK;
}

static int end_wait(struct entry *e)
{
	struct bench_run *run = e->run;
	int status = weft_send(run->world, NULL, 0, &weft_type_byte,
			       weft_to(run->rank, OF_THE_END));

	if (status != WEFT_OK)
		return status;
	pthread_join(e->thread, NULL);
	return e->waited;
}

/* ---- timing ---- */

static void compute(void)
{
	double until = bench_now() + PAUSE_USEC;

	while (bench_now() < until)
		;
}

static int take_samples(struct entry *e)
{
	int status = WEFT_OK;

	/* As many as are not counted elsewhere, for the caches. */
	for (int i = -e->n / 20; i < e->n && status == WEFT_OK; i++) {
		compute();
		status = e->once(e->run, &e->samples[i > 0 ? i : 0]);
	}
	return status;
}

/* The slowest rank's. */
static int sum_up(struct entry *e, struct bench_times *times_p)
{
	double of[4] = { 0, bench_median(e->samples, e->n) };
	int status;

	of[0] = e->samples[0];
	of[2] = e->samples[e->n - 1 - e->n / 100];
	of[3] = e->samples[e->n - 1];
	status = weft_allreduce(e->run->world, WEFT_IN_PLACE,
				weft_part(of, 4, &weft_type_double),
				&weft_op_max);
	*times_p = (struct bench_times){
		.iterations = e->n, .min = of[0], .median = of[1],
		.p99 = of[2], .max = of[3]
	};
	return status;
}

static int run_call(struct bench_run *run, const char *title,
		    int (*once)(struct bench_run *run, double *us_p))
{
	long n = bench_iterations(run->options, 0);
	struct entry e = { .run = run, .once = once };
	struct bench_line line = { .bound = BENCH_NO_BOUND };
	int status, ended;

	if (n <= INT_MAX / run->options->repeat) {
		e.n = (int)n * run->options->repeat;
		e.samples = calloc((size_t)e.n, sizeof(*e.samples));
	}
	if (!e.samples)
		return WEFT_ERR_NOMEM;
	bench_report_case(run->report, title);
	status = begin_wait(&e);
	if (status == WEFT_OK) {
		status = take_samples(&e);
		ended = end_wait(&e);
		status = status == WEFT_OK ? ended : status;
	}
	if (status == WEFT_OK)
		status = sum_up(&e, &line.times);
	if (status == WEFT_OK)
		bench_report_line(run->report, &line);
	free(e.samples);
	return status;
}

int bench_run_entry(struct bench_run *run)
{
	int status = run_call(run, "weft_comm_get_attr while another thread "
			      "waits", get_attr);

	if (status == WEFT_OK)
		status = run_call(run, "weft_iprobe while another thread "
				  "waits", probe);
	if (status == WEFT_OK)
		status = run_call(run, "weft_isend to itself while another "
				  "thread waits", send);
	return status;
}
