/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a rank that dies, or closes its job, leaves alone, and what follows from
 * it.  The others, in a communicator of their own, are answered about edges
 * that do not exist, and get the memory of what they free.  One that hears of
 * the death from what another one has done since is told of the dead, by name.
 */
#include "tests/sim/p2p_scene.h"

enum {
	MS = 1000000,
	RANKS = 3,
	GONE = 2,		/* the rank that dies or leaves */
	MANY = 6,		/* ranks, where news go from rank to rank */
	LARGE = 60000,		/* bytes: more than a slot */
	LOOPS = 4,
	ANSWER = 1000,		/* ms within which a question is answered */
	LATER = 50		/* ms: the others have heard, and have acted */
};

enum way { DIES, LEAVES };

/* What all have made before, of the world or a duplicate. */
struct things {
	struct weft_comm *dup, *graph;
	struct weft_region *region;
};

struct play {
	enum way way;
	size_t bytes;
	bool receives;			/* the one that has the edge */
	bool unmade;			/* the other one has no graph at all */
	void (*act)(const struct scene *s, const struct play *play);
	/* Of things: one gives it up, or closes, and the other one uses it. */
	void (*give_up)(const struct scene *s, struct things *t);
	int (*use)(const struct scene *s, struct things *t);
};

/* Time passes, with progress, which may tell that somebody is dead. */
static void stay(const struct scene *s, uint64_t until)
{
	while (wf_sim_now(s->rank) < until) {
		if (weft_job_progress(s->job) == WEFT_ERR_INTERNAL)
			return;
		/* What a pass has found may give work to the next one. */
		wf_sim_idle(s->rank, wf_sim_now(s->rank) + MS / 10);
	}
}

static void stay_for(const struct scene *s, uint64_t ms)
{
	stay(s, wf_sim_now(s->rank) + ms * MS);
}

/* So many bytes along the one edge that a rank has in a direction. */
static int exchange(struct weft_comm *graph, size_t out, size_t in)
{
	static char sent[LARGE], got[MANY][LARGE];
	const ptrdiff_t none = 0;
	struct weft_vec o = { .base = sent, .type = &weft_type_byte,
			      .counts = &out, .displs = &none };
	struct weft_vec i = { .base = got[weft_comm_rank(graph)],
			      .type = &weft_type_byte, .counts = &in,
			      .displs = &none };

	return weft_neighbor_alltoallv(graph, &o, &i);
}

/* Edges from one rank, if there is one, and to one. */
static int make_graph(struct weft_comm *comm, const int *from, const int *to,
		      struct weft_comm **graph_p)
{
	struct weft_edges in = { from != NULL, from, NULL };
	struct weft_edges out = { to != NULL, to, NULL };

	return weft_graph_create_adjacent(comm, &in, &out, NULL, false,
					  graph_p);
}

static void make_things(const struct scene *s, struct things *t)
{
	const int other = 1 - wf_sim_rank(s->rank);
	const int *edge = other < 0 ? NULL : &other;

	ok(s, weft_comm_dup(s->world, &t->dup), "dup");
	ok(s, make_graph(s->world, edge, edge, &t->graph), "graph");
	ok(s, weft_region_create(s->world, NULL, 64, &t->region), "region");
	for (int i = 0; i < 6; i++)
		ok(s, weft_barrier(s->world), "barrier");
}

/*
 * Rank 0 is told of the death by the simulator, and does what the sentence of
 * an error advises; rank 1 hears nothing but what comes from rank 0.
 */
static void part_with(const struct scene *s, const struct play *play,
		      struct things *t)
{
	struct sim_flow flow = { .rank = s->rank, .job = s->job };

	if (wf_sim_rank(s->rank)) {
		sim_flow_compute(&flow, (uint64_t)2 * LATER * MS);
		expect(s, play->use(s, t), WEFT_ERR_PEER, "rank 2 ");
	} else {
		stay_for(s, LATER);
		expect(s, weft_barrier(s->world), WEFT_ERR_PEER, "rank 2 ");
		if (play->give_up)
			play->give_up(s, t);
		stay_for(s, ANSWER);
	}
}

static void close_job(const struct scene *s, enum way way)
{
	int status = weft_job_close(s->job);

	if (status && (status != WEFT_ERR_PEER || way != DIES))
		wf_sim_fail(s->rank, "close: %s", weft_status_name(status));
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	const struct play *play = arg;
	struct things t = { .dup = NULL };
	struct scene s;

	if (!start(&s, rank))
		return;
	make_things(&s, &t);
	/* All are through with it by then. */
	if (wf_sim_rank(rank) == GONE)
		stay_for(&s, 1);
	if (wf_sim_rank(rank) == GONE && play->way == DIES)
		wf_sim_die(rank);
	else if (wf_sim_rank(rank) == GONE)
		stop(&s);
	else if (play->use)
		part_with(&s, play, &t);
	else
		play->act(&s, play);
	if (wf_sim_rank(rank) != GONE)
		close_job(&s, play->way);
}

static void run_play(const struct play *play, char *const *environ,
		     int told_ranks)
{
	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct wf_sim_options options;

		wf_sim_options_init(&options, RANKS, seed);
		options.told_ns = MS;
		options.told_ranks = told_ranks;
		options.environ = environ;
		if (play->way == DIES)
			options.kill_rank = GONE;
		if (!sim_flow_run(&options, program, (void *)play))
			return;
	}
}

/* ---- of one that dies before anybody has met it ---- */

static void expect_host(const struct scene *s, int status)
{
	expect(s, status, WEFT_ERR_PEER, "rank 2 on host ");
	if (strstr(weft_error_text(s->job), "host ?"))
		wf_sim_fail(s->rank, "\"%s\"", weft_error_text(s->job));
}

static void use_the_unmet(struct wf_sim_rank *rank, void *arg)
{
	struct weft_envelope from = weft_from(GONE, 0);
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == GONE)
		wf_sim_die(rank);
	stay_for(&s, LATER);
	expect_host(&s, weft_job_progress(s.job));
	expect_host(&s, weft_recv(s.world, NULL, 0, &weft_type_byte, from,
				  NULL));
	expect_host(&s, weft_barrier(s.world));
	close_job(&s, DIES);
}

static void host_of_the_unmet(void)
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, RANKS, 1);
	options.told_ns = MS;
	options.kill_rank = GONE;
	sim_flow_run(&options, use_the_unmet, NULL);
}

/* ---- of a communicator without the one that is gone ---- */

/* The ranks that stay; the one that goes was never to be in it. */
static struct weft_comm *survivors(const struct scene *s)
{
	struct weft_group *group = range(s, 0, GONE, 1);
	struct weft_comm *made = NULL;

	ok(s, weft_comm_create_group(s->world, group, 1, &made), "create");
	ok(s, weft_group_free(&group), "free group");
	return made;
}

/* Rank 0 has an edge; rank 1 has none, or was refused the graph. */
static void ask(const struct scene *s, const struct play *play)
{
	const int other = 1 - wf_sim_rank(s->rank), nobody = RANKS;
	struct weft_comm *comm, *graph = NULL;
	const int *edge = other ? &other : NULL;
	uint64_t began;

	stay_for(s, LATER);
	comm = survivors(s);
	if (other)
		ok(s, make_graph(comm, play->receives ? edge : NULL,
				 play->receives ? NULL : edge, &graph),
		   "graph");
	else
		expect(s, make_graph(comm, play->unmade ? &nobody : NULL, NULL,
				     &graph),
		       play->unmade ? WEFT_ERR_ARG : WEFT_OK, NULL);
	began = wf_sim_now(s->rank);
	if (other)
		expect(s, exchange(graph, play->bytes, play->bytes),
		       WEFT_ERR_GRAPH, "at rank 1");
	else
		stay(s, began + (uint64_t)2 * ANSWER * MS);
	if (other && wf_sim_now(s->rank) - began > (uint64_t)ANSWER * MS)
		wf_sim_fail(s->rank, "the answer came late");
	if (graph)
		ok(s, weft_comm_free(&graph), "free graph");
	ok(s, weft_comm_free(&comm), "free");
}

static void ask_in_all_ways(bool unmade)
{
	struct play play = { .unmade = unmade, .act = ask };

	for (int v = 0; v < 8; v++) {
		play.way = v & 1 ? DIES : LEAVES;
		play.receives = v & 2;
		play.bytes = v & 4 ? LARGE : 8;
		run_play(&play, sim_unchecked_env, 0);
	}
}

static void no_such_edge(void)
{
	ask_in_all_ways(false);
}

static void no_such_graph(void)
{
	ask_in_all_ways(true);
}

/* Makes and uses what takes memory, and frees it. */
static void consume(const struct scene *s, struct weft_comm *comm)
{
	const int other = 1 - wf_sim_rank(s->rank);
	struct weft_comm *dup = NULL, *graph = NULL;

	ok(s, weft_comm_dup(comm, &dup), "dup");
	for (int i = 0; i < 6; i++)
		ok(s, weft_barrier(dup), "barrier");
	ok(s, make_graph(dup, &other, &other, &graph), "graph");
	ok(s, exchange(graph, LARGE, LARGE), "exchange");
	ok(s, weft_comm_free(&graph), "free graph");
	ok(s, weft_comm_free(&dup), "free");
	stay_for(s, LATER);
}

static void consume_again(const struct scene *s, const struct play *play)
{
	struct sim_flow flow = { .rank = s->rank, .job = s->job };
	struct sim_holdings before;
	struct weft_comm *comm;

	(void)play;
	stay_for(s, LATER);
	comm = survivors(s);
	consume(s, comm);
	before = sim_flow_holdings(&flow);
	for (int i = 0; i < LOOPS; i++)
		consume(s, comm);
	sim_flow_check_holdings(&flow, before);
	ok(s, weft_comm_free(&comm), "free");
}

static void memory_comes_back(void)
{
	struct play play = { .way = DIES, .act = consume_again };

	run_play(&play, NULL, 0);
	play.way = LEAVES;
	run_play(&play, NULL, 0);
}

/* ---- what the sentence of a collective call says that ends by a death ---- */

static int split(const struct scene *s)
{
	struct weft_comm *made;

	return weft_comm_split(s->world, 0, 0, &made);
}

static int split_by_key(const struct scene *s)
{
	struct weft_comm *made;

	return weft_comm_split(s->world, 0, -wf_sim_rank(s->rank), &made);
}

static int create_graph(const struct scene *s)
{
	struct weft_comm *made;

	return make_graph(s->world, NULL, NULL, &made);
}

static int create_region(const struct scene *s)
{
	struct weft_region *made;

	return weft_region_create(s->world, NULL, 8, &made);
}

static int reduce(const struct scene *s)
{
	double in = 1, out;

	return weft_allreduce(s->world, &in,
			      weft_part(&out, 1, &weft_type_double),
			      &weft_op_sum);
}

static int scan(const struct scene *s)
{
	double in = 1, out;

	return weft_scan(s->world, &in, weft_part(&out, 1, &weft_type_double),
			 &weft_op_sum);
}

static int gather(const struct scene *s)
{
	double in = 1, out[RANKS];

	return weft_allgather(s->world, weft_part(&in, 1, &weft_type_double),
			      weft_part(out, 1, &weft_type_double));
}

static int meet(const struct scene *s)
{
	return weft_barrier(s->world);
}

static void call_all(const struct scene *s, const struct play *play)
{
	static const struct {
		const char *name;
		int (*call)(const struct scene *s);
	} calls[] = {
		{ "weft_barrier", meet }, { "weft_comm_split", split },
		{ "weft_comm_split", split_by_key },
		{ "weft_graph_create_adjacent", create_graph },
		{ "weft_region_create", create_region },
		{ "weft_allreduce", reduce }, { "weft_scan", scan },
		{ "weft_allgather", gather }, { "weft_barrier", meet }
	};
	char name[40];

	(void)play;
	stay_for(s, LATER);
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		expect(s, calls[i].call(s), WEFT_ERR_PEER, "rank 2 ");
		if (sscanf(weft_error_text(s->job), "%39s %*d of context",
			   name) != 1 || strcmp(name, calls[i].name))
			wf_sim_fail(s->rank, "%s ends with \"%s\"",
				    calls[i].name, weft_error_text(s->job));
	}
}

static void call_is_named(void)
{
	const struct play play = { .way = DIES, .act = call_all };

	run_play(&play, NULL, 0);
}

/* ---- where one hears of the death from what the other one does ---- */

static void free_graph(const struct scene *s, struct things *t)
{
	ok(s, weft_comm_free(&t->graph), "free graph");
}

static int use_graph(const struct scene *s, struct things *t)
{
	(void)s;
	return exchange(t->graph, 8, 8);
}

static void destroy_region(const struct scene *s, struct things *t)
{
	expect(s, weft_region_free(&t->region), WEFT_ERR_PEER, "rank 2 ");
}

static int use_region(const struct scene *s, struct things *t)
{
	struct weft_target at = { .region = t->region, .peer = 0 };
	struct weft_request *req = NULL;
	int status;

	(void)s;
	status = weft_put(&at, "late", 4, &req);
	if (!status)
		status = weft_request_wait(req);
	return status;
}

static void free_dup(const struct scene *s, struct things *t)
{
	ok(s, weft_comm_free(&t->dup), "free dup");
}

static int use_dup(const struct scene *s, struct things *t)
{
	static const char message[LARGE];

	(void)s;
	return weft_send(t->dup, message, LARGE, &weft_type_byte,
			 weft_to(0, 1));
}

static int hear(const struct scene *s, struct things *t)
{
	char message;

	(void)s;
	return weft_recv(t->dup, &message, 1, &weft_type_byte, weft_from(0, 1),
			 NULL);
}

static void cause_is_told(const struct play *play)
{
	run_play(play, NULL, 1);
}

static void graph_is_freed(void)
{
	const struct play play = { .give_up = free_graph, .use = use_graph };

	cause_is_told(&play);
}

static void region_is_destroyed(void)
{
	const struct play play = {
		.give_up = destroy_region, .use = use_region
	};

	cause_is_told(&play);
}

static void communicator_is_freed(void)
{
	const struct play play = { .give_up = free_dup, .use = use_dup };

	cause_is_told(&play);
}

static void job_is_closed(void)
{
	const struct play play = { .use = hear };

	cause_is_told(&play);
}

/*
 * The news would reach rank 3 by way of others, which compute.  Rank 0 had no
 * memory to remember whom to tell, and is asked for the exchange that it could
 * not begin: to name nobody would be no answer.
 */
static void ask_of_lost(struct wf_sim_rank *rank, void *arg)
{
	static const int zero = 0, three = 3;
	int me = wf_sim_rank(rank);
	struct sim_flow flow = { .rank = rank };
	struct weft_comm *graph;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	flow.job = s.job;
	ok(&s, make_graph(s.world, me == 3 ? &zero : NULL,
			  me == 0 ? &three : NULL, &graph), "graph");
	ok(&s, exchange(graph, 8, 8), "exchange");
	stay_for(&s, 1);
	if (me == MANY - 1)
		wf_sim_die(rank);
	if (me == 0) {
		stay_for(&s, LATER);
		s.job->deaths.n = 0;
	}
	if (me == 0 || me == 3)
		expect(&s, exchange(graph, 8, 8), WEFT_ERR_PEER, "rank 5 ");
	else
		sim_flow_compute(&flow, (uint64_t)ANSWER * MS);
	stay_for(&s, ANSWER);
	ok(&s, weft_comm_free(&graph), "free graph");
	close_job(&s, DIES);
}

static void exchange_is_lost(void)
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, MANY, 1);
	options.kill_rank = MANY - 1;
	options.ranks_per_node = 1;
	options.told_ns = MS;
	options.told_ranks = 1;
	sim_flow_run(&options, ask_of_lost, NULL);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "the host of one that nobody has met", host_of_the_unmet },
		{ "an edge that does not exist", no_such_edge },
		{ "a graph that one rank has not made", no_such_graph },
		{ "memory of what is freed comes back", memory_comes_back },
		{ "the call that ends is named", call_is_named },
		{ "who freed a graph did so after a death", graph_is_freed },
		{ "who destroyed a region", region_is_destroyed },
		{ "who freed a communicator with a message in it",
		  communicator_is_freed },
		{ "who closed its job", job_is_closed },
		{ "who lost an exchange, and cannot tell why",
		  exchange_is_lost }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
