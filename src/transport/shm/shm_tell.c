/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Telling a death: one word in the header of each rank of the node, also of
 * those that we are not connected to; their headers are opened for a moment.
 * Whoever cannot be reached has ended or closed, and needs no telling.
 */
#include "transport/shm/shm.h"

#include "base/log.h"
#include "boot/blob.h"
#include "boot/boot.h"

static void store_death(struct wf_shm_header *header, pid_t pid, int dead)
{
	atomic_store_explicit(&header->node[dead].dead, 1,
			      memory_order_relaxed);
	/* With the acquire of the bell in answer_bell(). */
	atomic_fetch_add_explicit(&header->bell, 1, memory_order_release);
	wf_shm_ring_header(header, pid);
}

static int read_blob(struct wf_shm *dev, int rank, struct wf_blob *blob_p,
		     char *why)
{
	uint8_t packed[WF_BLOB_BYTES_MAX];
	size_t n;
	int status = wf_boot_get(dev->env.boot, rank, "blob", packed,
				 sizeof(packed), &n);

	why[0] = 0;
	if (status)
		return status;
	return wf_blob_unpack(blob_p, packed, n, why, WF_SHM_WHY);
}

int wf_shm_visit(struct wf_shm *dev, int rank, struct wf_blob *blob_p,
		 struct wf_shm_view *view_p, char *why)
{
	int status = read_blob(dev, rank, blob_p, why);

	return status ? status : wf_shm_view_open(dev, blob_p, view_p, why);
}

static void tell_stranger(struct wf_shm *dev, int rank, int dead)
{
	struct wf_shm_view view;
	char why[WF_SHM_WHY];
	struct wf_blob blob;

	if (wf_shm_visit(dev, rank, &blob, &view, why)) {
		wf_debug(dev->env.log, "shm: rank %d is not told: %s", rank,
			 why);
		return;
	}
	store_death(view.header, (pid_t)blob.id.pid, dead);
	wf_shm_view_close(&view);
}

void wf_shm_tell(struct wf_device *base, int dead_rank)
{
	struct wf_shm *dev = wf_shm_dev(base);
	int dead = wf_boot_node_index(dev->env.boot, dead_rank);

	if (dead < 0)
		return;
	for (int i = 0; i < dev->n; i++) {
		struct wf_shm_ep *ep = dev->slot[i].ep;

		if (i == dev->me || i == dead || dev->slot[i].dead)
			continue;
		if (ep)
			store_death(ep->header, ep->pid, dead);
		else
			tell_stranger(dev, wf_boot_node_member(dev->env.boot,
							       i), dead);
	}
	/* Who tells knows: it is not reported here. */
	if (dev->slot[dead].dead && !dev->slot[dead].reported)
		dev->deaths--;
	dev->slot[dead].dead = true;
	dev->slot[dead].reported = true;
}
