/* SPDX-License-Identifier: BSD-3-Clause */
/* Random exchanges of a simulated rank, in a job that is opened for them. */
#include "tests/sim/sim_exchange.h"

static void report(void *arg, const char *text)
{
	const struct sim_flow *flow = arg;

	wf_sim_fail(flow->rank, "%s", text);
}

void sim_exchange_play(struct wf_sim_rank *rank,
		       struct exchange_options options,
		       struct exchange_result *result)
{
	struct sim_flow flow = { .rank = rank, .me = wf_sim_rank(rank) };

	*result = (struct exchange_result){ .exchanges = 0 };
	if (wf_sim_job_open(rank, &flow.job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	options.fail = report;
	options.arg = &flow;
	exchange_run(flow.job, &options, result);
	if (!result->failures && weft_job_close(flow.job))
		wf_sim_fail(rank, "cannot close the job");
}
