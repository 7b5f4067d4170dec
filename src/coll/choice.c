/* SPDX-License-Identifier: BSD-3-Clause */
/* One algorithm for each operation so far: see choice.h. */
#include "coll/choice.h"

#include "coll/digits.h"
#include "coll/ragged.h"
#include "coll/tree.h"

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
	}
};
