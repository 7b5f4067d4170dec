/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A sender goes on while its receiver computes, until an exchange that has the
 * place of one the receiver has not completed finds that somebody has left.
 * Then the receiver asks about that older one, since its own call is refused:
 * the sender still knows what became of it, and of its own that failed.
 */
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	TAKEN = 8,		/* rounds that the receiver takes */
	AHEAD = 4,		/* that go behind those without a credit */
	MOST = 700,
	MS = 1000000
};

static bool answered;		/* the receiver, in this run */

/* The sender, its receiver, and one that leaves. */
static int edges(int from, int to, int ranks)
{
	(void)ranks;
	return (from == 0 && to == 1) || (from == 2 && to == 0);
}

/* Variant 0: lines, 1: slots. */
static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	(void)to;
	(void)k;
	(void)round;
	return from == 0 && shape->variant ? 200 : 8;
}

static void expect(struct sim_flow *flow, int status, int wanted)
{
	if (status != wanted)
		wf_sim_fail(flow->rank, "%s, not %s",
			    weft_status_name(status),
			    weft_status_name(wanted));
}

static void exchanges(struct sim_parcel *p, int from, int end)
{
	for (int round = from; round < end; round++)
		sim_parcel_exchange(p, round);
}

/* Once it has left nobody would have to ask it. */
static void send_ahead(struct sim_parcel *p)
{
	answered = false;
	exchanges(p, 0, TAKEN + AHEAD);
	sim_parcel_fill(p, TAKEN + AHEAD);
	expect(p->flow, weft_neighbor_alltoallv(p->flow->graph, &p->out,
						&p->in), WEFT_ERR_PEER);
	while (!answered)
		sim_flow_settle(p->flow);
}

/* What comes behind the refused one is there, but for the one that failed. */
static void receive_late(struct sim_parcel *p)
{
	const struct weft_type *type = p->in.type;

	exchanges(p, 0, TAKEN);
	sim_flow_settle(p->flow);	/* all credits are paid */
	sim_flow_compute(p->flow, 100 * MS);
	p->in.type = NULL;
	expect(p->flow, weft_neighbor_alltoallv(p->flow->graph, &p->out,
						&p->in), WEFT_ERR_ARG);
	p->in.type = type;
	exchanges(p, TAKEN + 1, TAKEN + AHEAD);
	expect(p->flow, weft_neighbor_alltoallv(p->flow->graph, &p->out,
						&p->in), WEFT_ERR_PEER);
	answered = true;
}

static void leave(struct sim_parcel *p)
{
	exchanges(p, 0, TAKEN + AHEAD);
	sim_flow_settle(p->flow);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	static void (*const part[])(struct sim_parcel *p) = {
		send_ahead, receive_late, leave
	};
	struct sim_parcel p;
	struct sim_flow flow;

	if (!sim_flow_join(&flow, arg, rank) ||
	    !sim_parcel_init(&p, &flow, true))
		return;
	part[flow.me](&p);
	sim_parcel_fini(&p);
	if (weft_job_close(flow.job))
		wf_sim_fail(rank, "cannot close the job");
}

/* What goes ahead is not too much for one that does not look. */
static void refuse_nothing(struct wf_sim_options *options)
{
	options->again_one_in = 0;
	options->tx_depth = 32;
}

static void run(int variant)
{
	struct sim_flow_shape shape = { edges, bytes, MOST, variant };

	sim_flow_seeds_set(3, 100, sim_small_env, refuse_nothing, program,
			   &shape);
}

static void lines(void)
{
	run(0);
}

static void slots(void)
{
	run(1);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "asked about a line behind which an exchange failed", lines },
		{ "asked about a slot behind which an exchange failed", slots }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
