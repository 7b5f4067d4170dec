/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-bench put, exchange, and the neighbour exchanges by name: messages along
 * the edges of a graph.
 *
 * One graph for all sizes: a ring in both directions, or the single edge
 * 0 -> 1. Content is written and checked between timed sections.
 */
#include "bench/weft_bench_edges.h"
#include "bench/weft_bench_raw.h"
#include "bench/weft_bench_time.h"

#include <stdint.h>
#include <string.h>

static void make_one_edge(struct bench_ends *ends)
{
	ends->out.n = ends->run->rank == 0;
	ends->out.ranks[0] = 1;
	ends->in.n = ends->run->rank == 1;
	ends->in.ranks[0] = 0;
}

static int prepare(struct bench_edges *edges, size_t bytes)
{
	int status = bench_ends_allocate(&edges->ends, bytes);

	if (status != WEFT_OK ||
	    edges->run->options->form == BENCH_BLOCKING)
		return status;
	return edges->exchange->init(edges, &edges->req);
}

static int finish(struct bench_edges *edges, int status)
{
	int freed = weft_request_free(&edges->req);
	int released = bench_ends_release(&edges->ends);

	if (freed == WEFT_OK)
		freed = released;
	return status == WEFT_OK ? freed : status;
}

static int exchange(struct bench_edges *edges)
{
	int status;

	if (!edges->req)
		return edges->exchange->call(edges);
	status = weft_request_start(edges->req);
	if (status == WEFT_OK)
		status = weft_request_wait(edges->req);
	return status;
}

static int untouched(void *arg, long n, double *us_p)
{
	struct bench_edges *edges = arg;
	double start = bench_now();
	int status = WEFT_OK;

	for (long i = 0; i < n && status == WEFT_OK; i++)
		status = exchange(edges);
	*us_p = (bench_now() - start) / (double)n;
	return status;
}

/* From a word of a message to the next one. */
static size_t step_of(const struct bench_ends *ends)
{
	return ends->apart ? 2 * BENCH_WORD : BENCH_WORD;
}

static void rewrite(const struct bench_ends *ends, char *at)
{
	size_t step = step_of(ends);

	for (size_t i = 0; i < ends->bytes / BENCH_WORD; i++) {
		uint64_t word;

		memcpy(&word, at + i * step, BENCH_WORD);
		word += i;
		memcpy(at + i * step, &word, BENCH_WORD);
	}
}

static void rewrite_all(const struct bench_ends *ends)
{
	int n = ends->out.n;

	if (n && ends->layout & BENCH_SAME)
		n = 1;
	for (int e = 0; e < n; e++)
		rewrite(ends, ends->out.base + ends->out.displs[e]);
	__asm__ volatile("" ::: "memory");
}

static uint64_t read_all(const struct bench_ends *ends)
{
	size_t step = step_of(ends);
	uint64_t sum = 0;

	for (int e = 0; e < ends->in.n; e++) {
		const char *at = ends->in.base + ends->in.displs[e];

		for (size_t i = 0; i < ends->bytes / BENCH_WORD; i++) {
			uint64_t word;

			memcpy(&word, at + i * step, BENCH_WORD);
			sum += word;
		}
	}
	return sum;
}

/* Only the exchanges are timed; they do include waiting for a slower peer. */
static int touched(void *arg, long n, double *us_p)
{
	struct bench_edges *edges = arg;
	double all = 0;
	int status = WEFT_OK;

	for (long i = 0; i < n && status == WEFT_OK; i++) {
		double start;

		rewrite_all(&edges->ends);
		start = bench_now();
		status = exchange(edges);
		all += bench_now() - start - edges->clock;
		edges->sum += read_all(&edges->ends);
	}
	*us_p = all / (double)n;
	return status;
}

/* New content each time; what the last one sent stays for the timed pass. */
static int verify(struct bench_edges *edges, size_t *wrong_p)
{
	long count = bench_verify_count(edges->ends.bytes);
	int status = WEFT_OK;

	for (long i = 0; i < count && status == WEFT_OK; i++) {
		bench_ends_fill(&edges->ends);
		status = exchange(edges);
		*wrong_p += bench_ends_check(&edges->ends);
	}
	return status;
}

/* How the messages came: by the last exchange, or one more. */
static int ask_way(struct bench_edges *edges, const char **way_p)
{
	struct weft_request *req = edges->req;
	int status = WEFT_OK, freed = WEFT_OK;

	if (!req)
		status = edges->exchange->start(edges, &req);
	if (status == WEFT_OK && !edges->req)
		status = weft_request_wait(req);
	if (status == WEFT_OK && edges->ends.in.n)
		status = weft_neighbor_way(req, 0, way_p);
	if (!edges->req)
		freed = weft_request_free(&req);
	return status == WEFT_OK ? freed : status;
}

/* One that receives tells all. */
static int find_way(struct bench_edges *edges, struct bench_line *line)
{
	int receiver = edges->run->options->command == BENCH_PUT;
	const char *way = NULL;
	int status = ask_way(edges, &way);

	if (way)
		strncpy(line->way, way, sizeof(line->way) - 1);
	if (status == WEFT_OK)
		status = weft_bcast(edges->run->world,
				    weft_part(line->way, sizeof(line->way),
					      &weft_type_byte), receiver);
	return status;
}

static enum bench_bound bound_of(const struct bench_edges *edges,
				 const char *way, bool rewritten)
{
	const struct bench_options *options = edges->run->options;
	bool stream = options->command == BENCH_PUT;

	if (options->raw)
		return BENCH_BY_RAW;
	if (!edges->run->ratios)
		return BENCH_NO_BOUND;
	if (!strcmp(way, "line"))
		return stream ? BENCH_NO_BOUND : BENCH_BY_FLAG;
	if (strcmp(way, "direct"))
		return BENCH_BY_LOOP;
	return rewritten ? BENCH_BY_REWRITTEN : BENCH_BY_COPY;
}

static int run_line(struct bench_edges *edges, bool rewritten)
{
	struct bench_run *run = edges->run;
	struct bench_line line = {
		.bytes = edges->ends.bytes, .checked = run->options->verify
	};
	int status = WEFT_OK;
	size_t wrong = 0;

	if (line.checked)
		status = verify(edges, &wrong);
	if (status == WEFT_OK)
		status = bench_time(run, rewritten ? touched : untouched,
				    edges, line.bytes, &line.times);
	if (status == WEFT_OK)
		status = find_way(edges, &line);
	line.bound = bound_of(edges, line.way, rewritten);
	if (line.checked && !rewritten)
		wrong += bench_ends_check(&edges->ends);
	if (status == WEFT_OK && line.checked)
		status = bench_sum_wrong(run, wrong, &line.wrong);
	if (status == WEFT_OK)
		bench_report_line(run->report, &line);
	return status;
}

static int run_case(struct bench_edges *edges, const char *title,
		    bool rewritten)
{
	const struct bench_options *options = edges->run->options;
	int status = WEFT_OK;

	bench_report_case(edges->run->report, title);
	for (int i = 0; i < options->nsizes && status == WEFT_OK; i++) {
		status = prepare(edges, options->sizes[i]);
		if (status == WEFT_OK)
			status = run_line(edges, rewritten);
		status = finish(edges, status);
	}
	return status;
}

int bench_run_edges(struct bench_run *run)
{
	struct bench_edges edges;
	int status, freed;

	memset(&edges, 0, sizeof(edges));
	edges.run = edges.ends.run = run;
	edges.exchange = bench_exchange_of(run->options->command);
	edges.ends.layout = edges.exchange->layout;
	edges.clock = bench_clock_cost();
	if (run->options->command == BENCH_PUT)
		make_one_edge(&edges.ends);
	else
		bench_ends_ring(&edges.ends);
	status = bench_ends_graph(&edges.ends, &edges.graph);
	if (status != WEFT_OK)
		return status;
	if (run->options->raw)
		status = bench_run_raw(run, edges.ends.out.n,
				       edges.ends.in.n);
	if (status == WEFT_OK)
		status = run_case(&edges, "buffers untouched between "
				  "operations", false);
	if (status == WEFT_OK)
		status = run_case(&edges, "buffers rewritten before and read "
				  "after each operation, not timed", true);
	freed = weft_comm_free(&edges.graph);
	return status == WEFT_OK ? freed : status;
}
