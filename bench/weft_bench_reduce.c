/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-bench allreduce, reduce and scan.
 *
 * The summands are whole numbers below 2^53, so that the sum is exact in any
 * order and each element can be checked.
 */
#include "bench/weft_bench_coll.h"
#include "bench/weft_bench_raw.h"

static struct weft_part result_of(const struct bench_vectors *v)
{
	return weft_part(v->out, v->bytes / sizeof(double),
			 &weft_type_double);
}

static int allreduce(const struct bench_vectors *v)
{
	return weft_allreduce(v->run->world, v->in, result_of(v),
			      &weft_op_sum);
}

static int iallreduce(const struct bench_vectors *v,
		      struct weft_request **req_p)
{
	return weft_iallreduce(v->run->world, v->in, result_of(v),
			       &weft_op_sum, req_p);
}

static int allreduce_init(const struct bench_vectors *v,
			  struct weft_request **req_p)
{
	return weft_allreduce_init(v->run->world, v->in, result_of(v),
				   &weft_op_sum, req_p);
}

static int reduce(const struct bench_vectors *v)
{
	return weft_reduce(v->run->world, v->in, result_of(v), &weft_op_sum,
			   v->root);
}

static int ireduce(const struct bench_vectors *v, struct weft_request **req_p)
{
	return weft_ireduce(v->run->world, v->in, result_of(v), &weft_op_sum,
			    v->root, req_p);
}

static int reduce_init(const struct bench_vectors *v,
		       struct weft_request **req_p)
{
	return weft_reduce_init(v->run->world, v->in, result_of(v),
				&weft_op_sum, v->root, req_p);
}

static int scan(const struct bench_vectors *v)
{
	return weft_scan(v->run->world, v->in, result_of(v), &weft_op_sum);
}

static int iscan(const struct bench_vectors *v, struct weft_request **req_p)
{
	return weft_iscan(v->run->world, v->in, result_of(v), &weft_op_sum,
			  req_p);
}

static int scan_init(const struct bench_vectors *v,
		     struct weft_request **req_p)
{
	return weft_scan_init(v->run->world, v->in, result_of(v),
			      &weft_op_sum, req_p);
}

/* Element i of the given rank in a round. */
static double summand(int rank, long round, size_t i)
{
	return (double)((size_t)(rank + 1) * (i % 1000 + 1) +
			(size_t)round % 1000);
}

/* The sum of those of the first ranks. */
static double total(int ranks, long round, size_t i)
{
	size_t p = (size_t)ranks;

	return (double)(p * (p + 1) / 2 * (i % 1000 + 1) +
			p * ((size_t)round % 1000));
}

static void fill(const struct bench_vectors *v, long round)
{
	double *in = v->in, *out = v->out;

	for (size_t i = 0; i < v->bytes / sizeof(double); i++) {
		in[i] = summand(v->run->rank, round, i);
		out[i] = -1;
	}
}

static size_t wrong_sums(const struct bench_vectors *v, int ranks, long round)
{
	const double *out = v->out;
	size_t wrong = 0;

	for (size_t i = 0; i < v->bytes / sizeof(double); i++)
		if (out[i] != total(ranks, round, i))
			wrong += sizeof(double);
	return wrong;
}

static size_t wrong_of_all(const struct bench_vectors *v, long round)
{
	return wrong_sums(v, v->run->ranks, round);
}

static size_t wrong_at_root(const struct bench_vectors *v, long round)
{
	return v->root == v->run->rank ? wrong_of_all(v, round) : 0;
}

static size_t wrong_up_to_here(const struct bench_vectors *v, long round)
{
	return wrong_sums(v, v->run->rank + 1, round);
}

int bench_run_reduction(struct bench_run *run)
{
	static const struct bench_coll colls[] = {
		[BENCH_ALLREDUCE] = {
			"sum of doubles", 0,
			allreduce, iallreduce, allreduce_init,
			fill, wrong_of_all, bench_bound_loop
		},
		[BENCH_REDUCE] = {
			"sum of doubles, to each rank in turn", BENCH_ROOTED,
			reduce, ireduce, reduce_init,
			fill, wrong_at_root, bench_bound_loop
		},
		[BENCH_SCAN] = {
			"sum of doubles, of the ranks up to each", 0,
			scan, iscan, scan_init,
			fill, wrong_up_to_here, bench_bound_loop
		},
	};
	int status = WEFT_OK;

	if (run->options->raw)
		status = bench_run_raw(run, true, true);
	return status ? status :
	       bench_run_coll(run, &colls[run->options->command]);
}
