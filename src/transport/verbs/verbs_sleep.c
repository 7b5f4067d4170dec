/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sleeping on the completion channel of all queues.  A line, or a signal whose
 * word a peer swaps, makes no event: WF_CAP_LINE_WAKES is clear.
 */
#include "base/clock.h"
#include "transport/verbs/verbs.h"

enum {
	LOOK_MS = 1			/* hellos, or credits, are due */
};

int wf_verbs_arm(struct wf_device *base, int *ms_p)
{
	struct wf_verbs *dev = wf_verbs_dev(base);
	int error = wf_verbs_arm_cqs(&dev->rqs.cqs);

	if (!error)
		error = ibv_req_notify_cq(dev->ucq, 0);
	if (!error)
		error = wf_verbs_arm_cqs(&dev->scqs);
	if (error || !wf_list_empty(&dev->work) ||
	    !wf_list_empty(&dev->calling) || !wf_list_empty(&dev->refusals))
		wf_lower(ms_p, LOOK_MS);
	dev->passes = 0;		/* the last look is at all */
	return WEFT_OK;
}

/* Events of sleeps that are over would end the next one at once. */
void wf_verbs_disarm(struct wf_device *base)
{
	struct wf_verbs *dev = wf_verbs_dev(base);
	struct ibv_cq *cq;
	void *context;

	while (!ibv_get_cq_event(dev->channel, &cq, &context))
		ibv_ack_cq_events(cq, 1);
}

int wf_verbs_descriptor(struct wf_device *base)
{
	return wf_verbs_dev(base)->channel->fd;
}
