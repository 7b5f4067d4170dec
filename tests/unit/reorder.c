/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reorder: random graphs on random machines, all methods and metrics, against
 * a dense model of the edges; when all stay; no memory.
 */
#include "topo/reorder.h"
#include "base/random.h"
#include "tests/fail_malloc.h"
#include "tests/tap.h"

#include <weft/status.h>

#define MOST 48
#define EDGES_MOST 400

/* A graph, a machine and what is asked for. */
struct problem {
	struct wf_random random;
	int n;
	int nodes;
	int node[MOST];
	bool keep[MOST];
	double coords[3 * MOST];
	struct wf_reorder_edge edges[EDGES_MOST];
	int64_t count;
	struct wf_reorder_keys keys;
};

static int below(struct problem *p, int n)
{
	return (int)wf_random_below(&p->random, (uint64_t)n);
}

/* In turn, in blocks, or anywhere, so that some nodes have no place. */
static void make_machine(struct problem *p)
{
	int way = below(p, 3);

	p->nodes = 1 + below(p, p->n + 4);
	for (int i = 0; i < p->n; i++) {
		if (way == 0)
			p->node[i] = i % p->nodes;
		else if (way == 1)
			p->node[i] = i * p->nodes / p->n;
		else
			p->node[i] = below(p, p->nodes);
	}
}

/* Some vertices have no edge, some edges lead to where they begin. */
static void make_edges(struct problem *p)
{
	int used = 1 + below(p, p->n ? p->n : 1);

	p->count = p->n ? below(p, EDGES_MOST) : 0;
	for (int64_t i = 0; i < p->count; i++)
		p->edges[i] = (struct wf_reorder_edge){
			below(p, used), below(p, used), below(p, 9) };
}

static void make_problem(struct problem *p, uint64_t seed)
{
	memset(p, 0, sizeof(*p));
	wf_random_init(&p->random, seed);
	p->n = below(p, MOST + 1);
	make_machine(p);
	make_edges(p);
	for (int i = 0; i < 3 * p->n; i++)
		p->coords[i] = below(p, 5);
	for (int i = 0; i < p->n; i++)
		p->keep[i] = below(p, 4) == 0;
	p->keys.keep = below(p, 2) ? p->keep : NULL;
	p->keys.coords = below(p, 4) ? p->coords : NULL;
	p->keys.refine = below(p, 4);
	p->keys.messages = below(p, 2);
}

/* ---- the model: edges as they were given, nobody is spared a look */

static struct weft_reorder_cost model_cost(const struct problem *p,
					 const int *place)
{
	struct weft_reorder_cost cost = { 0, 0, 0 };
	static int64_t matrix[MOST][MOST], pairs[MOST][MOST];
	int64_t load[2 * MOST] = { 0 }, messages[2 * MOST] = { 0 };

	memset(matrix, 0, sizeof(matrix));
	memset(pairs, 0, sizeof(pairs));
	for (int64_t i = 0; i < p->count; i++) {
		const struct wf_reorder_edge *e = &p->edges[i];
		bool up = e->from < e->to;

		matrix[up ? e->from : e->to][up ? e->to : e->from] += e->weight;
		pairs[up ? e->from : e->to][up ? e->to : e->from] = 1;
	}
	for (int i = 0; i < p->n * p->n; i++) {
		int from = i / p->n, to = i % p->n;
		int a = p->node[place[from]], b = p->node[place[to]];
		int64_t more = p->keys.messages ? matrix[from][to] :
			pairs[from][to];

		if (a == b)
			continue;
		cost.sum += matrix[from][to];
		load[a] += matrix[from][to];
		load[b] += matrix[from][to];
		messages[a] += more;
		messages[b] += more;
	}
	for (int i = 0; i < p->nodes; i++) {
		cost.max = load[i] > cost.max ? load[i] : cost.max;
		cost.messages = messages[i] > cost.messages ? messages[i] :
			cost.messages;
	}
	return cost;
}

static void check_cost(const struct weft_reorder_cost *have,
		       const struct weft_reorder_cost *want)
{
	TAP_EQUAL(have->sum, want->sum);
	TAP_EQUAL(have->max, want->max);
	TAP_EQUAL(have->messages, want->messages);
}

static void check_permutation(const struct problem *p, const int *place,
			      int moved)
{
	bool taken[MOST] = { false };

	for (int i = 0; i < p->n; i++) {
		if (!TAP_CHECK(place[i] >= 0 && place[i] < p->n))
			return;
		TAP_CHECK(!taken[place[i]]);
		taken[place[i]] = true;
		moved -= place[i] != i;
		if (p->keys.keep && p->keep[i])
			TAP_EQUAL(place[i], i);
		/* nobody moves within a node */
		TAP_CHECK(place[i] == i || p->node[place[i]] != p->node[i]);
	}
	TAP_EQUAL(moved, 0);
}

static void check_gain(const struct problem *p,
		       const struct wf_reorder_result *r)
{
	bool max = p->keys.metric == WF_REORDER_MAX;
	int64_t before = max ? r->before.max : r->before.sum;
	int64_t after = max ? r->after.max : r->after.sum;

	if (r->kept) {
		TAP_EQUAL(r->moved, 0);
		TAP_EQUAL(before, after);
	} else {
		TAP_CHECK(r->moved >= 2);
		TAP_CHECK(10 * after <= 9 * before);
	}
}

static int run(const struct problem *p, int *place,
	       struct wf_reorder_result *result)
{
	const struct wf_reorder_places places = { p->nodes, p->node };
	struct wf_reorder_graph graph;
	int status = wf_reorder_graph_init(&graph, p->n, p->edges, p->count);

	if (status)
		return status;
	status = wf_reorder(&graph, &places, &p->keys, place, result);
	wf_reorder_graph_fini(&graph);
	return status;
}

/* Backwards, and each edge from its other end. */
static void turn_round(struct problem *p)
{
	for (int64_t i = 0, j = p->count - 1; i <= j; i++, j--) {
		struct wf_reorder_edge a = p->edges[i], b = p->edges[j];

		p->edges[i] = (struct wf_reorder_edge){ b.to, b.from,
							b.weight };
		p->edges[j] = (struct wf_reorder_edge){ a.to, a.from,
							a.weight };
	}
}

static void one_problem(struct problem *p)
{
	int identity[MOST], place[MOST], again[MOST];
	struct wf_reorder_result result, other;
	struct weft_reorder_cost want;

	for (int i = 0; i < p->n; i++)
		identity[i] = i;
	TAP_EQUAL(run(p, place, &result), WEFT_OK);
	check_permutation(p, place, result.moved);
	want = model_cost(p, identity);
	check_cost(&result.before, &want);
	want = model_cost(p, place);
	check_cost(&result.after, &want);
	check_gain(p, &result);

	turn_round(p);
	TAP_EQUAL(run(p, again, &other), WEFT_OK);
	TAP_CHECK(memcmp(place, again, (size_t)p->n * sizeof(*place)) == 0);
	TAP_EQUAL(other.moved, result.moved);
}

static void all_keys(struct problem *p)
{
	for (int method = WF_REORDER_NONE; method <= WF_REORDER_RCB; method++) {
		p->keys.method = (enum wf_reorder_method)method;
		p->keys.metric = WF_REORDER_SUM;
		one_problem(p);
		p->keys.metric = WF_REORDER_MAX;
		one_problem(p);
	}
}

static void random_graphs(void)
{
	static struct problem p;
	long seeds = tap_figure("SEEDS", 300);

	for (long seed = 0; seed < seeds; seed++) {
		make_problem(&p, (uint64_t)seed);
		all_keys(&p);
		if (tap.failures) {
			tap_diag("seed %ld", seed);
			break;
		}
	}
}

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

/* A square on two nodes: one way cuts 2 `across`, the other one 2 `along`. */
static void square(struct problem *p, int64_t along, int64_t across)
{
	memset(p, 0, sizeof(*p));
	p->n = 4;
	p->nodes = 2;
	p->node[2] = p->node[3] = 1;
	p->edges[0] = (struct wf_reorder_edge){ 0, 1, along };
	p->edges[1] = (struct wf_reorder_edge){ 2, 3, along };
	p->edges[2] = (struct wf_reorder_edge){ 0, 2, across };
	p->edges[3] = (struct wf_reorder_edge){ 1, 3, across };
	p->count = 4;
	p->keys.method = WF_REORDER_GREEDY;
}

static const char *why_kept(const struct problem *p)
{
	struct wf_reorder_result result = { .kept = "failed" };
	int place[MOST];

	TAP_EQUAL(run(p, place, &result), WEFT_OK);
	return result.kept ? result.kept : "";
}

static void a_tenth(void)
{
	static const char tenth[] = "the metric would not fall by a tenth";
	struct problem p;

	square(&p, 9, 10);
	TAP_CHECK(!strcmp(why_kept(&p), ""));
	square(&p, 91, 100);
	TAP_CHECK(!strcmp(why_kept(&p), tenth));
	square(&p, 90, 100);
	TAP_CHECK(!strcmp(why_kept(&p), ""));
	p.keys.metric = WF_REORDER_MAX;
	TAP_CHECK(!strcmp(why_kept(&p), ""));
	square(&p, 100, 100);
	TAP_CHECK(!strcmp(why_kept(&p), tenth));
}

static void nothing_to_do(void)
{
	static const char nothing[] = "nothing goes between nodes";
	struct problem p;

	square(&p, 1, 100);
	p.keys.method = WF_REORDER_NONE;
	TAP_CHECK(!strcmp(why_kept(&p), "no method is asked for"));
	square(&p, 1, 0);
	TAP_CHECK(!strcmp(why_kept(&p), nothing));
	square(&p, 1, 100);
	p.node[2] = p.node[3] = 0;
	TAP_CHECK(!strcmp(why_kept(&p), nothing));
	p.n = 0;
	p.count = 0;
	TAP_CHECK(!strcmp(why_kept(&p), nothing));
}

static void without_coords(void)
{
	struct problem p;
	struct wf_reorder_result result;
	int place[MOST];

	square(&p, 1, 100);
	p.keys.method = WF_REORDER_RCB;
	TAP_EQUAL(run(&p, place, &result), WEFT_OK);
	TAP_CHECK(result.instead &&
		  !strcmp(result.instead, "there are no coordinates"));
	TAP_EQUAL(result.after.sum, 2);
}

/* Each allocation in turn fails, alone: what it says, and nothing stays. */
static void lack(const struct problem *p)
{
	struct wf_reorder_result result = { .moved = -7 };
	int place[MOST], status;
	long blocks;

	for (long at = 1;; at++) {
		place[0] = -7;
		fail_malloc_once(at);
		blocks = fail_malloc_blocks();
		status = run(p, place, &result);
		blocks = fail_malloc_blocks() - blocks;
		fail_malloc_at(0);
		TAP_EQUAL(blocks, 0);
		if (status == WEFT_OK)
			break;
		TAP_EQUAL(status, WEFT_ERR_NOMEM);
		TAP_EQUAL(place[0], -7);
		TAP_EQUAL(result.moved, -7);
	}
	TAP_CHECK(result.moved >= 0);
}

static void no_memory(void)
{
	struct problem p;

	for (int method = WF_REORDER_NONE; method <= WF_REORDER_RCB; method++) {
		square(&p, 1, 100);
		p.keys.method = (enum wf_reorder_method)method;
		p.keys.refine = 1;
		p.keys.coords = p.coords;
		lack(&p);
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "rows", rows },
		{ "random graphs", random_graphs },
		{ "a tenth", a_tenth },
		{ "nothing to do", nothing_to_do },
		{ "without coordinates", without_coords },
		{ "no memory", no_memory },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
