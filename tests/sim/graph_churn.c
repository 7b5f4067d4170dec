/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs without end, with allreduces in flight on their parent: nothing hangs,
 * and neither heap nor what a rank holds of its segment grows.  Their parent is
 * the world: the ids of a duplicate are used up sooner, and what asks for more
 * opens channels, once.
 */
#include "tests/fail_malloc.h"
#include "tests/graph_churn.h"
#include "tests/sim/scene.h"

enum {
	RANKS = 3,
	WARM = 200,			/* graphs until tables are large */
	SLACK = 4096			/* bytes, of all ranks */
};

static void make(const struct scene *s, struct churn *c, long graphs)
{
	const char *wrong = NULL;

	while (graphs-- && !wrong)
		wrong = churn_step(c);
	if (!wrong)
		wrong = churn_end(c);
	if (wrong)
		wf_sim_fail(s->rank, "graph %ld: %s: %s", (long)c->made, wrong,
			    weft_error_text(s->job));
	/* the others are as far, and what they sent has come */
	ok(s, weft_barrier(s->world), "barrier");
	linger(s);
	ok(s, weft_barrier(s->world), "barrier");
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct sim_flow flow = { .rank = rank };
	struct sim_holdings held;
	struct churn churn;
	struct scene s;
	long bytes;

	(void)arg;
	if (!start(&s, rank))
		return;
	flow.job = s.job;
	churn_init(&churn, s.world);
	make(&s, &churn, WARM);
	held = sim_flow_holdings(&flow);
	bytes = fail_malloc_bytes();
	make(&s, &churn, tap_figure("CHURNS", 2000));
	sim_flow_check_holdings(&flow, held);
	if (fail_malloc_bytes() > bytes + SLACK)
		wf_sim_fail(rank, "%ld bytes, and then %ld", bytes,
			    fail_malloc_bytes());
	stop(&s);
}

static void in_flight(void)
{
	fail_malloc_at(0);
	run(RANKS, 1, program);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "collectives in flight on the parent", in_flight }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
