/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A call that is refused at one rank for its arguments has begun at others:
 * what that rank frees behind it is written by nobody, and they hear of it.
 */
#include "tests/sim/scene.h"

enum {
	RANKS = 3,
	ODD = 1,
	SECOND = 1000000000,
	OPENS = 6			/* calls after which lines are used */
};

static char *settings[] = {
	"WEFT_ARENA=64k", "WEFT_ARENA_MAX=1m", "WEFT_STALL=1000", NULL
};

struct data {
	int64_t given[RANKS], got[RANKS];
	size_t counts[RANKS];
	ptrdiff_t displs[RANKS];
};

/* Without a type, where it is to be refused. */
typedef int begin_call(struct weft_comm *comm, struct data *d,
		  const struct weft_type *type, struct weft_request **req_p);

static int reduce_all(struct weft_comm *comm, struct data *d,
		      const struct weft_type *type,
		      struct weft_request **req_p)
{
	return weft_iallreduce(comm, d->given,
			       (struct weft_part){ d->got, 1, type },
			       &weft_op_sum, req_p);
}

/* Where it is refused, by the call that blocks. */
static int reduce_blocking(struct weft_comm *comm, struct data *d,
			   const struct weft_type *type,
			   struct weft_request **req_p)
{
	if (type)
		return reduce_all(comm, d, type, req_p);
	return weft_allreduce(comm, d->given,
			      (struct weft_part){ d->got, 1, type },
			      &weft_op_sum);
}

static int turn(struct weft_comm *comm, struct data *d,
		const struct weft_type *type, struct weft_request **req_p)
{
	return weft_ialltoall(comm, (struct weft_part){ d->given, 1, type },
			      (struct weft_part){ d->got, 1, type }, req_p);
}

static int broadcast(struct weft_comm *comm, struct data *d,
		     const struct weft_type *type,
		     struct weft_request **req_p)
{
	return weft_ibcast(comm, (struct weft_part){ d->got, 1, type }, 0,
			   req_p);
}

static int exchange(struct weft_comm *comm, struct data *d,
		    const struct weft_type *type, struct weft_request **req_p)
{
	const struct weft_vec send = {
		.base = d->given, .type = type, .counts = d->counts,
		.displs = d->displs
	}, recv = {
		.base = d->got, .type = type, .counts = d->counts,
		.displs = d->displs
	};

	return weft_ineighbor_alltoallv(comm, &send, &recv, req_p);
}

/* Progress, but no call. */
static void work(const struct scene *s, uint64_t seconds)
{
	uint64_t end = wf_sim_now(s->rank) + seconds * SECOND;

	while (wf_sim_now(s->rank) < end) {
		if (weft_job_progress(s->job) < 0)
			return;
		wf_sim_idle(s->rank, wf_sim_now(s->rank) + SECOND / 100);
	}
}

/* All ranks are neighbours of each. */
static struct weft_comm *make(const struct scene *s)
{
	static const int all[RANKS] = { 0, 1, 2 };
	const struct weft_edges edges = { RANKS, all, NULL };
	struct weft_comm *graph = NULL;

	ok(s, weft_graph_create_adjacent(s->world, &edges, &edges, NULL, false,
					 &graph), "graph");
	return graph;
}

static void call(const struct scene *s, struct weft_comm *comm,
		 begin_call *begin, const struct weft_type *type)
{
	struct weft_request *req = NULL;
	struct data d = {
		.counts = { 1, 1, 1 }, .displs = { 0, 1, 2 }
	};
	int status = begin(comm, &d, type, &req);

	if (!type && status != WEFT_ERR_ARG)
		wf_sim_fail(s->rank, "refused: %s", weft_status_name(status));
	if (!type)
		return;
	ok(s, status, "begin");
	if (weft_request_wait(req) > 0)
		wf_sim_fail(s->rank, "a number for a status");
	ok(s, weft_request_free(&req), "free");
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	begin_call *const begin = *(begin_call **)arg;
	bool odd = wf_sim_rank(rank) == ODD;
	struct weft_comm *graph;
	struct scene s;

	if (!start(&s, rank))
		return;
	graph = make(&s);
	for (int i = 0; i < OPENS; i++)
		call(&s, graph, begin, &weft_type_int64);
	ok(&s, weft_barrier(s.world), "barrier");
	if (!odd)
		work(&s, 1);
	call(&s, graph, begin, odd ? NULL : &weft_type_int64);
	ok(&s, weft_comm_free(&graph), "free");
	ok(&s, weft_barrier(s.world), "barrier");
	stop(&s);
}

static void play(begin_call *begin)
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, RANKS, 1);
	options.environ = settings;
	sim_flow_run(&options, program, &begin);
}

static void in_allreduce(void)
{
	play(reduce_all);
}

static void in_allreduce_blocking(void)
{
	play(reduce_blocking);
}

static void in_alltoall(void)
{
	play(turn);
}

static void in_bcast(void)
{
	play(broadcast);
}

static void in_exchange(void)
{
	play(exchange);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "an allreduce", in_allreduce },
		{ "an allreduce that blocks", in_allreduce_blocking },
		{ "an alltoall", in_alltoall },
		{ "a broadcast", in_bcast },
		{ "an exchange", in_exchange }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
