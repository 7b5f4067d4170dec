/* SPDX-License-Identifier: BSD-3-Clause */
/* Which provider of libfabric, by which addresses, and of which kind it is. */
#ifndef WEFT_TRANSPORT_OFI_CHOOSE_H
#define WEFT_TRANSPORT_OFI_CHOOSE_H

#include "transport/ofi/ofi.h"

/*
 * The addresses of the best provider, a list for freeinfo(); log NULL: nothing
 * is said.  WEFT_ERR_UNSUPPORTED: there is none; WEFT_ERR_NOMEM.
 */
int wf_ofi_choose(const struct wf_tp_env *env, const struct wf_ofi_lib *lib,
		  const struct wf_log *log, struct fi_info **info_p);

/* Its own, without layers above it. */
void wf_ofi_provider_name(const struct fi_info *info,
			  char name[WF_OFI_PROVIDER]);

/* The kernel's sockets carry it: no adapter reaches, or locks, our memory. */
bool wf_ofi_is_tcp(const struct fi_info *info);

/* It drives Omni-Path, whose verbs are emulated. */
bool wf_ofi_is_native(const struct fi_info *info);

#endif
