/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The methods of reorder, each for itself: their heap.
 */
#include "base/random.h"
#include "tests/tap.h"
#include "topo/reorder_heap.h"

#include <weft/status.h>

#define N 60

/* Against looking through all keys. */
static void heap(void)
{
	static int64_t key[N];
	struct wf_reorder_heap heap;
	struct wf_random random;

	wf_random_init(&random, 1);
	if (wf_reorder_heap_init(&heap, N))
		abort();
	for (int v = 0; v < N; v++)
		key[v] = -1;
	for (int i = 0; i < 20000; i++) {
		int v = (int)wf_random_below(&random, N), best = -1;
		int what = (int)wf_random_below(&random, 8);

		if (what > 2) {
			key[v] = (int64_t)wf_random_below(&random, 30);
			wf_reorder_heap_set(&heap, v, key[v]);
		} else if (what == 2) {
			key[v] = -1;
			wf_reorder_heap_drop(&heap, v);
		} else {
			for (int u = N - 1; u >= 0; u--)
				best = key[u] >= 0 && (best < 0 ||
				       key[u] >= key[best]) ? u : best;
			TAP_EQUAL(wf_reorder_heap_pop(&heap), best);
			if (best >= 0)
				key[best] = -1;
		}
		TAP_CHECK(wf_reorder_heap_has(&heap, v) == (key[v] >= 0));
	}
	wf_reorder_heap_clear(&heap);
	TAP_EQUAL(wf_reorder_heap_pop(&heap), -1);
	wf_reorder_heap_fini(&heap);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "heap", heap },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
