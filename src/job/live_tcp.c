/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Life in a real job: the pidfd decides on the own node, the lifeline
 * elsewhere.
 *
 * One lifeline of each host is called as soon as a peer there is connected,
 * so that its address is proven long before a death depends on it.
 */
#include "boot/boot.h"
#include "job/job.h"
#include "job/liveness.h"
#include "job/peer.h"

static bool is_on_node(const struct wf_peer *peer)
{
	return wf_boot_node_index(peer->job->boot, peer->rank) >= 0;
}

/* A job of one node has no lifelines. */
static bool step(struct wf_peer *peer, char *why, size_t bytes)
{
	struct weft_job *job = peer->job;
	uint64_t data = peer->ep ? peer->ep->done + peer->ep->flushed : 0;

	if (job->lifeline.fd < 0 || wf_peer_read_blob(peer))
		return false;
	if (!peer->probe)
		peer->probe = wf_probe_create(&job->prober, peer->rank,
					      &peer->blob);
	return peer->probe &&
	       wf_probe_step(peer->probe, wf_job_now(job), data, why, bytes);
}

static bool net_probe(struct wf_peer *peer, char *why, size_t bytes)
{
	return is_on_node(peer) ? wf_live_pidfd.probe(peer, why, bytes) :
				  step(peer, why, bytes);
}

static bool net_meet(struct wf_peer *peer)
{
	char why[160];

	if (is_on_node(peer) || peer->job->lifeline.fd < 0 ||
	    wf_prober_knows(&peer->job->prober, &peer->blob))
		return true;
	if (!step(peer, why, sizeof(why)))
		return false;
	wf_live_died(peer->job, peer->rank, why);
	return true;
}

static void net_unwatch(struct wf_peer *peer)
{
	wf_live_pidfd.unwatch(peer);
	wf_probe_free(peer->probe);
	peer->probe = NULL;
}

const struct wf_live_ops wf_live_tcp = { net_probe, net_meet, net_unwatch };
