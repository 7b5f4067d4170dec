/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two ranks that no backend joins: what needs both ends with WEFT_ERR_DEVICE
 * at each, the text names the other one, each backend and its reason, and the
 * jobs close.
 */
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

static void expect(struct sim_flow *flow, const char *call, int status)
{
	const char *text = weft_error_text(flow->job);
	char other[32];

	snprintf(other, sizeof(other), "rank %d on host ", 1 - flow->me);
	if (status != WEFT_ERR_DEVICE || !strstr(text, other) ||
	    !strstr(text, "no backend in common with this one: "
			  "sim: it is on another simulated node; ") ||
	    !strstr(text, "WEFT_TRANSPORT"))
		wf_sim_fail(flow->rank, "%s: %s: %s", call,
			    weft_status_name(status), text);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct sim_parcel p;
	struct sim_flow flow;

	if (!sim_flow_join(&flow, arg, rank) ||
	    !sim_parcel_init(&p, &flow, true))
		return;
	for (int round = 0; round < 3; round++) {
		sim_parcel_fill(&p, round);
		expect(&flow, "exchange", weft_neighbor_alltoallv(flow.graph,
								  &p.out,
								  &p.in));
	}
	expect(&flow, "barrier", weft_barrier(weft_job_world(flow.job)));
	sim_parcel_fini(&p);
	sim_flow_part(&flow);
}

static void set_apart(struct wf_sim_options *options)
{
	options->ranks_per_node = 1;
	options->nodes_apart = true;
}

static void run(int variant)
{
	struct sim_flow_shape shape = {
		sim_edges_all, sim_bytes_class, SIM_BYTES_MOST, variant
	};

	sim_flow_seeds_set(2, 30, sim_unchecked_env, set_apart, program,
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
		{ "lines", lines },
		{ "slots", slots },
		{ "large messages", large }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
