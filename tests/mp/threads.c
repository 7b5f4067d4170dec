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
#include "tests/mp/graph_threads.h"

enum {
	WAYS = 4			/* of doing an exchange */
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
		status = weft_allreduce(g->graph, &one,
					weft_part(&sum, 1, &weft_type_int64),
					&weft_op_sum);
		return status || sum == g->n ? status : WEFT_ERR_INTERNAL;
	}
	full_graph_write(g, round);
	status = weft_ineighbor_alltoallv(g->graph, &g->send, &g->recv,
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

static void each_by_a_thread(struct rank *rank)
{
	work_by_threads(rank, work);
}

static void rank_1_alone(struct rank *rank)
{
	if (rank->rank == 1)
		work_alone(rank);
	else
		work_by_threads(rank, work);
}

static void a_thread_for_each(void)
{
	run_ranks((int)tap_figure("EXCHANGES", 600), each_by_a_thread);
}

static void one_serves_all(void)
{
	run_ranks((int)tap_figure("EXCHANGES", 600), rank_1_alone);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a thread for each graph at both ranks", a_thread_for_each },
		{ "one thread serves the graphs of several", one_serves_all },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
