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
	size_t timed;

	run->phases = wsim_phases(run->options);
	run->first = run->options->warmup * run->phases;
	run->ops = run->first + run->options->iterations * run->phases;
	timed = (size_t)(run->ops - run->first);
	run->want_op = -1;
	run->moved.op = -1;
	run->end = calloc(timed, sizeof(*run->end));
	if (run->phases > 1)
		run->took = calloc(timed * (size_t)run->ranks,
				   sizeof(*run->took));
	run->entered = calloc((size_t)run->ops, sizeof(*run->entered));
	run->want = calloc(WSIM_PERIOD, sizeof(*run->want));
	run->id = calloc((size_t)run->ranks, sizeof(*run->id));
	for (int r = 0; run->id && r < run->ranks; r++)
		run->id[r].op = -1;
	return run->end && run->entered && run->want && run->id &&
	       (run->took || run->phases == 1);
}

static void clear(struct wsim_run *run)
{
	free(run->end);
	free(run->took);
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

/* Of each round, from those of its operations. */
static void add_up(struct wsim_run *run)
{
	size_t n = (size_t)run->phases;

	for (size_t i = 0; i < (size_t)run->options->iterations; i++) {
		uint64_t sum = 0;

		for (size_t k = 0; k < n; k++)
			sum += run->end[i * n + k];
		run->end[i] = sum;
	}
}

static void evaluate_phase(const struct wsim_run *run, int phase,
			   struct wsim_result *result)
{
	struct wsim_phase *p = &result->phase[phase];
	size_t rounds = (size_t)run->options->iterations;
	size_t n = rounds * (size_t)run->ranks;
	uint64_t *took = run->took + (size_t)phase * n;
	double messages = (double)run->messages[phase];

	qsort(took, n, sizeof(*took), compare);
	p->median = middle(took, n) * 1e-6;
	p->max = (double)took[n - 1] * 1e-6;
	p->messages = messages / (double)n;
	if (run->use.neighbors)
		p->per_neighbor = messages / (double)run->use.neighbors;
}

static void evaluate_use(const struct wsim_run *run,
			 struct wsim_result *result)
{
	double n = (double)run->options->iterations * run->ranks;

	result->heap = (double)run->use.heap / n;
	result->segment = (double)run->use.segment / n;
	result->neighbors = (double)run->use.neighbors / n;
}

static void evaluate(struct wsim_run *run, struct wsim_result *result)
{
	size_t n = (size_t)run->options->iterations;
	uint64_t messages = 0;

	result->refused = run->refused;
	result->timed = run->resident;
	if (!result->timed)
		return;
	add_up(run);
	qsort(run->end, n, sizeof(*run->end), compare);
	result->min = (double)run->end[0] * 1e-6;
	result->median = middle(run->end, n) * 1e-6;
	result->max = (double)run->end[n - 1] * 1e-6;
	for (int i = 0; i < run->phases; i++)
		messages += run->messages[i];
	result->messages = (double)messages / (double)n / run->ranks;
	for (int i = 0; run->took && i < run->phases; i++)
		evaluate_phase(run, i, result);
	evaluate_use(run, result);
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
