/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The order in which the lines of a torn put land.
 *
 * They are taken in strides that have no divisor in common with their number,
 * so each comes once, and no list of them is needed. A line is one of the
 * receiver's memory: the first and the last of a payload may be short.
 */
#include "transport/sim/sim_tear.h"

#include "transport/line.h"
#include "transport/sim/sim_world.h"

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Bytes of the first line that are not of the payload. */
static size_t shift(const struct sim_put *put)
{
	return put->dst.addr % WF_LINE_BYTES;
}

bool wf_sim_tear(struct sim_op *op)
{
	struct wf_sim *world = op->link->from->world;
	unsigned int one_in = world->options.tear_one_in;
	struct wf_random *random = &world->extra;
	struct sim_put *put = &op->put;

	if (!put->n || !one_in || wf_random_below(random, one_in))
		return false;
	put->lines = (uint32_t)((shift(put) + put->n + WF_LINE_BYTES - 1) /
				WF_LINE_BYTES);
	put->left = put->lines;
	put->line = (uint32_t)wf_random_below(random, put->lines);
	do
		put->stride = 1 + (uint32_t)wf_random_below(random, put->lines);
	while (common_divisor(put->stride, put->lines) != 1);
	return true;
}

void wf_sim_tear_line(struct sim_put *put, size_t *from_p, size_t *n_p)
{
	size_t start = (size_t)put->line * WF_LINE_BYTES;
	size_t end = start + WF_LINE_BYTES - shift(put);

	start = put->line ? start - shift(put) : 0;
	*from_p = start;
	*n_p = (end < put->n ? end : put->n) - start;
	put->line = (uint32_t)(((uint64_t)put->line + put->stride) %
			       put->lines);
	put->left--;
}
