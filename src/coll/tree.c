/* SPDX-License-Identifier: BSD-3-Clause */
/* The tree of a communicator: its links, their edges, its requests: tree.h. */
#include "coll/tree.h"

#include <stdlib.h>
#include "base/config.h"

static void destroy_request(struct wf_run_request *req)
{
	wf_plan_destroy(req->run.plan);
	wf_run_fini(&req->run);
	free(req);
}

static void destroy_tree(struct wf_cargo *cargo)
{
	struct wf_tree *tree = wf_container(cargo, struct wf_tree, cargo);
	struct wf_list *at;

	while ((at = wf_list_pop(&tree->made)))
		destroy_request(wf_container(at, struct wf_run_request, made));
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
	wf_list_init(&tree->made);
	wf_list_init(&tree->spare);
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

static void release(struct weft_request *base)
{
	struct wf_run_request *req = wf_run_request(base);
	struct wf_tree *tree = req->owner;
	struct weft_comm *comm = base->comm;

	base->comm = NULL;
	wf_list_add_head(&tree->spare, &req->link);
	wf_comm_drop(comm);
}

static const struct wf_request_ops once_ops = {
	.wait = wf_run_request_wait,
	.status = wf_run_request_status,
	.error = wf_run_request_error,
	.release = release
};

static int make_request(struct wf_tree *tree, struct wf_run_request **req_p)
{
	struct wf_run_request *req = calloc(1, sizeof(*req));
	struct wf_plan *plan = NULL;
	int status = req ? wf_bcast_build(tree, &plan) : WEFT_ERR_NOMEM;

	if (!status)
		status = wf_run_init(&req->run, plan, "weft_bcast");
	if (status) {
		wf_plan_destroy(plan);
		free(req);
		return status;
	}
	req->base.ops = &once_ops;
	req->owner = tree;
	wf_list_init(&req->link);
	wf_list_add_tail(&tree->made, &req->made);
	*req_p = req;
	return WEFT_OK;
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
	struct wf_list *at = wf_list_pop(&tree->spare);
	int status = WEFT_OK;

	if (at)
		*req_p = wf_container(at, struct wf_run_request, link);
	else
		status = make_request(tree, req_p);
	if (status)
		return status;
	(*req_p)->base.comm = tree->comm;
	wf_comm_hold(tree->comm);
	return WEFT_OK;
}
