/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reorder: rows of the graph, no memory.
 */
#include "topo/reorder.h"
#include "tests/fail_malloc.h"
#include "tests/tap.h"

#include <weft/status.h>

static void rows(void)
{
	static const struct wf_reorder_edge edges[] = {
		{ 3, 0, 5 }, { 1, 1, 100 }, { 0, 3, 2 }, { 0, 1, 0 },
		{ 3, 0, 1 }, { 3, 1, 7 },
	};
	static const int64_t first[] = { 0, 2, 4, 4, 6 };
	static const int other[] = { 1, 3, 0, 3, 0, 1 };
	static const int64_t weight[] = { 0, 8, 0, 7, 8, 7 };
	struct wf_reorder_graph graph;

	TAP_EQUAL(wf_reorder_graph_init(&graph, 4, edges, TAP_COUNT(edges)),
		  WEFT_OK);
	TAP_CHECK(memcmp(graph.first, first, sizeof(first)) == 0);
	TAP_CHECK(memcmp(graph.other, other, sizeof(other)) == 0);
	TAP_CHECK(memcmp(graph.weight, weight, sizeof(weight)) == 0);
	wf_reorder_graph_fini(&graph);
}

static void no_memory(void)
{
	const struct wf_reorder_edge edge = { 0, 1, 1 };
	struct wf_reorder_graph graph;

	for (long at = 1; at <= 6; at++) {
		long blocks;

		fail_malloc_once(at);
		blocks = fail_malloc_blocks();
		TAP_EQUAL(wf_reorder_graph_init(&graph, 2, &edge, 1),
			  WEFT_ERR_NOMEM);
		TAP_EQUAL(fail_malloc_blocks(), blocks);
		fail_malloc_at(0);
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "rows", rows },
		{ "no memory", no_memory },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
