/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broadcast along the tree of the communicator.
 *
 * Idea: who has the vector gives it along all links but the one by which it
 * came: first to the rank above, then to the blocks below, the largest first.
 * Of a mesh the root gives it to all.
 * Rounds: ceil(log_8 P) from rank 0, as many more from a root as it has ranks
 * above; 1 up to P = 8.  Bytes: n per message, P - 1 messages.  Scratch and
 * copies: none.  Any P and root.
 *
 * The plan has a step for what comes and one for each link.  Those that an
 * operation does not need, what comes at its root and what would go back, are
 * copies of nothing; so it serves any root and length, and is aimed in place
 * before each start.
 */
#include "coll/tree.h"

static void aim(const struct wf_tree *tree, struct wf_plan *plan, int root,
		uint64_t bytes)
{
	int to_root = wf_tree_to_root(tree, root);
	bool gives = to_root < 0 || !tree->mesh;
	struct wf_step *step = plan->step;

	step->kind = to_root < 0 ? WF_STEP_COPY : WF_STEP_RECV;
	step->edge = to_root < 0 ? 0 : (uint32_t)to_root;
	step->bytes = to_root < 0 ? 0 : bytes;
	for (int i = 0; i < tree->nlinks; i++) {
		step++;
		step->kind = gives && i != to_root ? WF_STEP_SEND :
						     WF_STEP_COPY;
		step->bytes = step->kind == WF_STEP_SEND ? bytes : 0;
	}
}

int wf_bcast_build(const struct wf_schedule *s, struct wf_set *set,
		   const struct wf_coll_key *key, struct wf_plan **plan_p)
{
	const struct wf_tree *tree = wf_tree(s);
	struct wf_place data = { WF_BUFFER_RECV, 0 };
	struct wf_builder b;
	uint32_t comes;
	int status = wf_builder_init(&b, set);

	if (status)
		return status;
	comes = wf_build_copy(&b, data, data, 0);
	for (int i = 0; i < tree->nlinks; i++)
		wf_build_after(&b, wf_build_send(&b, (uint32_t)i, data, 0),
			       comes);
	status = wf_builder_finish(&b, plan_p);
	if (!status)
		aim(tree, *plan_p, key->root, key->bytes);
	return status;
}

static int make_request(struct wf_tree *tree, const struct wf_coll_key *key,
			struct wf_run_request **req_p)
{
	struct wf_plan *plan;
	int status = wf_bcast_build(&tree->schedule, tree->schedule.set, key,
				    &plan);

	if (status)
		return status;
	status = wf_run_requests_add(&tree->bcasts, plan, req_p);
	if (status)
		wf_plan_destroy(plan);
	return status;
}

/* Nothing is built or sought for another root or length. */
int wf_bcast_request(struct wf_schedule *s, const struct wf_coll_key *key,
		     struct wf_run_request **req_p)
{
	struct wf_tree *tree = wf_tree(s);
	int status = WEFT_OK;

	*req_p = wf_run_requests_spare(&tree->bcasts);
	if (*req_p)
		aim(tree, (*req_p)->run.plan, key->root, key->bytes);
	else
		status = make_request(tree, key, req_p);
	return status;
}
