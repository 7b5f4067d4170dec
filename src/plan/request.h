/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests: the user's handle of a run, persistent or not.
 */
#ifndef WEFT_PLAN_REQUEST_H
#define WEFT_PLAN_REQUEST_H

#include <weft/request.h>
#include "plan/plan.h"

struct weft_request {
	struct wf_run run;
	struct weft_comm *comm;		/* referenced */
	bool persistent;
	struct wf_list link;		/* in the owner's list of spare ones */
	/* The user gave it up; NULL comm afterwards. */
	void (*release)(struct weft_request *req);
	void *owner;
};

#endif
