/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions and keys.
 *
 * A key names the owner and the generation of the block that it was made for:
 *
 *     63      32 31         0
 *    | rank + 1 | generation |
 *
 * so that a put that arrives after the block was given back is found out, even
 * if the same memory is in use again. Only the arena has keys, as on shm.
 */
#include "transport/line.h"
#include "transport/segment.h"
#include "transport/sim/sim_ops.h"
#include "transport/sim/sim_world.h"

int wf_sim_key(struct wf_region *region, uint64_t offset,
	       struct wf_rloc *rloc_p)
{
	const struct sim_device *dev = sim_device(region->dev);
	uint64_t rank = (uint64_t)dev->rank->rank + 1;
	uint32_t generation;

	if (region != &region->dev->arena)
		return WEFT_ERR_UNSUPPORTED;
	generation = wf_segment_generation(dev->env.segment, offset);
	if (!generation)
		wf_sim_violate(dev->rank->world, "rank %d gives away offset "
			       "%llu, where it has no block", dev->rank->rank,
			       (unsigned long long)offset);
	rloc_p->addr = offset;
	rloc_p->key = rank << 32 | generation;
	return WEFT_OK;
}

const char *wf_sim_key_error(const struct wf_sim_rank *owner,
			     struct wf_rloc rloc, size_t n)
{
	uint32_t generation = (uint32_t)rloc.key;
	const struct wf_segment *seg;

	if (rloc.key >> 32 != (uint64_t)owner->rank + 1)
		return "the key is of another rank";
	if (!owner->dev)
		return "the rank has closed its device";
	seg = owner->dev->env.segment;
	if (wf_segment_generation(seg, rloc.addr) != generation)
		return "its block was given back";
	if (n && wf_segment_generation(seg, rloc.addr + n - 1) != generation)
		return "it reaches beyond its block";
	return NULL;
}
