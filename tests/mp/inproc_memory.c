/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a rank pays for each peer it talks to and for each edge of a graph, in
 * bytes of heap and of its segment, at several numbers of ranks: the figures
 * of docs/arch.md, "Memory".
 *
 * The ranks are threads, so the heap is counted for all of them together.
 */
#include <pthread.h>
#include "tests/fail_malloc.h"
#include "tests/meet.h"
#include "tests/mp/full_graph.h"

enum {
	MOST = 16,			/* ranks */
	EXCHANGES = 8,			/* more than any window */
	LARGEST = 1024,			/* bytes of a message with slots */
	POINTS = 5
};

/* Bounds of a rank, as docs/arch.md states them. */
enum {
	PEER_HEAP = 1500, PEER_SEGMENT = 19552,
	GRAPH_HEAP = 30 << 10, EDGE_HEAP = 4096,
	SIGNALS = 64 << 10,		/* bytes of a block of 1024 */
	GRAPH_SEGMENT = 512, EDGE_SEGMENT = 384,
	SLOTS = 4, SLOT_HEAD = 64,	/* of an edge, of a slot */
	GROWTH_HEAP = 2 << 10, EDGE_GROWTH = 320
};

struct usage {
	long heap, segment;
};

struct rank {
	pthread_t thread;
	struct weft_inproc *inproc;
	int rank, n;
	long segment[POINTS];
};

static pthread_barrier_t met;
static long heap[POINTS];

static long segment_bytes(const struct weft_job *job)
{
	const struct wf_alloc *a = &job->segment.blocks;
	size_t sum = 0;

	for (size_t i = 0; i < a->count; i++)
		sum += a->blocks[i].bytes;
	return (long)sum;
}

/* All ranks are at this point, and none goes on before it is measured. */
static void measure(struct rank *rank, struct weft_job *job, int point)
{
	rank->segment[point] = segment_bytes(job);
	if (pthread_barrier_wait(&met) == PTHREAD_BARRIER_SERIAL_THREAD)
		heap[point] = fail_malloc_bytes();
	pthread_barrier_wait(&met);
}

static void exchanges(struct full_graph *g, size_t bytes)
{
	TAP_EQUAL(full_graph_shape(g, bytes, false), WEFT_OK);
	for (int i = 0; i < EXCHANGES; i++)
		TAP_EQUAL(full_graph_round(g, i), WEFT_OK);
	full_graph_drop_memory(g);
}

static void *rank_main(void *arg)
{
	struct rank *rank = arg;
	struct weft_job_options options;
	struct weft_job *job;
	struct full_graph g;

	weft_job_options_init(&options, sizeof(options));
	options.inproc = rank->inproc;
	options.inproc_rank = rank->rank;
	if (!TAP_EQUAL(weft_job_open(&options, &job), WEFT_OK))
		abort();
	measure(rank, job, 0);
	TAP_EQUAL(meet(job), WEFT_OK);
	measure(rank, job, 1);
	TAP_EQUAL(full_graph_open(&g, weft_job_world(job)), WEFT_OK);
	measure(rank, job, 2);
	exchanges(&g, 8);
	measure(rank, job, 3);
	exchanges(&g, LARGEST);
	measure(rank, job, 4);
	TAP_EQUAL(full_graph_close(&g), WEFT_OK);
	TAP_EQUAL(weft_job_close(job), WEFT_OK);
	return NULL;
}

/* From one point to another, for each rank. */
static struct usage per_rank(const struct rank *rank, int n, int from, int to)
{
	struct usage u = { heap[to] - heap[from], 0 };

	for (int r = 0; r < n; r++)
		u.segment += rank[r].segment[to] - rank[r].segment[from];
	u.heap /= n;
	u.segment /= n;
	return u;
}

static bool is_within(const char *what, int n, struct usage have,
		      struct usage most)
{
	tap_diag("%s, %d ranks: %ld bytes of heap of at most %ld, %ld of "
		 "segment of at most %ld", what, n, have.heap, most.heap,
		 have.segment, most.segment);
	return have.heap > 0 && have.heap <= most.heap &&
	       have.segment > 0 && have.segment <= most.segment;
}

/* As many peers, and edges, as there are ranks. */
static void judge(const struct rank *rank, int n)
{
	TAP_CHECK(is_within("peers", n, per_rank(rank, n, 0, 1),
			    (struct usage){ n * PEER_HEAP,
					    n * PEER_SEGMENT }));
	TAP_CHECK(is_within("a graph of lines", n, per_rank(rank, n, 1, 3),
			    (struct usage){ GRAPH_HEAP + n * EDGE_HEAP,
					    SIGNALS + GRAPH_SEGMENT +
					    n * EDGE_SEGMENT }));
	TAP_CHECK(is_within("its slots", n, per_rank(rank, n, 3, 4),
			    (struct usage){ GROWTH_HEAP + n * EDGE_GROWTH,
					    n * SLOTS *
					    (LARGEST + SLOT_HEAD) }));
}

static void run(int n)
{
	static struct rank rank[MOST];
	struct weft_inproc *inproc;

	if (!TAP_EQUAL(weft_inproc_create(n, &inproc), WEFT_OK))
		return;
	pthread_barrier_init(&met, NULL, (unsigned)n);
	fail_malloc_at(0);
	for (int r = 0; r < n; r++) {
		rank[r] = (struct rank){ .inproc = inproc, .rank = r, .n = n };
		pthread_create(&rank[r].thread, NULL, rank_main, &rank[r]);
	}
	for (int r = 0; r < n; r++)
		pthread_join(rank[r].thread, NULL);
	pthread_barrier_destroy(&met);
	weft_inproc_free(&inproc);
	judge(rank, n);
}

static void at_several_sizes(void)
{
	for (int n = 2; n <= MOST; n *= 2)
		run(n);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "bytes for each peer and for each edge", at_several_sizes }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
