/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-bench put, exchange, and the neighbour exchanges by name: messages along
 * the edges of a graph.
 *
 * One graph for all sizes: a ring in both directions, or the single edge
 * 0 -> 1. Buffers are laid out edge after edge, each on cache lines of its
 * own where the call allows it. Content is written and checked between timed
 * sections.
 */
#include "bench/weft_bench_edges.h"
#include "bench/weft_bench_pattern.h"
#include "bench/weft_bench_raw.h"
#include "bench/weft_bench_time.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	WORD = 8		/* bytes, as many as between two apart */
};

static bool has(const struct bench_edges *edges, enum bench_layout layout)
{
	return edges->exchange->layout & layout;
}

/*
 * An edge to the left and one to the right; the sender's edge 0 goes left.  Of
 * two ranks the first edge of one is the first of the other.
 */
static void make_ring(struct bench_edges *edges)
{
	int rank = edges->run->rank, ranks = edges->run->ranks;

	edges->out.n = edges->in.n = BENCH_EDGES_MAX;
	edges->out.ranks[0] = edges->in.ranks[0] = (rank + ranks - 1) % ranks;
	edges->out.ranks[1] = edges->in.ranks[1] = (rank + 1) % ranks;
	for (uint32_t i = 0; i < BENCH_EDGES_MAX; i++) {
		edges->out.edges[i] = i;
		edges->in.edges[i] = ranks == 2 ? i : 1 - i;
	}
	edges->run->report->messages = ranks == 2 ? BENCH_EDGES_MAX : 1;
	edges->run->report->sends = BENCH_EDGES_MAX;
}

static void make_one_edge(struct bench_edges *edges)
{
	edges->out.n = edges->run->rank == 0;
	edges->out.ranks[0] = 1;
	edges->in.n = edges->run->rank == 1;
	edges->in.ranks[0] = 0;
}

static int create_graph(struct bench_edges *edges)
{
	struct weft_edges in = { edges->in.n, edges->in.ranks, NULL };
	struct weft_edges out = { edges->out.n, edges->out.ranks, NULL };

	return weft_graph_create_adjacent(edges->run->world, &in, &out, NULL,
					  false, &edges->graph);
}

/* From the first byte of a message to its last one. */
static size_t span(const struct bench_edges *edges)
{
	return edges->apart ? 2 * edges->bytes : edges->bytes;
}

static void lay_out(const struct bench_edges *edges, struct bench_half *half,
		    size_t stride)
{
	if (half == &edges->out && has(edges, BENCH_SAME))
		stride = 0;
	for (int i = 0; i < BENCH_EDGES_MAX; i++) {
		half->counts[i] = edges->apart ? 1 : edges->bytes;
		half->displs[i] = (ptrdiff_t)stride * i;
		half->types[i] = edges->apart;
	}
}

static int allocate(struct bench_edges *edges, struct bench_half *half)
{
	size_t lines = (span(edges) + 63) / 64 * 64;
	size_t all = lines * BENCH_EDGES_MAX + 64;
	void *base = NULL;

	if (edges->run->options->heap) {
		base = aligned_alloc(64, all);
		if (!base)
			return WEFT_ERR_NOMEM;
	} else {
		int status = weft_mem_alloc(edges->run->job, all, &base);

		if (status != WEFT_OK)
			return status;
	}
	half->base = base;
	memset(base, 0, all);
	lay_out(edges, half, has(edges, BENCH_DENSE) ? edges->bytes : lines);
	return WEFT_OK;
}

static void release(struct bench_edges *edges, struct bench_half *half)
{
	if (edges->run->options->heap)
		free(half->base);
	else
		weft_mem_free(edges->run->job, half->base);
	half->base = NULL;
}

static struct weft_vec vec_of(const struct bench_edges *edges,
			      const struct bench_half *half)
{
	return (struct weft_vec){
		.base = half->base,
		.type = edges->apart ? NULL : &weft_type_byte,
		.types = edges->apart ? half->types : NULL,
		.counts = half->counts, .displs = half->displs
	};
}

static int make_type(struct bench_edges *edges)
{
	int status;

	if (!has(edges, BENCH_TYPED))
		return WEFT_OK;
	status = weft_type_hvector(edges->run->job, edges->bytes / WORD, WORD,
				   2 * WORD, &weft_type_byte, &edges->apart);
	return status ? status : weft_type_commit(edges->apart);
}

static int prepare(struct bench_edges *edges, size_t bytes)
{
	int status;

	edges->bytes = bytes;
	status = make_type(edges);
	if (status == WEFT_OK)
		status = allocate(edges, &edges->out);
	if (status == WEFT_OK)
		status = allocate(edges, &edges->in);
	if (status != WEFT_OK)
		return status;
	edges->send = vec_of(edges, &edges->out);
	edges->recv = vec_of(edges, &edges->in);
	if (edges->run->options->form == BENCH_BLOCKING)
		return WEFT_OK;
	return edges->exchange->init(edges, &edges->req);
}

static int finish(struct bench_edges *edges, int status)
{
	int freed = weft_request_free(&edges->req);

	if (freed == WEFT_OK)
		freed = weft_type_free(&edges->apart);
	release(edges, &edges->out);
	release(edges, &edges->in);
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

/* Its words, of which each second one may be a gap. */
static void rewrite(const struct bench_edges *edges, char *at)
{
	size_t step = edges->apart ? 2 * WORD : WORD;

	for (size_t i = 0; i < edges->bytes / WORD; i++) {
		uint64_t word;

		memcpy(&word, at + i * step, WORD);
		word += i;
		memcpy(at + i * step, &word, WORD);
	}
}

static void rewrite_all(const struct bench_edges *edges)
{
	int n = edges->out.n;

	if (n && has(edges, BENCH_SAME))
		n = 1;
	for (int e = 0; e < n; e++)
		rewrite(edges, edges->out.base + edges->out.displs[e]);
	__asm__ volatile("" ::: "memory");
}

static uint64_t read_all(const struct bench_edges *edges)
{
	size_t step = edges->apart ? 2 * WORD : WORD;
	uint64_t sum = 0;

	for (int e = 0; e < edges->in.n; e++) {
		const char *at = edges->in.base + edges->in.displs[e];

		for (size_t i = 0; i < edges->bytes / WORD; i++) {
			uint64_t word;

			memcpy(&word, at + i * step, WORD);
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

		rewrite_all(edges);
		start = bench_now();
		status = exchange(edges);
		all += bench_now() - start - edges->clock;
		edges->sum += read_all(edges);
	}
	*us_p = all / (double)n;
	return status;
}

/* Which message goes along this edge, as its sender has them. */
static struct bench_stamp stamp_of(const struct bench_edges *edges, int sender,
				   uint32_t edge)
{
	return (struct bench_stamp){
		(uint32_t)sender, has(edges, BENCH_SAME) ? 0 : edge,
		edges->epoch
	};
}

/* Of a word among those that are apart. */
static struct bench_stamp stamp_of_word(struct bench_stamp stamp, size_t i)
{
	stamp.epoch += (uint64_t)i << 32;
	return stamp;
}

static void fill_message(const struct bench_edges *edges, char *at,
			 struct bench_stamp stamp)
{
	if (!edges->apart)
		bench_pattern_fill(at, edges->bytes, stamp);
	for (size_t i = 0; edges->apart && i < edges->bytes / WORD; i++)
		bench_pattern_fill(at + 2 * i * WORD, WORD,
				   stamp_of_word(stamp, i));
}

/* Wrong bytes, those of gaps that are not what was there before, too. */
static size_t check_message(const struct bench_edges *edges, const char *at,
			    struct bench_stamp stamp)
{
	size_t wrong = 0;

	if (!edges->apart)
		return bench_pattern_check(at, edges->bytes, stamp);
	for (size_t i = 0; i < edges->bytes / WORD; i++) {
		const char *word = at + 2 * i * WORD;

		wrong += bench_pattern_check(word, WORD,
					     stamp_of_word(stamp, i));
		for (size_t k = WORD; k < 2 * WORD; k++)
			wrong += word[k] != (char)edges->epoch;
	}
	return wrong;
}

static void fill(struct bench_edges *edges)
{
	edges->epoch++;
	for (int e = 0; e < edges->out.n; e++)
		fill_message(edges, edges->out.base + edges->out.displs[e],
			     stamp_of(edges, edges->run->rank,
				      edges->out.edges[e]));
	memset(edges->in.base, (int)edges->epoch,
	       (size_t)edges->in.displs[BENCH_EDGES_MAX - 1] + span(edges));
}

static size_t check(const struct bench_edges *edges)
{
	size_t wrong = 0;

	for (int e = 0; e < edges->in.n; e++)
		wrong += check_message(edges,
				       edges->in.base + edges->in.displs[e],
				       stamp_of(edges, edges->in.ranks[e],
						edges->in.edges[e]));
	return wrong;
}

/* New content each time; what the last one sent stays for the timed pass. */
static int verify(struct bench_edges *edges, size_t *wrong_p)
{
	long count = bench_verify_count(edges->bytes);
	int status = WEFT_OK;

	for (long i = 0; i < count && status == WEFT_OK; i++) {
		fill(edges);
		status = exchange(edges);
		*wrong_p += check(edges);
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
	if (status == WEFT_OK && edges->in.n)
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
		.bytes = edges->bytes, .checked = run->options->verify
	};
	int status = WEFT_OK;
	size_t wrong = 0;

	if (line.checked)
		status = verify(edges, &wrong);
	if (status == WEFT_OK)
		status = bench_time(run, rewritten ? touched : untouched,
				    edges, edges->bytes, &line.times);
	if (status == WEFT_OK)
		status = find_way(edges, &line);
	line.bound = bound_of(edges, line.way, rewritten);
	if (line.checked && !rewritten)
		wrong += check(edges);
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
	edges.run = run;
	edges.exchange = bench_exchange_of(run->options->command);
	edges.clock = bench_clock_cost();
	if (run->options->command == BENCH_PUT)
		make_one_edge(&edges);
	else
		make_ring(&edges);
	status = create_graph(&edges);
	if (status != WEFT_OK)
		return status;
	if (run->options->raw)
		status = bench_run_raw(run, edges.out.n, edges.in.n);
	if (status == WEFT_OK)
		status = run_case(&edges, "buffers untouched between "
				  "operations", false);
	if (status == WEFT_OK)
		status = run_case(&edges, "buffers rewritten before and read "
				  "after each operation, not timed", true);
	freed = weft_comm_free(&edges.graph);
	return status == WEFT_OK ? freed : status;
}
