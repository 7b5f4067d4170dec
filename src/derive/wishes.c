/* SPDX-License-Identifier: BSD-3-Clause */
/* What all ranks wish: see wishes.h. */
#include "derive/wishes.h"

#include <assert.h>
#include <stdlib.h>
#include "base/sort.h"
#include "coll/across_call.h"
#include "type/type.h"

static_assert(sizeof(struct wf_wish) == 8, "a wish is one element");

/* A rank of the parent and its key. */
struct place {
	int key, rank;
};

static int compare_keys(const void *a, const void *b, void *arg)
{
	const struct place *x = a, *y = b;

	(void)arg;
	return (x->key > y->key) - (x->key < y->key);
}

/* Of equal keys by rank: the sort is stable.  -1: no memory. */
static int select_color(const struct wf_wish *all, const struct wf_wishers *of,
			int color, struct place *to)
{
	int n = 0;

	for (int r = of->first; r < of->first + of->n; r++)
		if (all[r].color == color)
			to[n++] = (struct place){ all[r].key, r };
	return wf_sort(to, (size_t)n, sizeof(*to), compare_keys, NULL) ?
		-1 : n;
}

int wf_wishes_group(struct weft_comm *comm, const struct wf_wish *wishes,
		    const struct wf_wishers *of, struct weft_group **group_p)
{
	size_t size = (size_t)of->n;
	struct place *place = malloc(size * sizeof(*place));
	int *table = malloc(size * sizeof(*table));
	int n = -1;

	*group_p = NULL;
	if (place && table)
		n = select_color(wishes, of, wishes[comm->rank].color, place);
	for (int i = 0; i < n; i++)
		table[i] = wf_comm_world_rank(comm, place[i].rank);
	free(place);
	if (n > 0)
		return wf_group_make(comm->job, table, n, group_p);
	free(table);
	return n ? WEFT_ERR_NOMEM : WEFT_OK;
}

int wf_wishes_ask(struct wf_child *child, struct wf_wish wish,
		  struct wf_wish **wishes_p)
{
	struct weft_comm *comm = child->parent;
	struct wf_wish *all = malloc((size_t)comm->size * sizeof(*all));
	int status;

	*wishes_p = NULL;
	if (!all) {
		wf_allgather_refuse(comm, child->call, WEFT_ERR_NOMEM);
		return wf_child_starves(child);
	}
	all[comm->rank] = wish;
	status = wf_allgather(comm, child->call,
			      weft_part(WEFT_IN_PLACE, 0, NULL),
			      weft_part(all, 1, &weft_type_uint64));
	if (status)
		free(all);
	else
		*wishes_p = all;
	return status;
}

/* ---- intercommunicators ---- */

static int make_across(struct wf_child *child, const struct wf_wish *wishes)
{
	struct weft_comm *comm = child->parent;
	const struct wf_wishers here = {
		comm->across->local_first, comm->across->local->size
	}, there = { wf_remote_first(comm), wf_remote_size(comm) };
	struct weft_group *local = NULL, *remote = NULL;

	if (wf_wishes_group(comm, wishes, &here, &local) ||
	    wf_wishes_group(comm, wishes, &there, &remote)) {
		if (local)
			wf_group_drop(local);
		return wf_child_starves(child);
	}
	if (remote)
		return comm->across->ops->make(child, local, remote);
	wf_group_drop(local);
	return WEFT_OK;
}

int wf_wishes_across(struct wf_child *child, struct wf_wish wish)
{
	struct wf_wish *wishes;
	int status = wf_wishes_ask(child, wish, &wishes);

	if (!status && wish.color != WEFT_UNDEFINED)
		status = make_across(child, wishes);
	free(wishes);
	return status;
}
