/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reg and release of backends whose local operands need nothing but their
 * address, which WF_CAP_LOCAL_ANY says: they are put into the tables as is.
 */
#ifndef WEFT_TRANSPORT_REGION_H
#define WEFT_TRANSPORT_REGION_H

#include "transport/transport.h"

int wf_region_reg(struct wf_device *dev, void *base, size_t bytes,
		  struct wf_region **region_p);
void wf_region_release(struct wf_region *region);

#endif
