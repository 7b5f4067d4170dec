/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A run from its options to its result: sets up what the ranks share, lets the
 * simulator run them, and turns what they left into figures.
 */
#include "tools/weft-sim/weft_sim_run.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <weft/status.h>

#include "tools/weft-sim/weft_sim_trace.h"

size_t wsim_resident(void)
{
	FILE *in = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;

	if (!in)
		return 0;
	if (fscanf(in, "%*u %lu", &pages) != 1)
		pages = 0;
	fclose(in);
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool prepare(struct wsim_run *run)
{
	run->ops = run->options->warmup + run->options->iterations;
	run->want_op = -1;
	run->moved.op = -1;
	run->end = calloc((size_t)run->options->iterations,
			  sizeof(*run->end));
	run->entered = calloc((size_t)run->ops, sizeof(*run->entered));
	run->want = calloc(WSIM_PERIOD, sizeof(*run->want));
	run->id = calloc((size_t)run->ranks, sizeof(*run->id));
	for (int r = 0; run->id && r < run->ranks; r++)
		run->id[r].op = -1;
	return run->end && run->entered && run->want && run->id;
}

static void clear(struct wsim_run *run)
{
	free(run->end);
	free(run->entered);
	free(run->want);
	free(run->id);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static double middle(const uint64_t *sorted, size_t n)
{
	return ((double)sorted[(n - 1) / 2] + (double)sorted[n / 2]) / 2;
}

static void evaluate(struct wsim_run *run, struct wsim_result *result)
{
	size_t n = (size_t)run->options->iterations;

	result->refused = run->refused;
	result->timed = run->resident;
	if (!result->timed)
		return;
	qsort(run->end, n, sizeof(*run->end), compare);
	result->min = (double)run->end[0] * 1e-6;
	result->median = middle(run->end, n) * 1e-6;
	result->max = (double)run->end[n - 1] * 1e-6;
	result->messages = (double)run->messages / (double)n / run->ranks;
	if (run->resident > run->resident_before)
		result->memory = (double)(run->resident -
					  run->resident_before) / run->ranks;
}

static void set_options(const struct wsim_run *run,
			struct wf_sim_options *options)
{
	wf_sim_options_init(options, run->ranks, run->seed);
	if (run->options->ppn < run->ranks)
		options->ranks_per_node = (int)run->options->ppn;
	if (run->options->net.name)
		options->net = &run->options->net;
	if (run->options->node_net.name)
		options->node_net = &run->options->node_net;
	options->shape = run->options->shape;
	if (run->trace)
		options->observer = wsim_trace_observer(run->trace);
	wsim_faults_set(&run->options->faults, options);
}

bool wsim_run(struct wsim_run *run, struct wsim_result *result_p)
{
	struct wsim_result result = { .timed = false };
	char coll[sizeof("WEFT_COLL=radix:16")];
	/* all of it at once: segments side by side are one mapping then */
	char *const settings[] = {
		"WEFT_ARENA=64m", "WEFT_ARENA_MAX=64m", coll, NULL
	};
	struct wf_sim_options options;
	int status = WEFT_ERR_NOMEM;

	snprintf(coll, sizeof(coll), "WEFT_COLL=radix:%d", run->radix);
	set_options(run, &options);
	options.environ = settings;
	run->kills = options.kill_rank >= 0;
	run->cuts = options.down.until_ns == UINT64_MAX;
	/* what earlier runs left would be used again and not be counted */
	malloc_trim(0);
	run->resident_before = wsim_resident();
	result.wall = seconds();
	if (prepare(run))
		status = wf_sim_run(&options, wsim_rank_main, run,
				    &result.sim);
	result.wall = seconds() - result.wall;
	if (!status)
		evaluate(run, &result);
	clear(run);
	if (status) {
		fprintf(stderr, "weft-sim: %d ranks, seed %llu: %s\n",
			run->ranks, (unsigned long long)run->seed,
			weft_status_text(status));
		return false;
	}
	*result_p = result;
	return true;
}

bool wsim_result_good(const struct wsim_run *run,
		      const struct wsim_result *result)
{
	int living = run->ranks - (result->sim.killed >= 0);

	return !result->sim.violations && !result->sim.hung &&
	       result->sim.finished == living;
}
