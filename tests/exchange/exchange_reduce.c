/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One collective between the exchanges, on the world or on a graph: a barrier,
 * or an allreduce whose result is known in closed form, in place or not, with
 * guards around what it writes.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/exchange/exchange_parts.h"

enum {
	MOST = 2000,		/* elements */
	AHEAD = 8		/* guarded elements before and behind */
};

static const uint64_t guard = 0xa5a5a5a5a5a5a5a5;

/* Small enough for sums that are exact in both. */
union element {
	double d;
	int64_t i;
	uint64_t bits;
};

struct reduction {
	struct weft_comm *comm;
	size_t n;
	bool doubles;
	const struct weft_op *op;
	int64_t base;
};

static union element element(const struct reduction *r, int64_t value)
{
	union element e = { .i = value };

	if (r->doubles)
		e.d = (double)value;
	return e;
}

/* Rank i gives base + j + i * slope(j) as its j-th element. */
static int64_t slope(size_t j)
{
	return 1 + (int64_t)(j % 7);
}

static int64_t result(const struct reduction *r, size_t j)
{
	int64_t size = weft_comm_size(r->comm);
	int64_t least = r->base + (int64_t)j;

	if (r->op == &weft_op_min)
		return least;
	if (r->op == &weft_op_max)
		return least + (size - 1) * slope(j);
	return size * least + size * (size - 1) / 2 * slope(j);
}

static void fill(const struct reduction *r, union element *to)
{
	int64_t rank = weft_comm_rank(r->comm);

	for (size_t j = 0; j < r->n; j++)
		to[j] = element(r, r->base + (int64_t)j + rank * slope(j));
}

static void check(struct run *run, const struct reduction *r,
		  const union element *all)
{
	const union element *out = all + AHEAD;

	for (size_t j = 0; j < r->n; j++) {
		if (out[j].bits == element(r, result(r, j)).bits)
			continue;
		run_fail(run, "allreduce of %zu, element %zu is %016llx, not "
			 "%lld", r->n, j, (unsigned long long)out[j].bits,
			 (long long)result(r, j));
		return;
	}
	for (size_t j = 0; j < AHEAD; j++)
		if (all[j].bits != guard || out[r->n + j].bits != guard)
			run_fail(run, "allreduce of %zu writes beyond", r->n);
}

static void reduce(struct run *run, const struct reduction *r)
{
	union element *in = malloc((r->n + 1) * sizeof(*in));
	union element *all = malloc((r->n + 2 * AHEAD) * sizeof(*all));
	bool in_place = draw_below(&run->own, 2);
	int status;

	for (size_t j = 0; j < r->n + 2 * AHEAD; j++)
		all[j].bits = guard;
	fill(r, in_place ? all + AHEAD : in);
	status = weft_allreduce(r->comm, in_place ? WEFT_IN_PLACE : in,
				weft_part(all + AHEAD, r->n, r->doubles ?
					  &weft_type_double :
					  &weft_type_int64), r->op);
	if (run_ok(run, status, "weft_allreduce"))
		check(run, r, all);
	free(in);
	free(all);
}

static void meet(struct run *run, struct weft_comm *comm)
{
	const struct exchange_options *o = run->options;

	if (o->meets)
		o->meets(o->arg, false);
	if (run_ok(run, weft_barrier(comm), "weft_barrier") && o->meets)
		o->meets(o->arg, true);
}

void collective(struct run *run, struct weft_comm *graph)
{
	static const struct weft_op *const ops[] = {
		&weft_op_sum, &weft_op_min, &weft_op_max
	};
	struct draw *shared = &run->shared;
	struct reduction r = { .comm = weft_job_world(run->job) };

	if (draw_below(shared, 2))
		r.comm = graph;
	r.n = draw_bytes(shared, MOST);
	r.doubles = draw_below(shared, 2);
	r.op = ops[draw_below(shared, 3)];
	r.base = (int64_t)draw_below(shared, 1000);
	/* What the first ones have taken serves the world for good. */
	if (r.comm != graph)
		r.n %= EXCHANGE_WORLD_MOST + 1;
	if (draw_below(shared, 3))
		reduce(run, &r);
	else
		meet(run, r.comm);
}
