/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The methods of reorder, each for itself: how good they are for the processes
 * of a cube, what swaps do to any homes, and time.
 */
#include "base/random.h"
#include "tests/reorder_stencil.h"
#include "tests/tap.h"
#include "topo/reorder_heap.h"
#include "topo/reorder_parts.h"

#include <weft/status.h>

#define PER_NODE 64

/* ---- a cube of processes */

struct cube {
	struct stencil stencil;
	struct wf_reorder_graph graph;
	struct wf_reorder_places places;
	struct wf_reorder_result result;
	int *place;
	int64_t all;                    /* weight of all edges */
};

static void cube_init(struct cube *c, int side, int per_node, int64_t scale)
{
	struct stencil *s = &c->stencil;

	stencil_init(s, side, per_node, 1);
	c->places.nodes = s->node[s->n - 1] + 1;
	c->places.node = s->node;
	c->place = calloc((size_t)s->n, sizeof(*c->place));
	c->all = 0;
	for (int64_t i = 0; i < s->count; i++) {
		s->edges[i].weight *= scale;
		c->all += s->edges[i].weight;
	}
	if (!c->place ||
	    wf_reorder_graph_init(&c->graph, s->n, s->edges, s->count))
		abort();
}

static void cube_fini(struct cube *c)
{
	wf_reorder_graph_fini(&c->graph);
	stencil_fini(&c->stencil);
	free(c->place);
}

static bool permutes(const struct cube *c)
{
	bool *taken = calloc((size_t)c->graph.n, sizeof(*taken));
	int free_places = c->graph.n;

	for (int i = 0; taken && i < c->graph.n; i++) {
		free_places -= !taken[c->place[i]];
		taken[c->place[i]] = true;
	}
	free(taken);
	return free_places == 0;
}

/* What is left between nodes, in percent of all. */
static double cube_run(struct cube *c, struct wf_reorder_keys keys)
{
	keys.coords = c->stencil.coords;
	TAP_EQUAL(wf_reorder(&c->graph, &c->places, &keys, c->place,
			     &c->result), WEFT_OK);
	TAP_CHECK(!c->result.kept);
	TAP_CHECK(permutes(c));
	return 100 * (double)c->result.after.sum / (double)c->all;
}

static void good(struct cube *c, struct wf_reorder_keys keys, double sum_most,
		 double max_most)
{
	double sum, max;

	keys.metric = WF_REORDER_SUM;
	sum = cube_run(c, keys);
	keys.metric = WF_REORDER_MAX;
	cube_run(c, keys);
	max = 100 * (double)c->result.after.max /
	      (double)c->result.before.max;
	if (!TAP_CHECK(sum <= sum_most) || !TAP_CHECK(max <= max_most))
		tap_diag("%s: sum %.2f %% of all, max %.2f %% of before",
			 wf_reorder_method_name(keys.method), sum, max);
}

/* Bricks of 4 x 4 x 4 leave 20.92 %, and 109352 of 401012. */
static void greedy_cube(void)
{
	struct wf_reorder_keys keys = { .method = WF_REORDER_GREEDY };
	struct cube c;

	cube_init(&c, 16, PER_NODE, 1);
	good(&c, keys, 28, 42);
	keys.refine = 8;
	good(&c, keys, 27, 33);
	cube_fini(&c);
}

static void rcb_cube(void)
{
	struct wf_reorder_keys keys = { .method = WF_REORDER_RCB };
	struct cube c;

	cube_init(&c, 16, PER_NODE, 1);
	good(&c, keys, 20.93, 27.3);
	TAP_EQUAL(c.result.after.max, 2 * 109352);
	keys.refine = 1;
	good(&c, keys, 20.93, 27.3);
	cube_fini(&c);
}

/* ---- homes at random */

#define N 60
#define NODES 7

struct homes {
	struct wf_random random;
	struct wf_reorder_edge edges[4 * N];
	struct wf_reorder_graph graph;
	struct wf_reorder_keys keys;
	struct wf_reorder_parts parts;
	bool keep[N];
	int room[NODES];
	int home[N], before[N];
};

static int below(struct homes *h, int n)
{
	return (int)wf_random_below(&h->random, (uint64_t)n);
}

static void homes_init(struct homes *h, uint64_t seed)
{
	memset(h, 0, sizeof(*h));
	wf_random_init(&h->random, seed);
	for (int i = 0; i < TAP_COUNT(h->edges); i++)
		h->edges[i] = (struct wf_reorder_edge){
			below(h, N), below(h, N), below(h, 20) };
	for (int v = 0; v < N; v++) {
		h->keep[v] = below(h, 8) == 0;
		h->home[v] = below(h, NODES - 1);
		h->room[h->home[v]] += !h->keep[v];
	}
	h->keys.keep = h->keep;
	memcpy(h->before, h->home, sizeof(h->home));
	h->parts = (struct wf_reorder_parts){ &h->graph, &h->keys, NODES,
					      h->room, h->home };
	if (wf_reorder_graph_init(&h->graph, N, h->edges,
				  TAP_COUNT(h->edges)))
		abort();
}

/* Each node is full, and who is kept was not moved. */
static void check_homes(const struct homes *h)
{
	int room[NODES];

	memcpy(room, h->room, sizeof(room));
	for (int v = 0; v < N; v++) {
		room[h->home[v]] -= !h->keep[v];
		TAP_CHECK(!h->keep[v] || h->home[v] == h->before[v]);
	}
	for (int node = 0; node < NODES; node++)
		TAP_EQUAL(room[node], 0);
}

static struct wf_reorder_cost cost_of(const struct homes *h)
{
	struct wf_reorder_cost cost = { 0, 0, 0 };

	TAP_EQUAL(wf_reorder_measure(&h->graph, h->home, NODES, false, &cost),
		  WEFT_OK);
	return cost;
}

/* No pass makes the metric worse, and the first ones make it better. */
static void swaps(void)
{
	static struct homes h;

	for (uint64_t seed = 0; seed < 50; seed++) {
		struct wf_reorder_cost first, last;

		homes_init(&h, seed);
		h.keys.metric = seed % 2 ? WF_REORDER_MAX : WF_REORDER_SUM;
		h.keys.refine = 1;
		first = last = cost_of(&h);
		for (int i = 0; i < 4; i++) {
			struct wf_reorder_cost now;

			TAP_EQUAL(wf_reorder_refine(&h.parts), WEFT_OK);
			check_homes(&h);
			now = cost_of(&h);
			TAP_CHECK(seed % 2 ? now.max <= last.max :
				  now.sum <= last.sum);
			last = now;
		}
		TAP_CHECK(seed % 2 ? last.max < first.max :
			  last.sum < first.sum);
		wf_reorder_graph_fini(&h.graph);
	}
}

/*
 * Two couples, each bound to the one that is kept on the other node: to part
 * one of them costs more than going over brings, so only a series finds it.
 */
static void swaps_in_series(void)
{
	static const struct wf_reorder_edge edges[] = {
		{ 0, 1, 10 }, { 0, 5, 6 }, { 1, 5, 6 },
		{ 2, 3, 10 }, { 2, 4, 6 }, { 3, 4, 6 },
	};
	static const bool keep[] = { false, false, false, false, true, true };
	struct wf_reorder_keys keys = { .refine = 1, .keep = keep };
	struct wf_reorder_graph graph;
	int home[] = { 0, 0, 1, 1, 0, 1 }, room[] = { 2, 2 };
	struct wf_reorder_parts parts = { &graph, &keys, 2, room, home };
	struct wf_reorder_cost cost;

	if (wf_reorder_graph_init(&graph, 6, edges, TAP_COUNT(edges)))
		abort();
	TAP_EQUAL(wf_reorder_refine(&parts), WEFT_OK);
	TAP_EQUAL(wf_reorder_measure(&graph, home, 2, false, &cost), WEFT_OK);
	TAP_EQUAL(cost.sum, 0);
	wf_reorder_graph_fini(&graph);
}

/* Says that so many nanoseconds have gone as it was asked before. */
static uint64_t count_looks(void *arg)
{
	return ++*(uint64_t *)arg;
}

/* The clock is looked at before each pass, and ends them. */
static void limit(void)
{
	struct wf_reorder_keys keys = { .method = WF_REORDER_GREEDY };
	struct wf_reorder_cost none, two;
	uint64_t looks = 0;
	struct cube c;

	cube_init(&c, 6, 9, 1);
	cube_run(&c, keys);
	none = c.result.after;
	keys.refine = 2;
	cube_run(&c, keys);
	two = c.result.after;
	TAP_CHECK(two.sum < none.sum);

	keys.refine = 100;
	keys.clock_ns = count_looks;
	keys.arg = &looks;
	keys.limit_ns = 0;
	cube_run(&c, keys);
	TAP_EQUAL(looks, 1);
	TAP_EQUAL(c.result.after.sum, none.sum);
	looks = 0;
	keys.limit_ns = 2;
	cube_run(&c, keys);
	TAP_EQUAL(looks, 3);
	TAP_EQUAL(c.result.after.sum, two.sum);
	/* they end by themselves when nothing is left to gain */
	looks = 0;
	keys.limit_ns = 1000;
	cube_run(&c, keys);
	TAP_CHECK(looks < 100);
	cube_fini(&c);
}

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
		{ "greedy, a cube", greedy_cube },
		{ "coordinates, a cube", rcb_cube },
		{ "swaps", swaps },
		{ "swaps in series", swaps_in_series },
		{ "a limit of time", limit },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
