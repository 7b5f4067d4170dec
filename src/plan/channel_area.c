/* SPDX-License-Identifier: BSD-3-Clause */
/* How large a chunk area is, and when there is one: see channel_area.h. */
#include "plan/channel_area.h"

#include "plan/leg_gaps.h"

enum {
	LEAST_OF_EDGE = 1024,		/* chunks, also where memory is short */
	LEAST_OF_PAIR = 4096,
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

/* One message through an area of a pair: a part of it in each slot. */
static uint64_t chunk_of_pair(const struct wf_in *in, uint64_t bytes)
{
	const struct wf_config *config = &in->peer->job->config;
	uint64_t share = config->arena_max / (AREAS * WF_AREA_CHUNKS);
	uint64_t chunk = bytes / WF_AREA_CHUNKS + 64;

	if (chunk > share)
		chunk = share;
	return chunk < LEAST_OF_PAIR ? LEAST_OF_PAIR : chunk;
}

/*
 * Of an edge: it grows as landing slots do.  Above a quarter of the most it is
 * the most, since areas that were outgrown are holes of the arena.
 */
static uint64_t chunk_of_edge(uint64_t bytes, uint64_t most)
{
	uint64_t chunk = LEAST_OF_EDGE;

	while (chunk < bytes && chunk < most)
		chunk *= 2;
	return chunk <= most / 4 ? chunk : most;
}

static uint64_t chunk_for(const struct wf_in *in, uint64_t bytes)
{
	uint64_t most = most_of_a_chunk(in);
	uint64_t chunk = in->set->pair ? chunk_of_pair(in, bytes) :
					 chunk_of_edge(bytes, most);

	return (chunk < most ? chunk : most) / 64 * 64;
}

/* Where an epoch uses one, or has failed, it stays as it is. */
static bool serves(const struct wf_in *in, uint64_t chunk)
{
	return in->area_offset && (in->area_user || wf_set_keeps(in->set) ||
				   in->chunk >= chunk);
}

static uint32_t half(uint32_t chunk)
{
	return chunk / 2 / 64 * 64;
}

int wf_in_make_area(struct wf_in *in, uint64_t bytes)
{
	struct wf_segment *segment = &in->peer->job->segment;
	uint32_t least = in->set->pair ? LEAST_OF_PAIR : LEAST_OF_EDGE;
	uint64_t chunk = chunk_for(in, bytes);
	int status = WEFT_OK;

	if (serves(in, chunk))
		return WEFT_OK;
	/* The shorter one goes first: it is what memory that is short has. */
	if (in->area_offset)
		wf_segment_free(segment, in->area_offset);
	in->area_offset = 0;
	for (in->chunk = (uint32_t)chunk; ; in->chunk = half(in->chunk)) {
		status = wf_segment_alloc_raw(segment, WF_AREA_CHUNKS *
					      (uint64_t)in->chunk, 64,
					      &in->area_offset);
		if (!status || in->chunk <= least)
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

	if (leg->run->plan->stores)
		return false;
	return (dev->caps & WF_CAP_ANYWHERE) ||
	       ((dev->caps & WF_CAP_FENCE) && wf_leg_key(leg, dev, &to));
}

static bool is_unpacked(const struct wf_in *in, const struct wf_leg *leg)
{
	const struct weft_job *job = in->peer->job;

	if (in->peer->state == WF_PEER_READY)
		return wf_leg_unpacks(leg, in->peer->ep->dev);
	for (int i = 0; i < job->ndevs; i++)
		if (wf_leg_unpacks(leg, job->dev[i]))
			return true;
	return false;
}

bool wf_in_needs_area(const struct wf_in *in, const struct wf_leg *leg)
{
	const struct weft_job *job = in->peer->job;
	bool written = false;
	uint64_t offset;

	if (leg->bytes <= in->slot_max || leg->bytes == WF_REFUSED)
		return false;
	if (is_unpacked(in, leg))
		return true;
	if (in->peer->state == WF_PEER_READY)
		written = may_write(leg, in->peer->ep->dev);
	else
		for (int i = 0; i < job->ndevs; i++)
			written |= may_write(leg, job->dev[i]);
	return !written && !wf_segment_has(&job->segment, leg->data,
					   leg->bytes, &offset);
}
