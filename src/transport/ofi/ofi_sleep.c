/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sleeping on the completion queue, where the provider has a descriptor for
 * it, and for as long as nothing here waits for time to pass.
 */
#include <rdma/fi_errno.h>
#include <string.h>
#include "transport/ofi/ofi.h"

enum {
	LOOK_MS = 1,		/* without a descriptor, or with mails owed */
	KNOCK_MS = 10
};

static inline void lower(int *ms_p, int ms)
{
	if (*ms_p > ms)
		*ms_p = ms;
}

int wf_ofi_open_cq(struct wf_ofi *dev, size_t entries)
{
	struct fi_cq_attr attr = {
		.size = entries, .format = FI_CQ_FORMAT_DATA,
		.wait_obj = FI_WAIT_FD
	};
	int result = fi_cq_open(dev->domain, &attr, &dev->cq, NULL);

	if (!result && fi_control(&dev->cq->fid, FI_GETWAIT, &dev->wait_fd))
		dev->wait_fd = -1;
	if (!result)
		return 0;
	attr.wait_obj = FI_WAIT_NONE;
	return fi_cq_open(dev->domain, &attr, &dev->cq, NULL);
}

/*
 * A write without completion here is an event only where the provider itself
 * reads it from a socket, behind the descriptor of the queue.
 */
bool wf_ofi_lines_wake(const struct wf_ofi *dev)
{
	char provider[16];

	wf_ofi_provider_name(dev->info, provider);
	return dev->wait_fd >= 0 &&
	       (!strcmp(provider, "tcp") || !strcmp(provider, "net"));
}

int wf_ofi_arm(struct wf_device *base, int *ms_p)
{
	struct wf_ofi *dev = wf_ofi_dev(base);
	struct fid *cq = &dev->cq->fid;
	int result;

	if (!wf_list_empty(&dev->doubtful))
		lower(ms_p, KNOCK_MS);
	if (!wf_list_empty(&dev->work) || dev->wait_fd < 0)
		lower(ms_p, LOOK_MS);
	if (dev->wait_fd < 0)
		return WEFT_OK;
	result = fi_trywait(dev->fabric, &cq, 1);
	if (result == -FI_EAGAIN)
		return WEFT_AGAIN;
	if (result)
		lower(ms_p, LOOK_MS);
	return WEFT_OK;
}

int wf_ofi_descriptor(struct wf_device *base)
{
	return wf_ofi_dev(base)->wait_fd;
}
