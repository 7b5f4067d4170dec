/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The device: its header in the job's segment, where the ranks of the node
 * find the words that they write for us, and the table of the backend.
 */
#include "transport/backends.h"
#include "transport/shm/shm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/assert.h"
#include "base/config.h"
#include "base/doorbell.h"
#include "base/lack.h"
#include "base/log.h"
#include "base/membarrier.h"
#include "boot/blob.h"
#include "boot/boot.h"
#include "transport/limits.h"
#include "transport/line.h"
#include "transport/region.h"
#include "transport/stubs.h"

static int shm_query(const struct wf_tp_env *env, char *why, size_t why_bytes)
{
	if (env->segment->fd >= 0)
		return WEFT_OK;
	snprintf(why, why_bytes, "the memory of this job is not a file that "
		 "others could map");
	return WEFT_ERR_UNSUPPORTED;
}

static int make_header(struct wf_shm *dev)
{
	struct wf_segment *seg = dev->env.segment;
	struct wf_shm_header *h;
	int status = wf_segment_alloc(seg, wf_shm_header_bytes(dev->n),
				      WF_ALLOC_UNIT, &dev->header_at);

	if (status)
		return status;
	h = wf_segment_at(seg, dev->header_at);
	h->magic = WF_SHM_MAGIC;
	h->version = WF_SHM_VERSION;
	h->ranks = (uint32_t)dev->n;
	h->key[0] = dev->env.self->key.word[0];
	h->key[1] = dev->env.self->key.word[1];
	h->directory = dev->env.signals->directory;
	h->doorbell = dev->env.doorbell ? dev->env.doorbell->fd : -1;
	h->doorbell_id = dev->env.doorbell ? dev->env.doorbell->id : 0;
	atomic_store_explicit(&h->rings, wf_membarrier_join(),
			      memory_order_relaxed);
	/* Nobody reads it before the fence behind the boot blob. */
	atomic_store_explicit(&h->size, seg->size, memory_order_relaxed);
	seg->published = &h->size;
	atomic_store_explicit(&h->users, 1, memory_order_relaxed);
	seg->users = &h->users;
	dev->dev.away = &h->away;
	dev->header = h;
	return WEFT_OK;
}

static void fill_device(struct wf_shm *dev)
{
	dev->dev.ops = &wf_shm_tp;
	dev->dev.caps = WF_CAP_FENCE | WF_CAP_LOCAL_ANY |
			WF_CAP_PUT_MAIL_ORDER | WF_CAP_TARGET_IDLE |
			WF_CAP_LINE_PLAIN | WF_CAP_LINE_WAKES |
			WF_CAP_GET | WF_CAP_ATOMIC | WF_CAP_MAPPED |
			WF_CAP_SEES_CLOSED | WF_CAP_TELLS_LEAVING;
	if (dev->env.config->cma)
		dev->dev.caps |= WF_CAP_ANYWHERE;
	dev->dev.line_data = WF_LINE_DATA;
	dev->dev.mail_max = WF_MAIL_LONGEST;
	dev->dev.slot_max = dev->env.crowded ? WF_SLOT_CROWDED :
					       WF_SLOT_SHARED;
	dev->dev.chunk = WF_CHUNK_SHARED;
	dev->dev.anywhere.dev = &dev->dev;
	dev->dev.anywhere.bytes = UINT64_MAX;
	dev->dev.arena.dev = &dev->dev;
	dev->dev.arena.base = dev->env.segment->base;
	/* It grows in place: what is not there yet has no key. */
	dev->dev.arena.bytes = dev->env.segment->limit;
	WF_ASSERT(wf_tp_check(&wf_shm_tp, &wf_shm_ep_ops, dev->dev.caps));
}

static int shm_open(const struct wf_tp_env *env, struct wf_device **dev_p)
{
	int n = wf_boot_node_size(env->boot), status;
	struct wf_shm *dev = calloc(1, sizeof(*dev) +
				       (size_t)n * sizeof(dev->slot[0]));
	struct wf_shm_ep **ready = calloc((size_t)n, sizeof(*ready));
	char why[WF_LACK_TEXT];

	if (!dev || !ready) {
		free(dev);
		free(ready);
		return WEFT_ERR_NOMEM;
	}
	dev->env = *env;
	dev->ready = ready;
	dev->n = n;
	dev->me = wf_boot_node_rank(env->boot);
	wf_list_init(&dev->connecting);
	status = make_header(dev);
	if (status) {
		wf_segment_why(env->segment, why, sizeof(why));
		wf_error(env->log, "shm: no memory for the header: %s", why);
		free(ready);
		free(dev);
		return status;
	}
	fill_device(dev);
	*dev_p = &dev->dev;
	return WEFT_OK;
}

static void shm_close(struct wf_device *base)
{
	struct wf_shm *dev = wf_shm_dev(base);

	/*
	 * With borrow(): nobody takes the mapping from now on.  The header
	 * stays until the segment is closed, because who has it counts there.
	 * With wf_shm_try_ready(): whoever waits for our answer sees an end.
	 */
	atomic_fetch_or_explicit(&dev->header->users, WF_SEGMENT_CLOSED,
				 memory_order_acq_rel);
	if (dev->first.header)
		wf_shm_view_close(&dev->first);
	dev->env.segment->published = NULL;
	free(dev->ready);
	free(dev);
}

static int shm_address(struct wf_device *base, void *to, size_t bytes,
		       size_t *n_p)
{
	const struct wf_shm *dev = wf_shm_dev(base);
	struct wf_shm_address address = {
		WF_SHM_VERSION, (uint32_t)dev->n, dev->header_at,
		dev->env.segment->limit
	};

	if (bytes < sizeof(address))
		return wf_tp_too_long(&dev->env, "shm", sizeof(address), bytes);
	memcpy(to, &address, sizeof(address));
	*n_p = sizeof(address);
	return WEFT_OK;
}

static void shm_memory(const struct wf_device *base, struct wf_tp_memory *m_p)
{
	const struct wf_shm *dev = (const struct wf_shm *)base;

	m_p->fixed = sizeof(*dev) + wf_shm_header_bytes(dev->n) +
		     (size_t)dev->n *
		     (sizeof(dev->slot[0]) + sizeof(dev->ready[0]));
	m_p->per_ep = sizeof(struct wf_shm_ep) +
		      wf_ring_bytes(wf_shm_ring_shape());
}

const struct wf_tp_ops wf_shm_tp = {
	"shm",
	shm_query,
	wf_stub_offer,
	wf_stub_forget,
	shm_open,
	shm_close,
	wf_region_reg,
	wf_region_release,
	wf_shm_key,
	wf_shm_reach,
	shm_address,
	wf_shm_connect,
	wf_shm_disconnect,
	wf_shm_fence,
	wf_shm_progress,
	wf_shm_arm,
	wf_shm_disarm,
	wf_stub_descriptor,
	wf_shm_joined,
	wf_shm_tell,
	wf_shm_board,
	shm_memory
};
