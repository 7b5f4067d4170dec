/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A graph that one rank has not got, in a job that does not agree on it
 * (WEFT_CHECK=0): that rank never made any exchange set, and still answers
 * whoever asks it about the edges, so that nobody waits for ever.  Or one that
 * it has freed, without an exchange that another one begins.
 */
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	MS = 1000000,
	LATE = 400,		/* ms: a question may have come by then */
	END = 5000		/* ms: rank 1 closes, which ends any wait */
};

static int down(int from, int to, int ranks)
{
	(void)ranks;
	return from == 0 && to == 1;
}

static int up(int from, int to, int ranks)
{
	(void)ranks;
	return from == 1 && to == 0;
}

/* Computes, and looks now and then. */
static void attend(struct sim_flow *flow, uint64_t until)
{
	while (wf_sim_now(flow->rank) < until) {
		sim_flow_compute(flow, 10 * MS);
		sim_flow_settle(flow);
	}
}

/* Its arguments are bad, early or late, and it stays for a while. */
static void without(struct wf_sim_rank *rank,
		    const struct sim_flow_shape *shape)
{
	const int nobody = 7;
	struct weft_edges bad = { 1, &nobody, NULL }, none = { 0, NULL, NULL };
	struct sim_flow flow = { .shape = shape, .rank = rank };
	uint64_t end = wf_sim_now(rank) + (uint64_t)END * MS;

	if (wf_sim_job_open(rank, &flow.job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	sim_flow_compute(&flow, wf_sim_seed(rank) % LATE * MS);
	if (weft_graph_create_adjacent(weft_job_world(flow.job), &bad, &none,
				       NULL, false, &flow.graph) !=
	    WEFT_ERR_ARG)
		wf_sim_fail(rank, "a graph with rank %d", nobody);
	attend(&flow, end);
	if (weft_job_close(flow.job))
		wf_sim_fail(rank, "cannot close the job");
}

static void with(struct wf_sim_rank *rank, const struct sim_flow_shape *shape)
{
	struct sim_parcel p;
	struct sim_flow flow;
	int status;

	if (!sim_flow_join(&flow, shape, rank) ||
	    !sim_parcel_init(&p, &flow, false))
		return;
	sim_parcel_fill(&p, 0);
	status = weft_neighbor_alltoallv(flow.graph, &p.out, &p.in);
	if (status != WEFT_ERR_GRAPH)
		wf_sim_fail(rank, "%s: %s", weft_status_name(status),
			    weft_error_text(flow.job));
	sim_parcel_fini(&p);
	sim_flow_part(&flow);
}

/*
 * It has the graph, does not take part, and frees it when the question has
 * come: the answer goes then, not when the other one asks again.
 */
static void frees(struct wf_sim_rank *rank, void *arg)
{
	uint64_t start, end;
	struct sim_parcel p;
	struct sim_flow flow;

	if (!sim_flow_join(&flow, arg, rank) ||
	    !sim_parcel_init(&p, &flow, false))
		return;
	for (int round = 0; round < 3; round++)
		sim_parcel_exchange(&p, round);
	start = wf_sim_now(rank);
	end = start + (uint64_t)LATE * MS;
	sim_parcel_fill(&p, 3);
	if (flow.me)
		attend(&flow, end);
	else if (weft_neighbor_alltoallv(flow.graph, &p.out, &p.in) !=
		 WEFT_ERR_GRAPH)
		wf_sim_fail(rank, "it worked: %s", weft_error_text(flow.job));
	if (wf_sim_now(rank) > end + (uint64_t)LATE * MS)
		wf_sim_fail(rank, "an answer after %llu ms", (unsigned long
			    long)(wf_sim_now(rank) - start) / MS);
	sim_parcel_fini(&p);
	sim_flow_close(&flow);
	attend(&flow, end + 2 * (uint64_t)LATE * MS);
	if (weft_job_close(flow.job))
		wf_sim_fail(rank, "cannot close the job");
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	if (wf_sim_rank(rank))
		without(rank, arg);
	else
		with(rank, arg);
}

static void run(int (*edges)(int from, int to, int ranks),
		void (*each)(struct wf_sim_rank *rank, void *arg))
{
	for (int v = 0; v < 3; v++) {
		struct sim_flow_shape shape = {
			edges, sim_bytes_class, SIM_BYTES_MOST, v
		};

		if (!sim_flow_seeds(2, 20, sim_unchecked_env, each, &shape))
			return;
	}
}

static void sender_asks(void)
{
	run(down, program);
}

static void receiver_asks(void)
{
	run(up, program);
}

static void freed(void)
{
	run(up, frees);
	run(sim_edges_all, frees);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "its sender asks", sender_asks },
		{ "its receiver asks", receiver_asks },
		{ "one frees it after a question", freed }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
