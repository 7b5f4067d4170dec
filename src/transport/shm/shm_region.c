/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions.  A local operand needs nothing but its address; a remote one is an
 * offset in the segment, with one word of the boot blob's key, or any address,
 * with the other: an operand of another rank is refused by its peer.
 */
#include "transport/shm/shm.h"

#include "boot/blob.h"

int wf_shm_key(struct wf_region *region, uint64_t offset,
	       struct wf_rloc *rloc_p)
{
	const struct wf_shm *dev = wf_shm_dev(region->dev);
	const char *p = (char *)region->base + offset;
	struct wf_rloc rloc = { .key = dev->env.self->key.word[0] };

	if (region == &dev->dev.anywhere) {
		rloc_p->addr = offset;
		rloc_p->key = dev->env.self->key.word[1];
		return WEFT_OK;
	}
	if (offset > region->bytes ||
	    !wf_segment_has(dev->env.segment, p, 0, &rloc.addr))
		return WEFT_ERR_UNSUPPORTED;
	*rloc_p = rloc;
	return WEFT_OK;
}
