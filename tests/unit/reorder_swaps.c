/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Swaps of a reorder against a model that adds up all weights anew whenever it
 * needs one: what the library keeps of them between series is never stale.
 */
#include <string.h>
#include "base/random.h"
#include "tests/tap.h"
#include "topo/reorder_parts.h"

enum {
	N = 150,
	NODES = 22,			/* more than a node has rivals */
	EDGES = 5 * N,
	PATIENCE = 24,
	NEAR = 16
};

struct world {
	struct wf_reorder_edge edges[EDGES];
	struct wf_reorder_graph graph;
	struct wf_reorder_keys keys;
	struct wf_reorder_parts parts;
	bool keep[N];
	int room[NODES];
	int home[N];
	int model[N];			/* home, as the model has it */
	int changed[NODES];		/* the last pass that changed a node */
};

/* As cells of a line, with some edges that go anywhere. */
static void world_init(struct world *w, uint64_t seed)
{
	struct wf_random random;

	memset(w, 0, sizeof(*w));
	wf_random_init(&random, seed);
	for (int i = 0; i < EDGES; i++) {
		uint64_t from = wf_random_below(&random, N);
		uint64_t by = wf_random_below(&random, i % 4 ? 12 : N);

		w->edges[i] = (struct wf_reorder_edge){
			(int)from, (int)((from + by) % N),
			(int64_t)wf_random_below(&random, 9) };
	}
	for (int v = 0; v < N; v++) {
		w->keep[v] = seed % 3 && wf_random_below(&random, 9) == 0;
		w->home[v] = (int)wf_random_below(&random, NODES);
		w->room[w->home[v]] += !w->keep[v];
	}
	memcpy(w->model, w->home, sizeof(w->model));
	w->keys.keep = w->keep;
	w->keys.metric = seed % 2 ? WF_REORDER_MAX : WF_REORDER_SUM;
	w->keys.refine = 1 + (int)(seed % 5);
	w->parts = (struct wf_reorder_parts){ &w->graph, &w->keys, NODES,
					      w->room, w->home };
	if (wf_reorder_graph_init(&w->graph, N, w->edges, EDGES))
		abort();
}

static int64_t bond(const struct world *w, int v, int node)
{
	struct wf_reorder_parts parts = w->parts;

	parts.home = (int *)(uintptr_t)w->model;
	return wf_reorder_bond(&parts, v, node);
}

static int64_t load_of(const struct world *w, int node)
{
	int64_t load = 0;

	for (int v = 0; v < N; v++)
		for (int64_t e = w->graph.first[v]; e < w->graph.first[v + 1];
		     e++)
			if (w->model[v] == node &&
			    w->model[w->graph.other[e]] != node)
				load += w->graph.weight[e];
	return load;
}

/* Of two nodes: the metric, then the other one. */
struct cost {
	int64_t first, second;
};

static struct cost cost_of(const struct world *w, int a, int b)
{
	int64_t x = load_of(w, a), y = load_of(w, b);
	int64_t most = x > y ? x : y;

	if (w->keys.metric == WF_REORDER_MAX)
		return (struct cost){ most, x + y };
	return (struct cost){ x + y, most };
}

static bool is_less(struct cost a, struct cost b)
{
	return a.first < b.first ||
	       (a.first == b.first && a.second < b.second);
}

/* Who gains most by going over, and was not swapped; -1: nobody. */
static int best_of(const struct world *w, const bool *swapped, int from,
		   int to)
{
	int64_t most = 0;
	int best = -1;

	for (int v = 0; v < N; v++) {
		int64_t gain;

		if (w->model[v] != from || swapped[v] || w->keep[v])
			continue;
		gain = bond(w, v, to) - bond(w, v, from);
		if (best < 0 || gain > most) {
			most = gain;
			best = v;
		}
	}
	return best;
}

/* True: something was swapped. */
static bool fight(struct world *w, int a, int b)
{
	bool swapped[N] = { false };
	struct cost least = cost_of(w, a, b);
	int best[N], made = 0, at = 0;

	memcpy(best, w->model, sizeof(best));
	while (made - at < PATIENCE && best_of(w, swapped, a, b) >= 0 &&
	       best_of(w, swapped, b, a) >= 0) {
		int v = best_of(w, swapped, a, b), u;

		swapped[v] = true;
		w->model[v] = b;
		u = best_of(w, swapped, b, a);
		swapped[u] = true;
		w->model[u] = a;
		made++;
		if (!is_less(cost_of(w, a, b), least))
			continue;
		least = cost_of(w, a, b);
		at = made;
		memcpy(best, w->model, sizeof(best));
	}
	memcpy(w->model, best, sizeof(best));
	return at > 0;
}

/* Nodes behind it that an edge leads to, by weight; how many. */
static int rivals(const struct world *w, int node, int *list)
{
	int64_t weight[NODES];
	int n = 0;

	for (int i = 0; i < NODES; i++)
		weight[i] = -1;
	for (int v = 0; v < N; v++) {
		for (int64_t e = w->graph.first[v]; e < w->graph.first[v + 1];
		     e++) {
			int to = w->model[w->graph.other[e]];

			if (w->model[v] == node && !w->keep[v] && to > node)
				weight[to] += w->graph.weight[e] +
					      (weight[to] < 0);
		}
	}
	for (; n < NEAR; n++) {
		list[n] = 0;
		for (int i = 1; i < NODES; i++)
			if (weight[i] > weight[list[n]])
				list[n] = i;
		if (weight[list[n]] < 0)
			break;
		weight[list[n]] = -1;
	}
	return n;
}

static bool pass(struct world *w, int number)
{
	bool better = false;

	for (int a = 0; a < NODES; a++) {
		int list[NEAR], n = rivals(w, a, list);

		for (int i = 0; i < n; i++) {
			int b = list[i];

			if (w->changed[a] < number - 1 &&
			    w->changed[b] < number - 1)
				continue;
			if (!fight(w, a, b))
				continue;
			w->changed[a] = w->changed[b] = number;
			better = true;
		}
	}
	return better;
}

static void as_the_model(void)
{
	static struct world w;
	int moved = 0;

	for (uint64_t seed = 0; seed < 30; seed++) {
		world_init(&w, seed);
		for (int i = 0; i < NODES; i++)
			w.changed[i] = -1;
		for (int i = 0; i < w.keys.refine && pass(&w, i); i++)
			;
		moved += memcmp(w.home, w.model, sizeof(w.home)) != 0;
		TAP_EQUAL(wf_reorder_refine(&w.parts), WEFT_OK);
		if (!TAP_CHECK(!memcmp(w.home, w.model, sizeof(w.home))))
			tap_diag("seed %d", (int)seed);
		wf_reorder_graph_fini(&w.graph);
	}
	TAP_EQUAL(moved, 30);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "as the model", as_the_model },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
