/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mails that come before the object that they are for: a rank makes a graph
 * late, while its neighbours exchange and reduce on theirs.  The mails are
 * parked whole, and delivered in order when the graph, or its collectives,
 * come to be; none is left.
 */
#include "comm/comm.h"
#include "tests/fail_malloc.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	ROUNDS = 6
};

/* Without its closing allreduce a graph is made by each rank for itself. */
static char *env[] = {
	"WEFT_CHECK=0", "WEFT_LINE_MAX=28", "WEFT_SLOT_MAX=256",
	"WEFT_CHUNK=64", "WEFT_ARENA=64k", "WEFT_ARENA_MAX=64m", NULL
};

static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	static const size_t any[] = { 8, 200, 0, 700, 28, 29, 256, 257 };

	return any[(from + 2 * to + k + round + shape->variant) % 8];
}

struct shared {
	struct sim_flow_shape shape;
	uint64_t most_parked;
};

/* Others go on; what they mail is looked at all the same. */
static void come_late(struct sim_flow *flow, struct shared *shared)
{
	const struct wf_contexts *ctx = wf_contexts(flow->job);

	sim_flow_settle(flow);
	if (ctx->nparked > shared->most_parked)
		shared->most_parked = ctx->nparked;
}

static void reduce(struct sim_flow *flow, int64_t round)
{
	int64_t sum = 0, n = wf_sim_size(flow->rank);
	int64_t mine = round + flow->me;
	int status = weft_allreduce(flow->graph, &mine,
				    weft_part(&sum, 1, &weft_type_int64),
				    &weft_op_sum);

	if (status || sum != n * round + n * (n - 1) / 2)
		wf_sim_fail(flow->rank, "allreduce %lld: %s, %lld",
			    (long long)round, weft_status_name(status),
			    (long long)sum);
}

static void finish(struct sim_flow *flow)
{
	for (int i = 0; i < 8; i++)
		if (weft_barrier(weft_job_world(flow->job)))
			wf_sim_fail(flow->rank, "no barrier");
	sim_flow_settle(flow);
	if (wf_contexts(flow->job)->nparked)
		wf_sim_fail(flow->rank, "%llu mails are still parked",
			    (unsigned long long)
			    wf_contexts(flow->job)->nparked);
	sim_flow_part(flow);
}

static void graph(struct wf_sim_rank *rank, void *arg)
{
	struct shared *shared = arg;
	struct sim_flow flow = { .rank = rank };
	struct sim_parcel parcel;

	if (wf_sim_job_open(rank, &flow.job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	if (wf_sim_rank(rank) == wf_sim_size(rank) - 1)
		come_late(&flow, shared);
	if (!sim_flow_open(&flow, &shared->shape, rank, flow.job) ||
	    !sim_parcel_init(&parcel, &flow, flow.me % 2))
		return;
	for (int i = 0; i < ROUNDS; i++)
		sim_parcel_exchange(&parcel, i);
	sim_parcel_fini(&parcel);
	finish(&flow);
}

static void collective(struct wf_sim_rank *rank, void *arg)
{
	struct shared *shared = arg;
	struct sim_flow flow;

	if (!sim_flow_join(&flow, &shared->shape, rank))
		return;
	if (flow.me == wf_sim_size(rank) - 1)
		come_late(&flow, shared);
	for (int i = 0; i < ROUNDS; i++)
		reduce(&flow, i);
	finish(&flow);
}

static void run(void (*program)(struct wf_sim_rank *rank, void *arg),
		int (*edges)(int from, int to, int ranks))
{
	struct shared shared = { { edges, bytes, 700, 0 }, 0 };

	for (int ranks = 2; ranks <= 6; ranks++) {
		shared.shape.variant = ranks;
		if (!sim_flow_seeds(ranks, 15, env, program, &shared))
			return;
	}
	TAP_CHECK(shared.most_parked >= 5);
}

static void a_graph(void)
{
	run(graph, sim_edges_all);
}

static void a_one_way_graph(void)
{
	run(graph, sim_edges_later);
}

static void collectives(void)
{
	struct shared shared = { { sim_edges_all, bytes, 700, 0 }, 0 };

	for (int ranks = 2; ranks <= 6; ranks++)
		if (!sim_flow_seeds(ranks, 15, env, collective, &shared))
			return;
	TAP_CHECK(shared.most_parked >= 5);
}

/* The late rank's graph does not come to be; variant 1: no memory for it. */
static void fail_late(struct sim_flow *flow, const struct shared *shared)
{
	struct weft_edges none = { shared->shape.variant ? 0 : -1, NULL, NULL };
	int wanted = shared->shape.variant ? WEFT_ERR_NOMEM : WEFT_ERR_ARG;
	int status;

	if (shared->shape.variant)
		fail_malloc_once(1);
	status = weft_graph_create_adjacent(weft_job_world(flow->job), &none,
					    &none, NULL, false, &flow->graph);
	fail_malloc_once(0);
	if (status != wanted)
		wf_sim_fail(flow->rank, "created: %s",
			    weft_status_name(status));
	if (wf_contexts(flow->job)->nparked)
		wf_sim_fail(flow->rank, "%llu mails are still parked",
			    (unsigned long long)
			    wf_contexts(flow->job)->nparked);
}

static void graph_fails(struct wf_sim_rank *rank, void *arg)
{
	struct shared *shared = arg;
	struct sim_flow flow = { .rank = rank };
	struct sim_parcel p;
	int status;

	if (wf_sim_job_open(rank, &flow.job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	if (weft_barrier(weft_job_world(flow.job)))
		wf_sim_fail(rank, "no barrier");
	if (wf_sim_rank(rank)) {
		sim_flow_compute(&flow, 300000000);
		come_late(&flow, shared);
		fail_late(&flow, shared);
	} else if (sim_flow_open(&flow, &shared->shape, rank, flow.job) &&
		   sim_parcel_init(&p, &flow, false)) {
		sim_parcel_fill(&p, 0);
		status = weft_neighbor_alltoallv(flow.graph, &p.out, &p.in);
		if (status != WEFT_ERR_GRAPH)
			wf_sim_fail(rank, "%s", weft_status_name(status));
		sim_parcel_fini(&p);
		sim_flow_close(&flow);
	}
	if (weft_job_close(flow.job))
		wf_sim_fail(rank, "cannot close the job");
}

static void no_graph(void)
{
	struct shared shared = { { sim_edges_all, bytes, 700, 0 }, 0 };

	for (int v = 0; v < 2; v++) {
		shared.shape.variant = v;
		if (!sim_flow_seeds(2, 30, env, graph_fails, &shared))
			return;
	}
	TAP_CHECK(shared.most_parked >= 2);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "for a graph that comes late", a_graph },
		{ "for a graph without reverse edges", a_one_way_graph },
		{ "for the first collective of a communicator", collectives },
		{ "for a graph that does not come", no_graph }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
