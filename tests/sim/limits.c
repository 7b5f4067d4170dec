/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The limits between the ways of a message: lengths around each of them,
 * whatever it is set to, and with receivers that choose another one each, from
 * memory that peers can write and from other memory.  What offers memory leaves
 * before anything is copied, and not before its exchange has started.
 */
#include <string.h>

#include "plan/channel.h"
#include "tests/sim/sim_exchange.h"
#include "tests/tap.h"
#include "topo/graph.h"

enum {
	ROUNDS = 16,
	IN_FLIGHT = 4,
	CHUNK = 192,			/* of the settings below */
	EVEN = 1024, ODD = 4096,	/* of the receivers by their ranks */
	MOST = 2 * ODD + 1,
	MOST_RANKS = 9
};

#define USUAL "WEFT_LINE_MAX=28", "WEFT_CHUNK=192", "WEFT_ARENA=64k", \
	      "WEFT_ARENA_MAX=64m"

static char *const env_28[] = { USUAL, "WEFT_SLOT_MAX=28", NULL };
static char *const env_256[] = { USUAL, "WEFT_SLOT_MAX=256", NULL };
static char *const env_1k[] = { USUAL, "WEFT_SLOT_MAX=1024", NULL };
static char *const env_4k[] = { USUAL, "WEFT_SLOT_MAX=4096", NULL };
static char *const env_long[] = {
	"WEFT_SLOT_MAX=1024", "WEFT_ARENA=64k", "WEFT_ARENA_MAX=64m", NULL
};
static char *const env_auto[] = { USUAL, NULL };

static const struct limit {
	int bytes;			/* 0: that of each receiver */
	char *const *environ;
} limits[] = {
	{ 28, env_28 }, { 256, env_256 }, { 1024, env_1k }, { 4096, env_4k },
	{ 1024, env_long }, { 0, env_auto }
};

static size_t limit_of(int variant, int receiver)
{
	if (limits[variant].bytes)
		return (size_t)limits[variant].bytes;
	return receiver % 2 ? ODD : EVEN;
}

static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	size_t limit = limit_of(shape->variant, to);
	const size_t any[] = {
		limit + 1, limit, limit - 1, limit + CHUNK, 28, 29, 0,
		2 * limit + 1, limit + 4 * CHUNK + 1, limit / 2, EVEN + 1, EVEN
	};

	return any[(from + 2 * to + 5 * k + 7 * round) % TAP_COUNT(any)];
}

struct way {
	struct sim_flow_shape shape;
	bool arena, heap;		/* where the buffers are */
};

/* Both ends of an edge go by the limit of its receiver. */
static void check_limits(const struct sim_flow *flow, int variant)
{
	const struct wf_set *set = wf_graph_of(flow->graph)->set;

	for (int i = 0; i < flow->nin; i++)
		if (set->in[i].slot_max != limit_of(variant, flow->me))
			wf_sim_fail(flow->rank, "in-edge %d has a limit of %u",
				    i, set->in[i].slot_max);
	for (int i = 0; i < flow->nout; i++)
		if (set->out[i].slot_max != limit_of(variant, flow->to[i]))
			wf_sim_fail(flow->rank, "out-edge %d has a limit of %u",
				    i, set->out[i].slot_max);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	const struct way *way = arg;
	struct sim_parcel parcel[IN_FLIGHT];
	struct sim_flow flow;

	if (!sim_flow_join(&flow, &way->shape, rank))
		return;
	for (int i = 0; i < IN_FLIGHT; i++)
		if (!sim_parcel_init(&parcel[i], &flow,
				     way->arena && !(way->heap && i % 2)))
			return;
	for (int round = 0; round < ROUNDS + IN_FLIGHT; round++) {
		struct sim_parcel *p = &parcel[round % IN_FLIGHT];

		sim_parcel_wait(p);
		if (flow.me == round % 4)
			sim_flow_compute(&flow, 10000);
		if (round < ROUNDS)
			sim_parcel_start(p, round);
	}
	check_limits(&flow, way->shape.variant);
	for (int i = 0; i < IN_FLIGHT; i++)
		sim_parcel_fini(&parcel[i]);
	if (weft_barrier(weft_job_world(flow.job)))
		wf_sim_fail(rank, "no barrier");
	sim_flow_settle(&flow);
	sim_flow_check_credits(&flow, flow.graph);
	sim_flow_part(&flow);
}

static void choose(struct wf_sim_options *options)
{
	options->slot_max[0] = EVEN;
	options->slot_max[1] = ODD;
}

static bool run(int variant, int (*edges)(int, int, int))
{
	struct way way = { { edges, bytes, MOST, variant }, false, false };

	for (int kind = 1; kind <= 3; kind++) {
		way.arena = kind & 1;
		way.heap = kind & 2;
		for (int ranks = 1; ranks <= 4; ranks++)
			if (!sim_flow_seeds_set(ranks, 6,
						limits[variant].environ,
						choose, program, &way))
				return false;
	}
	return true;
}

static void each_setting(void)
{
	for (int v = 0; v < TAP_COUNT(limits) - 1; v++)
		if (!run(v, sim_edges_ring) || !run(v, sim_edges_chain))
			return;
}

static void each_receiver(void)
{
	run(TAP_COUNT(limits) - 1, sim_edges_ring);
	run(TAP_COUNT(limits) - 1, sim_edges_slope);
}

/* ---- random programs ---- */

static void random_program(struct wf_sim_rank *rank, void *arg)
{
	const struct exchange_options *options = arg;
	struct exchange_result result;

	sim_exchange_play(rank, *options, &result);
}

/* Some ends of some edges disagree about lengths, too. */
static bool one_seed(uint64_t seed)
{
	struct exchange_options exchange = {
		.seed = seed, .exchanges = 20, .max_bytes = MOST,
		.max_degree = 4, .graphs = 2, .replace_one_in = 10,
		.collective_one_in = 4, .mismatch_one_in = seed % 2 ? 8 : 0
	};
	struct wf_sim_options options;

	wf_sim_options_init(&options, 2 + (int)(seed % MOST_RANKS), seed);
	wf_sim_options_vary(&options);
	wf_sim_options_harden(&options);
	choose(&options);
	options.environ = env_auto;
	return sim_flow_run(&options, random_program, &exchange);
}

static void random_programs(void)
{
	long seeds = tap_figure("SEEDS", 60);
	long first = tap_figure("FIRST_SEED", 1);

	for (long seed = first; seed < first + seeds; seed++)
		if (!one_seed((uint64_t)seed))
			return;
}

/* ---- when memory is offered ---- */

enum {
	SHORT = 700,			/* goes by slot */
	LONG = 3000
};

/*
 * What each rank has posted since it started; no other message is a line.  In
 * the first exchange some edges are opened before others.
 */
struct posts {
	bool warm[4], started[4];
	int lines[4], others[4];
	int early, late;
};

static void posted(void *arg, const struct wf_sim_message *m)
{
	struct posts *p = arg;
	bool line = !strcmp(m->kind, "line");

	if (line && p->warm[m->from] && !p->started[m->from])
		p->early++;
	if (line && p->warm[m->from] && p->others[m->from])
		p->late++;
	p->lines[m->from] += line;
	p->others[m->from] += !strcmp(m->kind, "put");
}

static void landed(void *arg, const struct wf_sim_message *m, bool lands)
{
	(void)arg;
	(void)m;
	(void)lands;
}

static void busy(void *arg, int rank, const char *what, uint64_t start_ps,
		 uint64_t end_ps)
{
	(void)arg;
	(void)rank;
	(void)what;
	(void)start_ps;
	(void)end_ps;
}

static size_t long_or_short(const struct sim_flow_shape *shape, int from,
			    int to, int k, int round)
{
	(void)shape;
	(void)k;
	(void)round;
	return (from + to) % 2 ? LONG : SHORT;
}

static const struct sim_flow_shape all = {
	sim_edges_all, long_or_short, LONG, 0
};

static void begin(struct posts *p, int rank, int round)
{
	p->warm[rank] = round;
	p->started[rank] = true;
	p->lines[rank] = p->others[rank] = 0;
}

/* Rank 0 is late: the others have started, and its buffers are as they were. */
static void offering(struct wf_sim_rank *rank, void *arg)
{
	struct posts *posts = arg;
	struct sim_parcel p;
	struct sim_flow flow;

	if (!sim_flow_join(&flow, &all, rank) ||
	    !sim_parcel_init(&p, &flow, true))
		return;
	for (int round = 0; round < ROUNDS; round++) {
		sim_parcel_fill(&p, round);
		if (!flow.me)
			sim_flow_settle(&flow);
		for (size_t i = 0; i < p.recv_bytes[0]; i++)
			if (p.recv[p.recv_at[0] + (ptrdiff_t)i] != p.recv[0]) {
				wf_sim_fail(rank, "byte %zu was written before "
					    "the start of %d", i, round);
				break;
			}
		begin(posts, flow.me, round);
		sim_parcel_start(&p, round);
		sim_parcel_wait(&p);
		posts->started[flow.me] = false;
		sim_flow_settle(&flow);
	}
	sim_parcel_fini(&p);
	sim_flow_part(&flow);
}

static void offers_first(void)
{
	struct posts posts = { .early = 0 };
	const struct wf_sim_observer observer = {
		.arg = &posts, .posted = posted, .landed = landed, .busy = busy
	};
	struct wf_sim_options options;

	wf_sim_options_init(&options, 4, 1);
	options.observer = &observer;
	options.environ = env_1k;
	if (!sim_flow_run(&options, offering, &posts))
		return;
	TAP_EQUAL(posts.early, 0);
	TAP_EQUAL(posts.late, 0);
	TAP_CHECK(posts.lines[0] > 0 && posts.others[0] > 0);
}

/* ---- how much memory a long message takes ---- */

static const struct { size_t bytes, chunk; } growth[] = {
	{ 1025, 2048 }, { 2048, 2048 }, { 2049, 4096 }, { 1500, 4096 },
	{ 9000, 16384 }, { 65536, 65536 }, { 65537, 1 << 18 }
};

static size_t longer(const struct sim_flow_shape *shape, int from, int to,
		     int k, int round)
{
	(void)shape;
	(void)from;
	(void)to;
	(void)k;
	return growth[round].bytes;
}

static const struct sim_flow_shape longer_ones = {
	sim_edges_ring, longer, 65537, 0
};

static void growing(struct wf_sim_rank *rank, void *arg)
{
	struct sim_parcel p;
	struct sim_flow flow;
	const struct wf_in *in;

	(void)arg;
	if (!sim_flow_join(&flow, &longer_ones, rank) ||
	    !sim_parcel_init(&p, &flow, false))
		return;
	in = wf_graph_of(flow.graph)->set->in;
	for (int round = 0; round < TAP_COUNT(growth); round++) {
		sim_parcel_exchange(&p, round);
		if (in->chunk != growth[round].chunk)
			wf_sim_fail(rank, "%zu bytes have chunks of %u",
				    growth[round].bytes, in->chunk);
	}
	sim_parcel_fini(&p);
	sim_flow_part(&flow);
}

static void grows(void)
{
	sim_flow_seeds(2, 5, env_long, growing, NULL);
}

/* ---- what programs are told ---- */

static const size_t each_length[] = { 28, 1024, 1025 };

static size_t each_way(const struct sim_flow_shape *shape, int from, int to,
		       int k, int round)
{
	(void)shape;
	(void)from;
	(void)to;
	(void)k;
	return each_length[round];
}

static const struct sim_flow_shape pair = {
	sim_edges_ring, each_way, 1025, 0
};

static void expect_way(struct sim_flow *flow, const struct weft_request *req,
		       const char *expected)
{
	const char *way = NULL;
	int status = weft_neighbor_way(req, flow->nin - 1, &way);

	if (!expected ? status != WEFT_ERR_REQUEST :
			status || !way || strcmp(way, expected))
		wf_sim_fail(flow->rank, "way is %s, not %s: %s", way, expected,
			    weft_error_text(flow->job));
}

static void asking(struct wf_sim_rank *rank, void *arg)
{
	static const char *const ways[2][3] = {
		{ "line", "slot", "chunks" }, { "line", "slot", "direct" }
	};
	struct weft_request *barred;
	struct sim_parcel p;
	struct sim_flow flow;
	bool arena = *(bool *)arg;

	if (!sim_flow_join(&flow, &pair, rank) ||
	    !sim_parcel_init(&p, &flow, arena))
		return;
	for (int round = 0; round < TAP_COUNT(ways[0]); round++) {
		sim_parcel_start(&p, round);
		if (weft_ibcast(flow.graph, weft_part(NULL, 0, &weft_type_byte),
				0, &barred))
			wf_sim_fail(rank, "no broadcast");
		expect_way(&flow, p.req, NULL);
		if (weft_request_wait(p.req) || weft_request_wait(barred))
			wf_sim_fail(rank, "%s", weft_error_text(flow.job));
		expect_way(&flow, p.req, ways[arena][round]);
		expect_way(&flow, barred, NULL);
		sim_parcel_wait(&p);
		if (weft_request_free(&barred))
			wf_sim_fail(rank, "the broadcast stays");
	}
	sim_parcel_fini(&p);
	sim_flow_part(&flow);
}

/* The second exchange may be over before the first. */
static void overtaking(struct wf_sim_rank *rank, void *arg)
{
	struct sim_parcel longer, shorter;
	struct sim_flow flow;

	(void)arg;
	if (!sim_flow_join(&flow, &pair, rank) ||
	    !sim_parcel_init(&longer, &flow, false) ||
	    !sim_parcel_init(&shorter, &flow, false))
		return;
	sim_parcel_start(&longer, TAP_COUNT(each_length) - 1);
	sim_parcel_start(&shorter, 0);
	if (weft_request_wait(shorter.req))
		wf_sim_fail(rank, "%s", weft_error_text(flow.job));
	expect_way(&flow, shorter.req, "line");
	sim_parcel_wait(&shorter);
	sim_parcel_wait(&longer);
	sim_parcel_fini(&shorter);
	sim_parcel_fini(&longer);
	sim_flow_part(&flow);
}

static void expect_none(struct sim_flow *flow, const struct weft_request *req)
{
	const char *way = "poison";

	if (weft_neighbor_way(req, 0, &way) || way)
		wf_sim_fail(flow->rank, "way is %s, though nothing has come",
			    way);
}

/* One that was never started, and one that the other rank has refused. */
static void asking_in_vain(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *never;
	struct sim_parcel p;
	struct sim_flow flow;

	(void)arg;
	if (!sim_flow_join(&flow, &pair, rank) ||
	    !sim_parcel_init(&p, &flow, true))
		return;
	sim_parcel_fill(&p, TAP_COUNT(each_length) - 1);
	if (weft_neighbor_alltoallv_init(flow.graph, &p.out, &p.in, &never))
		wf_sim_fail(rank, "%s", weft_error_text(flow.job));
	else
		expect_none(&flow, never);
	if (flow.me)
		p.out.counts = NULL;
	if (!weft_ineighbor_alltoallv(flow.graph, &p.out, &p.in,
				      &p.req)) {
		if (!weft_request_wait(p.req))
			wf_sim_fail(rank, "it has come");
		expect_none(&flow, p.req);
		if (weft_request_free(&p.req))
			wf_sim_fail(rank, "it stays");
	}
	if (weft_request_free(&never))
		wf_sim_fail(rank, "the one that was not started stays");
	sim_parcel_fini(&p);
	sim_flow_part(&flow);
}

static void told(void)
{
	bool arena = true;

	sim_flow_seeds(2, 5, env_1k, asking, &arena);
	arena = false;
	sim_flow_seeds(2, 5, env_1k, asking, &arena);
	sim_flow_seeds(2, 5, env_1k, asking_in_vain, NULL);
	sim_flow_seeds(2, 20, env_1k, overtaking, NULL);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "lengths around each setting", each_setting },
		{ "each receiver chooses", each_receiver },
		{ "random exchanges, each receiver chooses", random_programs },
		{ "memory is offered before anything is copied, not before "
		  "the start", offers_first },
		{ "chunks are as long as messages", grows },
		{ "a program is told the way", told },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
