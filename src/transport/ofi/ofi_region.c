/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions.  A local operand needs no registration, because no provider is
 * taken that wants it; a remote one is always in the segment: without a fence
 * no other memory is given away.
 *
 * The segment's whole reserve is registered at once where the provider takes
 * memory that is not there yet; else what is there, and again, whole, after a
 * growth.  Earlier registrations stay, because peers hold their keys.
 */
#include <rdma/fi_errno.h>
#include "base/log.h"
#include "transport/ofi/ofi.h"

/* A key that only members of the job know, where we may choose it. */
static uint64_t wanted_key(const struct wf_ofi *dev)
{
	size_t bytes = dev->info->domain_attr->mr_key_size;
	uint64_t key = dev->env.self->key.word[1] + (uint64_t)dev->nmrs;

	return bytes < sizeof(key) ? key & ((UINT64_C(1) << 8 * bytes) - 1) :
				     key;
}

static int failed(struct wf_ofi *dev, const char *call, uint64_t bytes,
		  int result)
{
	char reason[WF_OFI_WHY];

	wf_ofi_reason(dev, result, reason);
	wf_error(dev->env.log, "ofi: %s of %llu bytes by provider %s failed: "
		 "%s", call, (unsigned long long)bytes,
		 dev->info->fabric_attr->prov_name, reason);
	return result == -FI_ENOMEM ? WEFT_ERR_NOMEM : WEFT_ERR_DEVICE;
}

static int cover(struct wf_ofi *dev)
{
	const struct wf_segment *seg = dev->env.segment;
	int mode = dev->info->domain_attr->mr_mode, result;
	uint64_t bytes = mode & FI_MR_ALLOCATED ? seg->size : seg->limit;
	struct fid_mr *mr;

	if (dev->nmrs == WF_OFI_MRS)
		return WEFT_ERR_NOMEM;
	result = fi_mr_reg(dev->domain, seg->base, bytes, FI_REMOTE_WRITE |
			   FI_REMOTE_READ, 0, wanted_key(dev), 0, &mr, NULL);
	if (result)
		return failed(dev, "fi_mr_reg", bytes, result);
	if (mode & FI_MR_ENDPOINT) {
		result = fi_mr_bind(mr, &dev->source[0].ep->fid, 0);
		if (!result)
			result = fi_mr_enable(mr);
	}
	if (result) {
		fi_close(&mr->fid);
		return failed(dev, "fi_mr_enable", bytes, result);
	}
	dev->mr[dev->nmrs++] = mr;
	dev->covered = bytes;
	return WEFT_OK;
}

int wf_ofi_key(struct wf_region *region, uint64_t offset,
	       struct wf_rloc *rloc_p)
{
	struct wf_ofi *dev = wf_ofi_dev(region->dev);
	const struct wf_segment *seg = dev->env.segment;
	const char *p = (char *)region->base + offset;
	uint64_t at;
	int status;

	if (offset > region->bytes || !wf_segment_has(seg, p, 0, &at))
		return WEFT_ERR_UNSUPPORTED;
	if (!dev->nmrs || dev->covered < seg->size) {
		status = cover(dev);
		if (status)
			return status;
	}
	if (dev->info->domain_attr->mr_mode & FI_MR_VIRT_ADDR)
		at = (uintptr_t)p;
	rloc_p->addr = at;
	rloc_p->key = fi_mr_key(dev->mr[dev->nmrs - 1]);
	return WEFT_OK;
}

/* A provider looks at so many bytes of a key and at no more. */
bool wf_ofi_is_key(const struct wf_ofi *dev, uint64_t key)
{
	size_t bytes = dev->info->domain_attr->mr_key_size;

	return bytes >= sizeof(key) || !(key >> 8 * bytes);
}

/* The memory behind an operand of the own rank; NULL: it is none. */
void *wf_ofi_own(struct wf_ofi *dev, struct wf_rloc rloc, size_t n)
{
	const struct wf_segment *seg = dev->env.segment;
	uint64_t at = rloc.addr;
	bool known = false;

	for (int i = 0; i < dev->nmrs; i++)
		known |= fi_mr_key(dev->mr[i]) == rloc.key;
	if (dev->info->domain_attr->mr_mode & FI_MR_VIRT_ADDR)
		at -= (uintptr_t)seg->base;
	if (!known || at > seg->size || n > seg->size - at)
		return NULL;
	return seg->base + at;
}
