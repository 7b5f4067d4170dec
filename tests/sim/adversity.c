/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Everything at once: random exchanges, allreduces and barriers over 2 to 33
 * simulated ranks, with all that can go wrong drawn from the seed.
 *
 * The random program looks at every byte, at what must not be written, and at
 * the errors; here are the ranks, their troubles, and what must hold in the
 * end: nobody hangs, each error names who had a trouble; where nobody dies all
 * heap has come back, and where all stay all credits and arenas, too. SEEDS
 * says how many seeds, FIRST_SEED where to begin, so that one that failed can
 * be run alone. What came later takes numbers of its own from the seed, so that
 * kept seeds mean the same: MILD=1 leaves out exchanges other than alltoallv,
 * MILD=2 wf_sim_options_unsignal(), too, and MILD=3 wf_sim_options_harden().
 */
#include <weft.h>

#include "base/random.h"
#include "coll/schedule.h"
#include "tests/exchange/exchange_program.h"
#include "tests/fail_malloc.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	MOST_RANKS = 33,
	PAUSE_NS = 1000000,
	LATE_FLIGHTS = 3,		/* of which one waits for the other */
	IN_FLIGHT = 29			/* seed of a death that loses flights */
};

enum trouble {
	NO_TROUBLE,		/* but what all seeds draw */
	WRONG_LENGTHS,		/* the two ends of some edges disagree */
	DEATH,			/* of one rank, at any event */
	EARLY_END,		/* one closes its job, the others go on */
	FAULTS,			/* ops of one rank fail, until it gives up */
	LINK_DOWN,		/* between two nodes, for good */
	TROUBLES
};

enum hardness {
	MILD,
	HARD,			/* with wf_sim_options_harden(), */
	HARDER,			/* with wf_sim_options_unsignal(), too, */
	HARDEST			/* and all calls */
};

/* What happened in all seeds of a case. */
static struct {
	long runs, exchanges, mismatches, deaths;
	long bereaved;			/* ranks that heard of an end */
	uint64_t bytes, agains, passes, faults, dropped;
} total;

/* What the ranks of a run share. */
struct play {
	enum trouble trouble;
	struct exchange_options exchange;
	uint64_t late_ns;		/* most that a flight is late by */
	int afflicted;			/* the rank that has it */
	int ranks_per_node, cut[2];	/* nodes whose link breaks, if any */
	bool dead[MOST_RANKS];		/* or may die at any event */
	bool left[MOST_RANKS];		/* closes its job, or has */
	bool blamed[MOST_RANKS];	/* for what it heard of others */
	bool bereaved[MOST_RANKS];	/* has heard of a trouble */
	long met[MOST_RANKS];		/* barriers that it has entered */
};

struct player {
	struct play *play;
	struct sim_flow flow;		/* of no edges */
};

/* ---- hooks of the random program ---- */

static void sleep_a_little(void *arg)
{
	struct player *p = arg;

	sim_flow_compute(&p->flow, PAUSE_NS);
}

static void report(void *arg, const char *text)
{
	struct player *p = arg;

	wf_sim_fail(p->flow.rank, "%s", text);
}

/* Nobody leaves a barrier before all have entered it. */
static void meets(void *arg, bool after)
{
	struct player *p = arg;
	const long *met = p->play->met;

	p->play->met[p->flow.me] += !after;
	for (int r = 0; after && r < wf_sim_size(p->flow.rank); r++)
		if (met[r] < met[p->flow.me])
			wf_sim_fail(p->flow.rank, "leaves barrier %ld before "
				    "rank %d is there", met[p->flow.me], r);
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Does the link that is down for good join the nodes of these two? */
static bool is_cut(const struct play *play, int a, int b)
{
	int node[] = { a / play->ranks_per_node, b / play->ranks_per_node };

	return (node[0] == play->cut[0] && node[1] == play->cut[1]) ||
	       (node[0] == play->cut[1] && node[1] == play->cut[0]);
}

/* May this one fail to reach that rank, or an op with it? */
static bool may_fail(const struct player *p, int rank)
{
	const struct play *play = p->play;

	if (play->trouble == LINK_DOWN)
		return is_cut(play, p->flow.me, rank);
	if (play->trouble == FAULTS)
		return p->flow.me == play->afflicted;
	return play->exchange.cut_off && play->left[rank];
}

/* Whose host a sentence names, and what it says of that one; -1: nobody's. */
static int blamed_rank(const char *text, const char **what_p)
{
	const char *at = text;

	while ((at = strstr(at, "rank "))) {
		int rank, length = 0;

		sscanf(at, "rank %d on host %*s%n", &rank, &length);
		at += length ? length : 1;
		*what_p = at;
		if (length)
			return rank;
	}
	return -1;
}

/* If the sentence is about an edge: is it one between these two? */
static bool joins(const char *text, int a, int b)
{
	const char *edge = strstr(text, "from rank ");
	int from, to;

	return !edge || sscanf(edge, "from rank %d to rank %d", &from,
			       &to) != 2 ||
	       (from == a && to == b) || (from == b && to == a);
}

/*
 * Who had an error itself and tells may have had it from others: whether it
 * had one is known when all have ended, see is_grounded().
 */
static bool names(void *arg, const char *text)
{
	struct player *p = arg;
	struct play *play = p->play;
	const char *what;
	int rank = blamed_rank(text, &what);

	if (rank < 0 || rank >= wf_sim_size(p->flow.rank) ||
	    !joins(text, p->flow.me, rank))
		return false;
	if (begins(what, " is dead"))
		return play->dead[rank];
	if (begins(what, " has closed its job"))
		return play->left[rank];
	/* Or it has replaced the graph, after an error of its own. */
	if (begins(what, " (WEFT_ERR_GRAPH)") && play->left[rank])
		return true;
	if (begins(what, " (WEFT_ERR_")) {
		play->blamed[rank] = true;
		return true;
	}
	/* Whom it has given up hears of that. */
	if (play->trouble == FAULTS && rank == play->afflicted &&
	    p->flow.me != rank)
		return begins(what, " cannot be reached any more: the "
				    "connection to it is broken");
	return may_fail(p, rank);
}

/* What is late by the seed has come, and what it gave to do is done. */
static void settle(struct player *p)
{
	for (int i = 0; i < LATE_FLIGHTS && p->play->late_ns; i++) {
		sim_flow_compute(&p->flow, p->play->late_ns);
		sim_flow_settle(&p->flow);
	}
	sim_flow_settle(&p->flow);
}

/* The last mails and credits are on their way when all have met. */
static void rests(void *arg, struct weft_comm *graph)
{
	struct player *p = arg;

	if (weft_barrier(weft_job_world(p->flow.job)))
		report(p, "no barrier");
	settle(p);
	sim_flow_check_credits(&p->flow, graph);
}

/* ---- the ranks ---- */

static bool is_afflicted(const struct player *p)
{
	return p->flow.me == p->play->afflicted;
}

static struct exchange_options part_of(struct player *p)
{
	struct exchange_options o = p->play->exchange;

	o.arg = p;
	o.abandons = p->play->trouble >= FAULTS ||
		     (p->play->trouble == EARLY_END && is_afflicted(p));
	if (p->play->trouble == EARLY_END && is_afflicted(p))
		o.exchanges = (long)(o.seed % (uint64_t)o.exchanges);
	return o;
}

/*
 * What the first collectives and graphs take stays, and then nothing more may:
 * as many different ones as a communicator keeps plans of, the longest too.
 */
static void come_to_rest(struct player *p)
{
	static const struct weft_edges none = { 0, NULL, NULL };
	static int64_t v[EXCHANGE_WORLD_MOST];
	struct weft_comm *world = weft_job_world(p->flow.job), *graph;

	for (size_t i = 0; i < WF_COLL_PLANS; i++)
		if (weft_allreduce(world, WEFT_IN_PLACE,
				   weft_part(v, EXCHANGE_WORLD_MOST - i,
					     &weft_type_int64),
				   &weft_op_min) || weft_barrier(world))
			report(p, weft_error_text(p->flow.job));
	if (weft_graph_create_adjacent(world, &none, &none, NULL, false,
				       &graph) || weft_comm_free(&graph))
		report(p, weft_error_text(p->flow.job));
	settle(p);
}

static void play_in_peace(struct player *p, struct exchange_result *result)
{
	const struct exchange_options o = part_of(p);
	struct sim_holdings before;

	come_to_rest(p);
	before = sim_flow_holdings(&p->flow);
	exchange_run(p->flow.job, &o, result);
	if (result->failures)
		return;
	come_to_rest(p);
	sim_flow_check_holdings(&p->flow, before);
}

/* One whose mails are lost cannot say that it leaves. */
static void give_up(struct player *p, const struct exchange_result *result)
{
	if (p->play->trouble != FAULTS || !is_afflicted(p))
		return;
	if (!result->bereaved)
		return;
	p->play->dead[p->flow.me] = true;
	wf_sim_die(p->flow.rank);
}

static void play_in_trouble(struct player *p, struct exchange_result *result)
{
	const struct exchange_options o = part_of(p);

	if (p->play->trouble == FAULTS && is_afflicted(p))
		wf_sim_set_faults(p->flow.rank, 1u << o.seed % 8,
				  1u << o.seed / 8 % 8);
	exchange_run(p->flow.job, &o, result);
	p->play->bereaved[p->flow.me] = result->bereaved;
	p->play->left[p->flow.me] = true;
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct player p = { .play = arg };
	struct exchange_result result = { .exchanges = 0 };
	bool peace = p.play->trouble <= WRONG_LENGTHS;
	int status;

	p.flow.rank = rank;
	p.flow.me = wf_sim_rank(rank);
	status = wf_sim_job_open(rank, &p.flow.job);
	if (status) {
		wf_sim_fail(rank, "open: %s", weft_status_name(status));
		return;
	}
	if (peace)
		play_in_peace(&p, &result);
	else
		play_in_trouble(&p, &result);
	total.exchanges += result.exchanges;
	total.bytes += result.bytes;
	total.bereaved += result.bereaved;
	if (p.flow.me == 0)
		total.mismatches += result.mismatches;
	if (result.failures)
		return;
	status = weft_job_close(p.flow.job);
	if (status && (peace || status != WEFT_ERR_PEER))
		wf_sim_fail(rank, "close: %s", weft_status_name(status));
	give_up(&p, &result);
}

/* ---- what a seed means ---- */

static void set_exchange(struct play *play, uint64_t seed, int ranks)
{
	play->exchange = (struct exchange_options){
		.seed = seed, .exchanges = 25, .max_bytes = 5000,
		.max_degree = seed % 8 ? 4 : ranks, .graphs = 2,
		.replace_one_in = 10, .pause_one_in = 20,
		.collective_one_in = 4,
		.mismatch_one_in = play->trouble == WRONG_LENGTHS ? 8 : 0,
		.deaths = play->trouble >= DEATH,
		.leaves = play->trouble == EARLY_END ||
			  play->trouble == LINK_DOWN,
		.faults = play->trouble >= FAULTS,
		.no_requests = play->trouble >= EARLY_END,
		.pause = sleep_a_little, .fail = report, .meets = meets,
		.names = names,
		.rests = play->trouble <= WRONG_LENGTHS ? rests : NULL
	};
}

/* Who has the trouble, and a death early in its life or late. */
static void set_afflicted(struct play *play, struct wf_sim_options *options,
			  struct wf_random *random)
{
	play->afflicted = (int)wf_random_below(random,
					       (uint64_t)options->ranks);
	if (play->trouble != DEATH && play->trouble != FAULTS)
		return;
	play->dead[play->afflicted] = play->trouble == DEATH;
	options->kill_rank = play->afflicted;
	if (play->trouble == DEATH)
		options->kill_event = 1 + wf_random_below(random, (uint64_t)1
			<< (4 + wf_random_below(random, 9)));
}

/* Limits so small that few bytes make every class, and the usual ones. */
static char *const *draw_settings(struct wf_random *random)
{
	static char *const chunks[] = {
		"WEFT_ARENA=64k", "WEFT_ARENA_MAX=64m", "WEFT_LINE_MAX=28",
		"WEFT_SLOT_MAX=256", "WEFT_CHUNK=1024", NULL
	};
	static char *const binary[] = {
		"WEFT_ARENA=64k", "WEFT_ARENA_MAX=64m", "WEFT_SLOT_MAX=1024",
		"WEFT_CHUNK=4096", "WEFT_COLL=radix:2", NULL
	};
	char *const *const settings[] = {
		chunks, binary, sim_small_env, NULL
	};

	return settings[wf_random_below(random, 4)];
}

static void count(const struct wf_sim_result *result)
{
	total.runs++;
	total.deaths += result->killed >= 0;
	total.agains += result->agains;
	total.passes += result->passes;
	total.faults += result->faults;
	total.dropped += result->dropped;
}

/* What came after the kept seeds, which must go on to mean the same. */
static void harden(struct play *play, struct wf_sim_options *options)
{
	struct wf_random random;

	wf_sim_options_harden(options);
	play->late_ns = options->contact_ns + options->down.until_ns;
	/*
	 * Who hears of the death leaves, maybe before somebody's late contact
	 * is answered: a lifeline would tell that one so, but there is none.
	 */
	play->exchange.cut_off = play->trouble == DEATH && options->contact_ns;
	if (play->trouble != LINK_DOWN)
		return;
	if (!options->ranks_per_node || options->ranks_per_node >=
					options->ranks)
		options->ranks_per_node = 1;
	wf_random_init(&random, options->seed ^ 0x646f776e);
	wf_sim_options_cut(options, wf_random_below(&random, (uint64_t)1
			   << (14 + wf_random_below(&random, 8))), UINT64_MAX);
	play->ranks_per_node = options->ranks_per_node;
	memcpy(play->cut, options->down.node, sizeof(play->cut));
}

/* Who was blamed had a trouble, and where nobody died there was none. */
static bool is_grounded(const struct play *play,
			const struct wf_sim_result *result)
{
	for (int r = 0; r < MOST_RANKS; r++) {
		if (play->blamed[r] && !play->bereaved[r] &&
		    r != result->killed)
			return TAP_CHECK(!"blamed without a trouble");
		if (play->bereaved[r] && play->trouble == DEATH &&
		    result->killed < 0)
			return TAP_CHECK(!"a trouble without a death");
	}
	return true;
}

static bool one_seed(uint64_t seed, enum trouble trouble,
		     enum hardness hardness)
{
	static const char *const mild[] = {
		" MILD=3", " MILD=2", " MILD=1", ""
	};
	struct play play = {
		.trouble = trouble, .ranks_per_node = 1, .cut = { -1, -1 }
	};
	struct wf_sim_result result = { .violations = 1 };
	struct wf_sim_options options;
	struct wf_random random;
	bool good;

	wf_random_init(&random, seed);
	wf_sim_options_init(&options, 2 + (int)(seed % (MOST_RANKS - 1)),
			    seed);
	wf_sim_options_vary(&options);
	options.environ = draw_settings(&random);
	set_exchange(&play, seed, options.ranks);
	set_afflicted(&play, &options, &random);
	if (hardness >= HARD)
		harden(&play, &options);
	if (hardness >= HARDER)
		wf_sim_options_unsignal(&options);
	play.exchange.every_call = hardness >= HARDEST;
	fail_malloc_at(0);
	if (!TAP_EQUAL(wf_sim_run(&options, program, &play, &result), WEFT_OK))
		return false;
	count(&result);
	good = TAP_EQUAL(result.violations, 0) &&
	       TAP_EQUAL(result.finished,
			 options.ranks - (result.killed >= 0));
	good = good && is_grounded(&play, &result);
	/* What the dead have left is lost. */
	if (good && result.killed < 0)
		good = TAP_EQUAL(fail_malloc_blocks(), 0);
	if (!good)
		tap_diag("SEEDS=1 FIRST_SEED=%llu%s tests/sim/adversity.t %d: "
			 "%s", (unsigned long long)seed, mild[hardness],
			 trouble + 1, result.text);
	return good;
}

static void run_seeds(enum trouble trouble)
{
	long seeds = tap_figure("SEEDS", 100);
	uint64_t first = (uint64_t)tap_figure("FIRST_SEED", 1);
	long mild = tap_figure("MILD", 0);
	enum hardness hardness = mild < HARDEST ? HARDEST - mild : MILD;
	int bad = 0;

	memset(&total, 0, sizeof(total));
	for (long i = 0; i < seeds && bad < 5; i++)
		bad += !one_seed(first + (uint64_t)i, trouble, hardness);
	tap_diag("%ld exchanges of one rank, %llu bytes, %ld mismatches, %ld "
		 "deaths", total.exchanges, (unsigned long long)total.bytes,
		 total.mismatches, total.deaths);
	tap_diag("%llu refused ops, %llu failed, %llu flights passed others, "
		 "%llu of the dead were lost",
		 (unsigned long long)total.agains,
		 (unsigned long long)total.faults,
		 (unsigned long long)total.passes,
		 (unsigned long long)total.dropped);
}

/* They have failed once. */
static void kept_seeds(void)
{
	static const struct {
		enum trouble trouble;
		uint64_t seed;
		enum hardness hardness;
	} kept[] = {
		/* what a failed epoch had not taken was taken by a later one */
		{ FAULTS, 26, MILD },
		/* its chunk area, which it still had, was awaited for ever */
		{ FAULTS, 1106, MILD }, { FAULTS, 1107, MILD },
		/* nobody knew any more what had become of it when asked */
		{ FAULTS, 2446, MILD }, { EARLY_END, 2742, MILD },
		/* it closed before its own first contact was answered */
		{ EARLY_END, 4401, MILD },
		/* memory went while others, who knew of no end, wrote there */
		{ EARLY_END, 126, MILD },
		/* the same, of a graph whose own exchanges had all been good */
		{ EARLY_END, 123188, MILD },
		/* nobody looked at a peer to which only a graph owed mail */
		{ DEATH, 885, HARD },
		/* one that left before a late contact is only out of reach */
		{ DEATH, 3511, HARD },
		/* a ready line nobody waited for came late, over a later one */
		{ WRONG_LENGTHS, 608437, HARD },
		/* a sender among its chunks never asked for its credits */
		{ LINK_DOWN, 400016, HARD }, { LINK_DOWN, 400975, HARD },
		/* one that had given a peer up waited for who waited for it */
		{ FAULTS, 601496, HARD }, { FAULTS, 626568, HARD },
		/* one that failed took the record of one that was asked for */
		{ FAULTS, 634397, HARDER },
	};

	for (int i = 0; i < TAP_COUNT(kept); i++)
		one_seed(kept[i].seed, kept[i].trouble, kept[i].hardness);
}

static void all_agree(void)
{
	run_seeds(NO_TROUBLE);
	TAP_EQUAL(total.mismatches, 0);
	TAP_CHECK(total.agains > 0);
	TAP_CHECK(total.passes > 0);
}

static void some_disagree(void)
{
	run_seeds(WRONG_LENGTHS);
	TAP_CHECK(total.mismatches > 0);
}

static void one_dies(void)
{
	run_seeds(DEATH);
	TAP_CHECK(total.deaths > 0);
	TAP_CHECK(total.bereaved > 0);
	/* however few the seeds were */
	total.dropped = 0;
	one_seed(IN_FLIGHT, DEATH, HARDER);
	TAP_CHECK(total.dropped > 0);
}

static void one_leaves(void)
{
	run_seeds(EARLY_END);
	TAP_EQUAL(total.deaths, 0);
	TAP_CHECK(total.bereaved > 0);
}

static void one_fails(void)
{
	run_seeds(FAULTS);
	TAP_CHECK(total.faults > 0);
	TAP_CHECK(total.bereaved > 0);
}

static void one_link_breaks(void)
{
	if (tap_figure("MILD", 0) >= HARDEST) {
		tap_skip("runs with MILD=3 break no link");
		return;
	}
	run_seeds(LINK_DOWN);
	TAP_EQUAL(total.deaths, 0);
	TAP_CHECK(total.bereaved > 0);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "all agree and live", all_agree },
		{ "some give a wrong length", some_disagree },
		{ "one dies", one_dies },
		{ "one closes its job early", one_leaves },
		{ "ops of one fail", one_fails },
		{ "a link goes down for good", one_link_breaks },
		{ "seeds that failed once", kept_seeds },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
