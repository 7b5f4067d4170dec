/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who waits for long looks, as often as the detector does and not in each pass,
 * whether there is anything to ask about its edges.
 */
#include "job/job.h"
#include "job/liveness.h"
#include "plan/set.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	SENDER, RECEIVER, RANKS,
	MOST = 8
};

#define MS UINT64_C(1000000)
#define LATE_NS (1000 * MS)		/* when the sender comes */

static uint64_t asks;

void __real_wf_in_ask(struct wf_in *in, const struct wf_leg *leg);
void __wrap_wf_in_ask(struct wf_in *in, const struct wf_leg *leg);

void __wrap_wf_in_ask(struct wf_in *in, const struct wf_leg *leg)
{
	asks++;
	__real_wf_in_ask(in, leg);
}

static int many(int from, int to, int ranks)
{
	(void)ranks;
	return from == SENDER && to == RECEIVER ? SIM_FLOW_EDGES : 0;
}

static const struct sim_flow_shape shape = { many, NULL, MOST, 0 };

/* More passes than ticks. */
static void look_on(const struct sim_flow *flow)
{
	uint64_t start = wf_sim_now(flow->rank), ticks, passes = 0;

	asks = 0;
	while (wf_sim_now(flow->rank) - start < LATE_NS / 2) {
		passes++;
		wf_job_look(flow->job);
	}
	ticks = LATE_NS / 2 / (WF_LIVE_TICK_MS * MS) + 1;
	tap_diag("%llu looks at edges, in %llu passes",
		 (unsigned long long)asks, (unsigned long long)passes);
	if (asks < SIM_FLOW_EDGES || asks > ticks * SIM_FLOW_EDGES ||
	    passes < 10 * ticks)
		wf_sim_fail(flow->rank, "%llu ticks",
			    (unsigned long long)ticks);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct sim_parcel p;
	struct sim_flow flow;

	(void)arg;
	if (!sim_flow_join(&flow, &shape, rank) ||
	    !sim_parcel_init(&p, &flow, false))
		return;
	sim_parcel_exchange(&p, 0);
	if (flow.me == SENDER)
		sim_flow_compute(&flow, LATE_NS);
	sim_parcel_start(&p, 1);
	if (flow.me == RECEIVER)
		look_on(&flow);
	sim_parcel_wait(&p);
	sim_parcel_fini(&p);
	sim_flow_part(&flow);
}

static void looks_once_in_a_tick(void)
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, RANKS, 1);
	TAP_CHECK(sim_flow_run(&options, program, NULL));
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "an idle wait looks once in a tick", looks_once_in_a_tick }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
