/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions that are known to nobody but their owner: an address and a length.
 * What peers may write, and by which key, is the backend's.
 */
#include "transport/region.h"

#include <stdlib.h>

int wf_region_reg(struct wf_device *dev, void *base, size_t bytes,
		  struct wf_region **region_p)
{
	struct wf_region *region = malloc(sizeof(*region));

	if (!region)
		return WEFT_ERR_NOMEM;
	region->dev = dev;
	region->base = base;
	region->bytes = bytes;
	region->apart = false;
	*region_p = region;
	return WEFT_OK;
}

void wf_region_release(struct wf_region *region)
{
	free(region);
}
