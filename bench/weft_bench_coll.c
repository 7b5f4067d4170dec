/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-bench allreduce, bcast and barrier.
 *
 * The summands are whole numbers below 2^53, so that the sum is exact in any
 * order and each element can be checked.
 *
 * Each broadcast has another root: one from rank 0 always could be some
 * operations ahead, and the time would be that of a stream.
 */
#include "bench/weft_bench_raw.h"
#include "bench/weft_bench_run.h"
#include "bench/weft_bench_time.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	LINE_BYTES = 56,
	SLOT_BYTES = 64 * 1024
};

struct vectors {
	struct bench_run *run;
	double *in;
	double *out;
	size_t bytes;
	size_t n;		/* doubles */
	int root;		/* of the next broadcast */
};

/* A case whose lines are for numbers of bytes. */
struct coll {
	const char *title;
	bench_timed timed;
	int (*verify)(struct vectors *vectors, size_t *wrong_p);
	enum bench_bound (*bound)(const struct vectors *vectors);
};

static enum bench_bound bound_of(const struct coll *coll,
				 const struct vectors *vectors)
{
	if (vectors->run->options->raw)
		return BENCH_BY_RAW;
	return vectors->run->ratios ? coll->bound(vectors) : BENCH_NO_BOUND;
}

static int allocate(struct vectors *vectors)
{
	size_t bytes = vectors->bytes + 64;
	void *in = NULL, *out = NULL;
	int status;

	if (vectors->run->options->heap) {
		in = calloc(1, bytes);
		out = calloc(1, bytes);
		status = in && out ? WEFT_OK : WEFT_ERR_NOMEM;
	} else {
		status = weft_mem_alloc(vectors->run->job, bytes, &in);
		if (status == WEFT_OK)
			status = weft_mem_alloc(vectors->run->job, bytes,
						&out);
	}
	vectors->in = in;
	vectors->out = out;
	return status;
}

static void release(struct vectors *vectors)
{
	if (vectors->run->options->heap) {
		free(vectors->in);
		free(vectors->out);
	} else {
		weft_mem_free(vectors->run->job, vectors->in);
		weft_mem_free(vectors->run->job, vectors->out);
	}
}

static int allreduce(struct vectors *vectors)
{
	return weft_allreduce(vectors->run->world, vectors->in,
			      weft_part(vectors->out, vectors->n,
					&weft_type_double), &weft_op_sum);
}

static int time_allreduce(void *arg, long n, double *us_p)
{
	double start = bench_now();
	int status = WEFT_OK;

	for (long i = 0; i < n && status == WEFT_OK; i++)
		status = allreduce(arg);
	*us_p = (bench_now() - start) / (double)n;
	return status;
}

/* From the next rank each time, which waits until the one before is there. */
static int bcast(struct vectors *vectors)
{
	int root = vectors->root;

	vectors->root = (root + 1) % vectors->run->ranks;
	return weft_bcast(vectors->run->world,
			  weft_part(vectors->out, vectors->bytes,
				    &weft_type_byte), root);
}

static int time_bcast(void *arg, long n, double *us_p)
{
	double start = bench_now();
	int status = WEFT_OK;

	for (long i = 0; i < n && status == WEFT_OK; i++)
		status = bcast(arg);
	*us_p = (bench_now() - start) / (double)n;
	return status;
}

static int time_barrier(void *arg, long n, double *us_p)
{
	struct bench_run *run = arg;
	double start = bench_now();
	int status = WEFT_OK;

	for (long i = 0; i < n && status == WEFT_OK; i++)
		status = weft_barrier(run->world);
	*us_p = (bench_now() - start) / (double)n;
	return status;
}

/* Element i of the given rank in a round. */
static double summand(int rank, long round, size_t i)
{
	return (double)((size_t)(rank + 1) * (i % 1000 + 1) +
			(size_t)round % 1000);
}

static double total(int ranks, long round, size_t i)
{
	size_t p = (size_t)ranks;

	return (double)(p * (p + 1) / 2 * (i % 1000 + 1) +
			p * ((size_t)round % 1000));
}

static int verify_allreduce(struct vectors *vectors, size_t *wrong_p)
{
	const struct bench_run *run = vectors->run;
	long count = bench_verify_count(vectors->n * sizeof(double));
	int status = WEFT_OK;

	for (long round = 0; round < count && status == WEFT_OK; round++) {
		for (size_t i = 0; i < vectors->n; i++) {
			vectors->in[i] = summand(run->rank, round, i);
			vectors->out[i] = -1;
		}
		status = allreduce(vectors);
		for (size_t i = 0; i < vectors->n; i++)
			if (vectors->out[i] != total(run->ranks, round, i))
				*wrong_p += sizeof(double);
	}
	return status;
}

static unsigned char byte_of(int root, long round, size_t i)
{
	return (unsigned char)((size_t)root * 31 + (size_t)round * 7 + i);
}

static int verify_bcast(struct vectors *vectors, size_t *wrong_p)
{
	const struct bench_run *run = vectors->run;
	unsigned char *at = (unsigned char *)vectors->out;
	long count = bench_verify_count(vectors->bytes);
	int status = WEFT_OK;

	for (long round = 0; round < count && status == WEFT_OK; round++) {
		int root = vectors->root;

		for (size_t i = 0; i < vectors->bytes; i++)
			at[i] = byte_of(root, round + (root != run->rank), i);
		status = bcast(vectors);
		for (size_t i = 0; i < vectors->bytes; i++)
			*wrong_p += at[i] != byte_of(root, round, i);
	}
	return status;
}

static enum bench_bound both_ways(const struct vectors *vectors)
{
	return vectors->bytes <= LINE_BYTES ? BENCH_BY_FLAG : BENCH_BY_LOOP;
}

/* Long ones of the arena go straight to where they belong. */
static enum bench_bound one_way(const struct vectors *vectors)
{
	if (vectors->bytes > SLOT_BYTES && !vectors->run->options->heap)
		return BENCH_BY_COPY;
	return both_ways(vectors);
}

static int run_line(const struct coll *coll, struct vectors *vectors)
{
	struct bench_run *run = vectors->run;
	struct bench_line line = {
		.bytes = vectors->bytes, .bound = bound_of(coll, vectors),
		.checked = run->options->verify
	};
	int status = WEFT_OK;
	size_t wrong = 0;

	if (line.checked)
		status = coll->verify(vectors, &wrong);
	if (status == WEFT_OK)
		status = bench_time(run, coll->timed, vectors, vectors->bytes,
				    &line.times);
	if (status == WEFT_OK && line.checked)
		status = bench_sum_wrong(run, wrong, &line.wrong);
	if (status == WEFT_OK)
		bench_report_line(run->report, &line);
	return status;
}

static int run_sizes(struct bench_run *run, const struct coll *coll)
{
	int status = WEFT_OK;

	bench_report_case(run->report, coll->title);
	for (int i = 0; i < run->options->nsizes && status == WEFT_OK; i++) {
		size_t bytes = run->options->sizes[i];
		struct vectors vectors = {
			.run = run, .bytes = bytes, .n = bytes / sizeof(double)
		};

		status = allocate(&vectors);
		if (status == WEFT_OK)
			status = run_line(coll, &vectors);
		release(&vectors);
	}
	return status;
}

int bench_run_allreduce(struct bench_run *run)
{
	static const struct coll coll = {
		"sum of doubles", time_allreduce, verify_allreduce, both_ways
	};
	int status = WEFT_OK;

	if (run->options->raw)
		status = bench_run_raw(run, true, true);
	return status ? status : run_sizes(run, &coll);
}

int bench_run_bcast(struct bench_run *run)
{
	static const struct coll coll = {
		"broadcasts, from each rank in turn", time_bcast, verify_bcast,
		one_way
	};

	return run_sizes(run, &coll);
}

int bench_run_barrier(struct bench_run *run)
{
	struct bench_line line = {
		.bound = run->ratios ? BENCH_BY_FLAG : BENCH_NO_BOUND
	};
	int status;

	bench_report_case(run->report, "barrier");
	status = bench_time(run, time_barrier, run, 0, &line.times);
	if (status == WEFT_OK)
		bench_report_line(run->report, &line);
	return status;
}
