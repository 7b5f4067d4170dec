/* SPDX-License-Identifier: BSD-3-Clause */
/* Offers, each behind a head that says whom to ask next: see offer.h. */
#include <endian.h>
#include <stdint.h>
#include <string.h>
#include "base/assert.h"
#include "boot/blob.h"
#include "boot/boot_impl.h"
#include "boot/offer.h"

#define KEY "offer"

enum {
	NAME = 8			/* bytes, of a backend */
};

/* Little-endian. */
struct head {
	uint32_t version;		/* WF_WIRE_VERSION */
	uint32_t next;			/* rank on another node, or the size */
	uint32_t first;			/* rank of this node */
};

/* In front of each part. */
struct label {
	char name[NAME];
	uint8_t n;
};

size_t wf_offer_room(const struct wf_offer *offer)
{
	size_t used = offer->n + sizeof(struct label);

	return used < sizeof(offer->bytes) ? sizeof(offer->bytes) - used : 0;
}

void wf_offer_add(struct wf_offer *offer, const char *name, const void *bytes,
		  size_t n)
{
	struct label label = { .n = (uint8_t)n };

	WF_ASSERT(n <= wf_offer_room(offer));
	if (!n)
		return;
	memcpy(label.name, name, strnlen(name, NAME));
	memcpy(offer->bytes + offer->n, &label, sizeof(label));
	memcpy(offer->bytes + offer->n + sizeof(label), bytes, n);
	offer->n += sizeof(label) + n;
}

const void *wf_offer_find(const struct wf_offer *offer, const char *name,
			  size_t *n_p)
{
	struct label label;
	size_t at = 0;

	while (offer->n - at > sizeof(label)) {
		memcpy(&label, offer->bytes + at, sizeof(label));
		at += sizeof(label);
		if (label.n > offer->n - at)
			return NULL;
		*n_p = label.n;
		if (!strncmp(label.name, name, NAME))
			return offer->bytes + at;
		at += label.n;
	}
	return NULL;
}

static uint32_t next_elsewhere(const struct wf_boot *boot)
{
	int rank = wf_boot_rank(boot) + 1;

	while (rank < wf_boot_size(boot) &&
	       wf_boot_node_index(boot, rank) >= 0)
		rank++;
	return (uint32_t)rank;
}

int wf_offer_put(struct wf_boot *boot, const struct wf_offer *offer)
{
	struct head head = {
		.version = htole32(WF_WIRE_VERSION),
		.next = htole32(next_elsewhere(boot)),
		.first = htole32((uint32_t)wf_boot_node_member(boot, 0))
	};
	unsigned char all[sizeof(head) + WF_OFFER_MAX];

	memcpy(all, &head, sizeof(head));
	memcpy(all + sizeof(head), offer->bytes, offer->n);
	return wf_boot_put(boot, KEY, all, sizeof(head) + offer->n);
}

static int malformed(struct wf_boot *boot, int rank)
{
	return wf_boot_fail(boot, WEFT_ERR_BOOT, "rank %d has put an offer "
			    "that is malformed, or of another version of weft",
			    rank);
}

int wf_offer_read(struct wf_boot *boot, int *rank_p, struct wf_offer *offer,
		  bool *first_p)
{
	struct head head;
	unsigned char all[sizeof(head) + WF_OFFER_MAX];
	size_t n = 0;
	uint32_t next;
	int status = wf_boot_get(boot, *rank_p, KEY, all, sizeof(all), &n);

	if (status)
		return status;
	if (n < sizeof(head))
		return malformed(boot, *rank_p);
	memcpy(&head, all, sizeof(head));
	next = le32toh(head.next);
	if (le32toh(head.version) != WF_WIRE_VERSION ||
	    next <= (uint32_t)*rank_p || next > (uint32_t)wf_boot_size(boot))
		return malformed(boot, *rank_p);
	*first_p = le32toh(head.first) == (uint32_t)*rank_p;
	*rank_p = (int)next;
	offer->n = n - sizeof(head);
	memcpy(offer->bytes, all + sizeof(head), offer->n);
	return WEFT_OK;
}
