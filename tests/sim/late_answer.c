/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A question that finds the graph freed: the rank that freed it may have put
 * just before, and where mails overtake puts its answer waits for them.  What
 * has landed counts, so the exchange works at both ends.
 */
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	MOST = 900,
	MS = 1000000
};

/* variant 0: lines, 1: slots, 2: large */
static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	static const size_t of[] = { 20, 200, 700 };

	(void)round;
	return of[shape->variant] + (size_t)(from + 2 * to + k);
}

/* Rank 1 comes when rank 0 is about to ask, and frees the graph at once. */
static void program(struct wf_sim_rank *rank, void *arg)
{
	struct sim_parcel p;
	struct sim_flow flow;

	if (!sim_flow_join(&flow, arg, rank) ||
	    !sim_parcel_init(&p, &flow, true))
		return;
	for (int round = 0; round < 3; round++)
		sim_parcel_exchange(&p, round);
	if (flow.me == 1)
		sim_flow_compute(&flow, 198 * MS + wf_sim_seed(rank) %
				 (14 * MS));
	sim_parcel_exchange(&p, 3);
	sim_flow_close(&flow);
	sim_flow_settle(&flow);
	sim_parcel_fini(&p);
	if (weft_job_close(flow.job))
		wf_sim_fail(rank, "cannot close the job");
}

static void let_mails_overtake(struct wf_sim_options *options)
{
	options->put_mail_order = false;
	options->max_delay_ns = 2 * MS;
}

static void run(int variant)
{
	struct sim_flow_shape shape = { sim_edges_all, bytes, MOST, variant };

	sim_flow_seeds_set(2, 300, sim_small_env, let_mails_overtake, program,
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

static void large(void)
{
	run(2);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a line on its way", lines },
		{ "a slot on its way", slots },
		{ "a large message on its way", large }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
