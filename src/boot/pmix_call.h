/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls to the PMIx client library, each with all it reads and writes in
 * one heap record, so that the watchdog's thread can keep it when the caller
 * has given up. For boot_pmix.c only.
 */
#ifndef WEFT_BOOT_PMIX_CALL_H
#define WEFT_BOOT_PMIX_CALL_H

#include <pmix.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/log.h"
#include "boot/kv.h"
#include "boot/watchdog.h"

struct wf_pmix_call;

typedef void wf_pmix_body(struct wf_pmix_call *call);

/*
 * What the library's thread knows when it hears that the server is gone. It
 * has its own copy of the log, and is freed only after PMIx_Finalize.
 */
struct wf_pmix_watch {
	struct wf_log log;
	atomic_bool off; /* the rank is leaving: nothing ends it any more */
};

struct wf_pmix_call {
	wf_pmix_body *body;
	pmix_status_t rc;
	pmix_proc_t proc; /* me; of a get: whose value */

	/* join, found: */
	long size;
	long nodes;  /* 0: not told */
	char *peers; /* ranks of this node; NULL: not told */
	long universe; /* ranks that there can be; 0: not told */
	long appnum;   /* which of several programs; -1: not told */

	struct wf_pmix_watch *watch; /* join: what to tell of a lost server */
	bool watching;               /* the library has it */

	struct wf_kv puts; /* fence: what to put first */

	/* get: key, found value */
	char key[48];
	void *bytes;
	size_t n;

	/* abort */
	int code;
	char why[256];
};

struct wf_pmix_call *wf_pmix_call_create(wf_pmix_body *body,
					 const pmix_proc_t *me);

/* The two functions of the watchdog; `arg` is a struct wf_pmix_call. */
void wf_pmix_call_run(void *arg);
void wf_pmix_call_drop(void *arg);

/*
 * Joins the job: size, nodes, peers, and in proc who this process is. From then
 * on the process ends when the server does.
 */
void wf_pmix_join(struct wf_pmix_call *call);

/* Puts `puts` as weft.KEY, commits, and meets all ranks, data collected. */
void wf_pmix_fence(struct wf_pmix_call *call);

void wf_pmix_get(struct wf_pmix_call *call);
void wf_pmix_abort(struct wf_pmix_call *call);
void wf_pmix_leave(struct wf_pmix_call *call);

#endif
