/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a program did not give back when it closes its job: persistent requests
 * that were never started, are complete, or are still active; nonblocking ones,
 * more than a graph keeps plans for; graphs, freed and not, at some ranks only.
 * All memory comes back, and what was active has arrived.
 */
#include "tests/fail_malloc.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"
#include "topo/graph.h"

enum {
	ACTIVE = 0,
	COMPLETE,
	IDLE,
	PERSISTENT,
	PARCELS = PERSISTENT + WF_GRAPH_PLANS + 3
};

static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	(void)from;
	(void)to;
	(void)k;
	return (size_t)round * 150 % shape->most;
}

static const struct sim_flow_shape shape = { sim_edges_all, bytes, 4000, 0 };

static void prepare(struct sim_parcel *parcel, int round)
{
	sim_parcel_fill(parcel, round);
	if (weft_neighbor_alltoallv_init(parcel->flow->graph, &parcel->out,
					 &parcel->in, &parcel->req))
		wf_sim_fail(parcel->flow->rank, "no request");
}

static void start(struct sim_parcel *parcel)
{
	if (weft_request_start(parcel->req))
		wf_sim_fail(parcel->flow->rank, "cannot start");
}

static void await(struct sim_parcel *parcel)
{
	if (weft_request_wait(parcel->req))
		wf_sim_fail(parcel->flow->rank, "%s",
			    weft_error_text(parcel->flow->job));
}

/* None of these requests is given back. */
static void use(struct sim_parcel *parcel)
{
	for (int i = PERSISTENT; i < PARCELS; i++)
		sim_parcel_start(&parcel[i], i);
	for (int i = PERSISTENT; i < PARCELS; i++)
		await(&parcel[i]);
	for (int i = 0; i < PERSISTENT; i++)
		prepare(&parcel[i], i + 1);
	start(&parcel[COMPLETE]);
	await(&parcel[COMPLETE]);
	start(&parcel[ACTIVE]);
}

static void leaves_all(struct wf_sim_rank *rank, void *arg)
{
	const bool *freed = arg;
	struct sim_parcel parcel[PARCELS];
	struct sim_flow flow;

	if (!sim_flow_join(&flow, &shape, rank))
		return;
	for (int i = 0; i < PARCELS; i++)
		if (!sim_parcel_init(&parcel[i], &flow, false))
			return;
	use(parcel);
	if (*freed)
		sim_flow_close(&flow);
	if (weft_job_close(flow.job))
		wf_sim_fail(rank, "cannot close the job");
	for (int i = 0; i < PARCELS; i++) {
		if (i != IDLE)
			sim_parcel_check(&parcel[i]);
		sim_parcel_fini(&parcel[i]);
	}
}

static void runs(bool freed)
{
	for (int ranks = 1; ranks <= 4; ranks++) {
		fail_malloc_at(0);
		if (!sim_flow_seeds(ranks, 10, sim_small_env, leaves_all,
				    &freed) ||
		    !TAP_EQUAL(fail_malloc_blocks(), 0))
			return;
	}
}

static void with_a_graph(void)
{
	runs(false);
}

static void with_a_graph_that_was_freed(void)
{
	runs(true);
}

/* ---- each rank frees another graph ---- */

static void exchange(struct sim_flow *flow, size_t expected)
{
	struct sim_parcel parcel;
	int status;

	if (!sim_parcel_init(&parcel, flow, false))
		return;
	sim_parcel_fill(&parcel, 20);
	for (int e = 0; e < flow->nin; e++)
		parcel.recv_bytes[e] = expected;
	status = weft_neighbor_alltoallv(flow->graph, &parcel.out, &parcel.in);
	if (!status != (expected == bytes(&shape, 0, 0, 0, 20)))
		wf_sim_fail(flow->rank, "an exchange: %s",
			    weft_status_name(status));
	sim_parcel_fini(&parcel);
}

static void frees_one(struct wf_sim_rank *rank, void *arg)
{
	const size_t *expected = arg;
	struct sim_flow flow[2];
	bool odd = wf_sim_rank(rank) % 2;

	if (!sim_flow_join(&flow[0], &shape, rank) ||
	    !sim_flow_open(&flow[1], &shape, rank, flow[0].job))
		return;
	exchange(&flow[0], *expected);
	exchange(&flow[1], bytes(&shape, 0, 0, 0, 20));
	sim_flow_close(&flow[odd]);
	if (weft_job_close(flow[0].job))
		wf_sim_fail(rank, "cannot close the job");
}

static void crosswise(void)
{
	/* as many as are sent, and fewer: then an operation has failed */
	size_t expected[] = { bytes(&shape, 0, 0, 0, 20), 8 };

	for (int i = 0; i < TAP_COUNT(expected); i++)
		for (int ranks = 2; ranks <= 4; ranks++)
			sim_flow_seeds(ranks, 5, sim_small_env, frees_one,
				       &expected[i]);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "with a graph", with_a_graph },
		{ "with a graph that was freed", with_a_graph_that_was_freed },
		{ "each frees another graph", crosswise }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
