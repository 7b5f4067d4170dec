/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * First contact and the end of a connection.  It is symmetric: A maps B's
 * segment, makes the ring for B's mails, stores its offset into B's header and
 * rings B's bell.  B's progress reports the contact, and B does the same.
 * Each side is ready when it has mapped the other and finds the other's word
 * in its own header.
 *
 * Who cannot or will not connect stores a refusal into its own header, where
 * the other side, which has mapped it, looks while it waits.  A pair connects
 * once: what a word that was left behind means is never asked.  A want of
 * memory or descriptors is no refusal before the last try.
 */
#include "transport/shm/shm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "base/assert.h"
#include "base/lack.h"
#include "base/log.h"
#include "base/process.h"
#include "boot/blob.h"
#include "boot/boot.h"

static void become_ready(struct wf_shm *dev, struct wf_shm_ep *ep,
			 uint64_t ring)
{
	struct wf_segment *seg = dev->env.segment;

	wf_ring_attach(&ep->out, (void *)(ep->base + ring),
		       wf_shm_ring_shape());
	wf_ring_attach(&ep->in, wf_segment_at(seg, ep->ring),
		       wf_shm_ring_shape());
	dev->ready[dev->nready++] = ep;
	wf_list_del(&ep->connecting);
	ep->ep.state = WF_EP_READY;
}

static void be_refused(struct wf_shm *dev, struct wf_shm_ep *ep,
		       const char *why)
{
	wf_info(dev->env.log, "shm: rank %d: %s", ep->ep.rank, why);
	wf_list_del(&ep->connecting);
	ep->ep.state = WF_EP_REFUSED;
}

/* There is no answer yet.  Will there be none?  Closed: it was before that. */
static bool is_in_vain(struct wf_shm *dev, struct wf_shm_ep *ep, bool closed)
{
	if (closed) {
		wf_list_del(&ep->connecting);
		ep->ep.state = WF_EP_CLOSED;
		return true;
	}
	switch (atomic_load_explicit(&ep->header->node[dev->me].refused,
				     memory_order_relaxed)) {
	case 0:
		return false;
	case WF_SHM_LACKS:
		ep->ep.lack = "it has no memory or no descriptor to connect, "
			      "and its own error tells which";
		be_refused(dev, ep, ep->ep.lack);
		return true;
	default:
		be_refused(dev, ep, "it will not use shared memory with us");
		return true;
	}
}

/* Of an endpoint that is connecting; true: its state has changed. */
bool wf_shm_try_ready(struct wf_shm *dev, struct wf_shm_ep *ep)
{
	/* With the release in shm_close(): what it answered is there. */
	uint64_t users = atomic_load_explicit(&ep->header->users,
					      memory_order_acquire);
	/* With the release in announce(): the peer's ring is there. */
	uint64_t word = atomic_load_explicit(
		&dev->header->node[ep->index].connect, memory_order_acquire);
	uint64_t ring = word & ~UINT64_C(1);
	size_t ring_bytes = wf_ring_bytes(wf_shm_ring_shape());

	if (!word)
		return is_in_vain(dev, ep, users & WF_SEGMENT_CLOSED);
	ep->size = atomic_load_explicit(&ep->header->size,
					memory_order_acquire);
	if (ep->size < ring_bytes || ring > ep->size - ring_bytes ||
	    ring % WF_ALLOC_UNIT)
		be_refused(dev, ep, "its ring lies outside of its memory");
	else
		become_ready(dev, ep, ring);
	return true;
}

/* The peer may answer from now on. */
static void announce(struct wf_shm *dev, struct wf_shm_ep *ep)
{
	/* With the acquire in wf_shm_try_ready() at the peer. */
	atomic_store_explicit(&ep->header->node[dev->me].connect, ep->ring | 1,
			      memory_order_release);
	/* With the acquire of the bell in wf_shm_progress(). */
	atomic_fetch_add_explicit(&ep->header->bell, 1, memory_order_release);
	wf_shm_ring_header(ep->header, ep->pid);
}

static bool knows_starts(const struct wf_shm *dev,
			 const struct wf_tp_peer *peer)
{
	return dev->env.self->id.start && peer->blob->id.start;
}

/* May we connect at all?  Says why not. */
static int check_peer(struct wf_shm *dev, const struct wf_tp_peer *peer,
		      int index, char *why)
{
	if (index < 0)
		snprintf(why, WF_SHM_WHY, "it is on another node");
	else if (!wf_blob_same_node(dev->env.self, peer->blob))
		snprintf(why, WF_SHM_WHY, "%s", knows_starts(dev, peer) ?
			 "kernel, PID namespace or user differ" :
			 "/proc does not tell when both processes started: "
			 "mount that of their PID namespace");
	else if (dev->slot[index].ep ||
		 atomic_load_explicit(&dev->header->node[index].refused,
				      memory_order_relaxed))
		snprintf(why, WF_SHM_WHY, "it was connected or refused before");
	else
		return WEFT_OK;
	return WEFT_ERR_UNSUPPORTED;
}

static int not_watched(int status, pid_t pid, char *why)
{
	char text[WF_LACK_TEXT];

	wf_lack_text(errno, text, sizeof(text));
	snprintf(why, WF_SHM_WHY, "its process %d cannot be watched: %s",
		 (int)pid, text);
	return status == WEFT_ERR_DEVICE ? WEFT_ERR_UNSUPPORTED : status;
}

/* Map the peer, and hold its process so that the fence can ask for its end. */
static int reach(struct wf_shm *dev, struct wf_shm_ep *ep,
		 const struct wf_blob *blob, char *why)
{
	int status;

	if (ep->index == dev->me) {
		wf_shm_attach_self(dev, &ep->map);
		return WEFT_OK;
	}
	if (!wf_shm_same_process(dev, blob)) {
		ep->pidfd = wf_process_open((pid_t)blob->id.pid,
					    blob->id.start);
		if (ep->pidfd < 0)
			return not_watched(ep->pidfd, ep->pid, why);
	}
	status = wf_shm_attach(dev, blob, &ep->map, why);
	if (ep->pidfd < 0)
		return status;
	if (status) {
		/* Not its memory, but it was on its way out. */
		if (wf_process_ended(ep->pidfd))
			status = WEFT_ERR_PEER;
		close(ep->pidfd);
	} else {
		/* From now on no other file is taken for this one. */
		(void)wf_process_has_dropped(ep->pid, ep->memfd, &ep->file);
	}
	return status;
}

static void fill_in(struct wf_shm *dev, struct wf_shm_ep *ep,
		    const struct wf_tp_peer *peer)
{
	ep->ep.ops = &wf_shm_ep_ops;
	ep->ep.dev = &dev->dev;
	ep->ep.rank = peer->rank;
	ep->ep.state = WF_EP_CONNECTING;
	ep->base = ep->map.base;
	ep->header = (void *)(ep->base + ep->map.header);
	ep->ep.away = &ep->header->away;
	ep->size = atomic_load_explicit(&ep->header->size,
					memory_order_acquire);
	ep->key = peer->blob->key.word[0];
	ep->any_key = peer->blob->key.word[1];
	ep->ep.writes_anywhere = wf_shm_reaches_anywhere(dev, ep, peer->blob);
	ep->directory = (void *)(ep->base + ep->header->directory);
	wf_list_init(&ep->connecting);
}

static int take_ring(struct wf_shm *dev, struct wf_shm_ep *ep, char *why)
{
	struct wf_segment *seg = dev->env.segment;
	char text[WF_LACK_TEXT];
	int status = wf_segment_alloc(seg, wf_ring_bytes(wf_shm_ring_shape()),
				      WF_ALLOC_UNIT, &ep->ring);

	if (!status) {
		wf_ring_shared_init(wf_segment_at(seg, ep->ring),
				    wf_shm_ring_shape());
		return WEFT_OK;
	}
	wf_segment_why(seg, text, sizeof(text));
	snprintf(why, WF_SHM_WHY, "no memory for its ring: %s", text);
	return status;
}

static int make_ep(struct wf_shm *dev, const struct wf_tp_peer *peer,
		   int index, struct wf_shm_ep **ep_p, char *why)
{
	struct wf_shm_ep *ep = calloc(1, sizeof(*ep));
	int status = WEFT_ERR_NOMEM;

	if (!ep) {
		snprintf(why, WF_SHM_WHY, "no memory for its endpoint");
		return status;
	}
	ep->pid = (pid_t)peer->blob->id.pid;
	ep->pidfd = -1;
	ep->doorbell = -1;
	ep->memfd = peer->blob->memfd;
	ep->index = index;
	status = take_ring(dev, ep, why);
	if (status)
		goto free_ep;
	status = reach(dev, ep, peer->blob, why);
	if (status)
		goto free_ring;
	fill_in(dev, ep, peer);
	*ep_p = ep;
	return WEFT_OK;

free_ring:
	wf_segment_free(dev->env.segment, ep->ring);
free_ep:
	free(ep);
	return status;
}

/*
 * Memory that is not where the blob says may have gone with its job.  Of what
 * is lacking the room above tells, once for all tries.
 */
static int refuse(struct wf_shm *dev, const struct wf_tp_peer *peer, int index,
		  const char *why, int status)
{
	bool gone = status == WEFT_ERR_RANGE, lacks = status == WEFT_ERR_NOMEM;

	if (gone)
		status = WEFT_ERR_UNSUPPORTED;
	if (!lacks)
		wf_info(dev->env.log, "shm: rank %d: %s", peer->rank, why);
	if (peer->refusal) {
		snprintf(peer->refusal->why, sizeof(peer->refusal->why), "%s",
			 why);
		peer->refusal->gone = gone;
	}
	if (index < 0 || (lacks && !peer->last))
		return status;
	dev->slot[index].met = true;
	/* Never withdrawn, and carries nothing. */
	atomic_store_explicit(&dev->header->node[index].refused,
			      lacks ? WF_SHM_LACKS : WF_SHM_REFUSES,
			      memory_order_relaxed);
	return status;
}

int wf_shm_connect(struct wf_device *base, const struct wf_tp_peer *peer,
		   struct wf_ep **ep_p)
{
	struct wf_shm *dev = wf_shm_dev(base);
	int index = wf_boot_node_index(dev->env.boot, peer->rank);
	struct wf_shm_ep *ep = NULL;
	char why[WF_SHM_WHY];
	int status = check_peer(dev, peer, index, why);

	if (!status)
		status = make_ep(dev, peer, index, &ep, why);
	if (status)
		return refuse(dev, peer, index, why, status);
	dev->slot[index].ep = ep;
	dev->slot[index].met = true;
	wf_list_add_tail(&dev->connecting, &ep->connecting);
	/* To oneself the own word is the answer, too. */
	announce(dev, ep);
	wf_shm_try_ready(dev, ep);
	*ep_p = &ep->ep;
	return WEFT_OK;
}

void wf_shm_disconnect(struct wf_ep *base)
{
	struct wf_shm_ep *ep = wf_shm_ep(base);
	struct wf_shm *dev = wf_shm_dev(base->dev);
	int i = 0;

	while (i < dev->nready && dev->ready[i] != ep)
		i++;
	if (i < dev->nready)
		dev->nready--;
	for (; i < dev->nready; i++)
		dev->ready[i] = dev->ready[i + 1];
	wf_list_del(&ep->connecting);
	dev->slot[ep->index].ep = NULL;
	if (ep->index != dev->me)
		atomic_store_explicit(&dev->header->node[ep->index].refused,
				      WF_SHM_REFUSES, memory_order_relaxed);
	/*
	 * A peer that is still to answer may take our word for an offer: this
	 * ring is nobody else's until the segment is closed.
	 */
	if (base->state != WF_EP_CONNECTING)
		wf_segment_free(dev->env.segment, ep->ring);
	wf_shm_detach(&ep->map);
	wf_shm_forget_doorbell(ep);
	if (ep->pidfd >= 0)
		close(ep->pidfd);
	free(ep);
}

bool wf_shm_is_over(const struct wf_shm_ep *ep)
{
	uint64_t file = ep->file;

	return wf_process_ended(ep->pidfd) ||
	       wf_process_has_dropped(ep->pid, ep->memfd, &file);
}

/*
 * A rank of this process is asked for only when it has left: its thread is out
 * of the library.
 */
int wf_shm_fence(struct wf_ep *base)
{
	struct wf_shm_ep *ep = wf_shm_ep(base);

	return ep->pidfd < 0 || wf_shm_is_over(ep) ? WEFT_OK : WEFT_INPROGRESS;
}
