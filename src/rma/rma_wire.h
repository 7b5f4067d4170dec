/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ranks tell each other of regions: the payload of WF_MAIL_RMA, and the
 * key of an exposed region, which programs carry.  Drawn in docs/wire.md.
 */
#ifndef WEFT_RMA_RMA_WIRE_H
#define WEFT_RMA_RMA_WIRE_H

#include <assert.h>
#include <stdint.h>
#include <weft/rma.h>
#include "transport/objects.h"

struct wf_rma_note {
	uint32_t what;			/* enum wf_rma_owes, one bit */
	int32_t rank;			/* sender, in the communicator */
	uint64_t region;		/* its id at the owner */
	uint32_t number;		/* signal; ASK, GRANT */
	int32_t status;			/* GRANT: of the key */
	int32_t number_status;		/* GRANT: of the signal */
	uint32_t sig;			/* GRANT */
	/* ASK: 1: for atomics, too; GRANT: enum wf_rma_words */
	uint32_t words;
	uint32_t anywhere;		/* GRANT: 0 or 1 */
	struct wf_rloc at;		/* GRANT */
	uint64_t bytes;			/* GRANT */
};

static_assert(sizeof(struct wf_rma_note) == 64, "the same at both ends");

#define WF_RMA_KEY_MAGIC UINT32_C(0x776b6579)

struct wf_rma_key {
	uint32_t magic;
	int32_t owner;			/* rank in the communicator */
	uint64_t context;
	uint64_t region;
	uint64_t bytes;
};

static_assert(sizeof(struct wf_rma_key) == sizeof(struct weft_region_key),
	      "programs carry it");

#endif
