/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Completion queues.  Each has twice as many entries as the one before it, if
 * the device has them: few are polled, however many peers there are.
 */
#include <errno.h>
#include "transport/verbs/verbs.h"

static uint32_t at_most(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static struct ibv_cq *create(struct wf_verbs *dev, int before, uint32_t n,
			     uint32_t *entries_p)
{
	uint32_t all = (uint32_t)dev->port.device.max_cqe;
	uint32_t least = at_most(WF_VERBS_CQES, all);
	uint32_t entries = at_most(all, (uint32_t)WF_VERBS_CQES <<
				   at_most(WF_VERBS_DOUBLED, (uint32_t)before));
	struct ibv_cq *cq;

	if (least < n)
		least = n;
	if (entries < n)
		entries = n;
	errno = ENOMEM;
	if (before == WF_VERBS_CQS || all < n)
		return NULL;
	for (;; entries = entries / 2 > least ? entries / 2 : least) {
		cq = ibv_create_cq(dev->port.context, (int)entries, NULL,
				   dev->channel, dev->vector);
		if (cq || errno != ENOMEM || entries == least)
			break;
	}
	*entries_p = entries;
	return cq;
}

struct wf_verbs_cq *wf_verbs_take_cq(struct wf_verbs *dev,
				     struct wf_verbs_cqs *set, uint32_t n)
{
	struct wf_verbs_cq *c = &set->cq[set->n];

	for (int i = 0; i < set->n; i++)
		if (set->cq[i].room >= n) {
			set->cq[i].room -= n;
			return &set->cq[i];
		}
	c->cq = create(dev, set->n, n, &c->room);
	if (!c->cq)
		return NULL;
	c->room -= n;
	set->n++;
	return c;
}

bool wf_verbs_polling_helps(const struct wf_verbs_cqs *set, uint32_t n)
{
	bool helps = false;

	for (int i = 0; i < set->n; i++) {
		const struct wf_verbs_cq *c = &set->cq[i];

		if (c->room >= n)
			return false;
		helps |= c->left && c->room + c->left >= n;
	}
	return helps;
}

void wf_verbs_cqs_close(struct wf_verbs_cqs *set)
{
	while (set->n)
		ibv_destroy_cq(set->cq[--set->n].cq);
}

int wf_verbs_arm_cqs(const struct wf_verbs_cqs *set)
{
	int error = 0;

	for (int i = 0; !error && i < set->n; i++)
		error = ibv_req_notify_cq(set->cq[i].cq, 0);
	return error;
}
