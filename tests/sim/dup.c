/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Duplicates of communicators: without a message as long as there are ids, the
 * same id at all ranks and never twice, with pools so small that they have to
 * be refilled all the time; what a refill costs; what is there when there are
 * no ids left; graphs.
 */
#include "tests/fail_malloc.h"
#include "tests/sim/scene.h"
#include "tests/tap.h"

enum {
	LIVE = 8,			/* communicators of a program */
	STEPS = 60,
	CHAINS = 25,
	MOST = 4096,
	ALLOCATIONS = 12		/* more than a graph takes */
};

/* ---- without a message ---- */

/* Hints are the caller's, and no other rank is told. */
static void dup_with_info(struct scene *s)
{
	struct weft_comm *made = NULL;
	struct weft_info *info = NULL;

	ok(s, weft_info_create(s->job, &info), "info");
	ok(s, weft_info_set(info, "key", "value"), "set");
	ok(s, weft_comm_dup_with_info(s->world, info, &made), "dup with info");
	ok(s, weft_comm_free(&made), "free");
	ok(s, weft_info_free(&info), "free info");
}

/* One of another, four deep; all go. */
static void chain(struct scene *s)
{
	struct weft_comm *made[4], *of = s->world;

	for (int i = 0; i < 4; i++) {
		ok(s, weft_comm_dup(of, &made[i]), "dup");
		of = made[i];
		if (weft_comm_size(of) != wf_sim_size(s->rank) ||
		    weft_comm_rank(of) != wf_sim_rank(s->rank))
			wf_sim_fail(s->rank, "the ranks are others");
	}
	/* A parent may go before its child. */
	for (int i = 0; i < 4; i++)
		ok(s, weft_comm_free(&made[i]), "free");
}

static void count_messages(struct wf_sim_rank *rank, void *arg)
{
	struct weft_contexts contexts;
	uint64_t messages;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	messages = wf_sim_own_messages(rank);
	for (int i = 0; i < CHAINS; i++)
		chain(&s);
	dup_with_info(&s);
	ok(&s, weft_context_query(s.job, &contexts), "query");
	if (contexts.refills || contexts.made != 4 * CHAINS + 1 ||
	    contexts.live != 1)
		wf_sim_fail(rank, "%llu made, %llu live, %llu refills",
			    contexts.made, contexts.live, contexts.refills);
	if (wf_sim_own_messages(rank) != messages)
		wf_sim_fail(rank, "%llu messages", (unsigned long long)
			    (wf_sim_own_messages(rank) - messages));
	stop(&s);
}

static void no_message(void)
{
	for (int ranks = 1; ranks <= 64; ranks++)
		run(ranks, 1, count_messages);
}

static void none_of_4096(void)
{
	run((int)tap_figure("MOST_RANKS", MOST), 1, count_messages);
}

/* ---- refills ---- */

/* Of any communicator that lives, into any place. */
static void one_step(struct scene *s, struct wf_random *random,
		     struct weft_comm **live)
{
	struct weft_comm *of = live[wf_random_below(random, LIVE)], *made;
	struct weft_comm **to = &live[wf_random_below(random, LIVE)];

	ok(s, weft_comm_dup(of ? of : s->world, &made), "dup");
	check_id(s, made, live, LIVE);
	if (*to)
		ok(s, weft_comm_free(to), "free");
	*to = made;
}

static void refill_often(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *live[LIVE] = { NULL };
	struct weft_contexts contexts;
	struct wf_random random;
	struct scene s;

	if (!start(&s, rank))
		return;
	wf_random_init(&random, *(const uint64_t *)arg);
	shrink_pools(&s, &random);
	for (int i = 0; i < STEPS; i++)
		one_step(&s, &random, live);
	ok(&s, weft_context_query(s.job, &contexts), "query");
	if (!contexts.refills || contexts.made != STEPS ||
	    contexts.live > LIVE + 1)
		wf_sim_fail(rank, "%llu made, %llu live, %llu refills",
			    contexts.made, contexts.live, contexts.refills);
	/* The rest goes with the job. */
	for (int i = 0; i < LIVE; i += 2)
		if (live[i])
			ok(&s, weft_comm_free(&live[i]), "free");
	stop(&s);
}

static void refills(void)
{
	run_seeds(60, 17, refill_often);
}

static uint64_t cost_of_allreduce(struct scene *s)
{
	uint64_t before = wf_sim_own_messages(s->rank);
	int64_t x = 1;

	ok(s, weft_allreduce(s->world, WEFT_IN_PLACE,
			     weft_part(&x, 1, &weft_type_int64),
			     &weft_op_sum), "sum");
	return wf_sim_own_messages(s->rank) - before;
}

/* A duplicate of the world, which has no ids left. */
static uint64_t cost_of_refill(struct scene *s)
{
	uint64_t before = wf_sim_own_messages(s->rank);
	struct weft_comm *made = NULL;

	s->world->pool.next = s->world->pool.end;
	ok(s, weft_comm_dup(s->world, &made), "dup");
	ok(s, weft_comm_free(&made), "free");
	return wf_sim_own_messages(s->rank) - before;
}

/* Two allreduces, once the channels are open. */
static void count_refill(struct wf_sim_rank *rank, void *arg)
{
	struct scene s = { .rank = rank };
	uint64_t wanted = 56, refill;	/* of MOST ranks */

	(void)arg;
	if (wf_sim_job_open_soon(rank, 1, &s.job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	s.world = weft_job_world(s.job);
	cost_of_refill(&s);
	linger(&s);
	refill = cost_of_refill(&s);
	/* 7 a stage of radix 8; 4096 ranks take long enough. */
	if (wf_sim_size(rank) < MOST) {
		for (int i = 0; i < 2; i++)
			cost_of_allreduce(&s);
		linger(&s);
		wanted = 2 * cost_of_allreduce(&s);
	}
	if (refill != wanted || (wf_sim_size(rank) == 64 && refill != 28))
		wf_sim_fail(rank, "%d messages, and not %d", (int)refill,
			    (int)wanted);
	stop(&s);
}

static void messages_of_refills(void)
{
	for (int ranks = 1; ranks <= 64; ranks++)
		if (!run(ranks, 1, count_refill))
			return;
	run((int)tap_figure("MOST_RANKS", 512), 1, count_refill);
}

/* ---- no ids ---- */

static void use_all_up(struct wf_sim_rank *rank, void *arg)
{
	struct wf_cid_space *ids;
	struct wf_random random;
	struct weft_comm *made;
	struct scene s;
	int status, n = 0;
	int64_t sum;

	if (!start(&s, rank))
		return;
	wf_random_init(&random, *(const uint64_t *)arg);
	shrink_pools(&s, &random);
	ids = &wf_contexts(s.job)->ids;
	ids->mint_end = ids->mint_next + 3 * ids->rules.mint;
	while (!(status = weft_comm_dup(s.world, &made)) && n++ < 1000)
		ok(&s, weft_comm_free(&made), "free");
	if (status != WEFT_ERR_NOMEM ||
	    !strstr(weft_error_text(s.job), "weft_comm_dup: rank 0 of the "
		    "communicator has no context ids left"))
		wf_sim_fail(rank, "%s", weft_error_text(s.job));
	/* All have heard of it at the same one, and all else goes on. */
	sum = n;
	ok(&s, weft_allreduce(s.world, WEFT_IN_PLACE,
			      weft_part(&sum, 1, &weft_type_int64),
			      &weft_op_sum), "sum");
	if (sum != (int64_t)n * wf_sim_size(rank))
		wf_sim_fail(rank, "%d, and of all %lld", n, (long long)sum);
	stop(&s);
}

static void none_left(void)
{
	run(5, 7, use_all_up);
}

/* ---- what is copied, and what is refused ---- */

/* One byte to the next rank, in the graph and in its duplicate at once. */
static void exchange(struct scene *s, struct weft_comm *graph, char sent)
{
	int me = wf_sim_rank(s->rank), n = wf_sim_size(s->rank);
	size_t counts[1] = { 1 };
	ptrdiff_t displs[1] = { 0 };
	char out = (char)(sent + me), in = 0;
	struct weft_vec send = { .base = &out, .type = &weft_type_byte,
		.counts = counts, .displs = displs }, recv = send;

	recv.base = &in;
	ok(s, weft_neighbor_alltoallv(graph, &send, &recv), "exchange");
	if (in != (char)(sent + (me + n - 1) % n))
		wf_sim_fail(s->rank, "byte %d", in);
}

static void duplicate_graph(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank), n = wf_sim_size(rank);
	int from = (me + n - 1) % n, to = (me + 1) % n;
	int weights[] = { 7 + from, 7 + me };
	struct weft_edges in = { 1, &from, &weights[0] };
	struct weft_edges out = { 1, &to, &weights[1] };
	struct weft_comm *graph = NULL, *copy = NULL;
	struct weft_edge_info info;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_graph_create_adjacent(s.world, &in, &out, NULL, false,
					  &graph), "graph");
	exchange(&s, graph, 1);
	ok(&s, weft_comm_dup(graph, &copy), "dup");
	ok(&s, weft_graph_edge(copy, true, 0, &info), "edge");
	if (info.rank != to || info.weight != 7 + me)
		wf_sim_fail(rank, "edge to %d of weight %d", info.rank,
			    info.weight);
	ok(&s, weft_graph_edge(copy, false, 0, &info), "edge");
	if (info.rank != from || info.weight != 7 + from)
		wf_sim_fail(rank, "edge from %d of weight %d", info.rank,
			    info.weight);
	for (char round = 0; round < 3; round++) {
		exchange(&s, copy, (char)(20 + round));
		if (graph)
			exchange(&s, graph, (char)(40 + round));
		if (round == 1)
			ok(&s, weft_comm_free(&graph), "free");
	}
	ok(&s, weft_comm_free(&copy), "free");
	stop(&s);
}

static void graphs(void)
{
	for (int ranks = 1; ranks <= 5; ranks++)
		run(ranks, (uint64_t)ranks, duplicate_graph);
}

static void refuse(struct wf_sim_rank *rank, void *arg)
{
	struct weft_contexts contexts;
	struct weft_comm *made = NULL;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	/* It takes its ids all the same: the next one is that of all. */
	if (wf_sim_rank(rank) == 1) {
		if (weft_comm_dup(s.world, NULL) != WEFT_ERR_ARG ||
		    !strstr(weft_error_text(s.job), "dup_p is NULL"))
			wf_sim_fail(rank, "NULL is taken");
	} else {
		ok(&s, weft_comm_dup(s.world, &made), "dup");
		/* Whoever asks the one without it hears of that. */
		if (weft_barrier(made) != WEFT_ERR_GRAPH)
			wf_sim_fail(rank, "%s", weft_error_text(s.job));
		ok(&s, weft_comm_free(&made), "free");
	}
	ok(&s, weft_comm_dup(s.world, &made), "dup");
	ok(&s, weft_barrier(made), "barrier");
	ok(&s, weft_comm_free(&made), "free");
	if (weft_comm_dup(NULL, &made) != WEFT_ERR_ARG ||
	    weft_context_query(s.job, NULL) != WEFT_ERR_ARG ||
	    weft_context_query(NULL, &contexts) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "NULL is taken");
	stop(&s);
}

/* What fails at one rank only: the others have theirs, and the next is good. */
static void run_short(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank), other = !me, status, failed = 0;
	struct weft_edges edges = { 1, &other, NULL };
	struct weft_comm *graph = NULL, *made;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_graph_create_adjacent(s.world, &edges, &edges, NULL, false,
					  &graph), "graph");
	for (long n = 1; n <= ALLOCATIONS; n++) {
		made = NULL;
		if (me == 0)
			fail_malloc_once(n);
		status = weft_comm_dup(graph, &made);
		fail_malloc_at(0);
		failed += status != WEFT_OK;
		if (status && (me || status != WEFT_ERR_NOMEM || made))
			wf_sim_fail(rank, "%s", weft_error_text(s.job));
		if (made)
			ok(&s, weft_comm_free(&made), "free");
	}
	if (me == 0 && failed < 3)
		wf_sim_fail(rank, "only %d failed", failed);
	ok(&s, weft_comm_dup(graph, &made), "dup");
	exchange(&s, made, 3);
	stop(&s);
}

static void no_memory(void)
{
	run(2, 1, run_short);
}

static void refusals(void)
{
	run(3, 1, refuse);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "no message, 1 to 64 ranks", no_message },
		{ "nor of 4096", none_of_4096 },
		{ "refills of pools, 1 to 17 ranks", refills },
		{ "messages of a refill, 1 to 64 ranks and 512",
		  messages_of_refills },
		{ "no ids are left", none_left },
		{ "graphs", graphs },
		{ "no memory at one rank", no_memory },
		{ "what is refused", refusals }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
