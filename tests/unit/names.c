/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of edges: each is found, others are not, and the way to a free place
 * is short for the sets that there are, of many ranks or many edges of two.
 */
#include "plan/names.h"
#include "tests/tap.h"

#include <weft/status.h>

enum {
	MOST = 16000,
	STEPS = 64		/* of a search */
};

static struct wf_edge edges[MOST];

/* Places in a row that are taken: what a search in vain passes. */
static uint32_t longest_row(const struct wf_names *names)
{
	uint32_t row = 0, most = 0;

	if (!names->place)
		return (uint32_t)names->n;
	for (uint32_t i = 0; i <= 2 * names->mask + 1; i++) {
		row = names->place[i & names->mask] ? row + 1 : 0;
		most = row > most ? row : most;
	}
	return most;
}

/* The same name but for one of its parts. */
static void expect_others(const struct wf_names *names, struct wf_edge edge)
{
	struct wf_edge back = edge;

	back.sender = edge.receiver;
	back.receiver = edge.sender;
	TAP_CHECK(edge.sender == edge.receiver ||
		  wf_names_find(names, &back) < 0);
	edge.k += MOST;
	TAP_EQUAL(wf_names_find(names, &edge), -1);
	edge.k -= MOST;
	edge.direction += MOST;
	TAP_EQUAL(wf_names_find(names, &edge), -1);
}

static void expect_all(int n)
{
	struct wf_names names;

	if (!TAP_EQUAL(wf_names_init(&names, edges, sizeof(*edges), n),
		       WEFT_OK))
		return;
	for (int i = 0; i < n; i++) {
		TAP_EQUAL(wf_names_find(&names, &edges[i]), i);
		expect_others(&names, edges[i]);
	}
	TAP_CHECK(longest_row(&names) <= STEPS);
	wf_names_fini(&names);
}

static void to_each_rank(void)
{
	for (int stride = 1; stride <= 1 << 16; stride *= 16) {
		for (int i = 0; i < MOST; i++)
			edges[i] = (struct wf_edge){ 3, 4 + i * stride, 0, 0 };
		expect_all(MOST);
	}
}

static void to_one_rank(void)
{
	for (int i = 0; i < MOST; i++)
		edges[i] = (struct wf_edge){ 7, 7, (uint32_t)i, 0 };
	expect_all(MOST);
}

static void in_many_stages(void)
{
	for (int i = 0; i < MOST; i++)
		edges[i] = (struct wf_edge){ i / 40, 1 << 20, 0,
					     (uint32_t)i % 40 };
	expect_all(MOST);
}

static void few_or_none(void)
{
	struct wf_edge edge = { 0, 1, 0, 0 };
	struct wf_names names;

	for (int n = 1; n <= 9; n++)
		expect_all(n);
	TAP_EQUAL(wf_names_init(&names, edges, sizeof(*edges), 0), WEFT_OK);
	TAP_EQUAL(wf_names_find(&names, &edge), -1);
	wf_names_fini(&names);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "of edges to each rank", to_each_rank },
		{ "of edges to one rank", to_one_rank },
		{ "of stages", in_many_stages },
		{ "a few, or none", few_or_none }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
