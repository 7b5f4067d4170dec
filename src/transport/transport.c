/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The backends of this build, and the check that a backend's tables keep the
 * contract: every op is there, and what is a stub says so by its bit.
 */
#include "transport/transport.h"

const struct wf_tp_ops *const wf_tp_table[] = {
	&wf_shm_tp,
	NULL
};

static bool is_complete(const struct wf_tp_ops *tp, const struct wf_ep_ops *ep)
{
	return tp->name && tp->query && tp->open && tp->close && tp->reg &&
	       tp->release && tp->key && tp->address && tp->connect &&
	       tp->disconnect && tp->fence && tp->progress && tp->arm &&
	       tp->descriptor && tp->tell && tp->memory &&
	       ep->mail && ep->line && ep->put && ep->put_signal && ep->get &&
	       ep->fetch_add && ep->cas && ep->flush;
}

bool wf_tp_check(const struct wf_tp_ops *tp, const struct wf_ep_ops *ep,
		 uint32_t caps)
{
	bool atomic = caps & WF_CAP_ATOMIC;

	if (!is_complete(tp, ep))
		return false;
	return (tp->fence != wf_stub_fence) == !!(caps & WF_CAP_FENCE) &&
	       (ep->get != wf_stub_get) == !!(caps & WF_CAP_GET) &&
	       (ep->fetch_add != wf_stub_fetch_add) == atomic &&
	       (ep->cas != wf_stub_cas) == atomic;
}
