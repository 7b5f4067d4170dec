/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions and keys.  The segment is registered from its base to its size; when
 * it has grown, anew and whole.  Earlier registrations stay, because peers
 * hold their keys; sizes double, so there are few.
 *
 * The upper half of a key on the wire is a tag of its owner: an operand that
 * came from somebody else is refused before it is posted.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/log.h"
#include "base/text.h"
#include "transport/memlock.h"
#include "transport/verbs/verbs.h"

/*
 * Lines, and words that tell of puts, are polled in the arena, in the order in
 * which they were written.  In the program's own memory nothing is: its bytes
 * may land in any order before the completion, or the word, that tells of them.
 * Devices that cannot do so leave the last bit out.
 */
enum {
	ACCESS_ARENA = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
		       IBV_ACCESS_REMOTE_READ,
	ACCESS_BULK = ACCESS_ARENA | IBV_ACCESS_RELAXED_ORDERING
};

uint32_t wf_verbs_tag(const struct wf_blob_key *key)
{
	return (uint32_t)(key->word[0] >> 32 ^ key->word[1]);
}

int wf_verbs_not_registered(struct wf_verbs *dev, uint64_t bytes, int error)
{
	char text[WF_VERBS_WHY] = "";

	wf_text_add(text, sizeof(text), "%s", strerror(error));
	if (error == ENOMEM || error == EAGAIN || error == EPERM)
		wf_memlock_tell(text, sizeof(text));
	wf_error(dev->env.log, "verbs: %llu bytes cannot be registered with "
		 "device %s: %s", (unsigned long long)bytes,
		 ibv_get_device_name(dev->port.context->device), text);
	return error == ENOMEM ? WEFT_ERR_NOMEM : WEFT_ERR_DEVICE;
}

/* With the reader in verbs_raise.c, which looks until it is covered. */
static void open_door(struct wf_verbs *dev)
{
	struct wf_verbs_door *door = wf_segment_at(dev->env.segment,
						   dev->door);
	uint64_t key = dev->mr[dev->nmrs - 1]->rkey;

	__atomic_store_n(&door->word, key << 32 |
			 dev->covered / WF_VERBS_DOOR_PAGE, __ATOMIC_RELEASE);
}

/* Each key that is asked for tries it again. */
static int not_covered(struct wf_verbs *dev, uint64_t bytes, int error)
{
	if (dev->told == bytes)
		return error == ENOMEM ? WEFT_ERR_NOMEM : WEFT_ERR_DEVICE;
	dev->told = bytes;
	return wf_verbs_not_registered(dev, bytes, error);
}

int wf_verbs_cover(struct wf_verbs *dev)
{
	const struct wf_segment *seg = dev->env.segment;
	uint64_t bytes = seg->size;
	struct ibv_mr *mr;

	if (dev->covered >= bytes)
		return WEFT_OK;
	if (dev->nmrs == WF_VERBS_MRS)
		return WEFT_ERR_NOMEM;
	mr = ibv_reg_mr(dev->pd, seg->base, bytes,
			ACCESS_ARENA | wf_verbs_atomic_access(dev));
	if (!mr)
		return not_covered(dev, bytes, errno);
	dev->mr[dev->nmrs++] = mr;
	dev->covered = bytes;
	open_door(dev);
	return WEFT_OK;
}

/* What the program cannot write is a source, and nothing else. */
static struct ibv_mr *reg(struct wf_verbs *dev, struct wf_verbs_region *r)
{
	void *at = r->region.base;
	size_t bytes = r->region.bytes;
	struct ibv_mr *mr = ibv_reg_mr(dev->pd, at, bytes, ACCESS_BULK |
				       wf_verbs_atomic_access(dev));

	r->read_only = !mr && (errno == EFAULT || errno == EACCES);
	return r->read_only ? ibv_reg_mr(dev->pd, at, bytes, 0) : mr;
}

int wf_verbs_reg(struct wf_device *base, void *at, size_t bytes,
		 struct wf_region **region_p)
{
	struct wf_verbs *dev = wf_verbs_dev(base);
	struct wf_verbs_region *r = malloc(sizeof(*r));

	if (!r)
		return WEFT_ERR_NOMEM;
	r->region = (struct wf_region){ base, at, bytes, false };
	r->read_only = false;
	r->mr = bytes ? reg(dev, r) : NULL;
	if (bytes && !r->mr) {
		int status = wf_verbs_not_registered(dev, bytes, errno);

		free(r);
		return status;
	}
	wf_list_add_head(&dev->regions, &r->link);
	*region_p = &r->region;
	return WEFT_OK;
}

void wf_verbs_release(struct wf_region *region)
{
	struct wf_verbs_region *r = (struct wf_verbs_region *)region;

	if (r->mr)
		ibv_dereg_mr(r->mr);
	wf_list_del(&r->link);
	free(r);
}

int wf_verbs_key(struct wf_region *region, uint64_t offset,
		 struct wf_rloc *rloc_p)
{
	struct wf_verbs *dev = wf_verbs_dev(region->dev);
	const struct wf_verbs_region *r;
	const struct ibv_mr *mr;

	if (region == &dev->dev.arena) {
		int status = wf_verbs_cover(dev);

		if (status)
			return status;
		if (offset > dev->covered)
			return WEFT_ERR_UNSUPPORTED;
		mr = dev->mr[dev->nmrs - 1];
	} else if (region != &dev->dev.anywhere && offset <= region->bytes) {
		r = (struct wf_verbs_region *)region;
		mr = r->read_only ? NULL : r->mr;
	} else {
		return WEFT_ERR_UNSUPPORTED;
	}
	if (!mr)
		return WEFT_ERR_UNSUPPORTED;
	rloc_p->addr = (uintptr_t)region->base + offset;
	rloc_p->key = (uint64_t)wf_verbs_tag(&dev->env.self->key) << 32 |
		      mr->rkey;
	return WEFT_OK;
}
