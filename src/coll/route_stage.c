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

/* What goes along each edge, and last what stays. */
struct shares {
	uint64_t at[WF_ROUTE_GIVES + 1], bytes[WF_ROUTE_GIVES + 1];
};

/* Adds those of a row.  True: all of an edge lie side by side there. */
static bool count(const struct wf_route_stage *s, const struct wf_parcels *row,
		  struct shares *shares)
{
	struct wf_parcel r;
	bool side_by_side = true;

	for (uint64_t at = 0, before = 0; wf_parcels_next(row, &at, &r);
	     before = at) {
		int edge = edge_to(s, r.to);

		if (!shares->bytes[edge])
			shares->at[edge] = row->at + before;
		side_by_side &= shares->at[edge] + shares->bytes[edge] ==
				row->at + before;
		shares->bytes[edge] += wf_parcel_room(r.bytes);
	}
	return side_by_side;
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

/* Copies of all that two rows have, one edge behind the other. */
static int copy(struct wf_route_stage *s, struct wf_parcels held[2],
		struct shares *shares)
{
	char *to[WF_ROUTE_GIVES + 1];
	uint64_t at = 0;

	s->packed = malloc(held[0].bytes + held[1].bytes + 1);
	if (!s->packed)
		return WEFT_ERR_NOMEM;
	for (int i = 0; i <= s->ngives; i++) {
		shares->at[i] = at;
		to[i] = s->packed + at;
		at += shares->bytes[i];
	}
	sort(s, &held[0], to);
	sort(s, &held[1], to);
	wf_parcels_drop(&held[0]);
	wf_parcels_drop(&held[1]);
	return WEFT_OK;
}

static void keep(struct wf_route_stage *s, struct wf_parcels held[2])
{
	s->packed = held[0].memory;
	held[0] = (struct wf_parcels){ .memory = NULL };
	wf_parcels_drop(&held[1]);
}

/* Only one row, as of who gives in the order of ranks, may be sorted. */
int wf_route_pack(struct wf_route_stage *s, struct wf_parcels held[2])
{
	struct shares shares = { .bytes = { 0 } };
	bool sorted = count(s, &held[0], &shares) && !held[1].bytes;

	count(s, &held[1], &shares);
	if (sorted)
		keep(s, held);
	else if (copy(s, held, &shares))
		return WEFT_ERR_NOMEM;
	for (int i = 0; i < s->ngives; i++) {
		s->gives[i] = (int64_t)shares.bytes[i];
		s->gives_at[i] = shares.at[i];
	}
	s->stays.at = shares.at[s->ngives];
	s->stays.bytes = shares.bytes[s->ngives];
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
