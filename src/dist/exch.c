/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets from sources to items, or combined into roots: the calls. */
#include "dist/dist_exch.h"

#include <weft/dist_exch.h>

static inline struct wf_dist_call exch(const char *name,
				       struct weft_dist *dist,
				       const struct weft_packets *srcs,
				       const struct weft_packets *ritems)
{
	return (struct wf_dist_call){
		.name = name, .dist = dist, .srcs = srcs, .dests = ritems
	};
}

int weft_dist_exch(struct weft_dist *dist, const struct weft_packets *srcs,
		   const struct weft_packets *ritems)
{
	const struct wf_dist_call call = exch("weft_dist_exch", dist, srcs,
					      ritems);

	return wf_dist_block(&call);
}

int weft_dist_iexch(struct weft_dist *dist, const struct weft_packets *srcs,
		    const struct weft_packets *ritems,
		    struct weft_request **req_p)
{
	const struct wf_dist_call call = exch("weft_dist_iexch", dist, srcs,
					      ritems);

	return wf_dist_once(&call, req_p);
}

int weft_dist_exch_init(struct weft_dist *dist, const struct weft_packets *srcs,
			const struct weft_packets *ritems,
			struct weft_request **req_p)
{
	const struct wf_dist_call call = exch("weft_dist_exch_init", dist,
					      srcs, ritems);

	return wf_dist_init(&call, req_p);
}

/* ---- combined ---- */

static inline struct wf_dist_call reduce(const char *name,
					 struct weft_dist *dist,
					 const struct weft_packets *srcs,
					 const struct weft_op *op,
					 const struct weft_packets *rroots)
{
	return (struct wf_dist_call){
		.name = name, .dist = dist, .srcs = srcs, .dests = rroots,
		.op = op, .reduces = true
	};
}

int weft_dist_exch_reduce(struct weft_dist *dist,
			  const struct weft_packets *srcs,
			  const struct weft_op *op,
			  const struct weft_packets *rroots)
{
	const struct wf_dist_call call = reduce("weft_dist_exch_reduce", dist,
						srcs, op, rroots);

	return wf_dist_block(&call);
}

int weft_dist_iexch_reduce(struct weft_dist *dist,
			   const struct weft_packets *srcs,
			   const struct weft_op *op,
			   const struct weft_packets *rroots,
			   struct weft_request **req_p)
{
	const struct wf_dist_call call = reduce("weft_dist_iexch_reduce", dist,
						srcs, op, rroots);

	return wf_dist_once(&call, req_p);
}

int weft_dist_exch_reduce_init(struct weft_dist *dist,
			       const struct weft_packets *srcs,
			       const struct weft_op *op,
			       const struct weft_packets *rroots,
			       struct weft_request **req_p)
{
	const struct wf_dist_call call = reduce("weft_dist_exch_reduce_init",
						dist, srcs, op, rroots);

	return wf_dist_init(&call, req_p);
}
