/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tests/reorder_time [SIDE [PER_NODE [SEED]]]: what each method of reorder
 * finds for a cube of SIDE^3 processes, PER_NODE of them on a node, and its
 * time and memory.  A tool for people, not a test.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include "base/clock.h"
#include "tests/reorder_stencil.h"
#include "topo/reorder.h"

static const struct {
	enum wf_reorder_method method;
	int refine;
} runs[] = {
	{ WF_REORDER_NONE, 0 },
	{ WF_REORDER_GREEDY, 0 },
	{ WF_REORDER_GREEDY, 8 },
	{ WF_REORDER_RCB, 0 },
	{ WF_REORDER_RCB, 8 },
	{ WF_REORDER_SCOTCH, 0 },
	{ WF_REORDER_SCOTCH, 8 },
};

/* In percent of all weight, and of one direction as edges are symmetric. */
static void print_cost(const struct weft_reorder_cost *cost, int64_t all)
{
	printf("%6.2f %% %9lld %7lld", 100.0 * (double)cost->sum / (double)all,
	       (long long)cost->max / 2, (long long)cost->messages);
}

static void run(const struct stencil *s, const struct wf_reorder_graph *graph,
		const struct wf_reorder_keys *keys)
{
	const struct wf_reorder_places places = {
		s->node[s->n - 1] + 1, s->node };
	struct wf_reorder_result result;
	int *place = malloc((size_t)s->n * sizeof(*place));
	uint64_t from = wf_clock_ns();
	struct rusage usage;
	int64_t all = 0;

	for (int64_t i = 0; i < s->count; i++)
		all += s->edges[i].weight;
	if (!place || wf_reorder(graph, &places, keys, place, &result))
		abort();
	from = wf_clock_ns() - from;
	getrusage(RUSAGE_SELF, &usage);
	printf("%-7s %s %d  ", wf_reorder_method_name(keys->method),
	       keys->metric == WF_REORDER_MAX ? "max" : "sum", keys->refine);
	print_cost(&result.after, all);
	printf(" %9.1f ms %6ld MB  moved %d%s%s%s%s\n", (double)from / 1e6,
	       usage.ru_maxrss / 1024, result.moved,
	       result.kept ? ", " : "", result.kept ? result.kept : "",
	       result.instead ? ", " : "",
	       result.instead ? result.instead : "");
	free(place);
}

int main(int argc, char **argv)
{
	int side = argc > 1 ? atoi(argv[1]) : 16;
	int per_node = argc > 2 ? atoi(argv[2]) : 64;
	struct wf_reorder_graph graph;
	struct stencil s;
	uint64_t from;

	if (side < 2 || side > 200 || per_node < 1) {
		fprintf(stderr, "usage: %s [SIDE [PER_NODE [SEED]]]\n",
			argv[0]);
		return 2;
	}
	stencil_init(&s, side, per_node, argc > 3 ? (uint64_t)atoll(argv[3]) :
		     1);
	from = wf_clock_ns();
	if (wf_reorder_graph_init(&graph, s.n, s.edges, s.count))
		abort();
	printf("%d processes, %lld edges, graph in %.1f ms\n", s.n,
	       (long long)s.count, (double)(wf_clock_ns() - from) / 1e6);
	for (size_t i = 0; i < 2 * sizeof(runs) / sizeof(runs[0]); i++) {
		const struct wf_reorder_keys keys = {
			.method = runs[i / 2].method,
			.refine = runs[i / 2].refine,
			.metric = i % 2 ? WF_REORDER_MAX : WF_REORDER_SUM,
			.coords = s.coords };

		run(&s, &graph, &keys);
	}
	wf_reorder_graph_fini(&graph);
	stencil_fini(&s);
	return 0;
}
