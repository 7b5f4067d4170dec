/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Refinement: swaps of vertices between two nodes, after Kernighan and Lin.
 *
 * Of two nodes it swaps the vertex that gains most, or loses least, by going
 * over with the one that then gains most by coming back, each vertex once, and
 * keeps the series up to where the metric was least; so it gets out of what is
 * best for single swaps only.  A series ends when PATIENCE swaps in a row
 * brought nothing.  Weight to third nodes stays what it was: both metrics are
 * the two nodes' own business, and never get worse.
 *
 * A pass looks at each node with those that it is bound to most, NEAR of them,
 * its rivals, if either has changed since the pass before began.  Weights to
 * all rivals are added up at once, and again when the node has changed, so that
 * a series in vain costs its swaps and not the edges of two nodes.
 */
#include "topo/reorder_parts.h"

#include <stdlib.h>
#include <string.h>
#include <weft/status.h>
#include "base/zeroed.h"
#include "topo/reorder_heap.h"

enum {
	PATIENCE = 24,
	NEAR = 16
};

struct refinement {
	const struct wf_reorder_parts *parts;
	int *first;                     /* of a node, nodes + 1, in member */
	int *member;                    /* vertices by node */
	int *slot;                      /* of a vertex in member */
	int *swapped;                   /* by the series, in pairs */
	int *changed;                   /* the last pass that changed a node */
	int *rival;                     /* number of a rival, or -1, by node */
	int64_t *inside;                /* weight of a vertex to its own node */
	int64_t *out;                   /* of its members to each rival */
	int64_t *back;                  /* of each rival's members to it */
	int64_t *load;                  /* weight out of a node and into it */
	struct wf_reorder_heap gain[2]; /* vertices of either node by what going
					 * over gains */
	struct wf_reorder_heap near;    /* nodes by weight to one */
};

/* Of node own; weights of their members begin at base in back. */
struct rivals {
	int own;
	int n;
	int node[NEAR];
	int base[NEAR + 1];
};

/* Two nodes, and what would be theirs. */
struct duel {
	int node[2];
	int64_t load[2];
};

static void free_all(struct refinement *r)
{
	free(r->first);
	free(r->member);
	free(r->slot);
	free(r->swapped);
	free(r->changed);
	free(r->rival);
	free(r->inside);
	free(r->out);
	free(r->back);
	free(r->load);
}

/* Vertices that may move, of the node with most. */
static size_t most_room(const struct wf_reorder_parts *parts)
{
	int most = 0;

	for (int node = 0; node < parts->nodes; node++)
		if (most < parts->room[node])
			most = parts->room[node];
	return (size_t)most;
}

static int alloc_arrays(struct refinement *r)
{
	size_t n = (size_t)r->parts->graph->n + 1;
	size_t nodes = (size_t)r->parts->nodes + 1;

	r->first = wf_zeroed(nodes, sizeof(*r->first));
	r->member = malloc(n * sizeof(*r->member));
	r->slot = malloc(n * sizeof(*r->slot));
	r->swapped = malloc(n * sizeof(*r->swapped));
	r->changed = malloc(nodes * sizeof(*r->changed));
	r->rival = malloc(nodes * sizeof(*r->rival));
	r->inside = wf_zeroed(n, sizeof(*r->inside));
	r->out = malloc((NEAR * most_room(r->parts) + 1) * sizeof(*r->out));
	r->back = malloc(n * sizeof(*r->back));
	r->load = wf_zeroed(nodes, sizeof(*r->load));
	if (r->first && r->member && r->slot && r->swapped && r->changed &&
	    r->rival && r->inside && r->out && r->back && r->load)
		return WEFT_OK;
	free_all(r);
	return WEFT_ERR_NOMEM;
}

static int alloc_heaps(struct refinement *r)
{
	int n = r->parts->graph->n;
	int status = wf_reorder_heap_init(&r->gain[0], n);

	if (status)
		return status;
	status = wf_reorder_heap_init(&r->gain[1], n);
	if (status)
		goto fini_first;
	status = wf_reorder_heap_init(&r->near, r->parts->nodes);
	if (!status)
		return WEFT_OK;
	wf_reorder_heap_fini(&r->gain[1]);

fini_first:
	wf_reorder_heap_fini(&r->gain[0]);
	return status;
}

static void fini(struct refinement *r)
{
	wf_reorder_heap_fini(&r->gain[0]);
	wf_reorder_heap_fini(&r->gain[1]);
	wf_reorder_heap_fini(&r->near);
	free_all(r);
}

/* Those that may move are in front of those that are kept. */
static void list_members(struct refinement *r)
{
	const struct wf_reorder_parts *parts = r->parts;
	int *next = r->rival;

	for (int v = 0; v < parts->graph->n; v++)
		r->first[parts->home[v] + 1]++;
	for (int node = 0; node < parts->nodes; node++) {
		r->first[node + 1] += r->first[node];
		next[node] = r->first[node];
	}
	for (int v = 0; v < parts->graph->n; v++)
		if (!wf_reorder_keeps(parts, v))
			r->slot[v] = next[parts->home[v]]++;
	for (int v = 0; v < parts->graph->n; v++) {
		if (wf_reorder_keeps(parts, v))
			r->slot[v] = next[parts->home[v]]++;
		r->member[r->slot[v]] = v;
	}
	for (int node = 0; node < parts->nodes; node++) {
		r->changed[node] = -1;
		r->rival[node] = -1;
	}
}

static int init(struct refinement *r, const struct wf_reorder_parts *parts)
{
	const struct wf_reorder_graph *graph = parts->graph;
	int status;

	r->parts = parts;
	status = alloc_arrays(r);
	if (status)
		return status;
	status = alloc_heaps(r);
	if (status) {
		free_all(r);
		return status;
	}
	list_members(r);
	for (int v = 0; v < graph->n; v++) {
		for (int64_t e = graph->first[v]; e < graph->first[v + 1];
		     e++) {
			if (parts->home[graph->other[e]] != parts->home[v])
				r->load[parts->home[v]] += graph->weight[e];
			else
				r->inside[v] += graph->weight[e];
		}
	}
	return WEFT_OK;
}

/* Behind a change of a node. */
static void count_inside(struct refinement *r, int node)
{
	const int *member = &r->member[r->first[node]];

	for (int i = 0; i < r->parts->room[node]; i++)
		r->inside[member[i]] = wf_reorder_bond(r->parts, member[i],
						       node);
}

/* An edge from the vertex at i of the node's to one of its rival k. */
static void add_across(struct refinement *r, const struct rivals *rivals,
		       int k, int i, int64_t e)
{
	const struct wf_reorder_parts *parts = r->parts;
	int u = parts->graph->other[e];
	int room = parts->room[rivals->own], rival = rivals->node[k];

	if (i < room)
		r->out[(size_t)k * (size_t)room + (size_t)i] +=
			parts->graph->weight[e];
	if (!wf_reorder_keeps(parts, u))
		r->back[rivals->base[k] + r->slot[u] - r->first[rival]] +=
			parts->graph->weight[e];
}

/* Weights between a node and its rivals, as they are now. */
static void count_across(struct refinement *r, const struct rivals *rivals)
{
	const struct wf_reorder_graph *graph = r->parts->graph;
	size_t room = (size_t)r->parts->room[rivals->own];
	int begin = r->first[rivals->own], end = r->first[rivals->own + 1];

	memset(r->out, 0, (size_t)rivals->n * room * sizeof(*r->out));
	memset(r->back, 0, (size_t)rivals->base[rivals->n] * sizeof(*r->back));
	for (int i = begin; i < end; i++) {
		int v = r->member[i];

		for (int64_t e = graph->first[v]; e < graph->first[v + 1];
		     e++) {
			int k = r->rival[r->parts->home[graph->other[e]]];

			if (k >= 0)
				add_across(r, rivals, k, i - begin, e);
		}
	}
}

/* What each vertex of a node gains: weight to the other less to its own. */
static void enter(struct refinement *r, int node, struct wf_reorder_heap *heap,
		  const int64_t *across)
{
	const int *member = &r->member[r->first[node]];

	for (int i = 0; i < r->parts->room[node]; i++)
		wf_reorder_heap_set(heap, member[i],
				    across[i] - r->inside[member[i]]);
}

static void add_gain(struct wf_reorder_heap *heap, int v, int64_t more)
{
	if (wf_reorder_heap_has(heap, v))
		wf_reorder_heap_set(heap, v, heap->key[v] + more);
}

/* v goes from node[side] to the other: its neighbours, and loads, know it. */
static void go_over(struct refinement *r, struct duel *duel, int side, int v)
{
	const struct wf_reorder_graph *graph = r->parts->graph;
	int own = duel->node[side], other = duel->node[!side];

	r->parts->home[v] = other;
	for (int64_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
		int64_t weight = graph->weight[e];
		int u = graph->other[e], at = r->parts->home[u];

		if (at != own && at != other) {
			duel->load[side] -= weight;
			duel->load[!side] += weight;
			continue;
		}
		duel->load[0] += at == own ? weight : -weight;
		duel->load[1] += at == own ? weight : -weight;
		add_gain(&r->gain[side], u, 2 * weight);
		add_gain(&r->gain[!side], u, -2 * weight);
	}
}

/* Whether a costs less than b, by the metric, then by the other one. */
static bool less(const struct refinement *r, const struct duel *a,
		 const struct duel *b)
{
	int64_t a_sum = a->load[0] + a->load[1];
	int64_t b_sum = b->load[0] + b->load[1];
	int64_t a_max = a->load[a->load[1] > a->load[0]];
	int64_t b_max = b->load[b->load[1] > b->load[0]];

	if (r->parts->keys->metric == WF_REORDER_MAX)
		return a_max < b_max || (a_max == b_max && a_sum < b_sum);
	return a_sum < b_sum || (a_sum == b_sum && a_max < b_max);
}

/* The next swap of a series; false: one of the nodes has no vertex left. */
static bool swap(struct refinement *r, struct duel *duel, int *pair)
{
	if (!r->gain[0].count || !r->gain[1].count)
		return false;
	for (int side = 0; side < 2; side++) {
		pair[side] = wf_reorder_heap_pop(&r->gain[side]);
		go_over(r, duel, side, pair[side]);
	}
	return true;
}

/* What was swapped after the best moment goes back; the rest changes slots. */
static void settle(struct refinement *r, const struct duel *duel, int best,
		   int made)
{
	for (int i = 0; i < made; i++) {
		const int *pair = &r->swapped[2 * i];
		int slot = r->slot[pair[0]];

		if (i >= best) {
			r->parts->home[pair[0]] = duel->node[0];
			r->parts->home[pair[1]] = duel->node[1];
			continue;
		}
		r->slot[pair[0]] = r->slot[pair[1]];
		r->slot[pair[1]] = slot;
		r->member[r->slot[pair[0]]] = pair[0];
		r->member[r->slot[pair[1]]] = pair[1];
	}
}

/* With rival k, by weights across; true: the two have swapped something. */
static bool fight(struct refinement *r, const struct rivals *rivals, int k)
{
	int a = rivals->own, b = rivals->node[k];
	struct duel now = { { a, b }, { r->load[a], r->load[b] } };
	struct duel least = now;
	int made = 0, best = 0;

	enter(r, a, &r->gain[0], &r->out[(size_t)k *
					 (size_t)r->parts->room[a]]);
	enter(r, b, &r->gain[1], &r->back[rivals->base[k]]);
	while (made - best < PATIENCE && swap(r, &now, &r->swapped[2 * made])) {
		made++;
		if (!less(r, &now, &least))
			continue;
		least = now;
		best = made;
	}
	wf_reorder_heap_clear(&r->gain[0]);
	wf_reorder_heap_clear(&r->gain[1]);
	settle(r, &now, best, made);
	r->load[a] = least.load[0];
	r->load[b] = least.load[1];
	return best > 0;
}

/* Nodes behind this one, so that a pair is looked at once, by weight to it. */
static void find_near(struct refinement *r, int node)
{
	const struct wf_reorder_graph *graph = r->parts->graph;
	const int *member = &r->member[r->first[node]];

	wf_reorder_heap_clear(&r->near);
	for (int i = 0; i < r->parts->room[node]; i++) {
		int v = member[i];

		for (int64_t e = graph->first[v]; e < graph->first[v + 1];
		     e++) {
			int at = r->parts->home[graph->other[e]];

			if (at <= node)
				continue;
			if (!wf_reorder_heap_has(&r->near, at))
				wf_reorder_heap_set(&r->near, at, 0);
			add_gain(&r->near, at, graph->weight[e]);
		}
	}
}

/* Those of a node that it is bound to most, the strongest first. */
static void choose(struct refinement *r, struct rivals *rivals, int node)
{
	find_near(r, node);
	rivals->own = node;
	rivals->n = 0;
	rivals->base[0] = 0;
	while (rivals->n < NEAR && r->near.count) {
		int k = rivals->n++;

		rivals->node[k] = wf_reorder_heap_pop(&r->near);
		rivals->base[k + 1] = rivals->base[k] +
				      r->parts->room[rivals->node[k]];
		r->rival[rivals->node[k]] = k;
	}
}

/* One node and its rivals; false: nothing has become better. */
static bool challenge(struct refinement *r, int a, int number)
{
	struct rivals rivals;
	bool counted = false, better = false;

	choose(r, &rivals, a);
	for (int k = 0; k < rivals.n; k++) {
		int b = rivals.node[k];

		if (r->changed[a] < number - 1 && r->changed[b] < number - 1)
			continue;
		if (!counted)
			count_across(r, &rivals);
		counted = !fight(r, &rivals, k);
		if (counted)
			continue;
		count_inside(r, a);
		count_inside(r, b);
		r->changed[a] = number;
		r->changed[b] = number;
		better = true;
	}
	for (int k = 0; k < rivals.n; k++)
		r->rival[rivals.node[k]] = -1;
	return better;
}

/* False: nothing has become better. */
static bool pass(struct refinement *r, int number)
{
	bool better = false;

	for (int a = 0; a < r->parts->nodes; a++)
		better |= challenge(r, a, number);
	return better;
}

static bool in_time(const struct wf_reorder_keys *keys)
{
	return !keys->clock_ns || keys->clock_ns(keys->arg) <= keys->limit_ns;
}

int wf_reorder_refine(const struct wf_reorder_parts *parts)
{
	struct refinement r;
	int status;

	if (parts->keys->refine <= 0)
		return WEFT_OK;
	status = init(&r, parts);
	if (status)
		return status;
	for (int number = 0; number < parts->keys->refine; number++) {
		if (!in_time(parts->keys) || !pass(&r, number))
			break;
	}
	fini(&r);
	return WEFT_OK;
}
