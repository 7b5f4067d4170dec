/* SPDX-License-Identifier: BSD-3-Clause */
/* Algorithms, and the choice between them: see choice.h. */
#include "coll/choice.h"

#include "coll/digits.h"
#include "coll/lengths.h"
#include "coll/pairs.h"
#include "coll/ragged.h"
#include "coll/varying.h"

const struct wf_algorithm wf_algorithms[WF_COLL_OPS] = {
	[WF_COLL_ALLREDUCE] = {
		.kind = WF_COLL_PROGRAM, .build = wf_allreduce_build
	},
	[WF_COLL_SCAN] = {
		.kind = WF_COLL_PROGRAM, .build = wf_scan_build
	},
	[WF_COLL_EXSCAN] = {
		.kind = WF_COLL_PROGRAM, .build = wf_exscan_build
	},
	[WF_COLL_REDUCE_SCATTER] = {
		.kind = WF_COLL_PROGRAM, .build = wf_reduce_scatter_build
	},
	[WF_COLL_SIDES] = {
		.kind = WF_COLL_PROGRAM, .build = wf_sides_build
	},
	[WF_COLL_ALLGATHER] = {
		.kind = WF_COLL_PROGRAM, .build = wf_allgather_build
	},
	[WF_COLL_ALLTOALL] = {
		.kind = WF_COLL_DIGITS, .build = wf_alltoall_build
	},
	[WF_COLL_BCAST] = {
		.kind = WF_COLL_TREE, .build = wf_bcast_build,
		.flow = WF_TREE_DOWN, .request = wf_bcast_request
	},
	[WF_COLL_REDUCE] = {
		.kind = WF_COLL_TREE, .build = wf_reduce_build,
		.flow = WF_TREE_FOLD
	},
	[WF_COLL_GATHER] = {
		.kind = WF_COLL_TREE, .build = wf_gather_build,
		.flow = WF_TREE_UP
	},
	[WF_COLL_SCATTER] = {
		.kind = WF_COLL_TREE, .build = wf_scatter_build,
		.flow = WF_TREE_DOWN
	},
	[WF_COLL_GATHERV] = {
		.kind = WF_COLL_TREE, .build = wf_gather_build,
		.flow = WF_TREE_UP, .request = wf_varying_request,
		.learn = wf_varying_learn
	},
	[WF_COLL_SCATTERV] = {
		.kind = WF_COLL_TREE, .build = wf_scatter_build,
		.flow = WF_TREE_DOWN, .request = wf_varying_request,
		.learn = wf_varying_learn
	},
	[WF_COLL_LENGTHS_UP] = {
		.kind = WF_COLL_TREE, .build = wf_lengths_build,
		.flow = WF_TREE_UP
	},
	[WF_COLL_LENGTHS_DOWN] = {
		.kind = WF_COLL_TREE, .build = wf_lengths_build,
		.flow = WF_TREE_DOWN
	},
	[WF_COLL_PAIRS] = {
		.kind = WF_COLL_DIGITS, .build = wf_pairs_build,
		.apart = &wf_pairs
	},
	[WF_COLL_SPARSE] = { .kind = WF_COLL_ROUTES }
};

enum {
	DIGITS_MOST = 512		/* bytes that others pass on */
};

/* Up to the radix nobody passes anything on. */
const struct wf_algorithm *
wf_coll_choose_alltoall(const struct weft_comm *comm, uint64_t bytes)
{
	bool passed = comm->size > wf_digits_base(comm);

	return wf_coll_choose(passed && bytes > DIGITS_MOST ?
			      WF_COLL_PAIRS : WF_COLL_ALLTOALL);
}

/* In a mesh nobody passes on what others give or get. */
const struct wf_algorithm *wf_coll_choose_varying(const struct weft_comm *comm,
						  enum wf_coll_op op)
{
	struct wf_ragged_cuts cuts =
		wf_ragged_cut(comm->size, (int)comm->job->config.coll);
	bool mesh = wf_tree_is_mesh(&cuts);

	if (op == WF_COLL_GATHER && !mesh)
		op = WF_COLL_GATHERV;
	if (op == WF_COLL_SCATTER && !mesh)
		op = WF_COLL_SCATTERV;
	return wf_coll_choose(op);
}
