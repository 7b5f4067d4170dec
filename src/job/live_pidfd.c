/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Life on the own node: a pidfd per watched peer, opened at the first probe,
 * and beside it the file of its segment, which an exec closes.  Ranks of the
 * own process have neither; they are told.
 */
#include <stdio.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/process.h"
#include "boot/boot.h"
#include "job/liveness.h"
#include "job/peer.h"

enum {
	LOOK_MS = 250		/* from one look at a peer's file to the next */
};

static bool is_time_to_look(struct wf_peer *peer)
{
	uint32_t now = (uint32_t)(wf_job_now(peer->job) / WF_NS_PER_MS);

	if (now - peer->live_looked < LOOK_MS)
		return false;
	peer->live_looked = now;
	return true;
}

/*
 * A closed job is without the file, too; but it has said so before, to whoever
 * is connected or shares memory, and who blames it looks for that first.
 */
static bool runs_another(struct wf_peer *peer)
{
	if (peer->live_other || peer->blob.memfd < 0 ||
	    !is_time_to_look(peer) ||
	    (peer->state != WF_PEER_READY && !wf_live_tells_leaving(peer)))
		return peer->live_other;
	peer->live_other = wf_process_has_dropped((pid_t)peer->blob.id.pid,
						  peer->blob.memfd,
						  &peer->live_file);
	return peer->live_other;
}

static bool has_ended(struct wf_peer *peer)
{
	if (peer->live_fd < 0) {
		peer->live_fd = wf_process_open((pid_t)peer->blob.id.pid,
						peer->blob.id.start);
		peer->live_wakes = peer->live_fd >= 0 &&
				   wf_process_wakes(peer->live_fd);
	}
	/* Without a descriptor for it there is no verdict. */
	return peer->live_fd == WEFT_ERR_PEER ||
	       (peer->live_fd >= 0 && wf_process_ended(peer->live_fd));
}

static bool pidfd_probe(struct wf_peer *peer, char *why, size_t bytes)
{
	bool ended;

	if (wf_boot_node_index(peer->job->boot, peer->rank) < 0 ||
	    wf_peer_read_blob(peer) || peer->blob.id.pid == getpid())
		return false;
	ended = has_ended(peer);
	if (!ended && !runs_another(peer))
		return false;
	snprintf(why, bytes, "is dead: its process %lld has %s",
		 (long long)peer->blob.id.pid, ended ? "ended" :
		 "started another program (exec)");
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
	.probe = pidfd_probe, .meet = pidfd_meet, .unwatch = pidfd_unwatch
};
