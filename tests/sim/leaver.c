/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank leaves a loop of exchanges in which each rank sends to each, itself
 * too: it closes its job, with or without giving the graph up, or gives the
 * graph up and stays.  The others do not hang, and hear what it did.
 */
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	MOST = 8,			/* ranks */
	LARGE = 5000
};

enum way { CLOSES, FREES_AND_CLOSES, FREES_AND_STAYS, WAYS };

struct shared {
	int leaver, rounds;
	enum way way;
};

struct buffers {
	struct weft_vec out, in;
	size_t counts[MOST];
	ptrdiff_t displs[MOST];
};

static int make_buffers(struct weft_job *job, struct buffers *b, int n)
{
	for (int r = 0; r < n; r++)
		b->displs[r] = r * LARGE;
	b->out = (struct weft_vec){ .type = &weft_type_byte,
		.counts = b->counts, .displs = b->displs };
	b->in = b->out;
	if (weft_mem_alloc(job, (size_t)n * LARGE, &b->out.base) ||
	    weft_mem_alloc(job, (size_t)n * LARGE, &b->in.base))
		return -1;
	memset(b->out.base, 1, (size_t)n * LARGE);
	return 0;
}

static int exchanges(struct weft_comm *graph, struct buffers *b, int rounds)
{
	static const size_t bytes[] = { LARGE, 8, 300, LARGE };
	int n = weft_comm_size(graph), status = WEFT_OK;

	for (int i = 0; !status && i < rounds; i++) {
		for (int r = 0; r < n; r++)
			b->counts[r] = bytes[(i + n) % 4];
		status = weft_neighbor_alltoallv(graph, &b->out, &b->in);
	}
	return status;
}

static void check(struct wf_sim_rank *rank, const struct shared *shared,
		  struct weft_job *job, int status)
{
	const char *text = weft_error_text(job);
	bool closed = status == WEFT_ERR_PEER &&
		      strstr(text, "has closed its job");
	/* Who had asked before the close is told that the graph is gone. */
	bool freed = status == WEFT_ERR_GRAPH && shared->way != CLOSES;

	if (wf_sim_rank(rank) == shared->leaver ? status != WEFT_OK :
	    !freed && (!closed || shared->way == FREES_AND_STAYS))
		wf_sim_fail(rank, "%s: %s", weft_status_name(status), text);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	const struct shared *shared = arg;
	int me = wf_sim_rank(rank), n = wf_sim_size(rank), status;
	int ranks[MOST], rounds = me == shared->leaver ? shared->rounds : 1000;
	struct weft_edges edges = { n, ranks, NULL };
	struct weft_comm *graph;
	struct weft_job *job;
	struct buffers b;

	for (int r = 0; r < n; r++)
		ranks[r] = r;
	if (wf_sim_job_open(rank, &job) || make_buffers(job, &b, n) ||
	    weft_graph_create_adjacent(weft_job_world(job), &edges, &edges,
				       NULL, false, &graph)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	status = exchanges(graph, &b, rounds);
	check(rank, shared, job, status);
	if (shared->way != CLOSES && weft_comm_free(&graph))
		wf_sim_fail(rank, "cannot free the graph");
	if (shared->way == FREES_AND_STAYS && weft_barrier(weft_job_world(job)))
		wf_sim_fail(rank, "barrier: %s", weft_error_text(job));
	if (weft_job_close(job))
		wf_sim_fail(rank, "the close fails");
}

static void run(int ranks, int seed, enum way way)
{
	static char *env[] = { "WEFT_SLOT_MAX=1024", "WEFT_CHUNK=256",
			       "WEFT_ARENA_MAX=64m", NULL };
	struct shared shared = { seed % ranks, seed % 7, way };
	struct wf_sim_options options;

	wf_sim_options_init(&options, ranks, (uint64_t)seed);
	wf_sim_options_vary(&options);
	options.environ = env;
	if (!sim_flow_run(&options, program, &shared))
		tap_diag("way %d", way);
}

static void all_seeds(enum way way)
{
	long seeds = tap_figure("SEEDS", 60);
	long first = tap_figure("FIRST_SEED", 1);

	for (long seed = first; seed < first + seeds; seed++)
		run(2 + (int)(seed % (MOST - 1)), (int)seed, way);
}

static void closes(void)
{
	all_seeds(CLOSES);
}

static void frees_and_closes(void)
{
	all_seeds(FREES_AND_CLOSES);
}

static void frees_and_stays(void)
{
	all_seeds(FREES_AND_STAYS);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a rank closes its job while others wait for it", closes },
		{ "it gives the graph up before that", frees_and_closes },
		{ "it gives the graph up and stays", frees_and_stays },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
