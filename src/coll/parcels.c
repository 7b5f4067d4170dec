/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of parcels: see parcels.h. */
#include "coll/parcels.h"

#include <stdlib.h>
#include <string.h>
#include "base/assert.h"

char *wf_parcel_put(char *at, const struct wf_parcel *r)
{
	const struct wf_parcel_head head = {
		.to = r->to, .from = r->from, .position = r->position,
		.low = (uint32_t)r->bytes, .high = (uint32_t)(r->bytes >> 32)
	};

	memcpy(at, &head, sizeof(head));
	if (r->bytes)
		memcpy(at + sizeof(head), r->content, r->bytes);
	return at + wf_parcel_room(r->bytes);
}

bool wf_parcels_next(const struct wf_parcels *row, uint64_t *offset,
		     struct wf_parcel *parcel_p)
{
	struct wf_parcel_head head;
	const char *at;

	if (*offset == row->bytes)
		return false;
	at = row->memory + row->at + *offset;
	WF_ASSERT(row->bytes - *offset >= sizeof(head));
	memcpy(&head, at, sizeof(head));
	*parcel_p = (struct wf_parcel){
		.to = head.to, .from = head.from, .position = head.position,
		.bytes = (uint64_t)head.high << 32 | head.low,
		.content = at + sizeof(head)
	};
	*offset += wf_parcel_room(parcel_p->bytes);
	WF_ASSERT(*offset <= row->bytes);
	return true;
}

void wf_parcels_drop(struct wf_parcels *row)
{
	free(row->memory);
	*row = (struct wf_parcels){ .memory = NULL };
}
