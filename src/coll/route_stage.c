/* SPDX-License-Identifier: BSD-3-Clause */
/* Who gives what to whom in a stage of a routing: see route_stage.h. */
#include "coll/route_stage.h"

#include <stdlib.h>
#include <string.h>
#include <weft/status.h>

/* Each block gives to the next one first, and goes round. */
static int block_of(const struct wf_ragged_stage *blocks, int edge)
{
	return (blocks->own + 1 + edge) % blocks->nblocks;
}

int wf_route_target(const struct wf_route_stage *stage, int edge)
{
	const struct wf_ragged_stage *blocks = &stage->blocks;

	return blocks->source[block_of(blocks, edge)];
}

int wf_route_source(const struct wf_route_stage *stage, int edge)
{
	return stage->blocks.target[edge];
}

void wf_route_stage_init(struct wf_route_stage *stage_p,
			 const struct wf_ragged_cuts *cuts, int rank, int stage)
{
	struct wf_route_stage *s = stage_p;
	int first_out = s->first_out + s->ngives;
	int first_in = s->first_in + s->ngets;

	memset(s, 0, sizeof(*s));
	wf_ragged_stage(cuts, rank, stage, &s->blocks);
	s->ngives = s->blocks.nblocks - 1;
	s->ngets = s->blocks.ntargets;
	s->first_out = first_out;
	s->first_in = first_in;
}

/* The edge that leads to a rank of the group; ngives: it stays. */
static int edge_to(const struct wf_route_stage *s, int rank)
{
	const struct wf_ragged_stage *blocks = &s->blocks;
	int block = 0;

	while (blocks->first[block + 1] <= rank)
		block++;
	block -= blocks->own + 1;
	return block < 0 ? block + blocks->nblocks : block;
}

/* Bytes of each edge, and behind them of what stays. */
static void count(const struct wf_route_stage *s, const struct wf_parcels *row,
		  uint64_t *bytes)
{
	struct wf_parcel r;

	for (uint64_t at = 0; wf_parcels_next(row, &at, &r);)
		bytes[edge_to(s, r.to)] += wf_parcel_room(r.bytes);
}

static void sort(const struct wf_route_stage *s, const struct wf_parcels *row,
		 char **to)
{
	struct wf_parcel r;

	for (uint64_t at = 0; wf_parcels_next(row, &at, &r);) {
		char **end = &to[edge_to(s, r.to)];

		*end = wf_parcel_put(*end, &r);
	}
}

int wf_route_pack(struct wf_route_stage *s, struct wf_parcels held[2])
{
	uint64_t bytes[WF_ROUTE_GIVES + 1] = { 0 };
	char *to[WF_ROUTE_GIVES + 1], *end;

	end = s->packed = malloc(held[0].bytes + held[1].bytes + 1);
	if (!end)
		return WEFT_ERR_NOMEM;
	count(s, &held[0], bytes);
	count(s, &held[1], bytes);
	for (int i = 0; i <= s->ngives; i++) {
		to[i] = end;
		end += bytes[i];
	}
	for (int i = 0; i < s->ngives; i++)
		s->gives[i] = (int64_t)bytes[i];
	s->stays.at = (uint64_t)(to[s->ngives] - s->packed);
	s->stays.bytes = bytes[s->ngives];
	sort(s, &held[0], to);
	sort(s, &held[1], to);
	wf_parcels_drop(&held[0]);
	wf_parcels_drop(&held[1]);
	return WEFT_OK;
}

void wf_route_give_none(struct wf_route_stage *s, int64_t why)
{
	for (int i = 0; i < s->ngives; i++)
		s->gives[i] = why;
}

int wf_route_make_room(struct wf_route_stage *s)
{
	uint64_t all = 0;

	for (int i = 0; i < s->ngets; i++)
		if (s->gets[i] > 0 &&
		    (__builtin_add_overflow(all, (uint64_t)s->gets[i], &all) ||
		     all > PTRDIFF_MAX))
			return WEFT_ERR_NOMEM;
	s->comes.bytes = all;
	s->comes.memory = all ? malloc(all) : NULL;
	return all && !s->comes.memory ? WEFT_ERR_NOMEM : WEFT_OK;
}

void wf_route_take_over(struct wf_route_stage *s, struct wf_parcels held[2])
{
	held[0] = s->stays;
	held[0].memory = s->packed;
	held[1] = s->comes;
	s->packed = s->comes.memory = NULL;
}

void wf_route_drop(struct wf_route_stage *s)
{
	free(s->packed);
	s->packed = NULL;
	wf_parcels_drop(&s->comes);
}
