/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A graph that one rank has not got, in a job that does not agree on it
 * (WEFT_CHECK=0): that rank never made any exchange set, and still answers
 * whoever asks it about the edges, so that nobody waits for ever.
 */
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	MS = 1000000,
	LATE = 400,		/* ms: a question may have come by then */
	END = 5000		/* ms: rank 1 closes, which ends any wait */
};

static char *env[] = {
	"WEFT_CHECK=0", "WEFT_ARENA=64k", "WEFT_ARENA_MAX=64m", NULL
};

static int down(int from, int to, int ranks)
{
	(void)ranks;
	return from == 0 && to == 1;
}

static int up(int from, int to, int ranks)
{
	(void)ranks;
	return from == 1 && to == 0;
}

/* variant 0: a line, 1: a slot, 2: large */
static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	static const size_t of[] = { 20, 2000, 100000 };

	(void)from;
	(void)to;
	(void)k;
	(void)round;
	return of[shape->variant];
}

/* Its arguments are bad, early or late, and it stays for a while. */
static void without(struct wf_sim_rank *rank,
		    const struct sim_flow_shape *shape)
{
	const int nobody = 7;
	struct weft_edges bad = { 1, &nobody, NULL }, none = { 0, NULL, NULL };
	struct sim_flow flow = { .shape = shape, .rank = rank };
	uint64_t end = wf_sim_now(rank) + (uint64_t)END * MS;

	if (wf_sim_job_open(rank, &flow.job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	sim_flow_compute(&flow, wf_sim_seed(rank) % LATE * MS);
	if (weft_graph_create_adjacent(weft_job_world(flow.job), &bad, &none,
				       NULL, false, &flow.graph) !=
	    WEFT_ERR_ARG)
		wf_sim_fail(rank, "a graph with rank %d", nobody);
	while (wf_sim_now(rank) < end)
		sim_flow_settle(&flow);
	if (weft_job_close(flow.job))
		wf_sim_fail(rank, "cannot close the job");
}

static void with(struct wf_sim_rank *rank, const struct sim_flow_shape *shape)
{
	struct sim_parcel p;
	struct sim_flow flow;
	int status;

	if (!sim_flow_join(&flow, shape, rank) ||
	    !sim_parcel_init(&p, &flow, false))
		return;
	sim_parcel_fill(&p, 0);
	status = weft_neighbor_alltoallv(flow.graph, &p.out, &p.in);
	if (status != WEFT_ERR_GRAPH)
		wf_sim_fail(rank, "%s: %s", weft_status_name(status),
			    weft_error_text(flow.job));
	sim_parcel_fini(&p);
	sim_flow_part(&flow);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	if (wf_sim_rank(rank))
		without(rank, arg);
	else
		with(rank, arg);
}

static void run(int (*edges)(int from, int to, int ranks))
{
	for (int v = 0; v < 3; v++) {
		struct sim_flow_shape shape = { edges, bytes, 100000, v };

		if (!sim_flow_seeds(2, 20, env, program, &shape))
			return;
	}
}

static void sender_asks(void)
{
	run(down);
}

static void receiver_asks(void)
{
	run(up);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "its sender asks", sender_asks },
		{ "its receiver asks", receiver_asks }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
