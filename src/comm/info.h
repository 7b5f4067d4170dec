/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Info objects.  Those of communicators are constant and shared by duplicates;
 * a program never has them in hand.
 */
#ifndef WEFT_COMM_INFO_H
#define WEFT_COMM_INFO_H

#include <weft/info.h>
#include "base/list.h"

struct weft_info {
	struct weft_job *job;		/* NULL: of none */
	struct wf_list link;		/* in the job's */
	int refs;
	int n, capacity;
	struct wf_pair {
		char *key, *value;
	} *pair;
};

/* A copy, of a job or none; of NULL an empty one.  Not told: WEFT_ERR_NOMEM. */
int wf_info_copy(struct weft_job *job, const struct weft_info *info,
		 struct weft_info **copy_p);

/* NULL: there is none. */
struct weft_info *wf_info_hold(struct weft_info *info);
void wf_info_drop(struct weft_info *info);

#endif
