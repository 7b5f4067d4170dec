/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Connects a rank to all ranks of its job, itself too, without a collective:
 * for tests of job/ alone.
 */
#ifndef WEFT_TESTS_MEET_H
#define WEFT_TESTS_MEET_H

#include "job/job.h"
#include "job/peer.h"
#include "tests/tap.h"

static bool meet_is_decided(void *arg)
{
	return ((struct wf_peer *)arg)->state != WF_PEER_CONNECTING;
}

static void meet_describe(void *arg, char *text, size_t bytes)
{
	(void)arg;
	snprintf(text, bytes, "a connection");
}

/* WEFT_OK: each is there, or has left; else WEFT_ERR_NOMEM, WEFT_ERR_PEER. */
__attribute__((unused))
static int meet(struct weft_job *job)
{
	int status = WEFT_OK;

	for (int r = 0; r < job->size; r++) {
		struct wf_peer *peer = wf_peer_get(job, r);
		struct wf_wait wait = { meet_is_decided, meet_describe, peer };

		if (!peer)
			return WEFT_ERR_NOMEM;
		wf_peer_connect(peer);
		wf_job_wait(job, &wait);
		if (peer->state > WF_PEER_LEFT) {
			status = WEFT_ERR_PEER;
			TAP_CHECK(*wf_peer_why(peer));
		}
	}
	return status;
}

#endif
