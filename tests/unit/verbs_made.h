/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A device and an endpoint of the verbs backend that are made up: nothing is
 * behind them, so that what is posted can be looked at, and what completes,
 * and which events come, is the test's choice.  Rank 0 has a ready endpoint for
 * rank 5 on host n7.
 */
#ifndef WEFT_TESTS_VERBS_MADE_H
#define WEFT_TESTS_VERBS_MADE_H

#include "base/config.h"
#include "base/log.h"
#include "base/random.h"
#include "boot/boot_impl.h"
#include "transport/verbs/verbs.h"

enum {
	MADE_POSTS = 256,
	MADE_BYTES = 64			/* of each, that are looked at */
};

struct made_post {
	struct ibv_send_wr wr;
	bool reports;
	char bytes[MADE_BYTES];		/* of its first piece */
};

struct verbs_made {
	struct ibv_device device;
	struct ibv_context context;
	struct ibv_qp qp;
	struct ibv_cq cq;		/* in which nothing is found */
	struct ibv_mr mr;		/* of its own buffers */
	uint64_t sink;			/* one of them */
	struct wf_verbs_cq room;
	struct ibv_srq srq;
	struct wf_verbs_rq rq;
	struct wf_config config;
	struct wf_log log;
	struct wf_random random;
	struct wf_boot boot;
	struct wf_verbs dev;
	struct wf_verbs_ep *ep;
	struct made_post post[MADE_POSTS];
	int nposts;
	int refuse;			/* errno of the next call, or 0 */
	int mails;			/* delivered */
	char lines[4096];		/* what was logged, one behind other */
};

extern struct verbs_made made;

void verbs_made_open(void);
void verbs_made_close(void);

/* The device completes the n-th post, counted from 0, and all before it. */
void verbs_made_complete(int n, enum ibv_wc_status status);

#endif
