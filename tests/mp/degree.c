/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank of many edges: the first exchange of a graph opens them by mails, and
 * a pass over the pollers looks at all that are not open yet.  So there are
 * much fewer passes than rings full of mails.  Passes are counted, as time is
 * everybody's.
 */
#include <weft.h>
#include "job/job.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

enum {
	DEGREE = 16000,
	PASSES = 16			/* seven; a ring takes some 50 mails */
};

static struct weft_job *job;
static int passes;

static bool count(struct wf_poller *poller)
{
	(void)poller;
	passes++;
	return false;
}

static int nobody(struct wf_poller *poller, int *cursor)
{
	(void)poller;
	(void)cursor;
	return -1;
}

/* Passes of an exchange of 8 bytes; all edges lead back to here. */
static int exchange(struct weft_comm *graph)
{
	static size_t counts[DEGREE];
	static ptrdiff_t displs[DEGREE];
	static int out[2 * DEGREE], in[2 * DEGREE];
	struct wf_poller counter = { .poll = count, .waits_for = nobody };
	struct weft_vec from = { .base = out, .type = &weft_type_int32,
				 .counts = counts, .displs = displs };
	struct weft_vec to = from;

	for (int i = 0; i < DEGREE; i++) {
		counts[i] = 2;
		displs[i] = 2 * i;
		out[2 * i] = out[2 * i + 1] = i + 1;
	}
	memset(in, 0, sizeof(in));
	to.base = in;
	passes = 0;
	wf_poller_add(job, &counter);
	TAP_EQUAL(weft_neighbor_alltoallv(graph, &from, &to), WEFT_OK);
	wf_poller_del(job, &counter);
	TAP_EQUAL(memcmp(out, in, sizeof(out)), 0);
	return passes;
}

static void first_exchange(void)
{
	static int self[DEGREE];
	struct weft_edges edges = { DEGREE, self, NULL };
	struct weft_comm *graph = NULL;
	int first;

	TAP_EQUAL(weft_graph_create_adjacent(weft_job_world(job), &edges,
					     &edges, NULL, false, &graph),
		  WEFT_OK);
	first = exchange(graph);
	tap_diag("%d edges: %d passes, and %d once they are open", DEGREE,
		 first, exchange(graph));
	TAP_CHECK(first <= PASSES);
	TAP_EQUAL(weft_comm_free(&graph), WEFT_OK);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "the first exchange passes over its edges a few times",
		  first_exchange }
	};
	int failed;

	if (setenv("WEFT_BOOT", "solo", 1) || weft_job_open(NULL, &job))
		return 1;
	failed = tap_run(argc, argv, cases, TAP_COUNT(cases));
	return weft_job_close(job) ? 1 : failed;
}
