/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-bench put and exchange: messages along the edges of a graph.
 *
 * One graph for all sizes: a ring in both directions, or the single edge
 * 0 -> 1. Buffers are laid out edge after edge, each on cache lines of its
 * own. Content is written and checked between timed sections.
 */
#include "bench/weft_bench_pattern.h"
#include "bench/weft_bench_raw.h"
#include "bench/weft_bench_run.h"
#include "bench/weft_bench_time.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	EDGES_MAX = 2
};

/* One direction at this rank. */
struct half {
	int n;
	int ranks[EDGES_MAX];
	uint32_t edges[EDGES_MAX];	/* what the sender calls each edge */
	char *base;
	size_t counts[EDGES_MAX];
	ptrdiff_t displs[EDGES_MAX];
};

struct edges {
	struct bench_run *run;
	struct weft_comm *graph;
	struct weft_request *req;	/* NULL: blocking calls */
	struct half out;
	struct half in;
	struct weft_vec send;
	struct weft_vec recv;
	size_t bytes;
	uint64_t epoch;		/* of the content in the send buffers */
	double clock;
	uint64_t sum;		/* of what was read, so that it is read */
};

/*
 * An edge to the left and one to the right; the sender's edge 0 goes left.  Of
 * two ranks the first edge of one is the first of the other.
 */
static void make_ring(struct edges *edges)
{
	int rank = edges->run->rank, ranks = edges->run->ranks;

	edges->out.n = edges->in.n = EDGES_MAX;
	edges->out.ranks[0] = edges->in.ranks[0] = (rank + ranks - 1) % ranks;
	edges->out.ranks[1] = edges->in.ranks[1] = (rank + 1) % ranks;
	for (uint32_t i = 0; i < EDGES_MAX; i++) {
		edges->out.edges[i] = i;
		edges->in.edges[i] = ranks == 2 ? i : 1 - i;
	}
	edges->run->report->messages = ranks == 2 ? EDGES_MAX : 1;
	edges->run->report->sends = EDGES_MAX;
}

static void make_one_edge(struct edges *edges)
{
	edges->out.n = edges->run->rank == 0;
	edges->out.ranks[0] = 1;
	edges->in.n = edges->run->rank == 1;
	edges->in.ranks[0] = 0;
}

static int create_graph(struct edges *edges)
{
	struct weft_edges in = { edges->in.n, edges->in.ranks, NULL };
	struct weft_edges out = { edges->out.n, edges->out.ranks, NULL };

	return weft_graph_create_adjacent(edges->run->world, &in, &out, NULL,
					  false, &edges->graph);
}

static int allocate(struct edges *edges, struct half *half)
{
	size_t stride = (edges->bytes + 63) / 64 * 64;
	size_t all = stride * EDGES_MAX + 64;
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
	for (int i = 0; i < EDGES_MAX; i++) {
		half->counts[i] = edges->bytes;
		half->displs[i] = (ptrdiff_t)stride * i;
	}
	return WEFT_OK;
}

static void release(struct edges *edges, struct half *half)
{
	if (edges->run->options->heap)
		free(half->base);
	else
		weft_mem_free(edges->run->job, half->base);
	half->base = NULL;
}

static struct weft_vec vec_of(const struct half *half)
{
	return (struct weft_vec){
		.base = half->base, .type = &weft_type_byte,
		.counts = half->counts, .displs = half->displs
	};
}

static int prepare(struct edges *edges, size_t bytes)
{
	int status;

	edges->bytes = bytes;
	status = allocate(edges, &edges->out);
	if (status == WEFT_OK)
		status = allocate(edges, &edges->in);
	if (status != WEFT_OK)
		return status;
	edges->send = vec_of(&edges->out);
	edges->recv = vec_of(&edges->in);
	if (edges->run->options->form == BENCH_BLOCKING)
		return WEFT_OK;
	return weft_neighbor_alltoallv_init(edges->graph, &edges->send,
					    &edges->recv, &edges->req);
}

static int finish(struct edges *edges, int status)
{
	int freed = weft_request_free(&edges->req);

	release(edges, &edges->out);
	release(edges, &edges->in);
	return status == WEFT_OK ? freed : status;
}

static int exchange(struct edges *edges)
{
	int status;

	if (!edges->req)
		return weft_neighbor_alltoallv(edges->graph, &edges->send,
					       &edges->recv);
	status = weft_request_start(edges->req);
	if (status == WEFT_OK)
		status = weft_request_wait(edges->req);
	return status;
}

static int untouched(void *arg, long n, double *us_p)
{
	struct edges *edges = arg;
	double start = bench_now();
	int status = WEFT_OK;

	for (long i = 0; i < n && status == WEFT_OK; i++)
		status = exchange(edges);
	*us_p = (bench_now() - start) / (double)n;
	return status;
}

static void rewrite(struct half *half)
{
	for (int e = 0; e < half->n; e++) {
		uint64_t *word = (uint64_t *)(half->base + half->displs[e]);

		for (size_t i = 0; i < half->counts[e] / sizeof(*word); i++)
			word[i] += i;
	}
	__asm__ volatile("" ::: "memory");
}

static uint64_t read_all(const struct half *half)
{
	uint64_t sum = 0;

	for (int e = 0; e < half->n; e++) {
		const uint64_t *word =
			(const uint64_t *)(half->base + half->displs[e]);

		for (size_t i = 0; i < half->counts[e] / sizeof(*word); i++)
			sum += word[i];
	}
	return sum;
}

/* Only the exchanges are timed; they do include waiting for a slower peer. */
static int touched(void *arg, long n, double *us_p)
{
	struct edges *edges = arg;
	double all = 0;
	int status = WEFT_OK;

	for (long i = 0; i < n && status == WEFT_OK; i++) {
		double start;

		rewrite(&edges->out);
		start = bench_now();
		status = exchange(edges);
		all += bench_now() - start - edges->clock;
		edges->sum += read_all(&edges->in);
	}
	*us_p = all / (double)n;
	return status;
}

static void fill(struct edges *edges)
{
	edges->epoch++;
	for (int e = 0; e < edges->out.n; e++) {
		struct bench_stamp stamp = { (uint32_t)edges->run->rank,
					     edges->out.edges[e],
					     edges->epoch };

		bench_pattern_fill(edges->out.base + edges->out.displs[e],
				   edges->bytes, stamp);
	}
	memset(edges->in.base, (int)edges->epoch,
	       (size_t)edges->in.displs[EDGES_MAX - 1] + edges->bytes);
}

static size_t check(const struct edges *edges)
{
	size_t wrong = 0;

	for (int e = 0; e < edges->in.n; e++) {
		struct bench_stamp stamp = { (uint32_t)edges->in.ranks[e],
					     edges->in.edges[e],
					     edges->epoch };

		wrong += bench_pattern_check(edges->in.base +
					     edges->in.displs[e],
					     edges->bytes, stamp);
	}
	return wrong;
}

/* New content each time; what the last one sent stays for the timed pass. */
static int verify(struct edges *edges, size_t *wrong_p)
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
static int ask_way(struct edges *edges, const char **way_p)
{
	struct weft_request *req = edges->req;
	int status = WEFT_OK, freed = WEFT_OK;

	if (!req)
		status = weft_ineighbor_alltoallv(
			edges->graph, &edges->send, &edges->recv, &req);
	if (status == WEFT_OK && !edges->req)
		status = weft_request_wait(req);
	if (status == WEFT_OK && edges->in.n)
		status = weft_neighbor_way(req, 0, way_p);
	if (!edges->req)
		freed = weft_request_free(&req);
	return status == WEFT_OK ? freed : status;
}

/* One that receives tells all. */
static int find_way(struct edges *edges, struct bench_line *line)
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

static enum bench_bound bound_of(const struct edges *edges, const char *way,
				 bool rewritten)
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

static int run_line(struct edges *edges, bool rewritten)
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

static int run_case(struct edges *edges, const char *title, bool rewritten)
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
	struct edges edges;
	int status, freed;

	memset(&edges, 0, sizeof(edges));
	edges.run = run;
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
