/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Guards: ofi_rxm and tcp make a lost connection anew without a word, and what
 * was in its buffers would be missing and nobody know.  An empty write that is
 * completed by its delivery, under way at the time, has the loss as its error.
 *
 * One for each post would cost as much as the post (8 bytes in 18 us instead of
 * 11).  So the first post after a pause, which is the one that meets what has
 * become of an idle connection, has a guard at once; while more follow there
 * is one every GUARD_NS, and one after the last.
 */
#include "base/clock.h"
#include "transport/ofi/ofi.h"

#define GUARD_NS UINT64_C(10000000)

static void send_guard(struct wf_ofi_ep *ep, uint64_t now)
{
	ep->guarded_at = now;
	ep->flush_want = ep->ep.posted;
	if (wf_ofi_flush(ep))
		wf_ofi_owes(wf_ofi_dev(ep->ep.dev), ep);
}

void wf_ofi_guard_start(struct wf_ofi_ep *ep)
{
	struct wf_ofi *dev = wf_ofi_dev(ep->ep.dev);

	if (!dev->guarded || ep->error)
		return;
	wf_list_add_tail(&dev->unguarded, &ep->unguarded);
	send_guard(ep, wf_clock_ns());
}

/* Is nothing left to be guarded? */
static bool is_safe(const struct wf_ofi_ep *ep)
{
	return ep->error || ep->flush_acked >= ep->ep.posted;
}

static void look_at(struct wf_ofi_ep *ep, uint64_t now, uint64_t pause)
{
	if (is_safe(ep) && (ep->error || now - ep->guarded_at >= pause))
		wf_list_del(&ep->unguarded);
	else if (ep->flush_sent < ep->ep.posted &&
		 now - ep->guarded_at >= pause)
		send_guard(ep, now);
}

static void look_at_all(struct wf_ofi *dev, uint64_t pause)
{
	uint64_t now = wf_clock_ns();
	struct wf_list *at = dev->unguarded.next;

	while (at != &dev->unguarded) {
		struct wf_ofi_ep *ep = wf_container(at, struct wf_ofi_ep,
						    unguarded);

		at = at->next;
		look_at(ep, now, pause);
	}
}

void wf_ofi_guards(struct wf_ofi *dev)
{
	look_at_all(dev, GUARD_NS);
}

/* Nobody looks for a while. */
void wf_ofi_guard_all(struct wf_ofi *dev)
{
	look_at_all(dev, 0);
}
