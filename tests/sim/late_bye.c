/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank that makes contact with one which closes gets a bye, and the other
 * does not wait for its own: so it must not wait until that can be sent, for
 * its mails may have used all credits and nobody reads them any more.
 */
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum { CLOSER, COMPANION, LATECOMER, RANKS, US = 1000 };

#define S UINT64_C(1000000000)

/* As those two see it, */
static int pair(int from, int to, int ranks)
{
	(void)ranks;
	return from != LATECOMER && to != LATECOMER && from != to;
}

/* and as it sees it: enough mails for all credits. */
static int many(int from, int to, int ranks)
{
	(void)ranks;
	return from == LATECOMER && to == CLOSER ? SIM_FLOW_EDGES : 0;
}

static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	(void)shape;
	(void)from;
	(void)to;
	(void)k;
	(void)round;
	return 8;
}

/*
 * While the closer waits for its companion, or a little before or after; if the
 * variant says for how many seconds it computes then, for sure while it waits.
 */
static void come_late(struct sim_flow *flow, struct sim_parcel *p)
{
	int status;

	if (flow->shape->variant)
		sim_flow_compute(flow, 50000 * US);
	sim_flow_compute(flow, wf_sim_seed(flow->rank) % (60 * US));
	sim_parcel_fill(p, 0);
	status = weft_neighbor_alltoallv(flow->graph, &p->out, &p->in);
	if (status != WEFT_ERR_PEER)
		wf_sim_fail(flow->rank, "%s: %s", weft_status_name(status),
			    weft_error_text(flow->job));
	sim_flow_compute(flow, (uint64_t)flow->shape->variant * S);
}

static void close_soon(struct sim_flow *flow)
{
	uint64_t start = wf_sim_now(flow->rank);

	if (weft_job_close(flow->job))
		wf_sim_fail(flow->rank, "cannot close the job");
	if (flow->me == CLOSER && wf_sim_now(flow->rank) - start > S)
		wf_sim_fail(flow->rank, "waits for one that came late");
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct sim_flow_shape *shapes = arg;
	bool late = wf_sim_rank(rank) == LATECOMER;
	struct sim_parcel p;
	struct sim_flow flow;

	if (!sim_flow_join(&flow, &shapes[late], rank) ||
	    !sim_parcel_init(&p, &flow, true))
		return;
	if (late)
		come_late(&flow, &p);
	else
		sim_parcel_exchange(&p, 0);
	if (flow.me == COMPANION)
		sim_flow_compute(&flow, (shapes->variant ? 100000 : 30) * US);
	sim_parcel_fini(&p);
	close_soon(&flow);
}

static void nobody_waits_for_it(void)
{
	struct sim_flow_shape shapes[] = {
		{ pair, bytes, 8, 0 }, { many, bytes, 8, 0 }
	};

	sim_flow_seeds(RANKS, 300, sim_unchecked_env, program, shapes);
}

static void nor_while_it_computes(void)
{
	struct sim_flow_shape shapes[] = {
		{ pair, bytes, 8, 10 }, { many, bytes, 8, 10 }
	};

	sim_flow_seeds(RANKS, 300, sim_unchecked_env, program, shapes);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "nobody reads its mails any more", nobody_waits_for_it },
		{ "nor while it computes", nor_while_it_computes }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
