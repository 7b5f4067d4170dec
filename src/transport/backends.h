/* SPDX-License-Identifier: BSD-3-Clause */
/* The backends of this build, and what WEFT_TRANSPORT says of them. */
#ifndef WEFT_TRANSPORT_BACKENDS_H
#define WEFT_TRANSPORT_BACKENDS_H

#include "transport/transport.h"

struct wf_config;

/* The backends compiled in, best first, NULL at the end. */
extern const struct wf_tp_ops *const wf_tp_table[];
extern const struct wf_tp_ops wf_shm_tp;
extern const struct wf_tp_ops wf_verbs_tp;	/* where libibverbs is there */
extern const struct wf_tp_ops wf_ofi_tp;	/* where libfabric is there */

/* What address() returns for one of n bytes, where there is room for most. */
int wf_tp_too_long(const struct wf_tp_env *env, const char *whose, size_t n,
		   size_t most);

/* Is it in WEFT_TRANSPORT, and not as one to be left out? */
bool wf_tp_is_named(const struct wf_config *config, const char *name);

/* Does WEFT_TRANSPORT let it be used? */
bool wf_tp_is_allowed(const struct wf_config *config, const char *name);

#endif
