/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets along each edge: see neighbor_packets.h. */
#include "topo/neighbor_packets.h"

#include <stdio.h>
#include <weft/coll.h>
#include "coll/reduction.h"
#include "plan/fold.h"
#include "plan/part_arg.h"
#include "type/op_identity.h"
#include "type/op_made.h"

static size_t unit_of(const struct weft_packets *packets)
{
	return packets->width * wf_type_bytes(packets->type);
}

static size_t count_of(const struct wf_packet_side *side, int edge)
{
	return side->offs[edge + 1] - side->offs[edge];
}

/* ---- checks ---- */

static int check_number(const struct wf_packet_side *side,
			const struct wf_vec_arg *a)
{
	const struct weft_packets *given = side->given;

	if (!given->width)
		return wf_job_fail_for(a->job, WEFT_ARGUMENT_COUNT,
				       WEFT_ERR_ARG, "%s: %s->width is 0",
				       a->call, a->name);
	if (given->n != side->want)
		return wf_job_fail_for(a->job, WEFT_ARGUMENT_COUNT,
				       WEFT_ERR_ARG, "%s: %s->n is %zu, but "
				       "the pattern has %zu", a->call, a->name,
				       given->n, side->want);
	return WEFT_OK;
}

/* All of them as one part: its type, base and size. */
static int check_memory(const struct wf_packet_side *side,
			const struct wf_vec_arg *a)
{
	const struct weft_packets *given = side->given;
	struct weft_part all = { given->base, 0, given->type };
	const struct wf_part_arg arg = {
		.job = a->job, .call = a->call, .name = a->name, .part = &all,
		.n = 1, .each = "rank"
	};
	size_t more = a->n && side->offs && side->offs[a->n] > given->n ?
			    side->offs[a->n] : given->n;

	if (__builtin_mul_overflow(more, given->width, &all.count) ||
	    all.count > PTRDIFF_MAX)
		return wf_job_fail_for(a->job, WEFT_ARGUMENT_COUNT,
				       WEFT_ERR_RANGE, "%s: %zu packets of %zu "
				       "elements in %s exceed 2^63 bytes",
				       a->call, more, given->width, a->name);
	if (!given->n)
		all.base = NULL;
	else if (!all.base)
		return wf_job_fail_for(a->job, WEFT_ARGUMENT_BUFFER,
				       WEFT_ERR_ARG, "%s: %s->base is NULL "
				       "with %zu packets", a->call, a->name,
				       given->n);
	if (!given->n && all.count)
		all.base = (void *)&arg;	/* none of it is looked at */
	return wf_part_check(&arg);
}

static int check_alike(const struct wf_packet_side *side,
		       const struct wf_vec_arg *a)
{
	const struct weft_packets *other = side->alike;

	if (!other || unit_of(side->given) == unit_of(other))
		return WEFT_OK;
	return wf_job_fail_for(a->job, WEFT_ARGUMENT_COUNT, WEFT_ERR_ARG,
			       "%s: a packet of %s has %zu bytes, and one of "
			       "srcs %zu", a->call, a->name,
			       unit_of(side->given), unit_of(other));
}

static int check_fold(const struct wf_packet_side *side,
		      const struct wf_vec_arg *a)
{
	struct wf_combination with = { .kernel = NULL };
	const struct wf_made_op *made;
	int status;

	if (!side->fold)
		return WEFT_OK;
	status = wf_reduction_find(a->job, a->call, a->name, side->given->type,
				   side->fold->op, &with);
	if (status)
		return status;
	made = wf_op_made(side->fold->op);
	if (!made || side->given->width % made->unit == 0)
		return WEFT_OK;
	return wf_job_fail_for(a->job, WEFT_ARGUMENT_OP, WEFT_ERR_ARG,
			       "%s: op combines units of %zu elements, but "
			       "packets of %s have %zu", a->call, made->unit,
			       a->name, side->given->width);
}

static int check(const struct wf_packet_side *side, const struct wf_vec_arg *a)
{
	int status;

	if (!side->given)
		return wf_job_fail_null(a->job, a->call, a->name);
	status = check_number(side, a);
	if (!status)
		status = check_memory(side, a);
	if (!status)
		status = check_alike(side, a);
	if (!status)
		status = check_fold(side, a);
	return status;
}

/* ---- extents, and a packed copy ---- */

static bool is_packed(const struct wf_packet_side *side)
{
	return !side->fold && !side->index && side->given->type->dense;
}

int wf_packets_extents(const struct wf_packet_side *side, struct wf_vec_arg *a,
		       struct wf_extent *extent)
{
	int status;

	a->name = side->name;
	status = check(side, a);
	if (status)
		return status;
	if (side->status)
		return wf_job_fail(a->job, side->status, "%s: no memory for "
				   "the lists of %s", a->call, a->name);
	for (int i = 0; i < a->n; i++) {
		size_t unit = unit_of(side->given);

		extent[i].offset = (int64_t)(side->offs[i] * unit);
		extent[i].bytes = count_of(side, i) * unit;
	}
	a->gaps |= !is_packed(side);
	return WEFT_OK;
}

int wf_packets_parts(const struct wf_packet_side *side, int n,
		     struct wf_staged_part *part)
{
	const struct weft_packets *given = side->given;
	ptrdiff_t step = (ptrdiff_t)given->width *
			 wf_shape_extent(&given->type->shape);
	bool typed = side->fold || !given->type->dense;

	if (is_packed(side))
		return 0;
	for (int i = 0; i < n; i++) {
		ptrdiff_t first = side->index ? 0 : side->offs[i];

		part[i] = (struct wf_staged_part){
			.type = typed ? given->type : NULL,
			.unit = unit_of(given),
			.bytes = count_of(side, i) * unit_of(given),
			/* as numbers: without packets it may be NULL */
			.base = (char *)((uintptr_t)given->base +
					 (uintptr_t)(first * step)),
			.index = side->index ? side->index + side->offs[i] :
					       NULL
		};
	}
	return n;
}

void wf_packets_whole(const struct wf_packet_side *side,
		      struct wf_staged *staged)
{
	const struct weft_packets *given = side->given;

	if (side->fold || !side->index || !side->inverse || !given->n ||
	    !given->type->dense)
		return;
	staged->all = (struct wf_packets){
		given->base, unit_of(given), side->inverse
	};
	staged->nall = given->n;
}

int wf_packets_fold(const struct wf_packet_side *side, struct weft_job *job,
		    int n, struct wf_fold **fold_p)
{
	const struct weft_packets *given = side->given;
	const struct wf_fold_packets packets = {
		.width = given->width, .n = given->n,
		.identity = wf_identity_of(side->fold->op, given->type),
		.order = side->fold->order,
		.each = given->width == 1 ?
			wf_kernel_at_find(side->fold->op, given->type) : NULL
	};
	struct wf_fold_shape shape = {
		.type = given->type, .base = given->base, .at = side->index,
		.n = side->offs[n], .packets = &packets
	};
	const char *why;

	wf_combination_find(job, side->fold->op, given->type, &shape.with,
			    &why);
	for (int i = 0; i < n; i++)
		if (count_of(side, i) * given->width > shape.most)
			shape.most = count_of(side, i) * given->width;
	return wf_fold_make(&shape, fold_p);
}
