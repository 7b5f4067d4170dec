/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Telling a death: one word in the header of each rank of the node, also of
 * those that we are not connected to; their headers are opened for a moment.
 * Whoever cannot be reached has ended or closed, and needs no telling.
 *
 * That we leave is told to the node's first rank alone, if all the others have
 * its header before them, also behind its end, and look at it.
 */
#include "transport/shm/shm.h"

#include "base/log.h"
#include "boot/blob.h"
#include "boot/boot.h"

/* What has become of the rank at this index of the node. */
struct news {
	int index;
	enum wf_shm_fate fate;
};

static void store_fate(struct wf_shm_header *header, pid_t pid,
		       struct news news)
{
	uint32_t none = 0;

	atomic_compare_exchange_strong_explicit(
		&header->node[news.index].fate, &none, news.fate,
		memory_order_relaxed, memory_order_relaxed);
	/* With the acquire of the bell in answer_bell(). */
	atomic_fetch_add_explicit(&header->bell, 1, memory_order_release);
	wf_shm_ring_header(header, pid);
}

static int read_blob(struct wf_shm *dev, int rank, struct wf_blob *blob_p,
		     char *why)
{
	uint8_t packed[WF_BLOB_BYTES_MAX];
	size_t n = 0;
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

static void tell_stranger(struct wf_shm *dev, int rank, struct news news)
{
	struct wf_shm_view view;
	char why[WF_SHM_WHY];
	struct wf_blob blob;

	if (wf_shm_visit(dev, rank, &blob, &view, why)) {
		wf_debug(dev->env.log, "shm: rank %d is not told: %s", rank,
			 why);
		return;
	}
	wf_debug(dev->env.log, "shm: rank %d is told in its own memory", rank);
	store_fate(view.header, (pid_t)blob.id.pid, news);
	wf_shm_view_close(&view);
}

/* Whoever cannot, because that one has left already, is told as of a death. */
void wf_shm_joined(struct wf_device *base)
{
	struct wf_shm *dev = wf_shm_dev(base);
	char why[WF_SHM_WHY];
	struct wf_blob blob;

	if (dev->me == 0 ||
	    wf_shm_visit(dev, wf_boot_node_member(dev->env.boot, 0), &blob,
			 &dev->first, why))
		return;
	dev->first_pid = (pid_t)blob.id.pid;
	/* With leave_word(): who is not counted yet finds its word. */
	atomic_fetch_add(&dev->first.header->readers, 1);
}

/* True: there all the others see it. */
static bool leave_word(struct wf_shm *dev, struct news news)
{
	struct wf_shm_header *first = dev->me == 0 ? dev->header :
						     dev->first.header;

	if (!first)
		return false;
	store_fate(first, dev->me == 0 ? 0 : dev->first_pid, news);
	return atomic_load(&first->readers) == (uint32_t)dev->n - 1;
}

static void tell(struct wf_shm *dev, int i, struct news news)
{
	const struct wf_shm_ep *ep = dev->slot[i].ep;

	if (!ep)
		tell_stranger(dev, wf_boot_node_member(dev->env.boot, i), news);
	/* Whoever is connected hears by mail that we leave. */
	else if (news.fate == WF_SHM_DEAD || ep->ep.state != WF_EP_READY)
		store_fate(ep->header, ep->pid, news);
}

/* Who tells knows: it is not reported here. */
static void keep_fate(struct wf_shm *dev, struct news news)
{
	struct wf_shm_slot *slot = &dev->slot[news.index];

	if (slot->fate && !slot->reported)
		dev->fates--;
	slot->fate = news.fate;
	slot->reported = true;
}

bool wf_shm_tell(struct wf_device *base, int rank)
{
	struct wf_shm *dev = wf_shm_dev(base);
	struct news news = { wf_boot_node_index(dev->env.boot, rank),
			     WF_SHM_DEAD };
	bool seen = false;

	if (news.index < 0)
		return false;
	if (news.index == dev->me) {
		news.fate = WF_SHM_LEFT;
		seen = leave_word(dev, news);
	}
	for (int i = 0; i < dev->n; i++)
		if (i != dev->me && i != news.index && !dev->slot[i].fate &&
		    (dev->slot[i].ep || !seen))
			tell(dev, i, news);
	keep_fate(dev, news);
	return seen;
}
