/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-bench signal and stream: puts into the part of the other of two ranks.
 *
 * By turns each writes into the other's, and a signal says that the bytes are
 * there; half of a round trip is what one of them takes.  In a stream rank 0
 * writes as fast as it can, and the last put of a sample raises a signal.
 */
#include "bench/weft_bench_pattern.h"
#include "bench/weft_bench_raw.h"
#include "bench/weft_bench_run.h"
#include "bench/weft_bench_time.h"

#include <string.h>
#include <weft/mem.h>
#include <weft/rma.h>

struct side {
	struct bench_run *run;
	struct weft_region *region;
	struct weft_signal *signal;
	char *out;
	size_t bytes;
	uint64_t count;			/* of messages each way */
	const struct bench_stamp *awaited;	/* NULL: any content */
	size_t wrong;			/* bytes */
};

static int send_one(struct side *side)
{
	struct weft_target to = { side->region, !side->run->rank, 0 };

	return weft_put_signal(&to, side->out, side->bytes, 0, NULL);
}

static int receive_one(struct side *side)
{
	int status = weft_signal_wait(side->signal, side->count);

	if (status == WEFT_OK && side->awaited)
		side->wrong += bench_pattern_check(
			weft_region_base(side->region), side->bytes,
			*side->awaited);
	return status;
}

/* Rank 0 begins; an answer says that what came may be overwritten. */
static int turn(struct side *side)
{
	int status = WEFT_OK;

	side->count++;
	if (side->run->rank == 0)
		status = send_one(side);
	if (status == WEFT_OK)
		status = receive_one(side);
	if (status == WEFT_OK && side->run->rank == 1)
		status = send_one(side);
	return status;
}

static int flush(struct side *side)
{
	return weft_flush(side->region, !side->run->rank, WEFT_FLUSH_LOCAL);
}

static int by_turns(void *arg, long n, double *us_p)
{
	struct side *side = arg;
	double start = bench_now();
	int status = WEFT_OK;

	for (long i = 0; i < n && status == WEFT_OK; i++)
		status = turn(side);
	*us_p = (bench_now() - start) / (double)n / 2;
	return status == WEFT_OK ? flush(side) : status;
}

static int put_all(struct side *side, long n)
{
	struct weft_target to = { side->region, 1, 0 };
	int status = WEFT_OK;

	for (long i = 1; i < n && status == WEFT_OK; i++)
		status = weft_put(&to, side->out, side->bytes, NULL);
	return status == WEFT_OK ? send_one(side) : status;
}

static int stream(void *arg, long n, double *us_p)
{
	struct side *side = arg;
	double start = bench_now();
	int status;

	side->count++;
	status = side->run->rank == 0 ? put_all(side, n) : receive_one(side);
	if (status == WEFT_OK && side->run->rank == 0)
		status = flush(side);
	*us_p = (bench_now() - start) / (double)n;
	return status;
}

/* New content each time. */
static int verify(struct side *side)
{
	long count = bench_verify_count(side->bytes);
	struct bench_stamp out = { (uint32_t)side->run->rank, 0, 0 };
	struct bench_stamp in = { (uint32_t)!side->run->rank, 0, 0 };
	int status = WEFT_OK;

	side->awaited = &in;
	for (long i = 0; i < count && status == WEFT_OK; i++) {
		out.epoch = in.epoch = (uint64_t)i + 1;
		bench_pattern_fill(side->out, side->bytes, out);
		status = turn(side);
		if (status == WEFT_OK)
			status = flush(side);
	}
	side->awaited = NULL;
	return status;
}

static int run_line(struct side *side)
{
	struct bench_run *run = side->run;
	bool turns = run->options->command == BENCH_SIGNAL;
	enum bench_bound flag = run->ratios && turns && side->bytes <= 8 ?
				BENCH_BY_FLAG : BENCH_NO_BOUND;
	struct bench_line line = {
		.bytes = side->bytes,
		.bound = run->options->raw ? BENCH_BY_RAW : flag,
		.checked = run->options->verify
	};
	int status = WEFT_OK;

	if (line.checked)
		status = verify(side);
	if (status == WEFT_OK)
		status = bench_time(run, turns ? by_turns : stream, side,
				    side->bytes, &line.times);
	if (status == WEFT_OK && line.checked)
		status = bench_sum_wrong(run, side->wrong, &line.wrong);
	if (status == WEFT_OK)
		bench_report_line(run->report, &line);
	return status;
}

static int run_size(struct bench_run *run, size_t bytes)
{
	struct side side = { .run = run, .bytes = bytes };
	void *out;
	int status = weft_mem_alloc(run->job, bytes + 1, &out), freed;

	if (status != WEFT_OK)
		return status;
	side.out = memset(out, 0, bytes + 1);
	status = weft_region_create(run->world, NULL, bytes, &side.region);
	if (status == WEFT_OK)
		status = weft_signal_create(side.region, !run->rank, 0,
					    &side.signal);
	if (status == WEFT_OK)
		status = run_line(&side);
	freed = weft_region_free(&side.region);
	weft_mem_free(run->job, out);
	return status == WEFT_OK ? freed : status;
}

int bench_run_region(struct bench_run *run)
{
	const struct bench_options *options = run->options;
	bool turns = options->command == BENCH_SIGNAL;
	int status = WEFT_OK;

	if (options->raw)
		status = bench_run_raw(run, turns || run->rank == 0,
				       turns || run->rank == 1);
	if (status != WEFT_OK)
		return status;
	bench_report_case(run->report, turns ?
			  "weft_put_signal by turns, one way" :
			  "weft_put in a stream, rank 0 to rank 1");
	for (int i = 0; i < options->nsizes && status == WEFT_OK; i++)
		status = run_size(run, options->sizes[i]);
	return status;
}
