/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans: the calls. */
#include "coll/reduction.h"

int weft_scan(struct weft_comm *comm, const void *in, struct weft_part out,
	      const struct weft_op *op)
{
	struct wf_reduction given = { in, out, op };

	return wf_reduction_call(comm, "weft_scan", wf_scan_build, &given);
}

int weft_exscan(struct weft_comm *comm, const void *in, struct weft_part out,
		const struct weft_op *op)
{
	struct wf_reduction given = { in, out, op };

	return wf_reduction_call(comm, "weft_exscan", wf_exscan_build, &given);
}

int wf_sides(struct weft_comm *comm, const char *call, const void *in,
	     void *out, size_t bytes, wf_kernel kernel)
{
	const struct wf_coll_key key = {
		.call = call, .build = wf_sides_build, .bytes = bytes,
		.with = { .kernel = kernel, .width = bytes }
	};

	return wf_coll_run(comm, &key, bytes, in, out);
}
