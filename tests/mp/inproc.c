/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ranks of a job as threads of one process, one job each: everything that
 * processes do over shared memory, where ThreadSanitizer sees it.
 */
#include <pthread.h>
#include "tests/mp/full_graph.h"
#include "tests/tap.h"

enum {
	MOST = 8,			/* ranks */
	WORDS = 700			/* of the longest allreduce */
};

struct rank {
	pthread_t thread;
	struct weft_inproc *inproc;
	int rank, rounds;
	void (*program)(struct rank *rank, struct weft_job *job);
};

static void *rank_main(void *arg)
{
	struct rank *rank = arg;
	struct weft_job_options options;
	struct weft_job *job;

	weft_job_options_init(&options, sizeof(options));
	options.inproc = rank->inproc;
	options.inproc_rank = rank->rank;
	if (!TAP_EQUAL(weft_job_open(&options, &job), WEFT_OK))
		return NULL;
	TAP_EQUAL(weft_job_rank(job), rank->rank);
	rank->program(rank, job);
	TAP_EQUAL(weft_job_close(job), WEFT_OK);
	return NULL;
}

static void run(int n, int rounds,
		void (*program)(struct rank *rank, struct weft_job *job))
{
	static struct rank rank[MOST];
	struct weft_inproc *inproc;

	if (!TAP_EQUAL(weft_inproc_create(n, &inproc), WEFT_OK))
		return;
	for (int r = 0; r < n; r++) {
		rank[r] = (struct rank){ .inproc = inproc, .rank = r,
			.rounds = rounds, .program = program };
		pthread_create(&rank[r].thread, NULL, rank_main, &rank[r]);
	}
	for (int r = 0; r < n; r++)
		pthread_join(rank[r].thread, NULL);
	weft_inproc_free(&inproc);
}

/* Each class of length, then all of them once more with what is there. */
static void exchange(struct rank *rank, struct weft_job *job)
{
	static const struct { size_t bytes; bool arena; } shape[] = {
		{ 8, false }, { 56, true }, { 57, false }, { 4096, true },
		{ 70000, true }, { 300000, false }
	};
	struct full_graph g;

	TAP_EQUAL(full_graph_open(&g, weft_job_world(job)), WEFT_OK);
	for (int i = 0; i < rank->rounds; i++) {
		int s = i % TAP_COUNT(shape);

		TAP_EQUAL(full_graph_shape(&g, shape[s].bytes,
					   shape[s].arena), WEFT_OK);
		TAP_EQUAL(full_graph_round(&g, i), WEFT_OK);
		TAP_EQUAL(full_graph_round(&g, i + 1), WEFT_OK);
	}
	TAP_EQUAL(full_graph_close(&g), WEFT_OK);
}

/* Of 1 word and of many, by mail at first and through slots later. */
static void reduce(struct rank *rank, struct weft_job *job)
{
	struct weft_comm *world = weft_job_world(job);
	int n = weft_job_size(job);
	static const size_t lengths[] = { 1, 7, 100, WORDS };
	int64_t in[WORDS], out[WORDS];

	for (int i = 0; i < rank->rounds; i++) {
		size_t words = lengths[i % 4];

		for (size_t w = 0; w < words; w++)
			in[w] = (int64_t)w * 100 + rank->rank + i;
		TAP_EQUAL(weft_allreduce(world, in,
					 weft_part(out, words,
						   &weft_type_int64),
					 &weft_op_sum), 0);
		for (size_t w = 0; w < words; w++)
			TAP_EQUAL(out[w], ((int64_t)w * 100 + i) * n +
				  n * (n - 1) / 2);
		TAP_EQUAL(weft_allreduce(world, in,
					 weft_part(out, words,
						   &weft_type_int64),
					 &weft_op_max), 0);
		TAP_EQUAL(out[words - 1], in[words - 1] - rank->rank + n - 1);
	}
}

/* Nobody leaves a barrier before all have come. */
static _Atomic int arrived[2];

static void meet(struct rank *rank, struct weft_job *job)
{
	struct weft_comm *world = weft_job_world(job);
	int n = weft_job_size(job);

	for (int i = 0; i < rank->rounds; i++) {
		atomic_fetch_add(&arrived[i % 2], 1);
		TAP_EQUAL(weft_barrier(world), WEFT_OK);
		TAP_EQUAL(atomic_load(&arrived[i % 2]), n);
		TAP_EQUAL(weft_barrier(world), WEFT_OK);
		if (rank->rank == 0)
			atomic_store(&arrived[i % 2], 0);
	}
}

static void of_all_sizes(int rounds, void (*program)(struct rank *rank,
						     struct weft_job *job))
{
	for (int n = 1; n <= MOST; n++)
		run(n, rounds, program);
}

static void exchanges(void)
{
	of_all_sizes(12, exchange);
}

static void reductions(void)
{
	of_all_sizes(16, reduce);
}

static void barriers(void)
{
	of_all_sizes(100, meet);
}

/* A rank that is gone while others come: jobs without a word between them. */
static void nothing(struct rank *rank, struct weft_job *job)
{
	(void)rank;
	(void)job;
}

static void opens_and_closes(void)
{
	for (int i = 0; i < 20; i++)
		run(MOST, 0, nothing);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "exchanges of all classes", exchanges },
		{ "allreduces", reductions },
		{ "barriers", barriers },
		{ "opens and closes", opens_and_closes },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
