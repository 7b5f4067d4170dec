/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reorder: runs the method that the keys name, then swaps; measures before and
 * after, and decides whether it was worth it.  What methods find is a node for
 * each vertex; here each gets a place on it, its own if that is there.
 */
#include "topo/reorder.h"

#include <stdlib.h>
#include <weft/status.h>
#include "base/zeroed.h"
#include "topo/reorder_parts.h"

enum {
	TENTH = 10			/* of the metric, the least gain */
};

const char *wf_reorder_method_name(enum wf_reorder_method method)
{
	static const char *const names[] = {
		[WF_REORDER_NONE] = "none",
		[WF_REORDER_GREEDY] = "greedy",
		[WF_REORDER_SCOTCH] = "scotch",
		[WF_REORDER_RCB] = "rcb",
	};

	return names[method];
}

/* parts->home and *room_p are the caller's to free. */
static int parts_init(struct wf_reorder_parts *parts,
		      const struct wf_reorder_places *places, int **room_p)
{
	int n = parts->graph->n;
	int *room = wf_zeroed((size_t)parts->nodes + 1, sizeof(*room));

	parts->home = malloc(((size_t)n + 1) * sizeof(*parts->home));
	if (!room || !parts->home) {
		free(room);
		free(parts->home);
		return WEFT_ERR_NOMEM;
	}
	for (int i = 0; i < n; i++) {
		parts->home[i] = places->node[i];
		room[places->node[i]] += !wf_reorder_keeps(parts, i);
	}
	parts->room = room;
	*room_p = room;
	return WEFT_OK;
}

static int run_method(const struct wf_reorder_parts *parts,
		      const char **instead_p)
{
	const char *lack = NULL;
	int status = WEFT_OK;

	if (parts->keys->method == WF_REORDER_SCOTCH)
		status = wf_reorder_scotch(parts, &lack);
	else if (parts->keys->method == WF_REORDER_RCB && parts->keys->coords)
		status = wf_reorder_rcb(parts);
	else if (parts->keys->method == WF_REORDER_RCB)
		lack = "there are no coordinates";
	if (status)
		return status;
	if (lack || parts->keys->method == WF_REORDER_GREEDY)
		status = wf_reorder_greedy(parts);
	if (!status)
		*instead_p = lack;
	return status;
}

static int64_t metric_of(const struct wf_reorder_keys *keys,
			 const struct weft_reorder_cost *cost)
{
	return keys->metric == WF_REORDER_MAX ? cost->max : cost->sum;
}

static bool worth_it(const struct wf_reorder_keys *keys,
		     const struct wf_reorder_result *result)
{
	int64_t before = metric_of(keys, &result->before);
	int64_t gain = before - metric_of(keys, &result->after);

	return gain > 0 && gain >= before / TENTH + (before % TENTH != 0);
}

static void stay(int n, int *place, struct wf_reorder_result *result)
{
	for (int i = 0; i < n; i++)
		place[i] = i;
	result->after = result->before;
}

/*
 * Those whose node does not change stay; others take the lowest places that
 * were left on theirs, and they are as many as come.
 */
static int seat(const struct wf_reorder_parts *parts,
		const struct wf_reorder_places *places, int *place,
		int *moved_p)
{
	int n = parts->graph->n, moved = 0;
	int *empty = wf_zeroed((size_t)parts->nodes + (size_t)n + 1,
			       sizeof(*empty));
	int *behind;			/* an empty one: the next */

	if (!empty)
		return WEFT_ERR_NOMEM;
	behind = empty + parts->nodes;
	for (int p = n - 1; p >= 0; p--) {
		place[p] = p;
		if (parts->home[p] == places->node[p])
			continue;
		behind[p] = empty[places->node[p]];
		empty[places->node[p]] = p;
	}
	for (int i = 0; i < n; i++) {
		int *first = &empty[parts->home[i]];

		if (parts->home[i] == places->node[i])
			continue;
		place[i] = *first;
		*first = behind[*first];
		moved++;
	}
	free(empty);
	*moved_p = moved;
	return WEFT_OK;
}

/* NULL: a method may find something. */
static const char *no_choice(const struct wf_reorder_keys *keys,
			     const struct weft_reorder_cost *before)
{
	if (keys->method == WF_REORDER_NONE)
		return "no method is asked for";
	if (before->sum == 0)
		return "nothing goes between nodes";
	return NULL;
}

/* Homes, and what they cost; result->kept NULL: they are worth it. */
static int find_homes(const struct wf_reorder_parts *parts,
		      struct wf_reorder_result *result)
{
	int status = run_method(parts, &result->instead);

	if (!status)
		status = wf_reorder_refine(parts);
	if (!status)
		status = wf_reorder_measure(parts->graph, parts->home,
					    parts->nodes,
					    parts->keys->messages,
					    &result->after);
	if (!status && !worth_it(parts->keys, result))
		result->kept = "the metric would not fall by a tenth";
	return status;
}

/* For a graph whose metric may fall. */
static int renumber(const struct wf_reorder_graph *graph,
		    const struct wf_reorder_places *places,
		    const struct wf_reorder_keys *keys, int *place,
		    struct wf_reorder_result *result)
{
	struct wf_reorder_parts parts = { .graph = graph, .keys = keys,
					  .nodes = places->nodes };
	int *room;
	int status = parts_init(&parts, places, &room);

	if (status)
		return status;
	status = find_homes(&parts, result);
	if (!status && !result->kept)
		status = seat(&parts, places, place, &result->moved);
	free(parts.home);
	free(room);
	return status;
}

int wf_reorder(const struct wf_reorder_graph *graph,
	       const struct wf_reorder_places *places,
	       const struct wf_reorder_keys *keys, int *place,
	       struct wf_reorder_result *result_p)
{
	struct wf_reorder_result result = { .kept = NULL };
	int status = wf_reorder_measure(graph, places->node, places->nodes,
					keys->messages, &result.before);

	if (status)
		return status;
	result.kept = no_choice(keys, &result.before);
	if (!result.kept)
		status = renumber(graph, places, keys, place, &result);
	if (status)
		return status;
	if (result.kept)
		stay(graph->n, place, &result);
	*result_p = result;
	return WEFT_OK;
}
