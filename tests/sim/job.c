/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Jobs of simulated ranks: opening, a few collectives, closing, and that a
 * seed is a run also with the whole library on top.
 */
#include <sys/socket.h>

#include <weft.h>

#include "tests/sim/sim_job.h"
#include "tests/tap.h"

static void program(struct wf_sim_rank *rank, void *arg)
{
	int64_t mine = wf_sim_rank(rank) + 1, sum = 0;
	int64_t size = wf_sim_size(rank);
	struct weft_job *job = NULL;
	int status = wf_sim_job_open(rank, &job);

	(void)arg;
	if (status) {
		wf_sim_fail(rank, "open: %s", weft_status_name(status));
		return;
	}
	for (int i = 0; i < 10; i++) {
		status = weft_allreduce(weft_job_world(job), &mine,
					weft_part(&sum, 1, &weft_type_int64),
					&weft_op_sum);
		if (status || sum != size * (size + 1) / 2)
			wf_sim_fail(rank, "allreduce %d: %s, sum %d", i,
				    weft_status_name(status), (int)sum);
		status = weft_barrier(weft_job_world(job));
		if (status)
			wf_sim_fail(rank, "barrier %d: %s", i,
				    weft_status_name(status));
	}
	status = weft_job_close(job);
	if (status)
		wf_sim_fail(rank, "close: %s", weft_status_name(status));
}

static void collectives(void)
{
	long seeds = tap_figure("SEEDS", 66);
	long first = tap_figure("FIRST_SEED", 1);

	for (long seed = first; seed < first + seeds; seed++) {
		struct wf_sim_options options;
		struct wf_sim_result one = { 0 }, two = { 0 };

		wf_sim_options_init(&options, 1 + (int)(seed % 33),
				    (uint64_t)seed);
		wf_sim_options_vary(&options);
		if (!TAP_EQUAL(wf_sim_run(&options, program, NULL, &one),
			       WEFT_OK) ||
		    !TAP_EQUAL(wf_sim_run(&options, program, NULL, &two),
			       WEFT_OK))
			return;
		if (!TAP_EQUAL(one.violations, 0))
			tap_diag("seed %ld: %s", seed, one.text);
		TAP_EQUAL(one.finished, options.ranks);
		if (!TAP_CHECK(one.trace == two.trace))
			tap_diag("seed %ld: two runs differ", seed);
	}
}

static int count_sockets(void)
{
	int type, n = 0;

	for (int fd = 0; fd < 1000; fd++) {
		socklen_t bytes = sizeof(type);

		n += !getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &bytes);
	}
	return n;
}

static void look_for_sockets(struct wf_sim_rank *rank, void *arg)
{
	const int *before = arg;
	struct weft_job *job;

	if (wf_sim_job_open(rank, &job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	if (weft_barrier(weft_job_world(job)))
		wf_sim_fail(rank, "no barrier");
	if (count_sockets() != *before)
		wf_sim_fail(rank, "%d sockets, %d were", count_sockets(),
			    *before);
	if (weft_job_close(job))
		wf_sim_fail(rank, "cannot close the job");
}

/* Thousands of ranks on as many nodes: none may take a descriptor. */
static void no_sockets(void)
{
	struct wf_sim_options options;
	struct wf_sim_result result = { .violations = 1 };
	int before = count_sockets();

	wf_sim_options_init(&options, 6, 1);
	options.ranks_per_node = 2;
	TAP_EQUAL(wf_sim_run(&options, look_for_sockets, &before, &result),
		  WEFT_OK);
	if (!TAP_EQUAL(result.violations, 0))
		tap_diag("%s", result.text);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "jobs open, reduce and close", collectives },
		{ "simulated nodes open no sockets", no_sockets },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
