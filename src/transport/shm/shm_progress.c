/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What progress looks at: the bell, behind which lie contacts and deaths, the
 * endpoints that are connecting, and one turn per ring.  An idle pass
 * loads one word for each and makes no system call.
 *
 * Deaths are reported last: what the dead has mailed before its end counts.
 */
#include "transport/shm/shm.h"

#include "boot/boot.h"

static void look_at_fate(struct wf_shm *dev, int i, struct wf_shm_node *node)
{
	struct wf_shm_slot *slot = &dev->slot[i];

	if (slot->fate)
		return;
	slot->fate = atomic_load_explicit(&node->fate, memory_order_relaxed);
	dev->fates += slot->fate != 0;
}

/* The bell was rung: look at the words of one rank. */
static int look_at(struct wf_shm *dev, int i)
{
	struct wf_shm_node *node = &dev->header->node[i];
	struct wf_shm_slot *slot = &dev->slot[i];

	look_at_fate(dev, i, node);
	if (slot->met || !atomic_load_explicit(&node->connect,
					       memory_order_relaxed))
		return 0;
	slot->met = true;
	dev->env.up.contact(dev->env.up.arg,
			    wf_boot_node_member(dev->env.boot, i));
	return 1;
}

static int answer_bell(struct wf_shm *dev)
{
	/* With the release of whoever rang: its word is seen. */
	uint64_t bell = atomic_load_explicit(&dev->header->bell,
					     memory_order_acquire);
	int events = 0;

	if (bell == dev->bell)
		return 0;
	dev->bell = bell;
	for (int i = 0; i < dev->n; i++)
		events += look_at(dev, i);
	return events;
}

/* That of the node's first rank: somebody may have left. */
static void answer_first_bell(struct wf_shm *dev)
{
	/* With the release in store_fate(). */
	uint64_t bell = atomic_load_explicit(&dev->first.header->bell,
					     memory_order_acquire);

	if (bell == dev->first_bell)
		return;
	dev->first_bell = bell;
	for (int i = 0; i < dev->n; i++)
		if (i != dev->me)
			look_at_fate(dev, i, &dev->first.header->node[i]);
}

static int drive_connecting(struct wf_shm *dev)
{
	struct wf_list *at = dev->connecting.next;
	int events = 0;

	while (at != &dev->connecting) {
		struct wf_shm_ep *ep = wf_container(at, struct wf_shm_ep,
						    connecting);

		at = at->next;
		events += wf_shm_try_ready(dev, ep);
	}
	return events;
}

static int report_fates(struct wf_shm *dev)
{
	int events = 0;

	for (int i = 0; i < dev->n && dev->fates; i++) {
		if (!dev->slot[i].fate || dev->slot[i].reported)
			continue;
		dev->slot[i].reported = true;
		dev->fates--;
		dev->env.up.told(dev->env.up.arg,
				 wf_boot_node_member(dev->env.boot, i),
				 dev->slot[i].fate == WF_SHM_LEFT);
		events++;
	}
	return events;
}

int wf_shm_progress(struct wf_device *base)
{
	struct wf_shm *dev = wf_shm_dev(base);
	int events = answer_bell(dev);

	if (dev->first.header)
		answer_first_bell(dev);
	if (!wf_list_empty(&dev->connecting))
		events += drive_connecting(dev);
	for (int i = 0; i < dev->nready; i++)
		events += wf_shm_mail_drain(dev, dev->ready[i]);
	if (dev->fates)
		events += report_fates(dev);
	return events;
}
