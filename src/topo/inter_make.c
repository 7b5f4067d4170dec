/* SPDX-License-Identifier: BSD-3-Clause */
/* Making an intercommunicator: see inter.h. */
#include <stdlib.h>
#include "derive/child.h"
#include "topo/graph.h"
#include "topo/inter.h"

/* The group of the lowest rank in the world is the first one everywhere. */
static int lowest(const struct weft_group *group)
{
	int least = wf_group_world_rank(group, 0);

	for (int r = 1; r < group->size; r++)
		if (wf_group_world_rank(group, r) < least)
			least = wf_group_world_rank(group, r);
	return least;
}

/* All ranks, those of one group behind the other's; NULL: no memory. */
static struct weft_group *join(struct weft_job *job,
			       const struct weft_group *local,
			       const struct weft_group *remote)
{
	bool local_first = lowest(local) < lowest(remote);
	const struct weft_group *first = local_first ? local : remote;
	const struct weft_group *second = local_first ? remote : local;
	int n = first->size + second->size;
	int *table = malloc((size_t)n * sizeof(*table));
	struct weft_group *all;

	for (int r = 0; table && r < first->size; r++)
		table[r] = wf_group_world_rank(first, r);
	for (int r = 0; table && r < second->size; r++)
		table[first->size + r] = wf_group_world_rank(second, r);
	return wf_group_make(job, table, n, &all) ? NULL : all;
}

/* Without a context; takes both groups.  NULL: no memory. */
static struct weft_comm *make_new(struct weft_job *job,
				  struct weft_group *local,
				  struct weft_group *remote)
{
	struct weft_group *all = join(job, local, remote);
	struct weft_comm *comm = all ? wf_comm_new(job, all) : NULL;

	if (!comm) {
		wf_group_drop(local);
		wf_group_drop(remote);
		return NULL;
	}
	if (!wf_across_set(comm, &wf_inter_ops, local, remote))
		return comm;
	wf_comm_discard(comm);
	return NULL;
}

/* One from each rank of the remote group, and one to each. */
static int attach(struct wf_child *child)
{
	struct weft_comm *comm = child->made;
	int n = wf_remote_size(comm), status = WEFT_ERR_NOMEM;
	int *ranks = malloc((size_t)n * sizeof(*ranks));
	const struct weft_edges edges = { n, ranks, NULL };

	for (int r = 0; ranks && r < n; r++)
		ranks[r] = wf_remote_first(comm) + r;
	if (ranks)
		status = wf_graph_attach(comm, NULL, &edges, &edges);
	free(ranks);
	return status ? wf_child_starves(child) : WEFT_OK;
}

int wf_inter_make(struct wf_child *child, struct weft_group *local,
		  struct weft_group *remote)
{
	int status = wf_child_settle(child, make_new(child->parent->job, local,
						     remote));

	return status ? status : attach(child);
}
