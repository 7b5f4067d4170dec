/* SPDX-License-Identifier: BSD-3-Clause */
/* Offers, each behind the number of the next rank to ask: see offer.h. */
#include <endian.h>
#include <stdint.h>
#include <string.h>
#include "boot/boot.h"
#include "boot/offer.h"

#define KEY "offer"

/* The first one behind mine that is not on my node. */
static int next_elsewhere(const struct wf_boot *boot)
{
	int rank = wf_boot_rank(boot) + 1;

	while (rank < wf_boot_size(boot) &&
	       wf_boot_node_index(boot, rank) >= 0)
		rank++;
	return rank;
}

int wf_offer_put(struct wf_boot *boot, const void *bytes, size_t n)
{
	uint32_t next = htole32((uint32_t)next_elsewhere(boot));
	unsigned char all[sizeof(next) + WF_OFFER_MAX];

	if (n > WF_OFFER_MAX)
		return WEFT_ERR_SIZE;
	memcpy(all, &next, sizeof(next));
	memcpy(all + sizeof(next), bytes, n);
	return wf_boot_put(boot, KEY, all, sizeof(next) + n);
}

int wf_offer_read(struct wf_boot *boot, int *rank_p, void *bytes, size_t max,
		  size_t *n_p)
{
	unsigned char all[sizeof(uint32_t) + WF_OFFER_MAX];
	size_t n = 0;
	uint32_t next;
	int status = wf_boot_get(boot, *rank_p, KEY, all, sizeof(all), &n);

	if (status)
		return status;
	if (n < sizeof(next) || n - sizeof(next) > max)
		return WEFT_ERR_BOOT;
	memcpy(&next, all, sizeof(next));
	next = le32toh(next);
	if (next <= (uint32_t)*rank_p || next > (uint32_t)wf_boot_size(boot))
		return WEFT_ERR_BOOT;
	*rank_p = (int)next;
	*n_p = n - sizeof(next);
	memcpy(bytes, all + sizeof(next), *n_p);
	return WEFT_OK;
}
