/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The own addresses.  An endpoint of libfabric is bound to one, takes memory
 * and descriptors, and each pass asks it.  So where there are several, an
 * address is held by a socket of ours that listens, until a path begins there,
 * or somebody calls: then an endpoint takes its port over.  Who has called
 * meanwhile is hung up, and calls again, as libfabric does until it has a
 * connection.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>
#include <stdlib.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/descriptor.h"
#include "base/lack.h"
#include "base/log.h"
#include "transport/ofi/ofi.h"

enum {
	PAGE = 4096,
	LOOK_MS = 10,
	LACK_MS = 1000,
	ENDPOINT_FDS = 16		/* or more than it needs */
};

/* Until nothing can fail any more; a result of libfabric. */
static int enable(struct wf_ofi *dev, struct fid_ep *ep)
{
	size_t least = WF_OFI_BOUNCE;
	int result = fi_ep_bind(ep, &dev->cq->fid, FI_TRANSMIT | FI_RECV);

	if (!result)
		result = fi_ep_bind(ep, &dev->av->fid, 0);
	if (!result)
		result = fi_setopt(&ep->fid, FI_OPT_ENDPOINT,
				   FI_OPT_MIN_MULTI_RECV, &least,
				   sizeof(least));
	return result ? result : fi_enable(ep);
}

static int post_all(struct wf_ofi_source *source)
{
	char *at = aligned_alloc(PAGE, WF_OFI_RX * WF_OFI_RX_BYTES);
	int result = at ? 0 : -FI_ENOMEM;

	source->buffers = at;
	for (int i = 0; !result && i < WF_OFI_RX; i++) {
		source->rx[i].context.is_rx = true;
		source->rx[i].ep = source->ep;
		source->rx[i].buffer = at;
		result = wf_ofi_post_rx(&source->rx[i]);
		at += WF_OFI_RX_BYTES;
	}
	return result;
}

static void let_go(struct wf_ofi *dev, struct wf_ofi_source *source)
{
	if (source->fd < 0)
		return;
	close(source->fd);
	source->fd = -1;
	dev->nheld--;
}

static void close_source(struct wf_ofi *dev, struct wf_ofi_source *source)
{
	let_go(dev, source);
	if (source->ep)
		fi_close(&source->ep->fid);
	source->ep = NULL;
	free(source->buffers);
	source->buffers = NULL;
}

void wf_ofi_close_sources(struct wf_ofi *dev)
{
	while (dev->nsources)
		close_source(dev, &dev->source[--dev->nsources]);
}

/* Whose result it is, is the call. */
static int make_endpoint(struct wf_ofi *dev, struct wf_ofi_source *source,
			 const char **call_p)
{
	int result;

	*call_p = "fi_endpoint";
	result = fi_endpoint(dev->domain, source->info, &source->ep, NULL);
	if (result) {
		source->ep = NULL;
		return result;
	}
	*call_p = "fi_enable";
	result = enable(dev, source->ep);
	if (result)
		return result;
	*call_p = "fi_recvmsg";
	return post_all(source);
}

/* While the device is opened. */
static int open_now(struct wf_ofi *dev, struct wf_ofi_source *source)
{
	const char *call;
	int result = make_endpoint(dev, source, &call);

	if (!result)
		return WEFT_OK;
	close_source(dev, source);
	return wf_ofi_open_failed(dev, source->info, call, result);
}

/* Its port becomes the one that the endpoint will ask for. */
static int hold(struct wf_ofi *dev, struct wf_ofi_source *source)
{
	struct sockaddr *own = source->info->src_addr;
	socklen_t n = (socklen_t)source->info->src_addrlen;
	int fd = wf_fd_above(socket(own->sa_family, SOCK_STREAM | SOCK_CLOEXEC,
				    0));

	if (fd < 0 || bind(fd, own, n) || listen(fd, SOMAXCONN) ||
	    getsockname(fd, own, &n)) {
		int error = errno;

		if (fd >= 0)
			close(fd);
		return wf_ofi_open_failed(dev, source->info, "listen", -error);
	}
	source->fd = fd;
	dev->nheld++;
	return WEFT_OK;
}

/*
 * What there is too little of, as an errno; 0: it failed of something else.  As
 * descriptors run out libfabric (1.17) may say that it was an I/O error.
 */
static int lack_of(int result)
{
	return wf_lack_is(-result) ? -result : wf_fd_lack(ENDPOINT_FDS);
}

int wf_ofi_open_source(struct wf_ofi *dev, struct wf_ofi_source *source)
{
	bool held = source->fd >= 0;
	const char *call;
	int result, lack;

	if (source->ep)
		return WEFT_OK;
	let_go(dev, source);
	result = make_endpoint(dev, source, &call);
	if (!result)
		return WEFT_OK;
	close_source(dev, source);
	lack = lack_of(result);
	if (!lack)
		return wf_ofi_open_failed(dev, source->info, call, result);
	wf_lack_text(lack, dev->lack, sizeof(dev->lack));
	/* Else who calls meanwhile would take this rank for closed. */
	return held && hold(dev, source) ? WEFT_ERR_DEVICE : WEFT_ERR_NOMEM;
}

int wf_ofi_open_sources(struct wf_ofi *dev)
{
	int status = WEFT_OK;

	for (struct fi_info *at = dev->info; at && !status; at = at->next) {
		struct wf_ofi_source *source = &dev->source[dev->nsources++];

		source->info = at;
		source->fd = -1;
		status = dev->info->next ? hold(dev, source) :
					   open_now(dev, source);
	}
	return status;
}

int wf_ofi_name_source(const struct wf_ofi *dev, int i, void *name, size_t *n)
{
	const struct wf_ofi_source *source = &dev->source[i];
	socklen_t bytes = (socklen_t)*n;

	if (source->ep)
		return fi_getname(&source->ep->fid, name, n);
	if (getsockname(source->fd, name, &bytes))
		return -errno;
	*n = bytes;
	return 0;
}

/* What fails is said, and its callers try another one. */
static void answer(struct wf_ofi *dev, struct wf_ofi_source *source)
{
	if (wf_ofi_open_source(dev, source) != WEFT_ERR_NOMEM)
		return;
	dev->next_look += LACK_MS * WF_NS_PER_MS;
	if (!source->lacks)
		wf_warn(dev->env.log, "ofi: an endpoint on %s, where a rank "
			"calls: %s; it is tried again",
			source->info->domain_attr->name, dev->lack);
	source->lacks = true;
}

void wf_ofi_look_at_sources(struct wf_ofi *dev)
{
	uint64_t now = wf_clock_ns();

	if (now < dev->next_look)
		return;
	dev->next_look = now + LOOK_MS * WF_NS_PER_MS;
	for (int i = 0; i < dev->nsources; i++) {
		struct pollfd at = { .fd = dev->source[i].fd,
				     .events = POLLIN };

		if (poll(&at, 1, 0) == 1)
			answer(dev, &dev->source[i]);
	}
}
