/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times and checks a collective of weft-bench, whichever it is.
 *
 * Where there is a root each operation has another one: one rank always could
 * run some operations ahead of the others, or they ahead of it, and the time
 * would be that of a stream.
 *
 * Buffers have content before they are timed, so that no page is one that the
 * kernel shows for all which were never written.
 */
#include "bench/weft_bench_coll.h"
#include "bench/weft_bench_overlap.h"
#include "bench/weft_bench_time.h"

#include <stdint.h>
#include <stdlib.h>

enum {
	LINE_BYTES = 56
};

enum bench_bound bench_bound_loop(const struct bench_vectors *v)
{
	return v->bytes <= LINE_BYTES ? BENCH_BY_FLAG : BENCH_BY_LOOP;
}

static enum bench_bound bound_of(const struct bench_vectors *v)
{
	if (v->run->options->raw)
		return BENCH_BY_RAW;
	return v->run->ratios ? v->coll->bound(v) : BENCH_NO_BOUND;
}

static int allocate(const struct bench_vectors *v, enum bench_shape all,
		    void **memory_p)
{
	size_t parts = v->coll->shape & all ? (size_t)v->run->ranks : 1;

	if (v->bytes > SIZE_MAX / 2 / parts)
		return WEFT_ERR_NOMEM;
	if (!v->run->options->heap)
		return weft_mem_alloc(v->run->job, parts * v->bytes + 64,
				      memory_p);
	*memory_p = calloc(1, parts * v->bytes + 64);
	return *memory_p ? WEFT_OK : WEFT_ERR_NOMEM;
}

static void release(const struct bench_vectors *v, void *memory)
{
	if (v->run->options->heap)
		free(memory);
	else
		weft_mem_free(v->run->job, memory);
}

static void next_root(struct bench_vectors *v)
{
	if (++v->root == v->roots)
		v->root = 0;
}

static bool is_persistent(const struct bench_vectors *v)
{
	return v->run->options->form == BENCH_PERSISTENT;
}

static int by_request(struct bench_vectors *v)
{
	struct weft_request **req = &v->request[v->root];
	bool kept = is_persistent(v);
	int status, freed;

	status = kept ? weft_request_start(*req) : v->coll->start(v, req);
	if (status != WEFT_OK)
		return status;
	if (v->rounds)
		bench_compute(v->rounds);
	status = weft_request_wait(*req);
	freed = kept ? WEFT_OK : weft_request_free(req);
	return status ? status : freed;
}

static int operate(struct bench_vectors *v)
{
	return v->request ? by_request(v) : v->coll->call(v);
}

static int time_operations(void *arg, long n, double *us_p)
{
	struct bench_vectors *v = arg;
	double start = bench_now();
	int status = WEFT_OK;

	for (long i = 0; i < n && status == WEFT_OK; i++) {
		status = operate(v);
		next_root(v);
	}
	*us_p = (bench_now() - start) / (double)n;
	return status;
}

static int verify(struct bench_vectors *v, size_t *wrong_p)
{
	long count = bench_verify_count(v->bytes);
	int status = WEFT_OK;

	for (long round = 0; round < count && status == WEFT_OK; round++) {
		v->coll->fill(v, round);
		status = operate(v);
		*wrong_p += v->coll->wrong(v, round);
		next_root(v);
	}
	return status;
}

/* Where ranks share cores they compute by turns, and nothing is behind it. */
static int time_line(struct bench_vectors *v, struct bench_line *line)
{
	struct bench_run *run = v->run;
	struct bench_overlapped operation = {
		time_operations, v, &v->rounds
	};
	int status = bench_time(run, time_operations, v, v->bytes,
				&line->times);

	if (status != WEFT_OK || !run->bound ||
	    run->options->form != BENCH_NONBLOCKING)
		return status;
	return bench_time_overlap(run, &operation, line);
}

static int run_line(struct bench_vectors *v)
{
	struct bench_run *run = v->run;
	struct bench_line line = {
		.bytes = v->bytes, .bound = bound_of(v),
		.checked = run->options->verify && v->coll->fill
	};
	int status = WEFT_OK;
	size_t wrong = 0;

	if (line.checked)
		status = verify(v, &wrong);
	else if (v->coll->fill)
		v->coll->fill(v, 0);
	if (status == WEFT_OK)
		status = time_line(v, &line);
	if (status == WEFT_OK && line.checked)
		status = bench_sum_wrong(run, wrong, &line.wrong);
	if (status == WEFT_OK)
		bench_report_line(run->report, &line);
	return status;
}

/* A place for the request of each root, and persistent ones in them. */
static int make_requests(struct bench_vectors *v)
{
	int status = WEFT_OK;

	if (v->run->options->form == BENCH_BLOCKING)
		return WEFT_OK;
	v->request = calloc((size_t)v->roots, sizeof(struct weft_request *));
	if (!v->request)
		return WEFT_ERR_NOMEM;
	if (!is_persistent(v))
		return WEFT_OK;
	for (int i = 0; i < v->roots && status == WEFT_OK; i++) {
		v->root = i;
		status = v->coll->init(v, &v->request[i]);
	}
	v->root = 0;
	return status;
}

static int free_requests(struct bench_vectors *v)
{
	int status = WEFT_OK;

	if (v->request)
		status = weft_request_free_all(v->request, v->roots);
	free(v->request);
	return status;
}

struct weft_vec bench_vec(const struct bench_vectors *v, void *base)
{
	return (struct weft_vec){
		.base = base,
		.type = v->coll->type ? v->coll->type : &weft_type_byte,
		.counts = v->counts, .displs = v->displs
	};
}

static int list_ranks(struct bench_vectors *v)
{
	size_t ranks = (size_t)v->run->ranks;

	v->counts = calloc(ranks, sizeof(*v->counts));
	v->displs = calloc(ranks, sizeof(*v->displs));
	if (!v->counts || !v->displs)
		return WEFT_ERR_NOMEM;
	for (size_t i = 0; i < ranks; i++) {
		v->counts[i] = v->count;
		v->displs[i] = (ptrdiff_t)(i * v->count);
	}
	return WEFT_OK;
}

static int run_size(struct bench_vectors *v)
{
	int status = list_ranks(v), freed;

	if (status == WEFT_OK)
		status = allocate(v, BENCH_GIVES_ALL, &v->in);
	if (status == WEFT_OK)
		status = allocate(v, BENCH_GETS_ALL, &v->out);
	if (status == WEFT_OK)
		status = make_requests(v);
	if (status == WEFT_OK)
		status = run_line(v);
	freed = free_requests(v);
	release(v, v->in);
	release(v, v->out);
	free(v->counts);
	free(v->displs);
	return status ? status : freed;
}

int bench_run_coll(struct bench_run *run, const struct bench_coll *coll)
{
	size_t extent = coll->type ? (size_t)weft_type_extent(coll->type) : 1;
	int status = WEFT_OK;

	bench_report_case(run->report, coll->title);
	for (int i = 0; i < run->options->nsizes && status == WEFT_OK; i++) {
		size_t bytes = run->options->sizes[i];
		struct bench_vectors v = {
			.run = run, .coll = coll,
			.bytes = bytes, .count = bytes / extent,
			.roots = coll->shape & BENCH_ROOTED ? run->ranks : 1
		};

		status = run_size(&v);
	}
	return status;
}
