/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A sender has filled the chunk slots of a receiver that computes; all of it
 * has landed, so that nothing of its own is under way, when the link between
 * them goes down for good, and no other network tells so.  The credits that it
 * waits for cannot come: it must find that out by itself, by asking.
 */
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	MOST = 1000,		/* 15 chunks and a bit */
	MS = 1000000,
	DOWN = 100		/* milliseconds: all has come long before */
};

static bool over;		/* the sender's exchange, in this run */

static int edges(int from, int to, int ranks)
{
	(void)ranks;
	return from == 0 && to == 1;
}

static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	(void)shape;
	(void)from;
	(void)to;
	(void)k;
	(void)round;
	return MOST;
}

static void start(struct sim_parcel *p)
{
	sim_parcel_exchange(p, 0);
	if (wf_sim_now(p->flow->rank) > DOWN * MS / 2)
		wf_sim_fail(p->flow->rank, "the link goes down too early");
	sim_parcel_start(p, 1);
	if (p->flow->me == 1)
		sim_flow_compute(p->flow, 2 * DOWN * MS);
}

/* Whose end would tell the other one. */
static void stay(struct sim_flow *flow)
{
	uint64_t end = wf_sim_now(flow->rank) + (uint64_t)10000 * MS;

	while (!over && wf_sim_now(flow->rank) < end) {
		if (weft_job_progress(flow->job))
			wf_sim_fail(flow->rank, "%s",
				    weft_error_text(flow->job));
		sim_flow_compute(flow, MS);
	}
	if (!over)
		wf_sim_fail(flow->rank, "the sender waits for credits");
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct sim_parcel p;
	struct sim_flow flow;
	int status;

	over = false;
	if (!sim_flow_join(&flow, arg, rank) ||
	    !sim_parcel_init(&p, &flow, false))
		return;
	start(&p);
	status = weft_request_wait(p.req);
	if (status != WEFT_ERR_DEVICE)
		wf_sim_fail(rank, "%s: %s", weft_status_name(status),
			    weft_error_text(flow.job));
	if (weft_request_free(&p.req))
		wf_sim_fail(rank, "cannot free the request");
	sim_parcel_fini(&p);
	if (flow.me == 1)
		stay(&flow);
	over = true;
	status = weft_job_close(flow.job);
	if (status && status != WEFT_ERR_PEER)
		wf_sim_fail(rank, "close: %s", weft_status_name(status));
}

static void set(struct wf_sim_options *options)
{
	options->ranks_per_node = 1;
	options->no_fence = true;
	options->breaks_unheard = true;
	options->again_one_in = 0;
	options->down = (struct wf_sim_down){
		{ 0, 1 }, (uint64_t)DOWN * MS, UINT64_MAX
	};
}

static void among_its_chunks(void)
{
	struct sim_flow_shape shape = { edges, bytes, MOST, 0 };

	sim_flow_seeds_set(2, 20, sim_small_env, set, program, &shape);
}

/* Whether a bye has come its sender hears too late: its peer has gone. */
static void bye(struct wf_sim_rank *rank, void *arg)
{
	struct weft_job *job;
	uint64_t began;
	int status;

	(void)arg;
	if (wf_sim_job_open(rank, &job)) {
		wf_sim_fail(rank, "no job");
		return;
	}
	status = weft_barrier(weft_job_world(job));
	began = wf_sim_now(rank);
	if (!status)
		status = weft_job_close(job);
	if (status)
		wf_sim_fail(rank, "%s", weft_status_name(status));
	if (wf_sim_now(rank) - began > (uint64_t)5000 * MS)
		wf_sim_fail(rank, "it took %d ms to close",
			    (int)((wf_sim_now(rank) - began) / MS));
}

static void lose_some(struct wf_sim_options *options)
{
	options->ack_lost_one_in = 4;
}

static void unheard_byes(void)
{
	sim_flow_seeds_set(4, 50, sim_small_env, lose_some, bye, NULL);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a sender among its chunks", among_its_chunks },
		{ "that a bye has come is not heard", unheard_byes }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
