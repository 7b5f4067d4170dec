/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-bench allreduce, reduce, scans and reduce_scatter, by any operation, of
 * any elements.
 *
 * The values are small whole numbers, so that results are exact in any bracket
 * and each element can be checked.
 */
#include "bench/weft_bench_coll.h"
#include "bench/weft_bench_op.h"
#include "bench/weft_bench_raw.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static struct weft_part result_of(const struct bench_vectors *v)
{
	return weft_part(v->out, v->count, v->coll->type);
}

static int allreduce(const struct bench_vectors *v)
{
	return weft_allreduce(v->run->world, v->in, result_of(v),
			      v->coll->op);
}

static int iallreduce(const struct bench_vectors *v,
		      struct weft_request **req_p)
{
	return weft_iallreduce(v->run->world, v->in, result_of(v),
			       v->coll->op, req_p);
}

static int allreduce_init(const struct bench_vectors *v,
			  struct weft_request **req_p)
{
	return weft_allreduce_init(v->run->world, v->in, result_of(v),
				   v->coll->op, req_p);
}

static int reduce(const struct bench_vectors *v)
{
	return weft_reduce(v->run->world, v->in, result_of(v), v->coll->op,
			   v->root);
}

static int ireduce(const struct bench_vectors *v, struct weft_request **req_p)
{
	return weft_ireduce(v->run->world, v->in, result_of(v), v->coll->op,
			    v->root, req_p);
}

static int reduce_init(const struct bench_vectors *v,
		       struct weft_request **req_p)
{
	return weft_reduce_init(v->run->world, v->in, result_of(v),
				v->coll->op, v->root, req_p);
}

static int scan(const struct bench_vectors *v)
{
	return weft_scan(v->run->world, v->in, result_of(v), v->coll->op);
}

static int iscan(const struct bench_vectors *v, struct weft_request **req_p)
{
	return weft_iscan(v->run->world, v->in, result_of(v), v->coll->op,
			  req_p);
}

static int scan_init(const struct bench_vectors *v,
		     struct weft_request **req_p)
{
	return weft_scan_init(v->run->world, v->in, result_of(v),
			      v->coll->op, req_p);
}

static int exscan(const struct bench_vectors *v)
{
	return weft_exscan(v->run->world, v->in, result_of(v), v->coll->op);
}

static int iexscan(const struct bench_vectors *v, struct weft_request **req_p)
{
	return weft_iexscan(v->run->world, v->in, result_of(v), v->coll->op,
			    req_p);
}

static int exscan_init(const struct bench_vectors *v,
		       struct weft_request **req_p)
{
	return weft_exscan_init(v->run->world, v->in, result_of(v), v->coll->op,
				req_p);
}

/* Of all counts, and without displacements. */
static struct weft_vec results_of(const struct bench_vectors *v)
{
	struct weft_vec vec = bench_vec(v, v->out);

	vec.displs = NULL;
	return vec;
}

static int reduce_scatter(const struct bench_vectors *v)
{
	const struct weft_vec to = results_of(v);

	return weft_reduce_scatter(v->run->world, v->in, &to, v->coll->op);
}

static int ireduce_scatter(const struct bench_vectors *v,
			   struct weft_request **req_p)
{
	const struct weft_vec to = results_of(v);

	return weft_ireduce_scatter(v->run->world, v->in, &to, v->coll->op,
				    req_p);
}

static int reduce_scatter_init(const struct bench_vectors *v,
			       struct weft_request **req_p)
{
	const struct weft_vec to = results_of(v);

	return weft_reduce_scatter_init(v->run->world, v->in, &to, v->coll->op,
					req_p);
}

static int reduce_scatter_block(const struct bench_vectors *v)
{
	return weft_reduce_scatter_block(v->run->world, v->in, result_of(v),
					 v->coll->op);
}

static int ireduce_scatter_block(const struct bench_vectors *v,
				 struct weft_request **req_p)
{
	return weft_ireduce_scatter_block(v->run->world, v->in, result_of(v),
					  v->coll->op, req_p);
}

static int reduce_scatter_block_init(const struct bench_vectors *v,
				     struct weft_request **req_p)
{
	return weft_reduce_scatter_block_init(v->run->world, v->in,
					      result_of(v), v->coll->op, req_p);
}

/* What this rank gives; 0xa5 in all bytes of an element is no result. */
static void fill(const struct bench_vectors *v, long round)
{
	const struct bench_run *run = v->run;
	const struct bench_options *options = run->options;
	bool all = v->coll->shape & BENCH_GIVES_ALL;
	size_t end = all ? v->count * (size_t)run->ranks : v->count;
	struct bench_place place = { run->ranks, round, 0 };

	memset(v->out, 0xa5, v->bytes);
	for (; place.i < end; place.i++)
		options->type->put(v->in, place.i,
				   bench_op_operand(options->op, run->rank,
						    &place));
}

/* Where the values up to a last rank are not combined; out begins at first. */
static size_t wrong_from(const struct bench_vectors *v, size_t first, int last,
			 long round)
{
	const struct bench_options *options = v->run->options;
	struct bench_place place = { v->run->ranks, round, first };
	size_t wrong = 0;

	for (size_t i = 0; i < v->count; i++, place.i++)
		options->type->check(v->out, i,
				     bench_op_result(options->op, last,
						     &place), &wrong);
	return wrong * weft_type_size(v->coll->type);
}

static size_t wrong_up_to(const struct bench_vectors *v, int last, long round)
{
	return wrong_from(v, 0, last, round);
}

static size_t wrong_of_all(const struct bench_vectors *v, long round)
{
	return wrong_up_to(v, v->run->ranks - 1, round);
}

static size_t wrong_at_root(const struct bench_vectors *v, long round)
{
	return v->root == v->run->rank ? wrong_of_all(v, round) : 0;
}

static size_t wrong_up_to_here(const struct bench_vectors *v, long round)
{
	return wrong_up_to(v, v->run->rank, round);
}

/* At rank 0 there is no result. */
static size_t wrong_below(const struct bench_vectors *v, long round)
{
	return v->run->rank ? wrong_up_to(v, v->run->rank - 1, round) : 0;
}

static size_t wrong_of_part(const struct bench_vectors *v, long round)
{
	return wrong_from(v, (size_t)v->run->rank * v->count,
			  v->run->ranks - 1, round);
}

/* The table of one, under a title that names the operation. */
static int run_by(struct bench_run *run, const struct weft_op *op,
		  struct bench_coll coll)
{
	const struct bench_options *options = run->options;
	char title[80];

	snprintf(title, sizeof(title), "%s of %s%s", options->op->name,
		 options->type->name, coll.title);
	coll.title = title;
	coll.type = options->type->type;
	coll.op = op;
	return bench_run_coll(run, &coll);
}

/* With an operation that the program makes. */
static int run_own(struct bench_run *run, const struct bench_coll *coll)
{
	struct weft_op_options options;
	struct weft_op *op = NULL;
	int status, freed;

	weft_op_options_init(&options, sizeof(options));
	options.call = run->options->type->sum;
	options.commutes = true;
	status = weft_op_create(run->job, &options, &op);
	if (status == WEFT_OK)
		status = run_by(run, op, *coll);
	freed = weft_op_free(&op);
	return status ? status : freed;
}

int bench_run_reduction(struct bench_run *run)
{
	/* What their titles end with. */
	static const struct bench_coll colls[] = {
		[BENCH_ALLREDUCE] = {
			"", 0,
			allreduce, iallreduce, allreduce_init,
			fill, wrong_of_all, bench_bound_loop, NULL, NULL
		},
		[BENCH_REDUCE] = {
			", to each rank in turn", BENCH_ROOTED,
			reduce, ireduce, reduce_init,
			fill, wrong_at_root, bench_bound_loop, NULL, NULL
		},
		[BENCH_SCAN] = {
			", of the ranks up to each", 0,
			scan, iscan, scan_init,
			fill, wrong_up_to_here, bench_bound_loop, NULL, NULL
		},
		[BENCH_EXSCAN] = {
			", of the ranks below each", 0,
			exscan, iexscan, exscan_init,
			fill, wrong_below, bench_bound_loop, NULL, NULL
		},
		[BENCH_REDUCE_SCATTER] = {
			", a part to each rank, lengths told", BENCH_GIVES_ALL,
			reduce_scatter, ireduce_scatter, reduce_scatter_init,
			fill, wrong_of_part, bench_bound_loop, NULL, NULL
		},
		[BENCH_REDUCE_SCATTER_BLOCK] = {
			", a part to each rank", BENCH_GIVES_ALL,
			reduce_scatter_block, ireduce_scatter_block,
			reduce_scatter_block_init,
			fill, wrong_of_part, bench_bound_loop, NULL, NULL
		},
	};
	const struct bench_coll *coll = &colls[run->options->command];
	const struct weft_op *op;
	int status = WEFT_OK;

	if (run->options->raw)
		status = bench_run_raw(run, true, true);
	if (status != WEFT_OK)
		return status;
	op = run->options->op->op;
	return op ? run_by(run, op, *coll) : run_own(run, coll);
}
