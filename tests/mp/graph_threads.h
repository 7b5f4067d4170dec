/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests: two ranks, threads of this process, of a job with several graphs,
 * and at each rank a thread for each graph.
 */
#ifndef WEFT_TESTS_GRAPH_THREADS_H
#define WEFT_TESTS_GRAPH_THREADS_H

#include <pthread.h>
#include "tests/mp/full_graph.h"
#include "tests/tap.h"

enum {
	RANKS = 2,
	LINES = 3			/* graphs, and threads for them */
};

struct rank {
	struct weft_inproc *inproc;
	struct weft_job *job;
	int rank;
	int rounds;
	void (*body)(struct rank *rank);	/* with all of it open */
	struct full_graph line[LINES];
};

/* One thread of a rank. */
struct worker {
	pthread_t thread;
	struct rank *rank;
	int line;
};

/* `work` of a struct worker in a thread for each graph. */
static void work_by_threads(struct rank *rank, void *(*work)(void *worker))
{
	struct worker worker[LINES];

	for (int i = 0; i < LINES; i++) {
		worker[i].rank = rank;
		worker[i].line = i;
		pthread_create(&worker[i].thread, NULL, work, &worker[i]);
	}
	for (int i = 0; i < LINES; i++)
		pthread_join(worker[i].thread, NULL);
}

static struct weft_job *open_rank(struct weft_inproc *inproc, int rank)
{
	struct weft_job_options options;
	struct weft_job *job = NULL;

	weft_job_options_init(&options, sizeof(options));
	options.inproc = inproc;
	options.inproc_rank = rank;
	options.threads = true;
	TAP_EQUAL(weft_job_open(&options, &job), WEFT_OK);
	return job;
}

static void *rank_main(void *arg)
{
	static const size_t sizes[LINES] = { 8, 3000, 100000 };
	struct rank *rank = arg;

	rank->job = open_rank(rank->inproc, rank->rank);
	if (!rank->job)
		return NULL;
	for (int i = 0; i < LINES; i++) {
		struct full_graph *g = &rank->line[i];

		TAP_EQUAL(full_graph_open(g, weft_job_world(rank->job)), 0);
		TAP_EQUAL(full_graph_shape(g, sizes[i], i != 1), WEFT_OK);
	}
	rank->body(rank);
	for (int i = 0; i < LINES; i++)
		TAP_EQUAL(full_graph_close(&rank->line[i]), WEFT_OK);
	TAP_EQUAL(weft_job_close(rank->job), WEFT_OK);
	return NULL;
}

static void run_ranks(int rounds, void (*body)(struct rank *rank))
{
	static struct rank rank[RANKS];
	struct weft_inproc *inproc;
	pthread_t thread[RANKS];

	if (!TAP_EQUAL(weft_inproc_create(RANKS, &inproc), WEFT_OK))
		return;
	for (int r = 0; r < RANKS; r++) {
		rank[r] = (struct rank){
			.inproc = inproc, .rank = r, .rounds = rounds,
			.body = body
		};
		pthread_create(&thread[r], NULL, rank_main, &rank[r]);
	}
	for (int r = 0; r < RANKS; r++)
		pthread_join(thread[r], NULL);
	weft_inproc_free(&inproc);
}

#endif
