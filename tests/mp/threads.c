/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several threads in one job: each drives a graph of its own, and all wait at
 * the same time.  The ranks are threads of this process, too, so that
 * ThreadSanitizer sees everything.
 *
 * In the first case each graph has a thread at each rank; in the second rank 1
 * serves all graphs from one thread, in an order that the threads of rank 0 do
 * not know: whoever waits must keep none of the others from going on.
 */
#include <pthread.h>
#include "tests/mp/full_graph.h"
#include "tests/tap.h"

enum {
	RANKS = 2,
	LINES = 3,			/* graphs, and threads for them */
	WAYS = 4			/* of doing an exchange */
};

static const size_t sizes[LINES] = { 8, 3000, 100000 };

struct rank {
	struct weft_inproc *inproc;
	struct weft_job *job;
	int rank;
	bool alone;			/* one thread for all graphs */
	int rounds;
	struct full_graph line[LINES];
};

/* One thread of a rank. */
struct worker {
	pthread_t thread;
	struct rank *rank;
	int line;
};

static int complete(struct weft_request *req, bool poll)
{
	bool done = !poll;
	int status = WEFT_OK;

	while (!status && !done)
		status = weft_request_test(req, &done);
	if (!status)
		status = weft_request_wait(req);
	if (!status)
		status = weft_request_free(&req);
	return status;
}

/* An exchange in one of four ways; the same bytes each time. */
static int exchange(struct full_graph *g, int round, int way)
{
	struct weft_request *req;
	int64_t one = 1, sum = 0;
	int status;

	if (way == 0)
		return full_graph_round(g, round);
	if (way == 3) {
		status = weft_allreduce(g->graph, &one, &sum, 1,
					&weft_type_int64, &weft_op_sum);
		return status || sum == g->n ? status : WEFT_ERR_INTERNAL;
	}
	full_graph_write(g, round);
	status = weft_neighbor_alltoallv_start(g->graph, &g->send, &g->recv,
					       &req);
	if (!status)
		status = complete(req, way == 2);
	if (!status && full_graph_wrong(g, round) >= 0)
		status = WEFT_ERR_INTERNAL;
	return status;
}

static void *work(void *arg)
{
	struct worker *w = arg;
	struct full_graph *g = &w->rank->line[w->line];
	int status = WEFT_OK;

	for (int i = 0; !status && i < w->rank->rounds; i++) {
		status = exchange(g, i, i % WAYS);
		if (!status && i % 50 == 0)	/* new memory */
			status = full_graph_shape(g, g->bytes, g->arena);
	}
	if (!TAP_EQUAL(status, WEFT_OK))
		tap_diag("rank %d, graph %d", w->rank->rank, w->line);
	return NULL;
}

/* All graphs by the calling thread, which is anything but fair to them. */
static void work_alone(struct rank *rank)
{
	int done[LINES] = { 0 }, left = LINES * rank->rounds;
	int status = WEFT_OK;
	unsigned x = 1;

	while (!status && left) {
		int line;

		x = x * 1103515245u + 12345u;
		line = (int)(x >> 16) % LINES;
		if (done[line] == rank->rounds)
			continue;
		status = exchange(&rank->line[line], done[line],
				  done[line] % WAYS);
		done[line]++;
		left--;
	}
	TAP_EQUAL(status, WEFT_OK);
}

static void work_by_threads(struct rank *rank)
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

static void *rank_main(void *arg)
{
	struct rank *rank = arg;
	struct weft_job_options options;

	weft_job_options_init(&options);
	options.inproc = rank->inproc;
	options.inproc_rank = rank->rank;
	options.threads = true;
	if (!TAP_EQUAL(weft_job_open(&options, &rank->job), WEFT_OK))
		return NULL;
	for (int i = 0; i < LINES; i++) {
		struct full_graph *g = &rank->line[i];

		TAP_EQUAL(full_graph_open(g, weft_job_world(rank->job)), 0);
		TAP_EQUAL(full_graph_shape(g, sizes[i], i != 1), WEFT_OK);
	}
	if (rank->alone)
		work_alone(rank);
	else
		work_by_threads(rank);
	for (int i = 0; i < LINES; i++)
		TAP_EQUAL(full_graph_close(&rank->line[i]), WEFT_OK);
	TAP_EQUAL(weft_job_close(rank->job), WEFT_OK);
	return NULL;
}

static void run(bool alone)
{
	static struct rank rank[RANKS];
	struct weft_inproc *inproc;
	pthread_t thread[RANKS];

	if (!TAP_EQUAL(weft_inproc_create(RANKS, &inproc), WEFT_OK))
		return;
	for (int r = 0; r < RANKS; r++) {
		rank[r] = (struct rank){
			.inproc = inproc, .rank = r, .alone = alone && r,
			.rounds = (int)tap_figure("EXCHANGES", 600)
		};
		pthread_create(&thread[r], NULL, rank_main, &rank[r]);
	}
	for (int r = 0; r < RANKS; r++)
		pthread_join(thread[r], NULL);
	weft_inproc_destroy(inproc);
}

static void a_thread_for_each(void)
{
	run(false);
}

static void one_serves_all(void)
{
	run(true);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a thread for each graph at both ranks", a_thread_for_each },
		{ "one thread serves the graphs of several", one_serves_all },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
