/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A sender goes on while its receiver computes, until an exchange that has the
 * place of one the receiver has not completed finds that somebody has left.
 * Then the receiver asks about that older one, since its own call is refused:
 * the sender still knows what became of it, and of its own that failed, also if
 * it is asked for that by one who takes back its memory after a death.
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

/* The sender, its receiver, one that leaves, and one that may die. */
static int edges(int from, int to, int ranks)
{
	(void)ranks;
	return (from == 0 && to == 1) || (from == 2 && to == 0);
}

enum { LINES, SLOTS, DEATH };	/* and a large one behind lines */


static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	(void)to;
	(void)k;
	if (shape->variant == DEATH && round == TAKEN + AHEAD)
		return MOST;
	return from == 0 && shape->variant == SLOTS ? 200 : 8;
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
	while (!answered) {
		int status = weft_job_progress(p->flow->job);

		if (status)
			expect(p->flow, status, WEFT_ERR_PEER);
		sim_flow_compute(p->flow, 10000);
	}
}

static void refuse_one(struct sim_parcel *p)
{
	const struct weft_type *type = p->in.type;

	p->in.type = NULL;
	expect(p->flow, weft_neighbor_alltoallv(p->flow->graph, &p->out,
						&p->in), WEFT_ERR_ARG);
	p->in.type = type;
}

/* What comes behind the refused one is there, but for the one that failed. */
static void receive_late(struct sim_parcel *p)
{
	bool dies = p->flow->shape->variant == DEATH;

	exchanges(p, 0, TAKEN);
	sim_flow_settle(p->flow);	/* all credits are paid */
	sim_flow_compute(p->flow, 100 * MS);
	if (!dies)
		refuse_one(p);
	exchanges(p, TAKEN + !dies, TAKEN + AHEAD);
	sim_parcel_fill(p, TAKEN + AHEAD);
	expect(p->flow, weft_neighbor_alltoallv(p->flow->graph, &p->out,
						&p->in), WEFT_ERR_PEER);
	answered = true;
}

static void leave(struct sim_parcel *p)
{
	exchanges(p, 0, TAKEN + AHEAD);
	sim_flow_settle(p->flow);
}

/* Before the receiver would have asked. */
static void die(struct sim_parcel *p)
{
	if (p->flow->shape->variant != DEATH)
		return;
	sim_flow_compute(p->flow, 200 * MS);
	wf_sim_die(p->flow->rank);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	static void (*const part[])(struct sim_parcel *p) = {
		send_ahead, receive_late, leave, die
	};
	int status;
	struct sim_parcel p;
	struct sim_flow flow;

	if (!sim_flow_join(&flow, arg, rank) ||
	    !sim_parcel_init(&p, &flow, true))
		return;
	part[flow.me](&p);
	sim_parcel_fini(&p);
	status = weft_job_close(flow.job);
	if (status && (flow.shape->variant != DEATH ||
		       status != WEFT_ERR_PEER))
		wf_sim_fail(rank, "cannot close the job");
}

/* What goes ahead is not too much for one that does not look. */
static void refuse_nothing(struct wf_sim_options *options)
{
	options->again_one_in = 0;
	options->tx_depth = 32;
}

static void one_may_die(struct wf_sim_options *options)
{
	refuse_nothing(options);
	options->kill_rank = 3;
	options->no_fence = false;
}

static void run(int variant)
{
	struct sim_flow_shape shape = { edges, bytes, MOST, variant };

	sim_flow_seeds_set(4, 100, sim_small_env,
			   variant == DEATH ? one_may_die : refuse_nothing,
			   program, &shape);
}

static void lines(void)
{
	run(LINES);
}

static void slots(void)
{
	run(SLOTS);
}

static void offered_memory(void)
{
	run(DEATH);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "asked about a line behind which an exchange failed", lines },
		{ "asked about a slot behind which an exchange failed", slots },
		{ "memory offered to the one that failed", offered_memory }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
