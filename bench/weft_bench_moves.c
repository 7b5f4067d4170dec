/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-bench bcast, and barrier, which moves none: collectives that move bytes.
 */
#include "bench/weft_bench_coll.h"
#include "bench/weft_bench_pattern.h"

enum {
	SLOT_BYTES = 64 * 1024
};

/* What a rank makes for another one, or for all, in a round. */
static struct bench_stamp stamp_of(int from, int to, long round)
{
	return (struct bench_stamp){ (uint32_t)from, (uint32_t)to,
				     (uint64_t)round };
}

static int barrier(const struct bench_vectors *v)
{
	return weft_barrier(v->run->world);
}

static int bcast(const struct bench_vectors *v)
{
	return weft_bcast(v->run->world,
			  weft_part(v->out, v->bytes, &weft_type_byte),
			  v->root);
}

/* What is not to be sent is of another round. */
static void fill_bcast(const struct bench_vectors *v, long round)
{
	int rank = v->run->rank;

	bench_pattern_fill(v->out, v->bytes,
			   stamp_of(rank, 0, round + (rank != v->root)));
}

static size_t wrong_bcast(const struct bench_vectors *v, long round)
{
	return bench_pattern_check(v->out, v->bytes,
				   stamp_of(v->root, 0, round));
}

/* Long ones of the arena go straight to where they belong. */
static enum bench_bound bound(const struct bench_vectors *v)
{
	if (v->bytes > SLOT_BYTES && !v->run->options->heap)
		return BENCH_BY_COPY;
	return bench_bound_loop(v);
}

int bench_run_moves(struct bench_run *run)
{
	static const struct bench_coll colls[] = {
		[BENCH_BARRIER] = {
			"barrier", 0, barrier, NULL, NULL, bench_bound_loop
		},
		[BENCH_BCAST] = {
			"broadcasts, from each rank in turn", BENCH_ROOTED,
			bcast, fill_bcast, wrong_bcast, bound
		},
	};

	return bench_run_coll(run, &colls[run->options->command]);
}
