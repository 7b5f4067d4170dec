/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank lacks memory at any allocation of the first collective call of a
 * communicator, and never makes another one there: the others, which wait for
 * it, hear of that while it waits for something else.
 */
#include "tests/sim/lacking.h"

enum {
	SIZE = 5,
	VICTIM = 2
};

struct lack {
	int (*call)(struct weft_comm *comm);
	long at;			/* the allocation, from 1 on */
	bool reached;			/* there were so many */
	int status[SIZE];
};

static int graph(struct weft_comm *comm)
{
	const struct weft_edges none = { 0, NULL, NULL };
	struct weft_comm *made = NULL;
	int status = weft_graph_create_adjacent(comm, &none, &none, NULL,
						false, &made);

	return weft_comm_free(&made) ? WEFT_ERR_INTERNAL : status;
}

static int sum(struct weft_comm *comm)
{
	int64_t x = 1;

	return weft_allreduce(comm, WEFT_IN_PLACE,
			      weft_part(&x, 1, &weft_type_int64),
			      &weft_op_sum);
}

static int cast(struct weft_comm *comm)
{
	int64_t x = 1;

	return weft_bcast(comm, weft_part(&x, 1, &weft_type_int64), VICTIM);
}

static int sparse(struct weft_comm *comm)
{
	struct weft_sparse_got got = { 0 };
	int status = weft_sparse_exchange(comm, &(struct weft_sparse){ 0 },
					  &got);

	weft_sparse_free(&got);
	return status;
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *fresh = NULL;
	struct lack *lack = arg;
	struct scene s;
	int me = wf_sim_rank(rank);

	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_dup(s.world, &fresh), "dup");
	crowd(&s, s.world);
	if (me == VICTIM)
		lacking_begin(lack->at);
	lack->status[me] = lack->call(fresh);
	if (me == VICTIM)
		lack->reached = lacking_end(lack->at);
	ok(&s, weft_barrier(s.world), "elsewhere");
	ok(&s, weft_comm_free(&fresh), "free");
	stop(&s);
}

/* Of a tree those that do not wait for it need not hear. */
static bool agree(const struct lack *lack)
{
	int own = lack->status[VICTIM];
	bool good = TAP_CHECK(own == WEFT_OK || own == WEFT_ERR_NOMEM);

	for (int r = 0; r < SIZE; r++)
		good &= TAP_CHECK(lack->status[r] == own ||
				  (lack->call == cast && !lack->status[r]));
	if (!good)
		tap_diag("allocation %ld", lack->at);
	return good;
}

static void lack_anywhere(int (*call)(struct weft_comm *comm))
{
	struct lack lack = { .call = call, .reached = true };
	struct wf_sim_options options;

	for (lack.at = 1; lack.reached; lack.at++) {
		wf_sim_options_init(&options, SIZE, (uint64_t)lack.at);
		if (!sim_flow_run(&options, program, &lack) || !agree(&lack))
			return;
	}
	TAP_CHECK(lack.at > 8);
	tap_diag("%ld allocations", lack.at - 2);
}

static void of_graph(void)
{
	lack_anywhere(graph);
}

static void of_allreduce(void)
{
	lack_anywhere(sum);
}

static void of_bcast(void)
{
	lack_anywhere(cast);
}

static void of_sparse(void)
{
	lack_anywhere(sparse);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a graph", of_graph },
		{ "an allreduce", of_allreduce },
		{ "a broadcast of the rank", of_bcast },
		{ "a sparse exchange", of_sparse }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
