/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One thread asks what another one's progress brings about: what carries an
 * edge that is just being connected, and why a request that is under way has
 * failed.  The ranks are threads of this process, too, so that ThreadSanitizer
 * sees everything.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "tests/tap.h"
#include <weft.h>

enum {
	RANKS = 2
};

struct rank {
	pthread_t thread, other;
	struct weft_inproc *inproc;
	int rank;
	struct weft_job *job;
	struct weft_comm *world, *graph;
	struct weft_request *req;	/* that the other thread completes */
	atomic_bool over;
};

/* The first messages of all, which connect the two ranks. */
static void *progress(void *arg)
{
	struct rank *r = arg;
	int out = r->rank, in = -1;

	for (int tag = 0; tag < 2; tag++)
		TAP_EQUAL(weft_send(r->world, &out, 1, &weft_type_int32,
				    weft_to(!r->rank, tag)), WEFT_OK);
	TAP_EQUAL(weft_recv(r->world, &in, 1, &weft_type_int32,
			    weft_from(!r->rank, 1), NULL), WEFT_OK);
	atomic_store_explicit(&r->over, true, memory_order_relaxed);
	return NULL;
}

static void ask(struct rank *r)
{
	struct weft_edge_info info = { .rank = -1 };

	while (!atomic_load_explicit(&r->over, memory_order_relaxed)) {
		TAP_EQUAL(weft_graph_edge(r->graph, true, 0, &info), WEFT_OK);
		TAP_CHECK(!*weft_request_error(r->req));
	}
	TAP_EQUAL(weft_graph_edge(r->graph, true, 0, &info), WEFT_OK);
	TAP_CHECK(info.rank == !r->rank && info.transport && info.host);
}

static void *rank_main(void *arg)
{
	struct rank *r = arg;
	struct weft_job_options options;
	int to = !r->rank, in = -1;
	const struct weft_edges edges = { 1, &to, NULL };

	weft_job_options_init(&options, sizeof(options));
	options.inproc = r->inproc;
	options.inproc_rank = r->rank;
	options.threads = true;
	if (!TAP_EQUAL(weft_job_open(&options, &r->job), WEFT_OK))
		return NULL;
	r->world = weft_job_world(r->job);
	TAP_EQUAL(weft_graph_create_adjacent(r->world, &edges, &edges, NULL,
					     false, &r->graph), WEFT_OK);
	TAP_EQUAL(weft_irecv(r->world, &in, 1, &weft_type_int32,
			     weft_from(to, 0), &r->req), WEFT_OK);
	pthread_create(&r->other, NULL, progress, r);
	ask(r);
	pthread_join(r->other, NULL);
	TAP_EQUAL(weft_request_wait(r->req), WEFT_OK);
	TAP_EQUAL(weft_request_free(&r->req), WEFT_OK);
	TAP_EQUAL(weft_comm_free(&r->graph), WEFT_OK);
	TAP_EQUAL(weft_job_close(r->job), WEFT_OK);
	return NULL;
}

static void asked(void)
{
	static struct rank rank[RANKS];
	struct weft_inproc *inproc;

	/* else to agree on the graph connects them */
	setenv("WEFT_CHECK", "0", 1);
	if (!TAP_EQUAL(weft_inproc_create(RANKS, &inproc), WEFT_OK))
		return;
	for (int r = 0; r < RANKS; r++) {
		rank[r].inproc = inproc;
		rank[r].rank = r;
		pthread_create(&rank[r].thread, NULL, rank_main, &rank[r]);
	}
	for (int r = 0; r < RANKS; r++)
		pthread_join(rank[r].thread, NULL);
	weft_inproc_free(&inproc);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "edges and requests while another thread progresses", asked }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
