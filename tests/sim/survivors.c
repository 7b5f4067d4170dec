/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank dies at a random moment of a loop of exchanges, allreduces and
 * barriers: every survivor gets WEFT_ERR_PEER naming it and can close its job,
 * and nothing that the dead one had sent lands in memory given back.
 */
#include <weft.h>
#include "tests/sim/sim_job.h"
#include "tests/tap.h"

enum {
	ROUNDS = 2000,		/* more than the ops that a victim lives for */
	LARGE = 5000
};

struct shared {
	int victim;
	int told;		/* survivors that heard its name */
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

/* One round; the status of the call that failed. */
static int work(struct weft_comm *world, struct weft_comm *graph,
		struct buffers *b, int round)
{
	static const size_t bytes[] = { 8, 300, LARGE };
	double one = 1, sum;

	b->counts[0] = b->counts[1] = bytes[round % 3];
	switch (round % 5) {
	case 3:
		return weft_barrier(world);
	case 4:
		return weft_allreduce(world, &one,
				      weft_part(&sum, 1, &weft_type_double),
				      &weft_op_sum);
	default:
		return weft_neighbor_alltoallv(graph, &b->out, &b->in);
	}
}

static bool knows_only(struct weft_job *job, int victim)
{
	const int *ranks;
	int n;

	return !weft_job_failed(job, &ranks, &n) && n == 1 &&
	       ranks[0] == victim;
}

/* The failed call has given the memory back: nothing of the dead comes. */
static void watch_memory(struct wf_sim_rank *rank, const struct buffers *b)
{
	/* Far beyond any delay; those who spin meanwhile are no hang. */
	uint64_t until = wf_sim_now(rank) + UINT64_C(200000000);

	memset(b->recv, 0x5a, 2 * LARGE);
	while (wf_sim_now(rank) < until)
		wf_sim_idle(rank, until);
	for (int i = 0; i < 2 * LARGE; i++) {
		if (b->recv[i] == 0x5a)
			continue;
		wf_sim_fail(rank, "byte %d was written after the call", i);
		return;
	}
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct shared *shared = arg;
	int me = wf_sim_rank(rank), n = wf_sim_size(rank), status = WEFT_OK;
	int ranks[2] = { (me + 1) % n, (me + n - 1) % n };
	struct weft_edges edges = { 2, ranks, NULL };
	struct weft_comm *graph = NULL;
	struct weft_job *job;
	struct buffers b;
	char name[16];

	if (wf_sim_job_open(rank, &job) || make_buffers(job, &b)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	status = weft_graph_create_adjacent(weft_job_world(job), &edges,
					    &edges, NULL, false, &graph);
	for (int round = 0; !status && round < ROUNDS; round++)
		status = work(weft_job_world(job), graph, &b, round);
	snprintf(name, sizeof(name), "rank %d ", shared->victim);
	if (status != WEFT_ERR_PEER || !strstr(weft_error_text(job), name))
		wf_sim_fail(rank, "%s: %s", weft_status_name(status),
			    weft_error_text(job));
	else if (!knows_only(job, shared->victim))
		wf_sim_fail(rank, "the dead one is not the only dead");
	else
		shared->told++;
	watch_memory(rank, &b);
	if (graph && weft_comm_free(&graph))
		wf_sim_fail(rank, "cannot free the graph");
	if (weft_job_close(job) != WEFT_ERR_PEER)
		wf_sim_fail(rank, "the close does not tell of the dead");
}

static void run(int ranks, int seed)
{
	static char *env[] = { "WEFT_SLOT_MAX=1024", "WEFT_CHUNK=256",
			       "WEFT_ARENA_MAX=64m", NULL };
	struct wf_sim_options options;
	struct wf_sim_result result;
	struct shared shared = { .told = 0 };

	wf_sim_options_init(&options, ranks, (uint64_t)seed);
	wf_sim_options_vary(&options);
	options.environ = env;
	options.kill_rank = seed % ranks;
	/* After the job is open: before, WEFT_TIMEOUT ends it. */
	options.kill_event = 200 + (uint64_t)(seed * 7919 % 1500);
	shared.victim = options.kill_rank;
	if (!TAP_EQUAL(wf_sim_run(&options, program, &shared, &result),
		       WEFT_OK))
		return;
	if (!TAP_EQUAL(result.violations, 0) ||
	    !TAP_EQUAL(result.killed, shared.victim) ||
	    !TAP_EQUAL(shared.told, ranks - 1))
		tap_diag("%d ranks, seed %d: %s", ranks, seed, result.text);
}

static void every_survivor_hears_the_name(void)
{
	int n = (int)tap_figure("SEEDS", 20);
	int first = (int)tap_figure("FIRST_SEED", 0);

	for (int ranks = 2; ranks <= 9; ranks++)
		for (int seed = first; seed < first + n; seed++)
			run(ranks, seed);
}

static void of_up_to_64(void)
{
	int n = ((int)tap_figure("SEEDS", 20) + 99) / 100;
	int first = (int)tap_figure("FIRST_SEED", 0);

	for (int ranks = 10; ranks <= 64; ranks++)
		for (int seed = first; seed < first + n; seed++)
			run(ranks, seed + ranks);
}

/*
 * One seed each, in a long run, too, and the usual one is of an early death:
 * thousands of ranks take seconds.
 */
static void of_thousands(void)
{
	static const int large[] = { 127, 128, 1000, 4096 };
	int first = (int)tap_figure("FIRST_SEED", 0);
	int most = (int)tap_figure("MOST_RANKS", 4096);

	for (int i = 0; i < TAP_COUNT(large) && large[i] <= most; i++)
		run(large[i], first);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "every survivor hears the name of the dead",
		  every_survivor_hears_the_name },
		{ "of up to 64 ranks", of_up_to_64 },
		{ "of up to 4096", of_thousands }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
