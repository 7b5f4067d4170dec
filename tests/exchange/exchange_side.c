/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One end of an exchange: how much each edge has, and which bytes, from the
 * keys of the exchange; the buffer with its guarded gaps; and how the call gets
 * it described.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/exchange/exchange_parts.h"

/* A short, so many bytes of a gap, an int. */
enum { GAP_AT = 2, GAP_END = 4, UNIT = 8, PACKED = 6 };

/* ---- what an edge has ---- */

static uint64_t edge_key(uint64_t key, const struct edge *e)
{
	key = draw_mix(key, (uint64_t)e->from << 32 | (uint64_t)e->to);
	return draw_mix(key, (uint64_t)e->k);
}

static bool is_gather(const struct op *op)
{
	return op->call == ALLGATHER || op->call == ALLGATHERV;
}

uint64_t op_key(const struct op *op, uint64_t key, const struct edge *e)
{
	const struct edge of_sender = { e->from, 0, 0 };

	return edge_key(key, is_gather(op) ? &of_sender : e);
}

bool op_is_wrong(const struct op *op, const struct edge *e)
{
	const struct edge *w = &op->wrong;

	if (w->k < 0 || e->to != w->to)
		return false;
	return neighbor_recvs_part(op->call) ||
	       (e->from == w->from && e->k == w->k);
}

size_t op_count(const struct run *run, const struct op *op,
		const struct edge *e, bool receiver)
{
	bool same = neighbor_recvs_part(op->call);
	struct draw draw = { same ? op->lengths : op_key(op, op->lengths, e) };
	size_t count = draw_bytes(&draw, run->options->max_bytes) / op->unit;

	if (!receiver || !op_is_wrong(op, e))
		return count;
	if (count && draw_below(&draw, 2))
		return draw_below(&draw, count);
	return count + 1 + draw_below(&draw, 100);
}

/* ---- the buffer ---- */

/*
 * Displacements count elements, so the gaps are elements, too.  Edges lie in
 * the buffer in their order, or in the opposite one; where the call tells no
 * displacements in their order and without gaps, or all in one place.
 */
static void place_edges(struct run *run, struct op *op, struct side *s,
			bool receiver)
{
	bool backwards = draw_below(&run->own, 2) && !s->is_part;
	size_t gap = (GAP + s->unit - 1) / s->unit;
	size_t each = s->unit < op->unit ? PACKED : 1;
	size_t at = gap, end = 0;

	for (int k = 0; k < s->n; k++) {
		int i = backwards ? s->n - 1 - k : k;

		s->counts[i] = each * op_count(run, op, &s->edges[i],
					       receiver);
		s->int_counts[i] = (int)s->counts[i];
		s->displs[i] = (ptrdiff_t)at;
		s->int_displs[i] = (int)at;
		end = at + s->counts[i];
		if (!s->is_part)
			at = end + gap;
		else if (!s->same)
			at = end;
	}
	s->bytes = (end + gap) * s->unit;
}

static void lay_out(struct run *run, struct op *op, struct side *s,
		    bool receiver)
{
	s->counts = calloc((size_t)s->n + 1, sizeof(*s->counts));
	s->displs = calloc((size_t)s->n + 1, sizeof(*s->displs));
	s->int_counts = calloc((size_t)s->n + 1, sizeof(*s->int_counts));
	s->int_displs = calloc((size_t)s->n + 1, sizeof(*s->int_displs));
	place_edges(run, op, s, receiver);
}

static const struct weft_type *type_of(const struct side *s)
{
	if (s->gaps)
		return &weft_type_short_int;
	if (s->unit == 1)
		return &weft_type_byte;
	return s->unit == 4 ? &weft_type_int32 : &weft_type_double;
}

/*
 * Elements of 8 bytes have gaps at both ends, at one, where the other end has
 * their bytes, or at none.
 */
static void draw_gaps(const struct op *op, struct side *s, bool receiver)
{
	enum { NONE, BOTH, SENT, RECEIVED } who = (int)(op->lengths % 4);

	s->unit = op->unit;
	if (op->unit != UNIT || who == NONE)
		return;
	s->gaps = who == BOTH || (who == RECEIVED) == receiver;
	if (!s->gaps)
		s->unit = 1;
}

/* To each edge its own, with displacements in bytes. */
static void give_types(struct side *s)
{
	s->types = calloc((size_t)s->n + 1, sizeof(*s->types));
	for (int i = 0; i < s->n; i++)
		s->types[i] = s->vec.type;
	s->vec.type = NULL;
	s->vec.types = s->types;
	s->byte_displs = calloc((size_t)s->n + 1, sizeof(*s->byte_displs));
	for (int i = 0; i < s->n; i++)
		s->byte_displs[i] = s->displs[i] * (ptrdiff_t)s->unit;
}

static void describe(struct run *run, struct op *op, struct side *s)
{
	s->vec.base = s->base;
	s->vec.type = type_of(s);
	if (s->is_part) {
		s->part = weft_part(s->n ? side_at(s, 0) : NULL, s->counts[0],
				    s->vec.type);
		return;
	}
	if (op->call == ALLTOALLW || op->lengths % 5 == 0)
		give_types(s);
	if (draw_below(&run->own, 2))
		s->vec.counts = s->counts;
	else
		s->vec.int_counts = s->int_counts;
	if (draw_below(&run->own, 2) || s->types)
		s->vec.displs = s->types ? s->byte_displs : s->displs;
	else
		s->vec.int_displs = s->int_displs;
}

/* Memory that peers reach directly, or the program's own. */
static void allocate(struct run *run, struct side *s)
{
	void *base = NULL;

	s->arena = draw_below(&run->own, 2);
	if (s->arena)
		run_ok(run, weft_mem_alloc(run->job, s->bytes, &base),
		       "weft_mem_alloc");
	else
		base = malloc(s->bytes);
	s->base = base;
}

void side_init(struct run *run, struct op *op, bool receiver)
{
	struct side *s = receiver ? &op->recv : &op->send;

	s->is_part = receiver ? neighbor_recvs_part(op->call) :
				neighbor_sends_part(op->call);
	s->same = !receiver && is_gather(op);
	s->n = receiver ? op->graph->nin : op->graph->nout;
	s->edges = receiver ? op->graph->in : op->graph->out;
	draw_gaps(op, s, receiver);
	lay_out(run, op, s, receiver);
	allocate(run, s);
	describe(run, op, s);
}

void side_fini(struct run *run, struct side *s)
{
	if (s->arena)
		weft_mem_free(run->job, s->base);
	else
		free(s->base);
	free(s->counts);
	free(s->displs);
	free(s->types);
	free(s->byte_displs);
	free(s->int_counts);
	free(s->int_displs);
}

/* ---- the bytes of an edge ---- */

static size_t packed_bytes(const struct side *s, size_t count)
{
	return count * (s->gaps ? PACKED : s->unit);
}

void side_fill(const struct side *s, int i, uint64_t key)
{
	size_t count = s->counts[i], bytes = packed_bytes(s, count);
	char *at = side_at(s, i), *packed;

	if (!s->gaps) {
		pattern_fill(at, bytes, key);
		return;
	}
	packed = malloc(bytes + 1);
	pattern_fill(packed, bytes, key);
	for (size_t e = 0; e < count; e++) {
		memcpy(at + e * UNIT, packed + e * PACKED, GAP_AT);
		memcpy(at + e * UNIT + GAP_END, packed + e * PACKED + GAP_AT,
		       UNIT - GAP_END);
	}
	free(packed);
}

bool side_holds(const struct side *s, int i, uint64_t key)
{
	size_t count = s->counts[i], bytes = packed_bytes(s, count);
	const char *at = side_at(s, i);
	char *packed;
	bool holds;

	if (!s->gaps)
		return pattern_holds(at, bytes, key);
	packed = malloc(bytes + 1);
	for (size_t e = 0; e < count; e++) {
		memcpy(packed + e * PACKED, at + e * UNIT, GAP_AT);
		memcpy(packed + e * PACKED + GAP_AT, at + e * UNIT + GAP_END,
		       UNIT - GAP_END);
	}
	holds = pattern_holds(packed, bytes, key);
	free(packed);
	return holds;
}

bool side_gaps_kept(const struct side *s, int i)
{
	const char *at = side_at(s, i);

	for (size_t e = 0; s->gaps && e < s->counts[i]; e++)
		for (int k = GAP_AT; k < GAP_END; k++)
			if ((unsigned char)at[e * UNIT + (size_t)k] != GUARD)
				return false;
	return true;
}
