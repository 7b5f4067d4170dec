/* SPDX-License-Identifier: BSD-3-Clause */
/* What calls on many requests at once have in common: request_many.c. */
#ifndef WEFT_PLAN_REQUEST_MANY_H
#define WEFT_PLAN_REQUEST_MANY_H

#include "plan/request.h"

enum wf_wanted {
	WF_ALL,
	WF_ONE
};

struct wf_many {
	struct weft_request *const *req;
	int n;
	enum wf_wanted wanted;
	const char *call;
	struct weft_comm *comm;		/* of the first one, held; NULL: none */
	struct weft_request *failed;	/* whose error is returned */
	int complete;			/* of all: so many, the first ones */
	bool some_failed, some_persist;	/* of those */
};

/* Its end is to be told: it is there, and no inactive persistent one. */
static inline bool wf_request_is_awaited(struct weft_request *req)
{
	return req && !wf_request_is_inactive(req);
}

static inline bool wf_request_is_complete(struct weft_request *req)
{
	return wf_request_is_awaited(req) && !wf_request_is_under_way(req);
}

/*
 * All are of one job, which is entered if there is one.  null names an output
 * that is NULL, if there is one.
 */
int wf_many_enter(struct wf_many *m, const char *null);

/* Of all: none is under way; of one: some is complete, or none is awaited. */
bool wf_many_is_over(void *arg);

int wf_many_leave(const struct wf_many *m, int status);

#endif
