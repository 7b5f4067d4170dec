/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that was offered is taken back when a member dies: the other end of
 * the edge lives, is in the library, and has not put and will not: it may not
 * have started that exchange, may have failed in it, or may have freed the
 * graph.  The failed call ends all the same, within two seconds.
 */
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	RANKS = 3,
	VICTIM = 2,
	LARGE = 5000,			/* beyond WEFT_SLOT_MAX */
	SECOND = 1000000000
};

enum silence {
	NOT_STARTED,
	FREED,
	FAILED
};

struct buffers {
	char *send, *recv;
	size_t counts[2];
	ptrdiff_t displs[2];
	struct weft_vec out, in;
};

static int make_buffers(struct weft_job *job, struct buffers *b)
{
	void *send, *recv;

	if (weft_mem_alloc(job, 2 * LARGE, &send) ||
	    weft_mem_alloc(job, 2 * LARGE, &recv))
		return -1;
	b->send = send;
	b->recv = recv;
	memset(b->send, 1, 2 * LARGE);
	b->displs[0] = 0;
	b->displs[1] = LARGE;
	b->out = (struct weft_vec){ .base = b->send,
		.type = &weft_type_byte, .counts = b->counts,
		.displs = b->displs };
	b->in = b->out;
	b->in.base = b->recv;
	return 0;
}

static int exchange(struct weft_comm *graph, struct buffers *b, size_t bytes)
{
	b->counts[0] = b->counts[1] = bytes;
	return weft_neighbor_alltoallv(graph, &b->out, &b->in);
}

/* It lives, and calls nothing but progress. */
static void go_on(struct wf_sim_rank *rank, struct weft_job *job,
		  uint64_t until)
{
	while (wf_sim_now(rank) < until) {
		int status = weft_job_progress(job);

		if (status && status != WEFT_ERR_PEER)
			wf_sim_fail(rank, "progress: %d", status);
		wf_sim_idle(rank, until);
	}
}

static void living(struct wf_sim_rank *rank, enum silence how,
		   struct weft_job *job, struct weft_comm **graph_p,
		   struct buffers *b)
{
	uint64_t start = wf_sim_now(rank);
	int status;

	if (wf_sim_rank(rank) == 0 || how == FAILED) {
		status = exchange(*graph_p, b, LARGE);
		if (status != WEFT_ERR_PEER)
			wf_sim_fail(rank, "%s", weft_status_name(status));
		if (wf_sim_now(rank) > start + 2 * (uint64_t)SECOND)
			wf_sim_fail(rank, "it took %llu us", (unsigned long
				    long)(wf_sim_now(rank) - start) / 1000);
	} else if (how == FREED && weft_comm_free(graph_p)) {
		wf_sim_fail(rank, "cannot free the graph");
	}
	go_on(rank, job, start + 5 * (uint64_t)SECOND);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank);
	int others[2] = { (me + 1) % RANKS, (me + 2) % RANKS };
	struct weft_edges edges = { 2, others, NULL };
	struct weft_comm *graph;
	struct weft_job *job;
	struct buffers b;

	if (wf_sim_job_open(rank, &job) || make_buffers(job, &b) ||
	    weft_graph_create_adjacent(weft_job_world(job), &edges, &edges,
				       NULL, false, &graph)) {
		wf_sim_fail(rank, "cannot begin");
		return;
	}
	for (int round = 0; round < 4; round++)
		if (exchange(graph, &b, LARGE))
			wf_sim_fail(rank, "round %d: %s", round,
				    weft_error_text(job));
	if (me == VICTIM)
		wf_sim_die(rank);
	living(rank, *(enum silence *)arg, job, &graph, &b);
	if (graph && weft_comm_free(&graph))
		wf_sim_fail(rank, "cannot free the graph");
	if (weft_job_close(job) != WEFT_ERR_PEER)
		wf_sim_fail(rank, "the close does not tell of the dead");
}

static void set_mortal(struct wf_sim_options *options)
{
	options->kill_rank = VICTIM;
}

static void run(enum silence how)
{
	static char *env[] = { "WEFT_SLOT_MAX=1024", "WEFT_CHUNK=256",
			       "WEFT_ARENA_MAX=64m", NULL };

	if (!sim_flow_seeds_set(RANKS, 30, env, set_mortal, program, &how))
		tap_diag("way %d", how);
}

static void not_started(void)
{
	run(NOT_STARTED);
}

static void freed(void)
{
	run(FREED);
}

static void failed(void)
{
	run(FAILED);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "the other end has not started it", not_started },
		{ "the other end has freed the graph", freed },
		{ "the other end has failed, too", failed }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
