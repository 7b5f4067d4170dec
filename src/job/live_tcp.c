/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Life in a real job: the pidfd decides within a PID namespace of the own node,
 * the lifeline elsewhere.
 *
 * One lifeline of each host is called as soon as a peer there is connected,
 * so that its address is proven long before a death depends on it.
 */
#include "boot/boot.h"
#include "job/job.h"
#include "job/liveness.h"
#include "job/peer.h"

/*
 * Does its pid mean anything here?  Ranks of one node may be in containers,
 * where it is that of another process, or of none.  Kernels that hide their
 * boot ids may look like one: where there are lifelines these decide.
 */
static bool has_pid(struct wf_peer *peer)
{
	const struct weft_job *job = peer->job;

	return wf_boot_node_index(job->boot, peer->rank) >= 0 &&
	       !wf_peer_read_blob(peer) &&
	       wf_blob_same_pids(&job->blob, &peer->blob) &&
	       job->blob.id.start && peer->blob.id.start &&
	       (job->lifeline.fd < 0 ||
		wf_identity_knows_kernel(&job->blob.id));
}

/*
 * A death before its lifeline has answered is seen by the data path, too, where
 * something is under way: if nothing is, an empty put.
 */
static void ask_data(struct wf_peer *peer)
{
	const struct wf_rloc nowhere = { 0, 0 };
	struct wf_ep *ep = peer->ep;

	if (wf_ep_arrived(ep, ep->posted) &&
	    ep->ops->put(ep, wf_loc_any(NULL), nowhere, 0))
		return;
	ep->ops->flush(ep, WF_FLUSH_ARRIVED);
}

static struct wf_probe *create_probe(struct wf_peer *peer)
{
	int near = wf_host_sort(&peer->blob);
	struct wf_probe *probe = wf_probe_create(&peer->job->prober,
						 peer->rank, &peer->blob);

	if (probe)
		wf_probe_set_near(probe, near);
	return probe;
}

/* NULL: no memory; or a job of one node, which has no lifelines. */
static struct wf_probe *probe_of(struct wf_peer *peer)
{
	if (!peer->probe && peer->job->lifeline.fd >= 0 &&
	    !wf_peer_read_blob(peer))
		peer->probe = create_probe(peer);
	return peer->probe;
}

/*
 * Has its data path moved?  Of those that answer by themselves each answer
 * counts, also to a part of what is under way; what is done may only be posted.
 */
static uint64_t moves(const struct wf_ep *ep)
{
	return ep->dev->caps & WF_CAP_ANSWERS ? ep->answers :
						ep->done + ep->flushed;
}

static struct wf_probe_data data_of(const struct wf_peer *peer)
{
	const struct wf_ep *ep = peer->ep;
	struct wf_probe_data data = {
		.broken = peer->broken,
		.connecting = wf_peer_is_connecting(peer),
		.others = peer->job->connected
	};

	if (!ep)
		return data;
	data.answers = peer->state == WF_PEER_READY && !peer->broken &&
		       ep->dev->caps & WF_CAP_ANSWERS;
	data.moved = moves(ep);
	return data;
}

/* Before it is taken for dead what has come is looked at. */
static void look_for_answers(struct wf_peer *peer)
{
	struct wf_device *dev = peer->ep ? peer->ep->dev : NULL;

	if (dev && wf_probe_is_doubted(peer->probe))
		dev->ops->progress(dev);
}

static bool step(struct wf_peer *peer, char *why, size_t bytes)
{
	uint64_t now = wf_job_now(peer->job);

	look_for_answers(peer);
	if (!probe_of(peer))
		return false;
	if (wf_probe_step(peer->probe, now, data_of(peer), why, bytes))
		return true;
	if (peer->state == WF_PEER_READY &&
	    wf_probe_asks_data(peer->probe, now))
		ask_data(peer);
	return false;
}

static bool net_probe(struct wf_peer *peer, char *why, size_t bytes)
{
	return has_pid(peer) ? wf_live_pidfd.probe(peer, why, bytes) :
			       step(peer, why, bytes);
}

static bool net_meet(struct wf_peer *peer)
{
	char why[160];

	if (has_pid(peer) || peer->job->lifeline.fd < 0 ||
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

/* An end that is seen meanwhile is as good. */
static bool net_say_lost(struct wf_peer *peer)
{
	char why[160];

	if (has_pid(peer) || peer->job->lifeline.fd < 0)
		return true;
	if (!probe_of(peer))
		return false;
	wf_probe_say_lost(peer->probe, peer->job->rank);
	return step(peer, why, sizeof(why)) || wf_probe_has_said(peer->probe);
}

static bool net_is_unheard(struct wf_peer *peer, char *why, size_t bytes)
{
	return peer->probe && wf_probe_is_unheard(peer->probe, why, bytes);
}

/* The end of one on the node is seen at once, that of others by an answer. */
static bool net_is_seen(const struct wf_peer *peer)
{
	return !peer->probe || wf_probe_has_heard(peer->probe);
}

static bool net_is_refused(const struct wf_peer *peer)
{
	return peer->probe && wf_probe_is_refused(peer->probe);
}

/* By a connection of its own: the peer may be watched, or not, by another. */
static struct wf_probe *talker_to(struct wf_peer *peer)
{
	struct weft_job *job = peer->job;
	struct wf_leave *leave = &job->leave;

	if (leave->probe || wf_peer_read_blob(peer))
		return leave->probe;
	leave->probe = create_probe(peer);
	if (leave->probe)
		wf_probe_talk(leave->probe, &leave->talk);
	return leave->probe;
}

static enum wf_said net_talk(struct wf_peer *peer, struct wf_life_talk *talk)
{
	struct wf_probe_data data = { .broken = false };
	struct wf_probe *probe = talker_to(peer);
	char why[160];

	if (!probe)
		return WF_SAID_IN_VAIN;
	if (wf_probe_step(probe, wf_job_now(peer->job), data, why,
			  sizeof(why)))
		return WF_SAID_TO_NOBODY;
	if (talk->over)
		return WF_SAID_ANSWERED;
	if (talk->hung_up)
		return WF_SAID_IN_VAIN;
	if (wf_probe_is_refused(probe))
		return WF_SAID_REFUSED;
	return wf_probe_has_delivered(probe) ? WF_SAID_THERE : WF_SAID_NOT_YET;
}

static void net_hush(struct weft_job *job)
{
	wf_probe_free(job->leave.probe);
	job->leave.probe = NULL;
}

const struct wf_live_ops wf_live_tcp = {
	net_probe, net_meet, net_unwatch, net_say_lost, net_is_unheard,
	net_is_seen, net_is_refused, net_talk, net_hush
};
