/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Life on the own node: a pidfd per watched peer, opened at the first probe.
 * Ranks of the own process have none; they are told.
 */
#include <stdio.h>
#include <unistd.h>
#include "base/process.h"
#include "boot/boot.h"
#include "job/liveness.h"
#include "job/peer.h"

static bool pidfd_probe(struct wf_peer *peer, char *why, size_t bytes)
{
	struct weft_job *job = peer->job;
	bool ended;

	if (wf_boot_node_index(job->boot, peer->rank) < 0 ||
	    wf_peer_read_blob(peer) || peer->blob.id.pid == getpid())
		return false;
	if (peer->live_fd < 0) {
		peer->live_fd = wf_process_open((pid_t)peer->blob.id.pid,
						peer->blob.id.start);
		peer->live_wakes = peer->live_fd >= 0 &&
				   wf_process_wakes(peer->live_fd);
	}
	/* Without a descriptor for it there is no verdict. */
	ended = peer->live_fd == WEFT_ERR_PEER ||
		(peer->live_fd >= 0 && wf_process_ended(peer->live_fd));
	if (!ended)
		return false;
	snprintf(why, bytes, "is dead: its process %lld has ended",
		 (long long)peer->blob.id.pid);
	return true;
}

/* The first probe opens it: a pid with its start time stays what it is. */
static bool pidfd_meet(struct wf_peer *peer)
{
	(void)peer;
	return true;
}

static void pidfd_unwatch(struct wf_peer *peer)
{
	if (peer->live_fd >= 0)
		close(peer->live_fd);
	peer->live_fd = -1;
}

const struct wf_live_ops wf_live_pidfd = {
	pidfd_probe, pidfd_meet, pidfd_unwatch, NULL, NULL
};
