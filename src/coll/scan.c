/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans: the calls. */
#include "coll/reduction.h"

int weft_scan(struct weft_comm *comm, const void *in, struct weft_part out,
	      const struct weft_op *op)
{
	const struct wf_reduction given = { in, out, op, WF_COLL_SCAN, 0 };

	return wf_reduction_call(comm, "weft_scan", &given);
}

int weft_iscan(struct weft_comm *comm, const void *in, struct weft_part out,
	       const struct weft_op *op, struct weft_request **req_p)
{
	const struct wf_reduction given = { in, out, op, WF_COLL_SCAN, 0 };

	return wf_call_once(comm, "weft_iscan", wf_reduction_read, &given,
			    req_p);
}

int weft_scan_init(struct weft_comm *comm, const void *in,
		   struct weft_part out, const struct weft_op *op,
		   struct weft_request **req_p)
{
	const struct wf_reduction given = { in, out, op, WF_COLL_SCAN, 0 };

	return wf_call_init(comm, "weft_scan_init", wf_reduction_read, &given,
			    req_p);
}

int weft_exscan(struct weft_comm *comm, const void *in, struct weft_part out,
		const struct weft_op *op)
{
	const struct wf_reduction given = { in, out, op, WF_COLL_EXSCAN, 0 };

	return wf_reduction_call(comm, "weft_exscan", &given);
}

int weft_iexscan(struct weft_comm *comm, const void *in, struct weft_part out,
		 const struct weft_op *op, struct weft_request **req_p)
{
	const struct wf_reduction given = { in, out, op, WF_COLL_EXSCAN, 0 };

	return wf_call_once(comm, "weft_iexscan", wf_reduction_read, &given,
			    req_p);
}

int weft_exscan_init(struct weft_comm *comm, const void *in,
		     struct weft_part out, const struct weft_op *op,
		     struct weft_request **req_p)
{
	const struct wf_reduction given = { in, out, op, WF_COLL_EXSCAN, 0 };

	return wf_call_init(comm, "weft_exscan_init", wf_reduction_read, &given,
			    req_p);
}

int wf_sides(struct weft_comm *comm, const char *call, const void *in,
	     void *out, size_t bytes, wf_kernel kernel)
{
	const struct wf_coll_key key = {
		.call = call, .by = wf_coll_choose(WF_COLL_SIDES),
		.bytes = bytes,
		.with = { .kernel = kernel, .width = bytes }
	};

	return wf_coll_run(comm, &key, bytes, in, out);
}
