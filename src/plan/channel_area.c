/* SPDX-License-Identifier: BSD-3-Clause */
/* How large a chunk area is, and when there is one: see channel_area.h. */
#include "plan/channel_area.h"

#include "plan/set.h"

enum {
	LEAST_CHUNK = 4096,		/* where memory is short */
	AREAS = 64			/* of pairs fit into an arena */
};

static uint64_t most_of_a_chunk(const struct wf_in *in)
{
	const struct weft_job *job = in->peer->job;
	uint64_t most = 0;

	if (in->peer->ep)
		return in->peer->ep->dev->chunk;
	for (int i = 0; i < job->ndevs; i++)
		if (job->dev[i]->chunk > most)
			most = job->dev[i]->chunk;
	return most;
}

/* An area of a pair is for one message, others for whatever an edge takes. */
static uint64_t chunk_for(const struct wf_in *in, uint64_t bytes)
{
	const struct wf_config *config = &in->peer->job->config;
	uint64_t share = config->arena_max / (AREAS * WF_AREA_CHUNKS);
	uint64_t chunk = bytes / WF_AREA_CHUNKS + 64;
	uint64_t most = most_of_a_chunk(in);

	if (chunk > share)
		chunk = share;
	if (chunk < LEAST_CHUNK)
		chunk = LEAST_CHUNK;
	if (!in->set->pair || chunk > most)
		chunk = most;
	return chunk / 64 * 64;
}

int wf_in_make_area(struct wf_in *in, uint64_t bytes)
{
	struct wf_segment *segment = &in->peer->job->segment;
	int status = WEFT_OK;

	if (in->area_offset)
		return WEFT_OK;
	for (in->chunk = (uint32_t)chunk_for(in, bytes); ; in->chunk /= 2) {
		status = wf_segment_alloc_raw(segment, WF_AREA_CHUNKS *
					      (uint64_t)in->chunk, 64,
					      &in->area_offset);
		if (!status || in->chunk % 128 || in->chunk <= LEAST_CHUNK)
			return status;
	}
}

void wf_in_return_area(struct wf_in *in)
{
	if (!in->set->pair || wf_set_keeps(in->set))
		return;
	wf_segment_free(&in->peer->job->segment, in->area_offset);
	in->area_offset = 0;
	in->area_user = 0;
}

/* A peer that is connected by this device, memory that is not the arena's. */
static bool may_write(const struct wf_leg *leg, const struct wf_device *dev)
{
	struct wf_rloc to;

	return (dev->caps & WF_CAP_ANYWHERE) ||
	       ((dev->caps & WF_CAP_FENCE) && wf_leg_key(leg, dev, &to));
}

bool wf_in_needs_area(const struct wf_in *in, const struct wf_leg *leg)
{
	const struct weft_job *job = in->peer->job;
	bool written = false;
	uint64_t offset;

	if (leg->bytes <= in->slot_max || leg->bytes == WF_REFUSED)
		return false;
	if (in->peer->state == WF_PEER_READY)
		written = may_write(leg, in->peer->ep->dev);
	else
		for (int i = 0; i < job->ndevs; i++)
			written |= may_write(leg, job->dev[i]);
	return !written && !wf_segment_has(&job->segment, leg->data,
					   leg->bytes, &offset);
}
