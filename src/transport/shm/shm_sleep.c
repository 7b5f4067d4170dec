/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sleeping, and waking who sleeps.
 *
 * The sleeper sets its flag, then a membarrier, then looks at its memory.  A
 * writer stores and then loads the flag, with nothing between them for the CPU
 * but what the sleeper's membarrier does to it: either the sleeper sees the
 * store or the writer the flag.  Only the sleeper clears it.
 *
 * The flag is the number of the sleep, so a writer rings once for each: what it
 * stores next is found when the sleeper wakes for the first one.
 */
#include "transport/shm/shm.h"

#include <unistd.h>
#include "base/doorbell.h"
#include "base/log.h"
#include "base/membarrier.h"
#include "base/process.h"

enum {
	DEAF_MS = 1,		/* where a writer cannot ring */
	CONNECTING_MS = 10	/* refusals are looked for, and ring nothing */
};

/* While one cannot be rung all that we may store to look by themselves. */
static void set_deaf(struct wf_shm_ep *ep, bool deaf)
{
	struct wf_shm *dev = wf_shm_dev(ep->ep.dev);

	if (ep->deaf == deaf)
		return;
	ep->deaf = deaf;
	dev->ndeaf += deaf ? 1 : -1;
	atomic_store_explicit(&dev->header->rings,
			      !dev->ndeaf && wf_membarrier_join(),
			      memory_order_relaxed);
}

/* Also of one that was deaf: we may have lacked a descriptor for a while. */
static void open_doorbell(struct wf_shm_ep *ep)
{
	struct wf_shm *dev = wf_shm_dev(ep->ep.dev);

	/* Who has none looks by itself. */
	if (ep->header->doorbell < 0)
		return;
	ep->doorbell = wf_doorbell_reach(ep->pid, ep->header->doorbell,
					 ep->header->doorbell_id);
	if (ep->doorbell >= 0) {
		set_deaf(ep, false);
		return;
	}
	if ((ep->pidfd >= 0 && wf_process_ended(ep->pidfd)) ||
	    !atomic_load_explicit(&ep->header->asleep, memory_order_relaxed))
		return;
	if (!dev->ndeaf)
		wf_info(dev->env.log, "shm: rank %d cannot be woken: those "
			"that wait for this rank look every millisecond "
			"until it can", ep->ep.rank);
	set_deaf(ep, true);
}

void wf_shm_forget_doorbell(struct wf_shm_ep *ep)
{
	set_deaf(ep, false);
	if (ep->doorbell >= 0)
		close(ep->doorbell);
}

/*
 * Ranks of one process have many pairs and one table of descriptors: between
 * them none is kept.
 */
void wf_shm_ring(struct wf_shm_ep *ep)
{
	uint32_t asleep = atomic_load_explicit(&ep->header->asleep,
					       memory_order_relaxed);

	if (!asleep || asleep == ep->rung)
		return;
	ep->rung = asleep;
	if (ep->doorbell < 0)
		open_doorbell(ep);
	if (ep->doorbell < 0)
		return;
	wf_doorbell_ring(ep->doorbell);
	if (ep->pidfd >= 0)
		return;
	close(ep->doorbell);
	ep->doorbell = -1;
}

void wf_shm_ring_header(const struct wf_shm_header *header, pid_t pid)
{
	int fd;

	/* With the membarrier in wf_shm_arm(). */
	atomic_thread_fence(memory_order_seq_cst);
	if (!atomic_load_explicit(&header->asleep, memory_order_relaxed))
		return;
	fd = wf_doorbell_reach(pid, header->doorbell, header->doorbell_id);
	if (fd < 0)
		return;
	wf_doorbell_ring(fd);
	close(fd);
}

int wf_shm_arm(struct wf_device *base, int *ms_p)
{
	struct wf_shm *dev = wf_shm_dev(base);

	if (!wf_list_empty(&dev->connecting))
		wf_lower(ms_p, CONNECTING_MS);
	for (int i = 0; i < dev->nready; i++)
		if (!atomic_load_explicit(&dev->ready[i]->header->rings,
					  memory_order_relaxed))
			wf_lower(ms_p, DEAF_MS);
	dev->sleeps = dev->sleeps == UINT32_MAX ? 1 : dev->sleeps + 1;
	atomic_store_explicit(&dev->header->asleep, dev->sleeps,
			      memory_order_relaxed);
	/* With wf_shm_wake() at the peers.  It costs all CPUs of the node. */
	if (*ms_p > DEAF_MS &&
	    (dev->header->doorbell < 0 || !wf_membarrier()))
		wf_lower(ms_p, DEAF_MS);
	return WEFT_OK;
}

void wf_shm_disarm(struct wf_device *base)
{
	atomic_store_explicit(&wf_shm_dev(base)->header->asleep, 0,
			      memory_order_relaxed);
}
