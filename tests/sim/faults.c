/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ops of the transport that fail, neither done nor to be tried again: the
 * exchange ends with WEFT_ERR_DEVICE at both ends of the edge or works, nobody
 * hangs, nobody takes wrong bytes, and later exchanges end in the same way or
 * work; those on edges that owe no credits all work.
 */
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	FIRST = 4,			/* round with faults */
	END = 24,			/* first one without */
	ROUNDS = 32,
	MOST = 900
};

/* variant 0: lines, 1: slots, 2: large, 3: all, and none */
static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	static const size_t any[] = { 8, 200, 0, 700, 28, 29, 256, 257, 900 };

	switch (shape->variant) {
	case 0:
		return (size_t)(from + to + round) % 29;
	case 1:
		return 100 + (size_t)(from + to) % 100;
	case 2:
		return 300 + (size_t)(round * 37 + from) % 600;
	default:
		return any[(from + 2 * to + 3 * k + round) % 9];
	}
}

struct faulty {
	struct sim_flow_shape shape;
	bool arena;
	bool everywhere;		/* else at one rank */
	bool recovers;			/* all of it works afterwards */
	long failed, worked;		/* over all seeds */
};

static void exchange(struct sim_parcel *p, struct faulty *f, int round)
{
	struct weft_job *job = p->flow->job;
	struct wf_sim_rank *rank = p->flow->rank;
	bool fails = round >= FIRST && (round < END || !f->recovers);
	int status;

	sim_parcel_fill(p, round);
	status = weft_neighbor_alltoallv(p->flow->graph, &p->out, &p->in);
	if (!status)
		sim_parcel_check(p);
	else if (!fails || status != WEFT_ERR_DEVICE ||
		 !strstr(weft_error_text(job), "failed"))
		wf_sim_fail(rank, "round %d: %s: %s", round,
			    weft_status_name(status), weft_error_text(job));
	f->failed += !!status;
	f->worked += !status && round >= FIRST;
}

static void exchanges(struct wf_sim_rank *rank, void *arg)
{
	struct faulty *f = arg;
	struct sim_parcel p;
	struct sim_flow flow;
	uint64_t dice = wf_sim_seed(rank);
	bool faulty;

	if (!sim_flow_join(&flow, &f->shape, rank) ||
	    !sim_parcel_init(&p, &flow, f->arena))
		return;
	faulty = f->everywhere || flow.me == wf_sim_size(rank) / 2;
	for (int round = 0; round < ROUNDS; round++) {
		if (faulty && round == FIRST)
			wf_sim_set_faults(rank, 1u << dice % 5, 4);
		if (round == END)
			wf_sim_set_faults(rank, 0, 0);
		exchange(&p, f, round);
	}
	sim_parcel_fini(&p);
	sim_flow_part(&flow);
}

static void run(struct faulty f)
{
	int least = f.shape.edges == sim_edges_chain ? 2 : 1;

	for (int ranks = least; ranks <= 5; ranks++)
		for (int e = 0; e < 2; e++) {
			f.everywhere = e;
			if (!sim_flow_seeds(ranks, 20, sim_small_env,
					    exchanges, &f))
				return;
		}
	TAP_CHECK(f.failed > 0);
	TAP_CHECK(f.worked > 0);
}

static void variant(int v)
{
	bool recovers = v < 2;

	run((struct faulty){ .shape = { sim_edges_ring, bytes, MOST, v },
			     .recovers = recovers });
	run((struct faulty){ .shape = { sim_edges_ring, bytes, MOST, v },
			     .arena = true, .recovers = true });
	run((struct faulty){ .shape = { sim_edges_chain, bytes, MOST, v } });
	run((struct faulty){ .shape = { sim_edges_chain, bytes, MOST, v },
			     .arena = true });
}

static void lines(void)
{
	variant(0);
}

static void slots(void)
{
	variant(1);
}

static void large(void)
{
	variant(2);
}

static void all_sizes(void)
{
	variant(3);
}

/* ---- collectives ---- */

enum {
	VALUES = 100
};

static void reduce(struct wf_sim_rank *rank, struct weft_job *job, int round,
		   struct faulty *f)
{
	int n = round % 3 ? 1 : VALUES, ranks = wf_sim_size(rank), status;
	int64_t value[VALUES];

	for (int i = 0; i < n; i++)
		value[i] = round + i + wf_sim_rank(rank);
	status = weft_allreduce(weft_job_world(job), WEFT_IN_PLACE,
				weft_part(value, (size_t)n, &weft_type_int64),
				&weft_op_sum);
	f->failed += !!status;
	f->worked += !status && round >= FIRST;
	if (status && (status != WEFT_ERR_DEVICE || round < FIRST ||
		       round >= END || !*weft_error_text(job)))
		wf_sim_fail(rank, "round %d: %s: %s", round,
			    weft_status_name(status), weft_error_text(job));
	for (int i = 0; !status && i < n; i++)
		if (value[i] != (int64_t)ranks * (round + i) +
				(int64_t)ranks * (ranks - 1) / 2)
			wf_sim_fail(rank, "round %d: element %d is %lld",
				    round, i, (long long)value[i]);
}

static void reductions(struct wf_sim_rank *rank, void *arg)
{
	struct faulty *f = arg;
	uint64_t dice = wf_sim_seed(rank);
	struct weft_job *job;

	if (wf_sim_job_open(rank, &job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	for (int round = 0; round < ROUNDS; round++) {
		bool faulty = round >= FIRST && round < END;

		if (wf_sim_rank(rank) == wf_sim_size(rank) / 2)
			wf_sim_set_faults(rank, faulty ? 1u << dice % 5 : 0,
					  faulty ? 4 : 0);
		reduce(rank, job, round, f);
	}
	if (weft_job_close(job))
		wf_sim_fail(rank, "cannot close the job");
}

static void allreduce(void)
{
	static char *radix_2[] = { "WEFT_COLL=radix:2", "WEFT_ARENA=64k",
				   "WEFT_ARENA_MAX=64m", NULL };
	struct faulty f = { .failed = 0 };

	for (int ranks = 2; ranks <= 9; ranks++)
		if (!sim_flow_seeds(ranks, 10, sim_small_env, reductions, &f) ||
		    !sim_flow_seeds(ranks, 10, radix_2, reductions, &f))
			return;
	TAP_CHECK(f.failed > 0);
	TAP_CHECK(f.worked > 0);
}

/* ---- a peer that no mail reaches ---- */

static int itself(int from, int to, int ranks)
{
	(void)ranks;
	return from == to;
}

static void mute(struct wf_sim_rank *rank, void *arg)
{
	struct sim_parcel p;
	struct sim_flow flow;
	int status;

	if (!sim_flow_join(&flow, arg, rank) ||
	    !sim_parcel_init(&p, &flow, false))
		return;
	wf_sim_set_faults(rank, 0, 1);
	for (int round = 0; round < 3; round++) {
		sim_parcel_fill(&p, round);
		status = weft_neighbor_alltoallv(flow.graph, &p.out, &p.in);
		if (status != WEFT_ERR_DEVICE ||
		    !strstr(weft_error_text(flow.job), "takes no mails"))
			wf_sim_fail(rank, "round %d: %s: %s", round,
				    weft_status_name(status),
				    weft_error_text(flow.job));
	}
	sim_parcel_fini(&p);
	sim_flow_part(&flow);
}

static void no_mails(void)
{
	struct sim_flow_shape shape = { itself, bytes, MOST, 0 };

	sim_flow_seeds(1, 20, sim_small_env, mute, &shape);
}

/*
 * Rank 0 has said where to put, and cannot call that off when it gives rank 1
 * up; what rank 1 puts ends the wait.
 */
static int back(int from, int to, int ranks)
{
	(void)ranks;
	return from > to;
}

static void mute_receiver(struct wf_sim_rank *rank, void *arg)
{
	struct sim_parcel p;
	struct sim_flow flow;
	int status;

	if (!sim_flow_join(&flow, arg, rank) ||
	    !sim_parcel_init(&p, &flow, true))
		return;
	for (int round = 0; round < 3; round++)
		sim_parcel_exchange(&p, round);
	if (flow.me)
		sim_flow_compute(&flow, 500000000);
	else
		wf_sim_set_faults(rank, 0, 1);
	sim_parcel_fill(&p, 3);
	status = weft_neighbor_alltoallv(flow.graph, &p.out, &p.in);
	if (status != (flow.me ? WEFT_OK : WEFT_ERR_DEVICE))
		wf_sim_fail(rank, "%s: %s", weft_status_name(status),
			    weft_error_text(flow.job));
	sim_parcel_fini(&p);
	/* No mail can tell rank 1 that this one leaves. */
	if (!flow.me)
		wf_sim_die(rank);
	sim_flow_close(&flow);
	if (weft_job_close(flow.job) != WEFT_ERR_PEER)
		wf_sim_fail(rank, "closed in peace");
}

static void set_mortal(struct wf_sim_options *options)
{
	options->kill_rank = 0;
}

static void no_revoke(void)
{
	struct sim_flow_shape shape = { back, bytes, MOST, 2 };

	sim_flow_seeds_set(2, 200, sim_small_env, set_mortal, mute_receiver,
			   &shape);
}

/* ---- closing right after a post to a peer that is given up ---- */

/*
 * Rank 0 posts lines and waits for some; its question is what no mail carries.
 * Rank 1 computes meanwhile, so the lines have not landed when rank 0 gives up
 * and closes: they were taken for sent, and must not be lost.
 */
static void mute_sender(struct wf_sim_rank *rank, void *arg)
{
	struct sim_parcel p;
	struct sim_flow flow;

	if (!sim_flow_join(&flow, arg, rank) ||
	    !sim_parcel_init(&p, &flow, true))
		return;
	for (int round = 0; round < 3; round++)
		sim_parcel_exchange(&p, round);
	if (flow.me) {
		sim_flow_compute(&flow, 900000000);
		/* until it hears of the end of rank 0 */
		while (!weft_job_progress(flow.job))
			wf_sim_idle(rank, wf_sim_now(rank) + 10000);
	} else {
		wf_sim_set_faults(rank, 0, 1);
		sim_parcel_fill(&p, 3);
		if (weft_neighbor_alltoallv(flow.graph, &p.out, &p.in) !=
		    WEFT_ERR_DEVICE)
			wf_sim_fail(rank, "%s", weft_error_text(flow.job));
	}
	sim_parcel_fini(&p);
	sim_flow_close(&flow);
	if (weft_job_close(flow.job) != (flow.me ? WEFT_ERR_PEER : WEFT_OK))
		wf_sim_fail(rank, "closed otherwise");
	/* No mail has told rank 1 that this one left. */
	if (!flow.me)
		wf_sim_die(rank);
}

static void set_deep(struct wf_sim_options *options)
{
	set_mortal(options);
	options->target_idle = false;
	options->tx_depth = 32;		/* all of it is posted */
}

static void last_post(void)
{
	struct sim_flow_shape shape = { sim_edges_ring, bytes, MOST, 0 };

	sim_flow_seeds_set(2, 100, sim_small_env, set_deep, mute_sender,
			   &shape);
}

/* ---- memory that comes back ---- */

#define STARVED_NS UINT64_C(2000000000)

struct starved {
	struct sim_flow_shape shape;
	struct wf_sim_rank *rank;
	uint64_t ns;			/* for so long, */
	int times;			/* each with a graph of its own */
};

/* The first exchange needs mails, and those of rank 0 have no memory. */
static void starve(struct sim_flow *flow, struct starved *s)
{
	struct sim_parcel p;

	if (!sim_parcel_init(&p, flow, false))
		return;
	if (!flow->me) {
		s->rank = flow->rank;
		wf_sim_starve_mails(s->rank, true);
	} else {
		sim_flow_compute(flow, s->ns);
		wf_sim_starve_mails(s->rank, false);
	}
	for (int round = 0; round < 3; round++)
		sim_parcel_exchange(&p, round);
	sim_parcel_fini(&p);
}

static void starved(struct wf_sim_rank *rank, void *arg)
{
	struct starved *s = arg;
	struct sim_flow flow;

	if (!sim_flow_join(&flow, &s->shape, rank))
		return;
	for (int left = s->times; left--;) {
		starve(&flow, s);
		if (!left)
			break;
		sim_flow_close(&flow);
		if (!sim_flow_open(&flow, &s->shape, rank, flow.job))
			return;
	}
	sim_flow_part(&flow);
}

static void memory_returns(void)
{
	struct starved s = {
		.shape = { sim_edges_ring, bytes, MOST, 0 }, .ns = STARVED_NS,
		.times = 1
	};

	sim_flow_seeds(2, 20, sim_small_env, starved, &s);
}

/* Each time it is too short to be given up for, and together they are not. */
static void memory_returns_twice(void)
{
	struct starved s = {
		.shape = { sim_edges_ring, bytes, MOST, 0 },
		.ns = 3 * STARVED_NS, .times = 2
	};

	sim_flow_seeds(2, 5, sim_small_env, starved, &s);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "exchanges by lines", lines },
		{ "by slots", slots },
		{ "of large messages", large },
		{ "of all sizes", all_sizes },
		{ "allreduce", allreduce },
		{ "no mail gets through", no_mails },
		{ "no mail calls a put off", no_revoke },
		{ "closing right after a post", last_post },
		{ "mails whose memory comes back", memory_returns },
		{ "mails whose memory comes back twice", memory_returns_twice }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
