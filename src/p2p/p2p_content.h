/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The content of messages, as mails carry it: what a send gives and a receive
 * takes, n bytes from an offset on, packed.  Nobody else touches the memory of
 * a request; the content of long ones is a leg of a run (plan/leg.h).  As
 * numbers: without bytes it may be NULL.
 */
#ifndef WEFT_P2P_P2P_CONTENT_H
#define WEFT_P2P_P2P_CONTENT_H

#include "p2p/p2p.h"
#include "transport/line.h"

/* Is its data as the program has it, with gaps? */
static inline bool wf_p2p_has_gaps(const struct wf_p2p_request *req)
{
	return req->type && !req->staged;
}

static inline void wf_p2p_give(const struct wf_p2p_request *req, uint64_t from,
			       void *to, uint64_t n)
{
	if (wf_p2p_has_gaps(req))
		wf_gather(req->type, req->data, from, to, n);
	else
		wf_line_copy(to, (char *)((uintptr_t)req->data + from), n);
}

/* Those behind the end of its buffer go. */
static inline void wf_p2p_take(const struct wf_p2p_request *req, uint64_t to,
			       const void *from, uint64_t n)
{
	uint64_t at = wf_p2p_min(to, req->bytes);

	n = wf_p2p_min(n, req->bytes - at);
	if (req->type)
		wf_scatter(req->type, req->data, at, from, n);
	else
		wf_line_copy((char *)((uintptr_t)req->data + at), from, n);
}

#endif
