/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The backends of this build, and the check that a backend's tables keep the
 * contract: every op is there, and what is a stub says so by its bit.
 */
#include "transport/backends.h"

#include "base/config.h"
#include "base/log.h"
#include "base/text.h"
#include "transport/stubs.h"

#include <string.h>

const struct wf_tp_ops *const wf_tp_table[] = {
	&wf_shm_tp,
#ifdef WF_HAVE_VERBS
	&wf_verbs_tp,
#endif
#ifdef WF_HAVE_OFI
	&wf_ofi_tp,
#endif
	NULL
};

/* A table consists of pointers only: is none of them NULL? */
static bool is_complete(const void *table, size_t bytes)
{
	const char *at = table;
	void (*op)(void);

	for (size_t i = 0; i < bytes; i += sizeof(op)) {
		memcpy(&op, at + i, sizeof(op));
		if (!op)
			return false;
	}
	return true;
}

int wf_tp_too_long(const struct wf_tp_env *env, const char *whose, size_t n,
		   size_t most)
{
	wf_info(env->log, "an address of %s has %zu bytes, more than %zu",
		whose, n, most);
	return WEFT_ERR_UNSUPPORTED;
}

bool wf_tp_check(const struct wf_tp_ops *tp, const struct wf_ep_ops *ep,
		 uint32_t caps)
{
	bool atomic = caps & WF_CAP_ATOMIC;

	if (!is_complete(tp, sizeof(*tp)) || !is_complete(ep, sizeof(*ep)))
		return false;
	return (tp->fence != wf_stub_fence) == !!(caps & WF_CAP_FENCE) &&
	       (tp->reach != wf_stub_reach) == !!(caps & WF_CAP_MAPPED) &&
	       (ep->get != wf_stub_get) == !!(caps & WF_CAP_GET) &&
	       (ep->fetch_add != wf_stub_fetch_add) == atomic &&
	       (ep->cas != wf_stub_cas) == atomic;
}

bool wf_tp_is_named(const struct wf_config *config, const char *name)
{
	return wf_text_lists(config->transport, name);
}

bool wf_tp_is_allowed(const struct wf_config *config, const char *name)
{
	return wf_text_allows(config->transport, name);
}
