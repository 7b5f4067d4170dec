/* SPDX-License-Identifier: BSD-3-Clause */
/* The tree of a communicator: its links and their edges: see tree.h. */
#include "coll/tree.h"

#include <stdlib.h>
#include "base/zeroed.h"

static void end_tree(struct wf_schedule *s)
{
	while (s->set && s->set->held) {
		struct wf_held *held = wf_set_unhold(s->set);

		held->end(held, false);
	}
	wf_run_requests_fini(&wf_tree(s)->bcasts);
}

static void free_tree(struct wf_schedule *s)
{
	struct wf_tree *tree = wf_tree(s);

	free(tree->link);
	free(tree);
}

static struct wf_schedule *make_tree(struct weft_comm *comm)
{
	struct wf_tree *tree = wf_zeroed(1, sizeof(*tree));
	struct wf_ragged_cuts cuts =
		wf_ragged_cut(comm->size, (int)comm->job->config.coll);

	if (!tree)
		return NULL;
	tree->link = wf_zeroed((size_t)wf_tree_most(&cuts),
			       sizeof(*tree->link));
	if (!tree->link) {
		free(tree);
		return NULL;
	}
	tree->mesh = wf_tree_is_mesh(&cuts);
	tree->nlinks = wf_tree_links(&cuts, comm->rank, tree->link);
	wf_run_requests_init(&tree->bcasts, comm, "weft_bcast");
	/* which are those of any broadcast */
	tree->bcasts.keeps_plans = true;
	return &tree->schedule;
}

static int find_edges(const struct wf_schedule *s, struct wf_schedule_edges *e)
{
	const struct wf_tree *tree = wf_tree(s);
	int me = s->comm->rank;

	if (wf_schedule_edges_init(e, (size_t)tree->nlinks))
		return WEFT_ERR_NOMEM;
	for (int i = 0; i < tree->nlinks; i++) {
		int other = tree->link[i].rank;

		e->out[e->nout++] = (struct wf_edge){ me, other, 0, 0 };
		e->in[e->nin++] = (struct wf_edge){ other, me, 0, 0 };
	}
	return WEFT_OK;
}

/* Where the block of this rank ends. */
static int block_end(const struct wf_tree *tree)
{
	int end = tree->schedule.comm->rank + 1;

	for (int i = 0; i < tree->nlinks; i++)
		if (tree->link[i].end > end)
			end = tree->link[i].end;
	return end;
}

struct wf_tree_row wf_tree_far(const struct wf_tree *tree, int link)
{
	const struct wf_tree_link *l = &tree->link[link];
	const struct weft_comm *comm = tree->schedule.comm;
	int end;

	if (l->end)
		return (struct wf_tree_row){ l->low, l->end - l->low };
	end = block_end(tree);
	return (struct wf_tree_row){ end % comm->size,
				     comm->size - (end - comm->rank) };
}

struct wf_tree_row wf_tree_near(const struct wf_tree *tree, int to_root)
{
	const struct weft_comm *comm = tree->schedule.comm;
	struct wf_tree_row far;

	if (to_root < 0)
		return (struct wf_tree_row){ comm->rank, comm->size };
	if (tree->mesh)
		return (struct wf_tree_row){ comm->rank, 1 };
	far = wf_tree_far(tree, to_root);
	return (struct wf_tree_row){ (far.first + far.n) % comm->size,
				     comm->size - far.n };
}

bool wf_tree_leads_to(const struct wf_tree *tree, int root)
{
	int to_root = wf_tree_to_root(tree, root);

	return to_root < 0 || tree->link[to_root].end > 0;
}

/* Along the links of rank 0's tree, up, and down again to the root. */
static bool fold_gives(const struct wf_tree *tree, int root, int link)
{
	return !tree->link[link].end || link == wf_tree_to_root(tree, root);
}

static bool fold_takes(const struct wf_tree *tree, int root, int link)
{
	return tree->link[link].end || wf_tree_leads_to(tree, root);
}

bool wf_tree_gives(const struct wf_tree *tree, enum wf_tree_flow flow,
		   int root, int link)
{
	int to_root = wf_tree_to_root(tree, root);

	switch (flow) {
	case WF_TREE_DOWN:
		return link != to_root && (to_root < 0 || !tree->mesh);
	case WF_TREE_UP:
		return link == to_root;
	case WF_TREE_FOLD:
		return tree->mesh ? link == to_root :
				    fold_gives(tree, root, link);
	}
	return false;
}

bool wf_tree_takes(const struct wf_tree *tree, enum wf_tree_flow flow,
		   int root, int link)
{
	int to_root = wf_tree_to_root(tree, root);

	switch (flow) {
	case WF_TREE_DOWN:
		return link == to_root;
	case WF_TREE_UP:
		return link != to_root && (to_root < 0 || !tree->mesh);
	case WF_TREE_FOLD:
		return tree->mesh ? to_root < 0 :
				    fold_takes(tree, root, link);
	}
	return false;
}

/* ---- what is refused ---- */

/* A step for each edge; those that an operation does not use copy nothing. */
static int build_refused(const struct wf_schedule *s, struct wf_plan **plan_p)
{
	const struct wf_place nothing = { WF_BUFFER_SCRATCH, 0 };
	const struct wf_tree *tree = wf_tree(s);
	struct wf_builder b;
	int status = wf_builder_init(&b, s->set);

	if (status)
		return status;
	for (int i = 0; i < tree->nlinks; i++) {
		wf_build_send(&b, (uint32_t)i, nothing, 0);
		wf_build_recv(&b, (uint32_t)i, nothing, 0);
	}
	return wf_builder_finish(&b, plan_p);
}

static void aim_refused(const struct wf_schedule *s, struct wf_plan *plan,
			const struct wf_coll_key *key)
{
	const struct wf_tree *tree = wf_tree(s);
	enum wf_tree_flow flow = (enum wf_tree_flow)key->by->flow;
	struct wf_step *step = plan->step;

	for (int i = 0; i < tree->nlinks; i++) {
		bool gives = wf_tree_gives(tree, flow, key->root, i);
		bool takes = wf_tree_takes(tree, flow, key->root, i);

		step++->kind = gives ? WF_STEP_SEND : WF_STEP_COPY;
		step++->kind = takes ? WF_STEP_RECV : WF_STEP_COPY;
	}
}

const struct wf_schedule_kind wf_tree_kind = {
	.port = WF_PORT_TREE, .rooted = true, .make = make_tree,
	.end = end_tree, .free = free_tree, .find_edges = find_edges,
	.build_refused = build_refused, .aim_refused = aim_refused
};
