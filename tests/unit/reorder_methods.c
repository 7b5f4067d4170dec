/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The methods of reorder, each for itself: how good they are for the processes
 * of a cube, what swaps and repairs do to any homes, Scotch or none, and time.
 */
#include "base/random.h"
#include "tests/reorder_stencil.h"
#include "tests/tap.h"
#include "topo/reorder_heap.h"
#include "topo/reorder_parts.h"

#include <dlfcn.h>
#include <link.h>
#include <weft/status.h>

#define PER_NODE 64

/* What the library gets for the name of Scotch; NULL: what it asks for. */
static const char *instead;

void *__real_dlopen(const char *name, int flags);
void *__wrap_dlopen(const char *name, int flags);

void *__wrap_dlopen(const char *name, int flags)
{
	return __real_dlopen(instead ? instead : name, flags);
}

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

/* Few seeds, as where each takes long, mean a small cube. */
static int scotch_side(void)
{
	return tap_figure("SEEDS", 300) < 100 ? 8 : 16;
}

/* Skips, and says false, where there is no Scotch. */
static bool scotch_good(int per_node, int64_t scale)
{
	const struct wf_reorder_keys keys = { .method = WF_REORDER_SCOTCH };
	int side = scotch_side();
	struct cube c;
	bool found;

	cube_init(&c, side, per_node, scale);
	cube_run(&c, keys);
	found = !c.result.instead;
	if (found)
		good(&c, keys, side == 8 ? 33 : 30.5, side == 8 ? 65 : 45);
	else
		tap_skip("%s", c.result.instead);
	cube_fini(&c);
	return found;
}

/* 60: the last node has fewer places; great weights do not fit as they are. */
static void scotch_cube(void)
{
	if (!scotch_good(PER_NODE, 1))
		return;
	scotch_good(60, 1);
	scotch_good(PER_NODE, (int64_t)1 << 33);
}

static void scotch_again(void)
{
	struct wf_reorder_keys keys = { .method = WF_REORDER_SCOTCH };
	struct cube c, d;

	cube_init(&c, 8, 60, 1);
	cube_init(&d, 8, 60, 1);
	cube_run(&c, keys);
	if (c.result.instead)
		tap_skip("%s", c.result.instead);
	for (int i = 0; i < 4; i++) {
		cube_run(&d, keys);
		TAP_CHECK(!memcmp(c.place, d.place, (size_t)c.graph.n *
				  sizeof(*c.place)));
	}
	cube_fini(&c);
	cube_fini(&d);
}

/* Debian has one beside the usual one, whose integers are of 8 bytes. */
static void scotch_wide(void)
{
	static char path[500];
	void *usual = dlopen("libscotch-7.0.so", RTLD_NOW);
	struct link_map *map;

	if (usual && !dlinfo(usual, RTLD_DI_LINKMAP, &map)) {
		const char *name = strrchr(map->l_name, '/');

		snprintf(path, sizeof(path), "%.*s/scotch-int64%s",
			 (int)(name - map->l_name), map->l_name, name);
		dlclose(usual);
	}
	instead = path;
	scotch_good(PER_NODE, 1);
	instead = NULL;
}

static void scotch_hidden(void)
{
	struct wf_reorder_keys keys = { .method = WF_REORDER_SCOTCH };
	struct cube c;
	double greedy;

	cube_init(&c, 4, 8, 1);
	instead = "libm.so.6";
	greedy = cube_run(&c, keys);
	instead = "no-such-library";
	TAP_CHECK(cube_run(&c, keys) == greedy);
	instead = NULL;
	TAP_CHECK(c.result.instead &&
		  !strcmp(c.result.instead, "Scotch is not found at run time"));
	keys.method = WF_REORDER_GREEDY;
	TAP_CHECK(cube_run(&c, keys) == greedy);
	TAP_CHECK(!c.result.instead);
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

/* Each node is full, and who is kept was not moved; how many were. */
static int check_homes(const struct homes *h)
{
	int room[NODES], moved = 0;

	memcpy(room, h->room, sizeof(room));
	for (int v = 0; v < N; v++) {
		room[h->home[v]] -= !h->keep[v];
		moved += h->home[v] != h->before[v];
		TAP_CHECK(!h->keep[v] || h->home[v] == h->before[v]);
	}
	for (int node = 0; node < NODES; node++)
		TAP_EQUAL(room[node], 0);
	return moved;
}

/* The room of some is another than what is there. */
static void fit(void)
{
	static struct homes h;
	int excess;

	for (uint64_t seed = 0; seed < 50; seed++) {
		homes_init(&h, seed);
		TAP_EQUAL(wf_reorder_fit(&h.parts), WEFT_OK);
		TAP_EQUAL(check_homes(&h), 0);
		excess = below(&h, h.room[0] + 1);
		h.room[0] -= excess;
		h.room[NODES - 1] += excess;
		TAP_EQUAL(wf_reorder_fit(&h.parts), WEFT_OK);
		TAP_EQUAL(check_homes(&h), excess);
		wf_reorder_graph_fini(&h.graph);
	}
}

/* Who leaves is bound least to what it leaves, and goes where it is bound. */
static void fit_loosest(void)
{
	static const struct wf_reorder_edge edges[] = {
		{ 0, 1, 9 }, { 1, 2, 9 }, { 2, 3, 5 }, { 3, 4, 3 },
		{ 3, 5, 4 },
	};
	int home[] = { 0, 0, 0, 0, 1, 2 }, room[] = { 3, 2, 2 };
	struct wf_reorder_keys keys = { .keep = NULL };
	struct wf_reorder_graph graph;
	struct wf_reorder_parts parts = { &graph, &keys, 3, room, home };

	if (wf_reorder_graph_init(&graph, 6, edges, TAP_COUNT(edges)))
		abort();
	room[1] = 1;
	TAP_EQUAL(wf_reorder_fit(&parts), WEFT_OK);
	TAP_EQUAL(home[3], 2);
	wf_reorder_graph_fini(&graph);
}

static struct weft_reorder_cost cost_of(const struct homes *h)
{
	struct weft_reorder_cost cost = { 0, 0, 0 };

	TAP_EQUAL(wf_reorder_measure(&h->graph, h->home, NODES, false, &cost),
		  WEFT_OK);
	return cost;
}

/* No pass makes the metric worse, and the first ones make it better. */
static void swaps(void)
{
	static struct homes h;

	for (uint64_t seed = 0; seed < 50; seed++) {
		struct weft_reorder_cost first, last;

		homes_init(&h, seed);
		h.keys.metric = seed % 2 ? WF_REORDER_MAX : WF_REORDER_SUM;
		h.keys.refine = 1;
		first = last = cost_of(&h);
		for (int i = 0; i < 4; i++) {
			struct weft_reorder_cost now;

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
	struct weft_reorder_cost cost;

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
	struct weft_reorder_cost none, two;
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
		{ "Scotch, a cube", scotch_cube },
		{ "Scotch, again", scotch_again },
		{ "Scotch of 8 bytes", scotch_wide },
		{ "Scotch is not there", scotch_hidden },
		{ "sizes are made exact", fit },
		{ "the loosest moves", fit_loosest },
		{ "swaps", swaps },
		{ "swaps in series", swaps_in_series },
		{ "a limit of time", limit },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
