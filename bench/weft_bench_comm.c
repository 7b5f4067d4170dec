/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-bench dup and split: a communicator of all ranks is made and freed.  No
 * message goes with the first one; the second one is an exchange among all, in
 * two stages of latency like a barrier.
 */
#include "bench/weft_bench_run.h"
#include "bench/weft_bench_time.h"

static int dup_once(struct bench_run *run, struct weft_comm **made_p)
{
	return weft_comm_dup(run->world, made_p);
}

static int split_once(struct bench_run *run, struct weft_comm **made_p)
{
	return weft_comm_split(run->world, 0, run->rank, made_p);
}

struct constructor {
	struct bench_run *run;
	int (*once)(struct bench_run *run, struct weft_comm **made_p);
};

static int time_constructor(void *arg, long n, double *us_p)
{
	const struct constructor *c = arg;
	double start = bench_now();
	int status = WEFT_OK;

	for (long i = 0; i < n && status == WEFT_OK; i++) {
		struct weft_comm *made = NULL;

		status = c->once(c->run, &made);
		if (status == WEFT_OK)
			status = weft_comm_free(&made);
	}
	*us_p = (bench_now() - start) / (double)n;
	return status;
}

static int run_constructor(struct constructor *c, const char *title,
			   enum bench_bound bound)
{
	struct bench_run *run = c->run;
	struct bench_line line = {
		.bound = run->ratios ? bound : BENCH_NO_BOUND
	};
	int status;

	bench_report_case(run->report, title);
	status = bench_time(run, time_constructor, c, 0, &line.times);
	if (status == WEFT_OK)
		bench_report_line(run->report, &line);
	return status;
}

int bench_run_dup(struct bench_run *run)
{
	struct constructor c = { run, dup_once };

	return run_constructor(&c, "dup and free", BENCH_NO_BOUND);
}

int bench_run_split(struct bench_run *run)
{
	struct constructor c = { run, split_once };

	return run_constructor(&c, "split of one colour and free",
			       BENCH_BY_FLAG);
}
