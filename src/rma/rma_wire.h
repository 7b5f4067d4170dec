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
	uint32_t number;		/* signal; ASK, GRANT, CREDIT; op */
	int32_t status;			/* GRANT: of the key; OLD */
	int32_t number_status;		/* GRANT: of the signal */
	uint32_t sig;			/* GRANT */
	/* ASK: 1: for atomics, too; GRANT: enum wf_rma_words; WORD: 1: cas */
	uint32_t words;
	uint32_t anywhere;		/* GRANT: 0 or 1 */
	struct wf_rloc at;		/* GRANT */
	uint64_t bytes;			/* GRANT */
	uint32_t quick;			/* GRANT: its other signal, */
	uint32_t room;			/* and its raises under way; 0: none */
	uint64_t came;			/* raises of it; GRANT, CREDIT */
	uint64_t offset;		/* WORD: where, in the part */
	uint64_t operand;		/* WORD: added, or stored */
	uint64_t value;			/* WORD: expected; OLD: found */
};

static_assert(sizeof(struct wf_rma_note) == 104, "the same at both ends");

#define WF_RMA_KEY_MAGIC UINT32_C(0x776b6579)

struct wf_rma_key {
	uint32_t magic;
	int32_t owner;			/* rank in the world: siblings share
					   their context */
	uint64_t context;
	uint64_t region;
	uint64_t bytes;
	uint64_t reserved[4];
};

static_assert(sizeof(struct wf_rma_key) == sizeof(struct weft_region_key),
	      "programs carry it");

#endif
