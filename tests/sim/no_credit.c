/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A sender whose credits do not come: its receiver misses a rank that it does
 * not know of, so the epochs of the receiver fail as they start, and nothing
 * comes back along an edge without a reverse.  The receiver stays; the sender
 * must hear from it, and not only when it closes.  Likewise where the credit
 * itself fails.
 */
#include "job/peer.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	SENDER, RECEIVER, LEAVER, RANKS,
	ROUNDS = 12			/* far more than need no credit */
};

struct shared {
	struct sim_flow_shape shape;
	int rounds;			/* of the leaver */
	bool heard;			/* the sender has its error */
};

/* One way to the receiver, and both ways between it and the leaver. */
static int edges(int from, int to, int ranks)
{
	(void)ranks;
	return (from == SENDER && to == RECEIVER) ||
	       (from == RECEIVER && to == LEAVER) ||
	       (from == LEAVER && to == RECEIVER);
}

/* variant 0: lines, 1: slots, 2: large */
static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	static const size_t of[] = { 20, 200, 700 };

	(void)round;
	return of[shape->variant] + (size_t)(from + 2 * to + k);
}

/* Exchanges until one fails at the sender; the receiver goes on. */
static int exchanges(struct sim_parcel *p, int rounds)
{
	int status = WEFT_OK, first = WEFT_OK;

	for (int i = 0; i < rounds; i++) {
		sim_parcel_fill(p, i);
		status = weft_neighbor_alltoallv(p->flow->graph, &p->out,
						 &p->in);
		first = first ? first : status;
		if (status && p->flow->me == SENDER)
			break;
	}
	return first;
}

/* A millisecond, with a look at what has come. */
static void pass(struct sim_flow *flow)
{
	if (weft_job_progress(flow->job))
		wf_sim_fail(flow->rank, "no progress");
	wf_sim_idle(flow->rank, wf_sim_now(flow->rank) + 1000000);
}

/* It answers, for longer than any question takes, but does not close. */
static void stay(struct sim_flow *flow, const struct shared *shared)
{
	for (int ms = 0; ms < 5000 && !shared->heard; ms++)
		pass(flow);
	if (!shared->heard)
		wf_sim_fail(flow->rank, "the sender has heard nothing");
}

/* The same, until it has left. */
static void await_end(struct sim_flow *flow, int whom)
{
	const struct wf_peer *peer = wf_peer_find(flow->job, whom);

	for (int ms = 0; ms < 5000 && wf_peer_is_there(peer); ms++)
		pass(flow);
	if (wf_peer_is_there(peer))
		wf_sim_fail(flow->rank, "rank %d cannot leave", whom);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct shared *shared = arg;
	struct sim_parcel p;
	struct sim_flow flow;
	int status;

	if (!sim_flow_join(&flow, &shared->shape, rank) ||
	    !sim_parcel_init(&p, &flow, true))
		return;
	status = exchanges(&p, flow.me == LEAVER ? shared->rounds : ROUNDS);
	if (status != (flow.me == LEAVER ? WEFT_OK : WEFT_ERR_PEER))
		wf_sim_fail(rank, "%s: %s", weft_status_name(status),
			    weft_error_text(flow.job));
	if (flow.me == SENDER)
		shared->heard = true;
	if (flow.me == RECEIVER)
		stay(&flow, shared);
	sim_parcel_fini(&p);
	if (flow.me != LEAVER)
		sim_flow_close(&flow);
	if (weft_job_close(flow.job))
		wf_sim_fail(rank, "cannot close the job");
}

static void run(int variant)
{
	for (int rounds = 0; rounds < 6; rounds++) {
		struct shared shared = {
			.shape = { edges, bytes, 900, variant },
			.rounds = rounds
		};

		if (!sim_flow_seeds(RANKS, 1, sim_small_env, program, &shared))
			tap_diag("it left after %d", rounds);
	}
}

/*
 * Nothing is left to be refused when the one credit fails: the sender gives
 * its graph up and must be able to leave while the receiver stays.
 */
static void fail_to_pay(struct wf_sim_rank *rank, void *arg)
{
	struct sim_parcel p;
	struct sim_flow flow;

	if (!sim_flow_join(&flow, arg, rank) ||
	    !sim_parcel_init(&p, &flow, true))
		return;
	if (flow.me == RECEIVER)
		wf_sim_set_faults(rank, 1, 0);
	for (int i = 0; i < 2; i++)
		sim_parcel_exchange(&p, i);
	sim_parcel_fini(&p);
	sim_flow_close(&flow);
	if (flow.me == RECEIVER)
		await_end(&flow, SENDER);
	wf_sim_set_faults(rank, 0, 0);
	if (weft_job_close(flow.job))
		wf_sim_fail(rank, "cannot close the job");
}

static void it_fails(void)
{
	for (int variant = 0; variant < 2; variant++) {
		struct sim_flow_shape shape = {
			sim_edges_chain, bytes, 900, variant
		};

		sim_flow_seeds(2, 20, sim_small_env, fail_to_pay, &shape);
	}
}

static void lines(void)
{
	run(0);
}

static void slots(void)
{
	run(1);
}

static void large(void)
{
	run(2);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "lines", lines },
		{ "slots", slots },
		{ "large messages", large },
		{ "the credit itself fails", it_fails }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
