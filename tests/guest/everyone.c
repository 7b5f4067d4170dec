/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each rank exchanges with each, by lines and by slots, every byte checked: a
 * rank of the jobs of rdma_jobs.t, in which all are connected to all. While
 * they are, the last rank runs the command that is the program's argument.
 */
#include <stdio.h>
#include <stdlib.h>
#include <weft.h>

#include "tests/mp/full_graph.h"

enum {
	ROUNDS = 2
};

static int exchange(struct full_graph *g)
{
	static const size_t bytes[] = { 8, 2000 };
	int status = WEFT_OK;

	for (int i = 0; !status && i < 2; i++) {
		status = full_graph_shape(g, bytes[i], true);
		for (int round = 0; !status && round < ROUNDS; round++)
			status = full_graph_round(g, round);
	}
	return status;
}

int main(int argc, char **argv)
{
	struct full_graph g;
	struct weft_job *job;
	int status = weft_job_open(NULL, &job), shown = 0;

	if (status)
		return 1;
	status = full_graph_open(&g, weft_job_world(job));
	if (!status)
		status = exchange(&g);
	if (!status && argc == 2 && g.me == g.n - 1)
		shown = system(argv[1]);
	if (!status)
		status = weft_barrier(weft_job_world(job));
	if (status)
		fprintf(stderr, "# %s\n", weft_error_text(job));
	else if (g.me == 0)
		printf("%d ranks, each with each\n", g.n);
	full_graph_close(&g);
	return weft_job_close(job) || status || shown;
}
