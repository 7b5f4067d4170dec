/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-bench batch: what one message for several fields gains.
 *
 * The same fields along the edges of a ring, in buffers of their own each: by
 * persistent exchanges one after the other, then by one batch.  Buffers are
 * untouched between operations.
 */
#include "bench/weft_bench_ends.h"
#include "bench/weft_bench_time.h"

#include <string.h>

enum {
	FIELDS = 4
};

struct batch {
	struct bench_run *run;
	struct weft_comm *graph;
	struct bench_ends field[FIELDS];
	struct weft_request *req[FIELDS];	/* one field each, or */
	int nreqs;				/* one for all */
};

/* Each edge of each field has a name of its own. */
static void make_fields(struct batch *batch)
{
	for (uint32_t f = 0; f < FIELDS; f++) {
		struct bench_ends *ends = &batch->field[f];

		ends->run = batch->run;
		bench_ends_ring(ends);
		for (int e = 0; e < BENCH_EDGES_MAX; e++) {
			ends->out.edges[e] += f * BENCH_EDGES_MAX;
			ends->in.edges[e] += f * BENCH_EDGES_MAX;
		}
	}
	batch->run->report->sends = FIELDS * BENCH_EDGES_MAX;
}

/* Without one for all, one each. */
static int make_requests(struct batch *batch)
{
	const struct weft_vec *send[FIELDS], *recv[FIELDS];
	int status = WEFT_OK;

	for (int f = 0; f < FIELDS; f++) {
		send[f] = &batch->field[f].out.vec;
		recv[f] = &batch->field[f].in.vec;
	}
	if (batch->nreqs == 1)
		return weft_exchange_batch_init(batch->graph, FIELDS, send,
						recv, &batch->req[0]);
	for (int f = 0; f < FIELDS && status == WEFT_OK; f++)
		status = weft_neighbor_alltoallv_init(batch->graph, send[f],
						      recv[f],
						      &batch->req[f]);
	return status;
}

static int prepare(struct batch *batch, size_t bytes)
{
	int status = WEFT_OK;

	for (int f = 0; f < FIELDS && status == WEFT_OK; f++)
		status = bench_ends_allocate(&batch->field[f], bytes);
	return status == WEFT_OK ? make_requests(batch) : status;
}

static int finish(struct batch *batch, int status)
{
	int freed = weft_request_free_all(batch->req, FIELDS);

	for (int f = 0; f < FIELDS; f++) {
		int released = bench_ends_release(&batch->field[f]);

		if (freed == WEFT_OK)
			freed = released;
	}
	return status == WEFT_OK ? freed : status;
}

static int exchange(struct batch *batch)
{
	int status = WEFT_OK;

	for (int i = 0; i < batch->nreqs && status == WEFT_OK; i++) {
		status = weft_request_start(batch->req[i]);
		if (status == WEFT_OK)
			status = weft_request_wait(batch->req[i]);
	}
	return status;
}

static int timed(void *arg, long n, double *us_p)
{
	double start = bench_now();
	int status = WEFT_OK;

	for (long i = 0; i < n && status == WEFT_OK; i++)
		status = exchange(arg);
	*us_p = (bench_now() - start) / (double)n;
	return status;
}

static size_t check(const struct batch *batch)
{
	size_t wrong = 0;

	for (int f = 0; f < FIELDS; f++)
		wrong += bench_ends_check(&batch->field[f]);
	return wrong;
}

/* New content each time; what the last one sent stays for the timed pass. */
static int verify(struct batch *batch, size_t bytes, size_t *wrong_p)
{
	long count = bench_verify_count(FIELDS * bytes);
	int status = WEFT_OK;

	for (long i = 0; i < count && status == WEFT_OK; i++) {
		for (int f = 0; f < FIELDS; f++)
			bench_ends_fill(&batch->field[f]);
		status = exchange(batch);
		*wrong_p += check(batch);
	}
	return status;
}

static int run_line(struct batch *batch, size_t bytes)
{
	struct bench_run *run = batch->run;
	struct bench_line line = {
		.bytes = bytes, .bound = BENCH_NO_BOUND,
		.checked = run->options->verify
	};
	const char *way = NULL;
	int status = WEFT_OK;
	size_t wrong = 0;

	if (line.checked)
		status = verify(batch, bytes, &wrong);
	if (status == WEFT_OK)
		status = bench_time(run, timed, batch, bytes, &line.times);
	if (status == WEFT_OK)
		status = weft_neighbor_way(batch->req[0], 0, &way);
	if (way)
		strncpy(line.way, way, sizeof(line.way) - 1);
	if (line.checked)
		wrong += check(batch);
	if (status == WEFT_OK && line.checked)
		status = bench_sum_wrong(run, wrong, &line.wrong);
	if (status == WEFT_OK)
		bench_report_line(run->report, &line);
	return status;
}

static int run_case(struct batch *batch, const char *title, int nreqs)
{
	const struct bench_options *options = batch->run->options;
	int status = WEFT_OK;

	batch->nreqs = nreqs;
	bench_report_case(batch->run->report, title);
	for (int i = 0; i < options->nsizes && status == WEFT_OK; i++) {
		status = prepare(batch, options->sizes[i]);
		if (status == WEFT_OK)
			status = run_line(batch, options->sizes[i]);
		status = finish(batch, status);
	}
	return status;
}

int bench_run_batch(struct bench_run *run)
{
	struct batch batch = { .run = run };
	int status, freed;

	make_fields(&batch);
	status = bench_ends_graph(&batch.field[0], &batch.graph);
	if (status != WEFT_OK)
		return status;
	status = run_case(&batch,
			  "4 fields, an exchange of each, by turns", FIELDS);
	if (status == WEFT_OK)
		status = run_case(&batch, "4 fields, a batch", 1);
	freed = weft_comm_free(&batch.graph);
	return status == WEFT_OK ? freed : status;
}
