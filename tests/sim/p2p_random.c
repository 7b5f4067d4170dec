/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random programs of matched messages: what each rank gets is in the order of
 * MPI (p2p_order.h), with wild cards, probes and receives that are taken back,
 * in the world and in a communicator that each rank makes when it likes,
 * whatever their sizes, and whoever dies meanwhile; nothing stays behind.
 */
#include <stdlib.h>
#include "tests/fail_malloc.h"
#include "tests/p2p/p2p_play.h"
#include "tests/sim/p2p_scene.h"

/* ---- the matcher itself ---- */

struct line {
	int source, tag;		/* ANY for either */
	enum order_end end;
	int from, index;
};

enum {
	ANY = -9,
	LINES = 5
};

/*
 * Two senders, whose messages have the tags 0, 1, 2, 0 and 1, 0, 2, 0; ends as
 * in struct line, the rest of a history is zero.
 */
static const struct history {
	const char *what;
	bool good;
	int dead;			/* -1: nobody */
	struct line line[LINES];
	int lines;
} histories[] = {
	{ "as they came", true, -1, {
		{ 0, ANY, ORDER_GOT, 0, 0 }, { 0, ANY, ORDER_GOT, 0, 1 } }, 2 },
	{ "by tags", true, -1, {
		{ 0, 1, ORDER_GOT, 0, 1 }, { 0, ANY, ORDER_GOT, 0, 0 } }, 2 },
	{ "one overtakes", false, -1, {
		{ 0, ANY, ORDER_GOT, 0, 1 }, { 0, ANY, ORDER_GOT, 0, 0 } }, 2 },
	{ "one is left out", false, -1, {
		{ ANY, 0, ORDER_GOT, 0, 3 } }, 1 },
	{ "one comes twice", false, -1, {
		{ 0, ANY, ORDER_GOT, 0, 0 }, { 0, 0, ORDER_GOT, 0, 0 } }, 2 },
	{ "one does not fit", false, -1, {
		{ 0, 1, ORDER_GOT, 0, 0 } }, 1 },
	{ "two senders", true, -1, {
		{ ANY, 0, ORDER_GOT, 0, 0 }, { ANY, 1, ORDER_GOT, 1, 0 },
		{ ANY, 0, ORDER_GOT, 1, 1 }, { ANY, 1, ORDER_GOT, 0, 1 } }, 4 },
	{ "a circle", false, -1, {
		{ ANY, 0, ORDER_GOT, 1, 1 }, { ANY, 1, ORDER_GOT, 0, 1 },
		{ ANY, 0, ORDER_GOT, 0, 0 }, { ANY, 1, ORDER_GOT, 1, 0 } }, 4 },
	{ "cancelled before it came", true, -1, {
		{ 0, 0, ORDER_CANCELLED, 0, 0 },
		{ 0, ANY, ORDER_SEEN, 0, 0 } }, 2 },
	{ "cancelled although it was there", false, -1, {
		{ 0, ANY, ORDER_SEEN, 0, 0 },
		{ 0, 0, ORDER_CANCELLED, 0, 0 } }, 2 },
	{ "not seen any more", false, -1, {
		{ ANY, 1, ORDER_SEEN, 0, 1 },
		{ 0, ANY, ORDER_NOTHING, 0, 0 } }, 2 },
	{ "another one is received than was seen", false, -1, {
		{ 0, 0, ORDER_SEEN, 0, 0 }, { 0, 0, ORDER_GOT, 0, 3 } }, 2 },
	{ "a receive fails", false, -1, {
		{ 0, ANY, ORDER_FAILED, 0, 0 },
		{ 0, ANY, ORDER_GOT, 0, 1 } }, 2 },
	{ "one is lost with its sender", true, 0, {
		{ 0, ANY, ORDER_FAILED, 0, 0 },
		{ 0, ANY, ORDER_GOT, 0, 1 } }, 2 },
	{ "one behind it is lost, too", true, 0, {
		{ ANY, ANY, ORDER_FAILED, 0, 0 },
		{ 0, ANY, ORDER_GOT, 0, 0 },
		{ 0, ANY, ORDER_FAILED, 0, 0 } }, 3 },
	{ "and one of another sender", false, 0, {
		{ ANY, ANY, ORDER_FAILED, 0, 0 },
		{ 1, ANY, ORDER_GOT, 1, 1 } }, 2 }
};

static void note(struct order *o, const struct line *line)
{
	struct order_take *take = order_post(
		o, line->source == ANY ? WEFT_ANY_SOURCE : line->source,
		line->tag == ANY ? WEFT_ANY_TAG : line->tag);

	take->end = line->end;
	take->from = line->from;
	take->index = line->index;
	/* what was received is known at the end alone */
	take->ended = line->end == ORDER_GOT ? 1000 : order_tick(o);
}

static void check_matcher(void)
{
	static const int tags[2][4] = { { 0, 1, 2, 0 }, { 1, 0, 2, 0 } };
	struct order *o = malloc(sizeof(*o));
	char why[128];

	for (size_t i = 0; i < sizeof(histories) / sizeof(*histories); i++) {
		const struct history *h = &histories[i];

		memset(o, 0, sizeof(*o));
		o->senders = 2;
		if (h->dead >= 0)
			o->dead[h->dead] = true;
		for (int k = 0; k < 2 * ORDER_EACH; k++)
			o->tag[k % 2][k / 2] = k < 8 ? tags[k % 2][k / 2] : 7;
		for (int k = 0; k < h->lines; k++)
			note(o, &h->line[k]);
		if (!TAP_EQUAL(order_check(o, why, sizeof(why)), h->good))
			tap_diag("%s", h->what);
	}
	free(o);
}

/* ---- programs ---- */

/* What a rank has sent to another one, taken of it, and may. */
struct ledger {
	bool closed;
	uint64_t messages, content, messages_end, content_end;
	uint64_t taken, content_taken, told, content_told;
};

/* What all ranks of a run know. */
struct stage {
	struct show show;
	int victim;			/* of the simulator, at any event;
					   others die by themselves; -1: none */
	bool late;			/* what a dead rank has sent may come
					   when nobody waits for it any more */
	struct ledger ledger[PLAY_RANKS][PLAY_RANKS];
	unsigned long early, full;	/* over all runs */
};

/* One rank. */
struct actor {
	struct scene s;
	struct stage *stage;
	struct play p;
};

_Static_assert((int)PLAY_SHORT == (int)WF_P2P_SHORT_MAX,
	       "short ones are drawn as the library has them");

static void fail(void *arg, const char *text)
{
	const struct actor *a = arg;

	wf_sim_fail(a->s.rank, "%s", text);
}

static void let_pass(void *arg, uint64_t ns, bool progress)
{
	const struct actor *a = arg;
	uint64_t until = wf_sim_now(a->s.rank) + ns;

	do {
		if (progress)
			(void)!weft_job_progress(a->s.job);
		wf_sim_idle(a->s.rank, until);
	} while (wf_sim_now(a->s.rank) < until);
}

/* One that the simulator kills does not do it itself. */
static void die(void *arg)
{
	const struct actor *a = arg;

	if (a->p.me != a->stage->victim)
		wf_sim_die(a->s.rank);
}

static void count_early(void *arg)
{
	struct actor *a = arg;
	const struct wf_contexts *ctx = wf_contexts(a->s.job);
	const struct wf_office *office = !ctx->office ? NULL :
		wf_container(ctx->office, struct wf_office, cargo);

	a->stage->early += ctx->nparked ||
		      (office && office->early.next != &office->early);
}

/* What has left, and come, was allowed. */
static void check_budgets(void *arg)
{
	struct actor *a = arg;

	for (int r = 0; r < a->p.ranks; r++) {
		const struct wf_p2p_pair *pair = pair_of(&a->s, r);

		if (pair->messages > pair->messages_end ||
		    pair->content > pair->content_end ||
		    pair->arrived > pair->told ||
		    pair->content_told > pair->content_taken + WF_P2P_CONTENT)
			wf_sim_fail(a->s.rank, "a budget, with rank %d", r);
		a->stage->full += pair->content + WF_P2P_SHORT_MAX >
				  pair->content_end;
	}
}

static void await_given_up(void *arg)
{
	const struct actor *a = arg;

	while (wf_office_of(a->s.job)->active) {
		(void)!weft_job_progress(a->s.job);
		wf_sim_idle(a->s.rank, wf_sim_now(a->s.rank) + 1000000);
	}
}

/* Nothing waits, and the budgets of both ends fit. */
static void settle(const struct actor *a)
{
	struct ledger *mine = a->stage->ledger[a->p.me];

	for (int c = 0; c < PLAY_COMMS; c++) {
		struct wf_match *match = &wf_p2p_of(a->p.comm[c])->match;

		if (wf_match_any_receive(match) ||
		    (wf_match_any_message(match) && !a->stage->late))
			wf_sim_fail(a->s.rank, "something waits");
	}
	if (wf_office_of(a->s.job)->waited)
		wf_sim_fail(a->s.rank, "somebody waits for anybody");
	for (int r = 0; r < a->p.ranks; r++) {
		const struct wf_p2p_pair *pair = pair_of(&a->s, r);

		if (pair->waited)
			wf_sim_fail(a->s.rank, "somebody waits for rank %d", r);
		mine[r] = (struct ledger){
			true, pair->messages, pair->content,
			pair->messages_end, pair->content_end, pair->taken,
			pair->content_taken, pair->told, pair->content_told
		};
	}
}

static void act(struct actor *a, struct stage *stage, bool dies)
{
	static const struct play_hooks hooks = {
		.fail = fail, .pause = let_pass, .die = die,
		.makes = count_early, .looks = check_budgets,
		.rests = await_given_up
	};

	a->stage = stage;
	a->p.hooks = &hooks;
	a->p.arg = a;
	play_run(&a->p, &stage->show, a->s.job);
	if (dies)
		die(a);
	while (dies) {
		(void)!weft_job_progress(a->s.job);
		wf_sim_idle(a->s.rank, wf_sim_now(a->s.rank) + 1000000);
	}
	settle(a);
	play_end(&a->p);
	(void)!weft_job_close(a->s.job);
}

static void any_program(struct wf_sim_rank *rank, void *arg)
{
	struct stage *stage = arg;
	bool dies = stage->show.dies[wf_sim_rank(rank)];
	struct actor *a;

	if (dies)
		wf_sim_doom(rank);
	a = calloc(1, sizeof(*a));
	if (start(&a->s, rank))
		act(a, stage, dies);
	free(a);
}

/* What one has sent the other has taken, and no end knows of more budget. */
static bool check_ledgers(const struct stage *stage)
{
	for (int k = 0; k < PLAY_RANKS * PLAY_RANKS; k++) {
		int a = k % PLAY_RANKS, b = k / PLAY_RANKS;
		const struct ledger *out = &stage->ledger[a][b];
		const struct ledger *in = &stage->ledger[b][a];

		if (!out->closed || !in->closed)
			continue;
		if (!TAP_EQUAL(out->messages, PLAY_COMMS * PLAY_EACH) ||
		    !TAP_EQUAL(in->taken, PLAY_COMMS * PLAY_EACH) ||
		    !TAP_EQUAL(out->content, in->content_taken) ||
		    !TAP_CHECK(out->content <= out->content_end) ||
		    !TAP_CHECK(out->messages_end <= in->told) ||
		    !TAP_CHECK(out->content_end <= in->content_told) ||
		    !TAP_CHECK(in->content_told <= in->content_taken +
			       WF_P2P_CONTENT))
			return false;
	}
	return true;
}

/* What the dead have left is lost. */
static bool run_stage(struct stage *stage, const struct wf_sim_options *options)
{
	struct wf_sim_result result;
	int living = options->ranks;

	for (int r = 0; r < options->ranks; r++)
		living -= stage->show.dies[r];
	memset(stage->ledger, 0, sizeof(stage->ledger));
	fail_malloc_at(0);
	if (TAP_EQUAL(wf_sim_run(options, any_program, stage, &result),
		      WEFT_OK) &&
	    TAP_EQUAL(result.violations, 0) &&
	    TAP_EQUAL(result.finished, living) &&
	    (living < options->ranks || TAP_EQUAL(fail_malloc_blocks(), 0)) &&
	    check_ledgers(stage))
		return true;
	tap_diag("%d ranks, seed %llu: %s", options->ranks,
		 (unsigned long long)stage->show.dice, result.text);
	return false;
}

/* Whoever dies does so at any event; one more, now and then, at any step. */
static void draw_deaths(struct stage *stage, struct wf_sim_options *options)
{
	struct wf_random random;
	uint64_t ranks = (uint64_t)options->ranks;

	wf_random_init(&random, stage->show.dice * 4099);
	stage->victim = (int)wf_random_below(&random, ranks);
	stage->show.dies[stage->victim] = true;
	if (!wf_random_below(&random, 4))
		stage->show.dies[wf_random_below(&random, ranks)] = true;
	options->kill_rank = stage->victim;
	options->kill_event = 200 + wf_random_below(
		&random, 1u << wf_random_below(&random, 14));
}

/* false: it has failed, and that was told. */
static bool run_seed(struct stage *stage, uint64_t seed, bool deaths)
{
	int ranks = deaths + 1 + (int)(seed % (uint64_t)(PLAY_RANKS - deaths));
	struct wf_sim_options options;

	play_draw_show(&stage->show, seed, ranks, deaths);
	wf_sim_options_init(&options, ranks, seed);
	wf_sim_options_vary(&options);
	stage->victim = -1;
	if (deaths)
		draw_deaths(stage, &options);
	/* then the news of a death may overtake what the dead has sent */
	stage->late = deaths && seed % 4 == 1;
	if (seed % 4 == 1)
		wf_sim_options_harden(&options);
	if (seed % 4 == 2)
		wf_sim_options_unsignal(&options);
	return run_stage(stage, &options);
}

static void run_all(long usual, bool deaths)
{
	static struct stage stage;
	struct sights seen = { 0 };
	long seeds = tap_figure("SEEDS", usual);
	long first = tap_figure("FIRST_SEED", 1);
	bool good = true;

	stage = (struct stage){ .show = {
		.seen = &seen, .content = play_make_content()
	} };
	for (long seed = first; good && seed < first + seeds; seed++)
		good = run_seed(&stage, (uint64_t)seed, deaths);
	free(stage.show.content);
	tap_diag("early %lu, cancelled %lu, too late %lu, cut off %lu, failed "
		 "%lu, above 1 MB %lu, full %lu", stage.early, seen.cancelled,
		 seen.late, seen.cut, seen.failed, seen.large, stage.full);
	tap_diag("buffered %lu, sent and received %lu", seen.buffered,
		 seen.exchanged);
	if (!good || seeds < 100)
		return;
	TAP_CHECK(stage.early && seen.cancelled && seen.late && seen.cut);
	TAP_CHECK(seen.large && stage.full && seen.buffered);
	TAP_CHECK(deaths ? seen.failed : seen.exchanged);
}

static void programs(void)
{
	run_all(300, false);
}

static void deaths(void)
{
	run_all(300, true);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a matcher that knows MPI's order", check_matcher },
		{ "programs: order, content, budgets", programs },
		{ "and ranks that die meanwhile", deaths }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
