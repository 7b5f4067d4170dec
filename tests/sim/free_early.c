/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs and requests freed right after the last exchange, with puts, ready
 * lines and credits still under way: their memory goes only when nothing can
 * land there any more (the simulator looks at each landing), is used again at
 * once, and all of it has come back in the end.
 */
#include "base/random.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	GRAPHS = 8,
	LARGE = 2000
};

static int with_self(int from, int to, int ranks)
{
	(void)ranks;
	return 1 + (from == to);
}

static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	static const size_t any[] = { 8, 200, LARGE, 0, 100, 300, 20, 256 };

	return any[(from + to + k + round + shape->variant) % 8];
}

static const struct sim_flow_shape shapes[] = {
	{ sim_edges_later, bytes, LARGE, 0 },
	{ sim_edges_all, bytes, LARGE, 3 },
	{ with_self, bytes, LARGE, 5 }
};

/* A rank of a run. */
struct player {
	struct wf_sim_rank *rank;
	struct weft_job *job;
	struct wf_random random;
};

static void dawdle(struct player *player, struct sim_flow *flow)
{
	if (wf_random_below(&player->random, 3) == 0)
		sim_flow_compute(flow, wf_random_below(&player->random,
						       60000));
}

/* Takes what was given back, and writes it. */
static void scribble(struct player *player)
{
	void *block[4];

	for (int i = 0; i < 4; i++) {
		size_t n = 64 << i;

		if (weft_mem_alloc(player->job, n, &block[i])) {
			wf_sim_fail(player->rank, "no memory");
			return;
		}
		memset(block[i], 0x77, n);
	}
	for (int i = 0; i < 4; i++)
		weft_mem_free(player->job, block[i]);
}

/* Some exchanges, a persistent one among them, and away with it all. */
static void short_life(struct player *player, int which)
{
	int rounds = which % 4;
	struct sim_parcel parcel[2], last;
	struct sim_flow flow;

	if (!sim_flow_open(&flow, &shapes[which % TAP_COUNT(shapes)],
			   player->rank, player->job) ||
	    !sim_parcel_init(&parcel[0], &flow, which & 1) ||
	    !sim_parcel_init(&parcel[1], &flow, which & 2) ||
	    !sim_parcel_init(&last, &flow, which & 1))
		return;
	for (int i = 0; i < rounds; i++) {
		dawdle(player, &flow);
		sim_parcel_wait(&parcel[i % 2]);
		sim_parcel_start(&parcel[i % 2], i + which);
	}
	sim_parcel_fill(&last, which);
	if (which % 3 == 0 &&
	    weft_neighbor_alltoallv_init(flow.graph, &last.out, &last.in,
					 &last.req))
		wf_sim_fail(player->rank, "no request");
	if (last.req && weft_request_start(last.req))
		wf_sim_fail(player->rank, "cannot start");
	sim_parcel_wait(&parcel[0]);
	sim_parcel_wait(&parcel[1]);
	sim_parcel_wait(&last);
	sim_flow_close(&flow);
	sim_parcel_fini(&parcel[0]);
	sim_parcel_fini(&parcel[1]);
	sim_parcel_fini(&last);
	scribble(player);
}

static void wait_for_all(struct sim_flow *flow)
{
	for (int i = 0; i < 8; i++)
		if (weft_barrier(weft_job_world(flow->job)))
			wf_sim_fail(flow->rank, "no barrier");
	sim_flow_settle(flow);
}

static void lives(struct wf_sim_rank *rank, void *arg)
{
	struct player player = { .rank = rank };
	struct sim_holdings before;
	struct sim_flow keep;

	(void)arg;
	wf_random_init(&player.random, wf_sim_seed(rank));
	if (!sim_flow_join(&keep, &shapes[0], rank))
		return;
	player.job = keep.job;
	wait_for_all(&keep);
	before = sim_flow_holdings(&keep);
	for (int which = 0; which < GRAPHS; which++)
		short_life(&player, which);
	wait_for_all(&keep);
	sim_flow_check_holdings(&keep, before);
	sim_flow_part(&keep);
}

static void right_after_the_last_exchange(void)
{
	for (int ranks = 1; ranks <= 5; ranks++)
		if (!sim_flow_seeds(ranks, 30, sim_small_env, lives, NULL))
			return;
}

/* ---- the last exchange fails: what was offered is taken back first ---- */

struct quarrel {
	size_t sent, taken;
	int refused;			/* at this rank; -1: nowhere */
};

static const struct quarrel quarrels[] = {
	{ 100, LARGE, -1 }, { LARGE, 100, -1 }, { LARGE, LARGE / 2, -1 },
	{ 8, LARGE, -1 }, { LARGE, 8, -1 }, { 100, 200, -1 }, { 8, 100, -1 },
	{ LARGE, LARGE, 0 }, { LARGE, LARGE, 1 }, { 100, 100, 0 },
	{ 100, 100, 1 }
};

static size_t quarrel_bytes(const struct sim_flow_shape *shape, int from,
			    int to, int k, int round)
{
	(void)from;
	(void)to;
	(void)k;
	if (round == 1)
		return quarrels[shape->variant].sent;
	return round ? LARGE : 64;
}

static void disagree(const struct quarrel *q, struct sim_parcel *p, int before)
{
	struct sim_flow *flow = p->flow;
	int status;

	/* Large ones first, or none: then the edge has no ready lines. */
	for (int i = 0; i < before; i++)
		sim_parcel_exchange(p, i ? 0 : 2);
	sim_parcel_fill(p, 1);
	for (int e = 0; e < flow->nin; e++)
		p->recv_bytes[e] = q->taken;
	if (q->refused == flow->me)
		p->in.type = p->out.type = NULL;
	status = weft_neighbor_alltoallv(flow->graph, &p->out, &p->in);
	if (!status && (flow->me == 1 || q->refused >= 0))
		wf_sim_fail(flow->rank, "%zu sent, %zu taken: no error",
			    q->sent, q->taken);
}

static void quarrel(struct wf_sim_rank *rank, void *arg)
{
	const struct sim_flow_shape *shape = arg;
	struct player player = { .rank = rank };
	struct sim_holdings before;
	struct sim_parcel parcel;
	struct sim_flow keep, flow;

	if (!sim_flow_join(&keep, shape, rank))
		return;
	player.job = keep.job;
	wait_for_all(&keep);
	before = sim_flow_holdings(&keep);
	for (int i = 0; i < 3; i++) {
		if (!sim_flow_open(&flow, shape, rank, keep.job) ||
		    !sim_parcel_init(&parcel, &flow, i % 2))
			return;
		disagree(&quarrels[shape->variant], &parcel, i);
		sim_flow_close(&flow);
		sim_parcel_fini(&parcel);
		scribble(&player);
	}
	wait_for_all(&keep);
	sim_flow_check_holdings(&keep, before);
	sim_flow_part(&keep);
}

static bool disagreement(int which, int (*edges)(int from, int to, int ranks))
{
	struct sim_flow_shape shape = { edges, quarrel_bytes, LARGE, which };

	if (sim_flow_seeds(2, 15, sim_small_env, quarrel, &shape))
		return true;
	tap_diag("%zu sent, %zu taken, refused at %d", quarrels[which].sent,
		 quarrels[which].taken, quarrels[which].refused);
	return false;
}

static void after_a_disagreement(void)
{
	for (int q = 0; q < TAP_COUNT(quarrels); q++)
		if (!disagreement(q, sim_edges_later) ||
		    !disagreement(q, sim_edges_all))
			return;
}

/* ---- one rank gives all up after an error that others know nothing of ---- */

static int from_second(int from, int to, int ranks)
{
	(void)ranks;
	return from == 1 && to == 0;
}

static int from_third(int from, int to, int ranks)
{
	(void)ranks;
	return from == 2 && to == 0;
}

static size_t same_bytes(const struct sim_flow_shape *shape, int from, int to,
			 int k, int round)
{
	(void)from;
	(void)to;
	(void)k;
	(void)round;
	return (size_t)shape->variant;
}

static void differ(struct weft_job *job, struct wf_sim_rank *rank)
{
	static const struct sim_flow_shape shape = {
		from_second, quarrel_bytes, LARGE, 0
	};
	struct sim_parcel parcel;
	struct sim_flow flow;

	if (!sim_flow_open(&flow, &shape, rank, job) ||
	    !sim_parcel_init(&parcel, &flow, false))
		return;
	disagree(&quarrels[0], &parcel, 0);
	sim_flow_close(&flow);
	sim_parcel_fini(&parcel);
}

/* The third rank goes on for a while with the first, which has freed. */
static void go_on(struct sim_parcel *parcel)
{
	int status;

	for (int round = 1; round < 4; round++) {
		sim_flow_compute(parcel->flow, 50000);
		sim_parcel_fill(parcel, round);
		status = weft_neighbor_alltoallv(parcel->flow->graph,
						 &parcel->out, &parcel->in);
		if (status && status != WEFT_ERR_GRAPH)
			wf_sim_fail(parcel->flow->rank, "status %d", status);
	}
}

static void give_up(struct wf_sim_rank *rank, void *arg)
{
	static const struct sim_flow_shape all = {
		sim_edges_all, same_bytes, 8, 8
	};
	struct player player = { .rank = rank };
	struct sim_holdings before;
	struct sim_parcel parcel;
	struct sim_flow keep, flow;

	if (!sim_flow_join(&keep, &all, rank))
		return;
	player.job = keep.job;
	wait_for_all(&keep);
	before = sim_flow_holdings(&keep);
	if (!sim_flow_open(&flow, arg, rank, keep.job) ||
	    !sim_parcel_init(&parcel, &flow, false))
		return;
	sim_parcel_exchange(&parcel, 0);
	differ(keep.job, rank);
	if (flow.me == 2)
		go_on(&parcel);
	sim_flow_close(&flow);
	sim_parcel_fini(&parcel);
	scribble(&player);
	wait_for_all(&keep);
	sim_flow_check_holdings(&keep, before);
	sim_flow_part(&keep);
}

static void after_an_error_elsewhere(void)
{
	static const int sizes[] = { 8, 200, LARGE };

	for (int i = 0; i < TAP_COUNT(sizes); i++) {
		struct sim_flow_shape shape = {
			from_third, same_bytes, LARGE, sizes[i]
		};

		if (!sim_flow_seeds(3, 20, sim_small_env, give_up, &shape))
			tap_diag("%d bytes", sizes[i]);
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "right after the last exchange",
		  right_after_the_last_exchange },
		{ "after a disagreement", after_a_disagreement },
		{ "after an error that others know nothing of",
		  after_an_error_elsewhere }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
