/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank of a job that makes graphs of edges that any rank gives; exchange.t
 * starts it.
 *
 *     given_rank SEED GRAPHS
 *
 * Exit code 1 if anything was wrong at this rank.
 */
#include <stdio.h>
#include <stdlib.h>
#include <weft.h>

#include "tests/exchange/given_graph.h"

static struct weft_job *job;
static int failures;

static void report(void *arg, const char *text)
{
	(void)arg;
	printf("# rank %d: %s\n", weft_job_rank(job), text);
	fflush(stdout);
	failures++;
}

/* Degrees from 0 to about twice the number of ranks. */
static void play(uint64_t seed)
{
	const struct given_rule rule = {
		.ranks = weft_job_size(job), .nodes = 6, .degree = 5,
		.most_bytes = 20000, .seed = seed
	};
	struct given_model model;
	struct given_rank rank = {
		.model = &model, .comm = weft_job_world(job),
		.me = weft_job_rank(job), .agrees = true, .fail = report
	};

	given_init(&model, &rule);
	given_play(&rank);
	given_fini(&model);
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	uint64_t graphs = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;

	if (weft_job_open(NULL, &job))
		return 1;
	for (uint64_t i = 0; i < graphs && !failures; i++)
		play(1000 * seed + i);
	/* the others of a failed rank cannot go on: weftrun ends them */
	if (failures)
		weft_job_abort(job, 1, "a graph, or what went along its edges");
	return weft_job_close(job) != WEFT_OK;
}
