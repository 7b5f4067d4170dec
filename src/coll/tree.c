/* SPDX-License-Identifier: BSD-3-Clause */
/* The tree of a communicator: its links, their edges, its requests: tree.h. */
#include "coll/tree.h"

#include <stdlib.h>
#include "base/config.h"

static void destroy_tree(struct wf_cargo *cargo)
{
	struct wf_tree *tree = wf_container(cargo, struct wf_tree, cargo);

	wf_run_requests_fini(&tree->requests);
	if (tree->set)
		wf_set_destroy(tree->set);
	free(tree->link);
	free(tree);
}

static int make_tree(struct weft_comm *comm)
{
	struct wf_ragged_cuts cuts =
		wf_ragged_cut(comm->size, (int)comm->job->config.coll);
	size_t most = (size_t)wf_tree_most(&cuts);
	struct wf_tree *tree = calloc(1, sizeof(*tree));

	if (!tree)
		return WEFT_ERR_NOMEM;
	tree->link = calloc(most, sizeof(*tree->link));
	if (!tree->link) {
		free(tree);
		return WEFT_ERR_NOMEM;
	}
	tree->mesh = wf_tree_is_mesh(&cuts);
	tree->nlinks = wf_tree_links(&cuts, comm->rank, tree->link);
	tree->comm = comm;
	tree->cargo.destroy = destroy_tree;
	wf_run_requests_init(&tree->requests, comm, "weft_bcast");
	/* which are those of any broadcast */
	tree->requests.keeps_plans = true;
	comm->coll[WF_COLL_TREE].cargo = &tree->cargo;
	return WEFT_OK;
}

static int make_set(struct wf_tree *tree)
{
	size_t n = (size_t)tree->nlinks;
	struct wf_edge *edges = calloc(2 * n + 1, sizeof(*edges));
	struct wf_set_shape shape = {
		.number = WF_PORT_TREE, .window = WF_TREE_WINDOW,
		.rooted = true, .nout = tree->nlinks, .nin = tree->nlinks,
		.out = edges, .in = edges + n
	};
	int me = tree->comm->rank, status;

	if (!edges)
		return WEFT_ERR_NOMEM;
	for (size_t i = 0; i < n; i++) {
		int other = tree->link[i].rank;

		edges[i] = (struct wf_edge){ me, other, 0, 0 };
		edges[n + i] = (struct wf_edge){ other, me, 0, 0 };
	}
	status = wf_set_create(tree->comm, &shape, &tree->set);
	free(edges);
	return status;
}

static int make_request(struct wf_tree *tree, struct wf_run_request **req_p)
{
	struct wf_plan *plan;
	int status = wf_bcast_build(tree, &plan);

	if (status)
		return status;
	status = wf_run_requests_add(&tree->requests, plan, req_p);
	if (status)
		wf_plan_destroy(plan);
	return status;
}

/* The port stays open once there is a set: others have told it something. */
static int finish(struct wf_tree *tree)
{
	int status = tree->set ? WEFT_OK : make_set(tree);

	return status ? status : make_request(tree, &tree->own);
}

int wf_tree_of(struct weft_comm *comm, struct wf_tree **tree_p)
{
	struct wf_cargo **cargo = &comm->coll[WF_COLL_TREE].cargo;
	int status = *cargo ? WEFT_OK : make_tree(comm);
	struct wf_tree *tree;

	if (status)
		return status;
	tree = wf_container(*cargo, struct wf_tree, cargo);
	if (!tree->own)
		status = finish(tree);
	if (!status)
		*tree_p = tree;
	return status;
}

int wf_tree_request(struct wf_tree *tree, struct wf_run_request **req_p)
{
	struct wf_run_request *req = wf_run_requests_spare(&tree->requests);
	int status = req ? WEFT_OK : make_request(tree, &req);

	if (status)
		return status;
	wf_run_request_use(req);
	*req_p = req;
	return WEFT_OK;
}
