/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets along each edge: see neighbor_packets.h. */
#include "topo/neighbor_packets.h"

#include "plan/fold.h"

static bool is_packed(const struct wf_packet_side *side)
{
	return !side->op && !side->index && side->type->dense;
}

static size_t unit_of(const struct wf_packet_side *side)
{
	return side->width * wf_type_bytes(side->type);
}

static size_t count_of(const struct wf_packet_side *side, int edge)
{
	return side->offs[edge + 1] - side->offs[edge];
}

int wf_packets_extents(const struct wf_packet_side *side, struct wf_vec_arg *a,
		       struct wf_extent *extent)
{
	size_t size = wf_type_bytes(side->type), unit, bytes;
	size_t total = a->n ? side->offs[a->n] : 0;

	if (__builtin_mul_overflow(side->width, size, &unit) ||
	    __builtin_mul_overflow(unit, total, &bytes) ||
	    bytes > PTRDIFF_MAX)
		return wf_job_fail_for(a->job, WEFT_ARGUMENT_COUNT,
				       WEFT_ERR_RANGE, "%s: %zu packets of %zu "
				       "elements of %zu bytes exceed 2^63 "
				       "bytes", a->call, total, side->width,
				       size);
	for (int i = 0; i < a->n; i++)
		extent[i] = (struct wf_extent){
			(int64_t)(side->offs[i] * unit),
			count_of(side, i) * unit
		};
	a->gaps |= !is_packed(side);
	return WEFT_OK;
}

int wf_packets_parts(const struct wf_packet_side *side, int n,
		     struct wf_staged_part *part)
{
	size_t unit = unit_of(side);
	ptrdiff_t step = (ptrdiff_t)side->width *
			 wf_shape_extent(&side->type->shape);

	if (is_packed(side))
		return 0;
	for (int i = 0; i < n; i++) {
		ptrdiff_t first = side->index ? 0 : side->offs[i];

		part[i] = (struct wf_staged_part){
			.type = side->op || !side->type->dense ? side->type :
								 NULL,
			.unit = unit, .bytes = count_of(side, i) * unit,
			.base = (char *)((uintptr_t)side->base +
					 (uintptr_t)(first * step)),
			.index = side->index ? side->index + side->offs[i] :
					       NULL
		};
	}
	return n;
}

int wf_packets_fold(const struct wf_packet_side *side, struct weft_job *job,
		    int n, struct wf_fold **fold_p)
{
	const struct wf_fold_packets packets = {
		side->width, side->npackets, side->identity, side->order
	};
	struct wf_fold_shape shape = {
		.type = side->type, .base = side->base, .at = side->index,
		.n = side->offs[n], .packets = &packets
	};
	const char *why;

	wf_combination_find(job, side->op, side->type, &shape.with, &why);
	for (int i = 0; i < n; i++)
		if (count_of(side, i) * side->width > shape.most)
			shape.most = count_of(side, i) * side->width;
	return wf_fold_make(&shape, fold_p);
}
