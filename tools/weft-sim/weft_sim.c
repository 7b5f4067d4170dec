/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-sim: the library itself on simulated ranks, in virtual time.
 *
 * main() goes over the runs that were asked for, one after the other: a number
 * of ranks, a seed, a number of bytes and an algorithm each. A run that went
 * wrong is told, and the others are run all the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "bench/weft_bench_words.h"
#include "tools/weft-sim/weft_sim_graph.h"
#include "tools/weft-sim/weft_sim_options.h"
#include "tools/weft-sim/weft_sim_report.h"
#include "tools/weft-sim/weft_sim_run.h"
#include "tools/weft-sim/weft_sim_shrink.h"
#include "tools/weft-sim/weft_sim_trace.h"
#include "tools/weft-sim/weft_sim_validate.h"

/*
 * Thousands of ranks are all over the heap: on huge pages 4096 of them take a
 * tenth less.  The C library uses those if that was said before it started.
 */
static void start_on_huge_pages(char **argv)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	/* What a privileged program is told it does not hear. */
	if (n < 0 || getenv("GLIBC_TUNABLES") || getauxval(AT_SECURE) ||
	    setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", 1))
		return;
	path[n] = 0;
	execv(path, argv);
}

static bool one_run(struct wsim_report *report, struct wsim_run *run)
{
	struct wsim_result result;
	bool ran, good = true;

	if (run->options->trace) {
		run->trace = wsim_trace_open(run->options->trace, run);
		if (!run->trace)
			return false;
	}
	ran = wsim_run(run, &result);
	if (run->trace)
		good = wsim_trace_close(run->trace, ran ? &result.sim : NULL);
	if (!ran)
		return false;
	wsim_report_run(report, run, &result);
	return wsim_result_good(run, &result) && good;
}

/* One number of ranks, one seed: they make the graph. */
static bool all_messages(struct wsim_report *report, size_t ranks,
			 uint64_t seed)
{
	const struct wsim_options *options = report->options;
	struct wsim_graph graph = { .ranks = (int)ranks };
	bool good = true;

	if (options->graph &&
	    !wsim_graph_make(options->graph, (int)ranks, seed, &graph))
		return false;
	for (int i = 0; i < options->nbytes * options->nradices; i++) {
		struct wsim_run run = {
			.options = options,
			.graph = options->graph ? &graph : NULL,
			.ranks = graph.ranks,
			.bytes = options->bytes[i / options->nradices],
			.radix = options->radix[i % options->nradices],
			.seed = seed
		};

		good &= one_run(report, &run);
	}
	wsim_graph_free(&graph);
	return good;
}

static int simulate(int argc, char **argv)
{
	struct wsim_options options;
	struct wsim_report report;
	bool good = true;

	start_on_huge_pages(argv);
	wf_fd_hold_standard();
	switch (wsim_options_parse(argc, argv, &options)) {
	case WSIM_TODO_NOTHING:
		return 0;
	case WSIM_TODO_FAIL:
		return 2;
	case WSIM_TODO_RUN:
		break;
	}
	if (options.command == WSIM_VALIDATE)
		return wsim_validate();
	if (options.shrink)
		return wsim_shrink(&options);
	wsim_report_open(&report, &options);
	for (int i = 0; i < (options.nranks ? options.nranks : 1); i++) {
		size_t ranks = options.nranks ? options.ranks[i] : 0;

		for (long s = 0; s < options.seeds; s++)
			good &= all_messages(&report, ranks,
					     options.seed + (uint64_t)s);
	}
	good &= wsim_report_close(&report);
	return good ? 0 : 1;
}

int main(int argc, char **argv)
{
	return option_end("weft-sim", simulate(argc, argv));
}
