/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that runs out on one rank while graphs, persistent requests and jobs
 * are made: at whatever allocation, all ranks get the same error, nothing is
 * left behind, the error has a sentence, and what comes next works.  The memory
 * of the segment is not meant; tests/sim/ has what happens when that is full.
 */
#include <fcntl.h>
#include <unistd.h>
#include <weft.h>
#include "tests/fail_malloc.h"
#include "tests/ranks.h"
#include "tests/tap.h"

enum { RANKS = 3, EDGES = 4, MOST = 300 };

static struct weft_job *job;
static struct weft_comm *world;
static int rank;

/* Two edges to the next rank, one to the one before, one to oneself. */
static int make_graph(struct weft_comm **graph_p)
{
	const int next = (rank + 1) % RANKS;
	const int before = (rank + RANKS - 1) % RANKS;
	const int to[EDGES] = { next, next, before, rank };
	const int from[EDGES] = { before, before, next, rank };
	const struct weft_edges in = { EDGES, from, from };
	const struct weft_edges out = { EDGES, to, to };

	return weft_graph_create_adjacent(world, &in, &out, NULL, false,
					  graph_p);
}

/* One word along each edge; the k-th of rank r is 10 r + k. */
struct words {
	int64_t sent[EDGES], received[EDGES];
	size_t counts[EDGES];
	ptrdiff_t displs[EDGES];
	struct weft_vec send, recv;
};

static void words_init(struct words *w)
{
	for (int i = 0; i < EDGES; i++) {
		w->sent[i] = 10 * rank + i;
		w->received[i] = -1;
		w->counts[i] = 1;
		w->displs[i] = i;
	}
	w->send = (struct weft_vec){ .base = w->sent,
		.type = &weft_type_int64, .counts = w->counts,
		.displs = w->displs };
	w->recv = w->send;
	w->recv.base = w->received;
}

static void words_check(const struct words *w)
{
	int before = (rank + RANKS - 1) % RANKS, next = (rank + 1) % RANKS;

	TAP_EQUAL(w->received[0], 10 * before);
	TAP_EQUAL(w->received[1], 10 * before + 1);
	TAP_EQUAL(w->received[2], 10 * next + 2);
	TAP_EQUAL(w->received[3], 10 * rank + 3);
}

/* Of all ranks the same status, or the world is out of step. */
static void agreed(int status)
{
	int64_t least = status, most = status;

	TAP_EQUAL(weft_allreduce(world, WEFT_IN_PLACE,
				 weft_part(&least, 1, &weft_type_int64),
				 &weft_op_min), WEFT_OK);
	TAP_EQUAL(weft_allreduce(world, WEFT_IN_PLACE,
				 weft_part(&most, 1, &weft_type_int64),
				 &weft_op_max), WEFT_OK);
	TAP_EQUAL(least, status);
	TAP_EQUAL(most, status);
}

/*
 * The end of an attempt: was there an allocation that failed, on any rank?
 * A mail for what was made all the same may have found no memory; its first
 * exchange would ask for it, and may end with WEFT_ERR_NOMEM.  It is given up.
 */
static bool was_hurt(long at)
{
	int64_t hurt = fail_malloc_count() >= at;

	fail_malloc_at(0);
	TAP_EQUAL(weft_allreduce(world, WEFT_IN_PLACE,
				 weft_part(&hurt, 1, &weft_type_int64),
				 &weft_op_max), WEFT_OK);
	return hurt;
}

static void failed_well(int status, const char *call)
{
	const char *text = weft_error_text(job);

	TAP_EQUAL(status, WEFT_ERR_NOMEM);
	if (!TAP_CHECK(strstr(text, call) || strstr(text, "no memory")))
		tap_diag("\"%s\"", text);
}

/* A graph is made everywhere or nowhere; the first that is made works. */
static void graphs_starve(int victim)
{
	struct weft_comm *graph = NULL;
	bool hurt = true;
	struct words w;
	int status = -1;
	long at;

	words_init(&w);
	for (at = 1; hurt && at < MOST; at++) {
		fail_malloc_at(rank == victim ? at : 0);
		status = make_graph(&graph);
		hurt = was_hurt(rank == victim ? at : MOST);
		agreed(status);
		TAP_EQUAL(!graph, status != WEFT_OK);
		if (status)
			failed_well(status, "weft_graph_create_adjacent");
		else if (hurt)
			TAP_EQUAL(weft_comm_free(&graph), WEFT_OK);
	}
	if (rank == 0)
		tap_diag("%ld allocations", at - 2);
	TAP_CHECK(at > 8 && at < MOST);
	if (status)
		return;
	TAP_EQUAL(weft_neighbor_alltoallv(graph, &w.send, &w.recv), WEFT_OK);
	words_check(&w);
	TAP_EQUAL(weft_comm_free(&graph), WEFT_OK);
}

/* The same for a persistent request; blocking exchanges go on in between. */
static void requests_starve(int victim)
{
	struct weft_request *req = NULL;
	struct weft_comm *graph = NULL;
	bool hurt = true;
	struct words w;
	int status = -1;
	long at;

	TAP_EQUAL(make_graph(&graph), WEFT_OK);
	/* so are those of the graph, where the ranks agree */
	for (int i = 0; i < 10; i++)
		TAP_EQUAL(weft_allreduce(graph, WEFT_IN_PLACE,
					 weft_part(&(int64_t){ 0 }, 1,
						   &weft_type_int64),
					 &weft_op_min), WEFT_OK);
	words_init(&w);
	TAP_EQUAL(weft_neighbor_alltoallv(graph, &w.send, &w.recv), WEFT_OK);
	for (at = 1; hurt && at < MOST; at++) {
		words_init(&w);
		fail_malloc_at(rank == victim ? at : 0);
		status = weft_neighbor_alltoallv_init(graph, &w.send, &w.recv,
						      &req);
		hurt = was_hurt(rank == victim ? at : MOST);
		agreed(status);
		TAP_EQUAL(!req, status != WEFT_OK);
		if (status)
			failed_well(status, "weft_neighbor_alltoallv_init");
		else if (hurt)
			TAP_EQUAL(weft_request_free(&req), WEFT_OK);
		TAP_EQUAL(weft_neighbor_alltoallv(graph, &w.send, &w.recv),
			  WEFT_OK);
		words_check(&w);
	}
	if (rank == 0)
		tap_diag("%ld allocations", at - 2);
	TAP_CHECK(at > 5 && at < MOST);
	for (int i = 0; !status && i < 3; i++) {
		words_init(&w);
		TAP_EQUAL(weft_request_start(req), WEFT_OK);
		TAP_EQUAL(weft_request_wait(req), WEFT_OK);
		words_check(&w);
	}
	TAP_EQUAL(weft_request_free(&req), WEFT_OK);
	TAP_EQUAL(weft_comm_free(&graph), WEFT_OK);
}

static void graphs_on_rank_0(void) { graphs_starve(0); }
static void graphs_on_another(void) { graphs_starve(RANKS - 1); }
static void requests_on_rank_0(void) { requests_starve(0); }
static void requests_on_another(void) { requests_starve(RANKS - 1); }

/* A job of one rank in this process, beside the one of the launcher. */
static int open_and_close(long at)
{
	struct weft_job_options options;
	struct weft_job *alone = NULL;
	struct weft_inproc *inproc = NULL;
	int status;

	fail_malloc_at(at);
	status = weft_inproc_create(1, &inproc);
	if (!status) {
		weft_job_options_init(&options, sizeof(options));
		options.inproc = inproc;
		status = weft_job_open(&options, &alone);
	}
	fail_malloc_at(0);
	TAP_EQUAL(!alone, status != WEFT_OK);
	if (!status) {
		TAP_EQUAL(weft_barrier(weft_job_world(alone)), WEFT_OK);
		TAP_EQUAL(weft_job_close(alone), WEFT_OK);
	}
	weft_inproc_free(&inproc);
	return status;
}

static void jobs(void)
{
	int status = -1;
	long at;

	for (at = 1; status && at < MOST; at++) {
		status = open_and_close(at);
		TAP_CHECK(!status || status == WEFT_ERR_NOMEM ||
			  status == WEFT_ERR_BOOT);
	}
	if (rank == 0)
		tap_diag("%ld allocations", at - 2);
	TAP_CHECK(at > 5 && at < MOST);
	agreed(0);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "graphs, on rank 0", graphs_on_rank_0 },
		{ "graphs, on another", graphs_on_another },
		{ "requests, on rank 0", requests_on_rank_0 },
		{ "requests, on another", requests_on_another },
		{ "jobs", jobs },
	};
	int result;

	ranks_start(argc, argv, RANKS, 60);
	if (weft_job_open(NULL, &job))
		return 1;
	world = weft_job_world(job);
	rank = weft_job_rank(job);
	tap_rank(rank);
	/* the channels of the world are there before memory runs out */
	for (int i = 0; i < 10; i++)
		agreed(0);
	/* Each failure is told; here they are what is wanted. */
	if (!freopen("/dev/null", "w", stderr))
		return 1;
	result = tap_run(argc, argv, cases, TAP_COUNT(cases));
	return weft_job_close(job) ? 1 : result;
}
