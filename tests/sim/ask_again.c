/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who gives a graph up after an error asks the other ends whether they have.
 * One that has, and has no memory to say so, hears the question again: the
 * asker's memory comes back while its job goes on.
 */
#include "tests/fail_malloc.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	ASKER, PARTNER, FREES, RANKS,
	EDGES = 3,			/* of which one has a kept answer */
	MOST = 200,
	MS = 1000000,
	LATE_MS = 20,			/* most that a mail is late by */
	LONG_MS = 3000			/* until it has asked again */
};

struct shared {
	bool freed, asked;
	int lost;			/* runs that have lost an answer */
};

static int to_the_asker(int from, int to, int ranks)
{
	(void)ranks;
	return from == FREES && to == ASKER ? EDGES : 0;
}

static int from_its_partner(int from, int to, int ranks)
{
	(void)ranks;
	return from == PARTNER && to == ASKER;
}

static const struct sim_flow_shape good = { to_the_asker, NULL, MOST, 0 };
static const struct sim_flow_shape bad = { from_its_partner, NULL, MOST, 0 };

/* An operation fails, of which the third rank hears nothing. */
static void fail(struct sim_flow *keep)
{
	struct sim_parcel p;
	struct sim_flow flow;

	if (!sim_flow_open(&flow, &bad, keep->rank, keep->job) ||
	    !sim_parcel_init(&p, &flow, false))
		return;
	sim_parcel_fill(&p, 0);
	for (int e = 0; e < flow.nin; e++)
		p.recv_bytes[e] = MOST / 2;
	if (!weft_neighbor_alltoallv(flow.graph, &p.out, &p.in) &&
	    flow.me == ASKER)
		wf_sim_fail(flow.rank, "no error");
	sim_flow_close(&flow);
	sim_parcel_fini(&p);
}

static void progress(struct sim_flow *flow, uint64_t ns)
{
	if (weft_job_progress(flow->job))
		wf_sim_fail(flow->rank, "no progress");
	wf_sim_idle(flow->rank, wf_sim_now(flow->rank) + ns);
}

/* Most questions have come when it looks, and it has no memory. */
static void lack_memory(struct sim_flow *flow, struct shared *shared)
{
	while (!shared->asked)
		sim_flow_compute(flow, MS);
	sim_flow_compute(flow, LATE_MS * MS);
	fail_malloc_at(1);
	progress(flow, 0);
	shared->lost += fail_malloc_count() > 1;
	fail_malloc_at(0);
}

static void give_up(struct sim_flow *flow, struct shared *shared)
{
	while (flow->me == ASKER && !shared->freed)
		progress(flow, MS);
	sim_flow_close(flow);
	if (flow->me == FREES) {
		sim_flow_settle(flow);
		shared->freed = true;
		lack_memory(flow, shared);
	}
	shared->asked |= flow->me == ASKER;
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct sim_holdings before;
	struct shared *shared = arg;
	struct sim_flow keep, flow;
	struct sim_parcel p;

	shared->freed = shared->asked = false;
	if (!sim_flow_join(&keep, &bad, rank))
		return;
	sim_flow_settle(&keep);
	before = sim_flow_holdings(&keep);
	if (!sim_flow_open(&flow, &good, rank, keep.job) ||
	    !sim_parcel_init(&p, &flow, false))
		return;
	sim_parcel_exchange(&p, 0);
	fail(&keep);
	give_up(&flow, shared);
	sim_parcel_fini(&p);
	for (int i = 0; i < LONG_MS; i++)
		progress(&keep, MS);
	sim_flow_check_holdings(&keep, before);
	sim_flow_part(&keep);
}

static void in_turn(struct wf_sim_options *options)
{
	/* who lacks memory is alone with that */
	options->switch_one_in = 0;
}

static void answer_lost(void)
{
	struct shared shared = { .lost = 0 };

	sim_flow_seeds_set(RANKS, 30, sim_small_env, in_turn, program,
			   &shared);
	TAP_CHECK(shared.lost > 0);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "no memory for an answer", answer_lost }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
