/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory runs out in one rank's call of an exchange, at each allocation in
 * turn: the call and the other ends of its edges get WEFT_ERR_NOMEM, the
 * others do not notice, and the ranks stay as far as each other.
 */
#include "tests/fail_malloc.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	ROUNDS = 16,
	MOST = 900
};

/* The allocation of the round that fails at the victim; 0: none. */
static const int fails[ROUNDS] = { 0, 0, 1, 0, 0, 2, 3, 4, 1, 2, 0, 3, 0 };

/* Another plan each time. */
static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	static const size_t of[] = { 8, 100, 500 };

	return of[(round + shape->variant) % 3] + (size_t)round +
	       (size_t)(from + to + k) % 3;
}

static void exchange(struct sim_parcel *p, int round, int victim)
{
	struct sim_flow *f = p->flow;
	int ranks = wf_sim_size(f->rank);
	bool fails_here = fails[round] && f->me == victim;
	bool receives = fails[round] &&
			f->shape->edges(victim, f->me, ranks);
	/* Who has sent already is through with it. */
	bool sends = fails[round] && f->shape->edges(f->me, victim, ranks);
	int status;

	sim_parcel_fill(p, round);
	if (fails_here)
		fail_malloc_once(fails[round]);
	status = weft_ineighbor_alltoallv(f->graph, &p->out, &p->in,
					  &p->req);
	fail_malloc_once(0);
	if (!status) {
		status = weft_request_wait(p->req);
		if (weft_request_free(&p->req))
			wf_sim_fail(f->rank, "cannot free the request");
	}
	if (status ? status != WEFT_ERR_NOMEM ||
		     !(fails_here || receives || sends)
		   : fails_here || receives)
		wf_sim_fail(f->rank, "round %d: %s: %s", round,
			    weft_status_name(status),
			    weft_error_text(f->job));
	if (!status)
		sim_parcel_check(p);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct sim_parcel p;
	struct sim_flow flow;

	if (!sim_flow_join(&flow, arg, rank) ||
	    !sim_parcel_init(&p, &flow, false))
		return;
	for (int round = 0; round < ROUNDS; round++)
		exchange(&p, round, wf_sim_size(rank) / 2);
	sim_parcel_fini(&p);
	sim_flow_part(&flow);
}

/* A call runs through, so that it alone fails. */
static void set_undivided(struct wf_sim_options *options)
{
	options->switch_one_in = 0;
}

static void run(int (*edges)(int from, int to, int ranks))
{
	for (int at = 0; at < 4 * 3; at++) {
		struct sim_flow_shape shape = { edges, bytes, MOST, at % 3 };

		if (!sim_flow_seeds_set(2 + at / 3, 10, sim_small_env,
					set_undivided, program, &shape))
			return;
	}
}

static void both_ways(void)
{
	run(sim_edges_ring);
}

static void one_way(void)
{
	run(sim_edges_chain);
}

/* A communicator's first barrier has no memory for its channels. */
static void barriers(struct wf_sim_rank *rank, void *arg)
{
	struct sim_flow flow;

	if (!sim_flow_join(&flow, arg, rank))
		return;
	for (int round = 0; round < 8; round++) {
		int status;

		if (round < 2 && flow.me == 1)
			fail_malloc_once(1);
		status = weft_barrier(flow.graph);
		fail_malloc_once(0);
		if (status != (round < 2 ? WEFT_ERR_NOMEM : WEFT_OK))
			wf_sim_fail(rank, "round %d: %s", round,
				    weft_status_name(status));
	}
	sim_flow_part(&flow);
}

static void first_barrier(void)
{
	struct sim_flow_shape shape = { sim_edges_ring, bytes, MOST, 0 };

	for (int ranks = 2; ranks <= 9; ranks++)
		if (!sim_flow_seeds(ranks, 10, sim_small_env, barriers, &shape))
			return;
}

/*
 * The others ask by now: a rank that comes late lacks memory at one of the
 * allocations of its collectives, and what has come for them is not lost.
 */
struct late {
	struct sim_flow_shape shape;
	long fails;			/* which one; */
	bool failed;			/* there are so many */
};

static void late_barriers(struct wf_sim_rank *rank, void *arg)
{
	struct late *late = arg;
	struct sim_flow flow;

	if (!sim_flow_join(&flow, &late->shape, rank))
		return;
	if (flow.me == 1) {
		sim_flow_compute(&flow, 300000000);
		sim_flow_settle(&flow);
	}
	for (int round = 0; round < 12; round++) {
		bool hurt = round == 0 || round == 1;
		int status;

		if (hurt && flow.me == 1)
			fail_malloc_once(late->fails);
		status = weft_barrier(flow.graph);
		if (hurt && flow.me == 1)
			late->failed |= fail_malloc_count() >= late->fails;
		fail_malloc_once(0);
		if (status && (status != WEFT_ERR_NOMEM || !hurt))
			wf_sim_fail(rank, "round %d: %s: %s", round,
				    weft_status_name(status),
				    weft_error_text(flow.job));
		if (round == 0 && !status && late->fails == 1)
			wf_sim_fail(rank, "nothing failed");
	}
	sim_flow_part(&flow);
}

static void half_made(void)
{
	struct late late = { { sim_edges_ring, bytes, MOST, 0 }, 0, true };

	for (late.fails = 1; late.failed && late.fails < 40; late.fails++) {
		late.failed = false;
		if (sim_flow_seeds_set(3, 10, sim_small_env, set_undivided,
				       late_barriers, &late))
			continue;
		tap_diag("allocation %ld", late.fails);
		return;
	}
	TAP_CHECK(late.fails > 10 && !late.failed);
}

/* The call is wrong, too: that is what its caller is to hear. */
static void wrong_call(struct wf_sim_rank *rank, void *arg)
{
	struct sim_parcel p;
	struct sim_flow flow;
	int status;

	if (!sim_flow_join(&flow, arg, rank) ||
	    !sim_parcel_init(&p, &flow, false))
		return;
	sim_parcel_fill(&p, 0);
	if (flow.me == 1)
		fail_malloc_once(1);
	status = weft_ineighbor_alltoallv(flow.graph, &p.out,
					  flow.me == 1 ? NULL : &p.in,
					  &p.req);
	fail_malloc_once(0);
	if (flow.me != 1) {
		status = status ? status : weft_request_wait(p.req);
		if (weft_request_free(&p.req))
			wf_sim_fail(rank, "cannot free the request");
	} else if (!strstr(weft_error_text(flow.job), "recv is NULL")) {
		wf_sim_fail(rank, "%s", weft_error_text(flow.job));
	}
	if (status != WEFT_ERR_ARG)
		wf_sim_fail(rank, "%s", weft_status_name(status));
	for (int round = 1; round < 6; round++)
		sim_parcel_exchange(&p, round);
	sim_parcel_fini(&p);
	sim_flow_part(&flow);
}

static void wrong(void)
{
	struct sim_flow_shape shape = { sim_edges_ring, bytes, MOST, 0 };

	sim_flow_seeds(2, 30, sim_small_env, wrong_call, &shape);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "edges both ways", both_ways },
		{ "edges one way", one_way },
		{ "the first barrier of a communicator", first_barrier },
		{ "collectives that are half made", half_made },
		{ "arguments that are wrong, too", wrong }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
