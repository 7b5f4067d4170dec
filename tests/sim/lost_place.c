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

/* The sender, its receiver, one that leaves, one that may die or be late. */
static int edges(int from, int to, int ranks)
{
	(void)ranks;
	return (from == 0 && to == 1) || (from >= 2 && to == 0);
}

/*
 * What goes ahead; in the last two it is lines, and a large message is what
 * fails, because of a death, before it has begun or behind that.
 */
enum { LINES, SLOTS, OLDER, UNBEGUN, BEGUN };

static bool dies(const struct sim_flow_shape *shape)
{
	return shape->variant >= UNBEGUN;
}

static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	(void)to;
	(void)k;
	if (dies(shape) && round == TAKEN + AHEAD)
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
static void stay(struct sim_flow *flow)
{
	uint64_t end = wf_sim_now(flow->rank) + (uint64_t)10000 * MS;

	while (!answered && wf_sim_now(flow->rank) < end) {
		int status = weft_job_progress(flow->job);

		if (status)
			expect(flow, status, WEFT_ERR_PEER);
		sim_flow_compute(flow, 10000);
	}
	if (!answered)
		wf_sim_fail(flow->rank, "the receiver waits for an answer");
}

/* The last good one goes on beside the one that fails. */
static void send_beside(struct sim_parcel *p)
{
	struct sim_parcel older;

	if (!sim_parcel_init(&older, p->flow, true))
		return;
	sim_parcel_start(&older, TAKEN + AHEAD - 1);
	sim_parcel_start(p, TAKEN + AHEAD);
	expect(p->flow, weft_request_wait(p->req), WEFT_ERR_PEER);
	stay(p->flow);
	sim_parcel_wait(&older);
	if (weft_request_free(&p->req))
		wf_sim_fail(p->flow->rank, "cannot free the request");
	sim_parcel_fini(&older);
}

static void send_ahead(struct sim_parcel *p)
{
	answered = false;
	if (p->flow->shape->variant == OLDER) {
		exchanges(p, 0, TAKEN + AHEAD - 1);
		send_beside(p);
		return;
	}
	exchanges(p, 0, TAKEN + AHEAD);
	sim_parcel_fill(p, TAKEN + AHEAD);
	expect(p->flow, weft_neighbor_alltoallv(p->flow->graph, &p->out,
						&p->in), WEFT_ERR_PEER);
	stay(p->flow);
}

static void refuse_one(struct sim_parcel *p, int round)
{
	const struct weft_type *type = p->in.type;

	sim_parcel_fill(p, round);
	p->in.type = NULL;
	expect(p->flow, weft_neighbor_alltoallv(p->flow->graph, &p->out,
						&p->in), WEFT_ERR_ARG);
	p->in.type = type;
}

/* What comes behind the refused one is there, but for the one that failed. */
static void receive_late(struct sim_parcel *p)
{
	int variant = p->flow->shape->variant, taken = TAKEN;

	if (variant == BEGUN)
		taken += AHEAD;
	exchanges(p, 0, taken);
	sim_flow_settle(p->flow);	/* all credits are paid */
	sim_flow_compute(p->flow, 100 * MS);
	if (!dies(p->flow->shape))
		refuse_one(p, taken++);
	exchanges(p, taken, TAKEN + AHEAD);
	sim_parcel_fill(p, TAKEN + AHEAD);
	expect(p->flow, weft_neighbor_alltoallv(p->flow->graph, &p->out,
						&p->in), WEFT_ERR_PEER);
	answered = true;
}

/* It waits for nobody, and has one round more where it need not leave. */
static void leave(struct sim_parcel *p)
{
	exchanges(p, 0, TAKEN + AHEAD + (p->flow->shape->variant == BEGUN));
	if (!dies(p->flow->shape))
		sim_flow_settle(p->flow);
}

/* Before the receiver has asked, or before it has begun. */
static void die(struct sim_parcel *p)
{
	uint64_t ms = p->flow->shape->variant == BEGUN ? 50 : 200;

	sim_flow_compute(p->flow, ms * MS);
	wf_sim_die(p->flow->rank);
}

static void die_or_be_late(struct sim_parcel *p)
{
	bool late = p->flow->shape->variant == OLDER;

	exchanges(p, 0, TAKEN + AHEAD - late);
	if (dies(p->flow->shape))
		die(p);
	if (!late)
		return;
	stay(p->flow);
	sim_parcel_exchange(p, TAKEN + AHEAD - 1);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	static void (*const part[])(struct sim_parcel *p) = {
		send_ahead, receive_late, leave, die_or_be_late
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
	if (status && !(dies(flow.shape) && status == WEFT_ERR_PEER))
		wf_sim_fail(rank, "cannot close the job");
}

/* What goes ahead is not too much for one that does not look. */
static void refuse_nothing(struct wf_sim_options *options)
{
	options->again_one_in = 0;
	options->tx_depth = 32;
}

static void one_dies(struct wf_sim_options *options)
{
	refuse_nothing(options);
	options->kill_rank = 3;
	options->told_ns = MS;
	options->no_fence = false;
}

static void run(int variant)
{
	struct sim_flow_shape shape = { edges, bytes, MOST, variant };

	sim_flow_seeds_set(4, 100, sim_small_env,
			   dies(&shape) ? one_dies : refuse_nothing,
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

static void beside_an_older_one(void)
{
	run(OLDER);
}

static void offered_unbegun(void)
{
	run(UNBEGUN);
}

static void offered_begun(void)
{
	run(BEGUN);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "asked about a line behind which an exchange failed", lines },
		{ "asked about a slot behind which an exchange failed", slots },
		{ "asked about the one that failed, an older one goes on",
		  beside_an_older_one },
		{ "memory offered to one that never began", offered_unbegun },
		{ "memory offered to one that had begun", offered_begun }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
