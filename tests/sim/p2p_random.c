/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random programs of matched messages: what each rank gets is in the order of
 * MPI (p2p_order.h), with wild cards, probes and receives that are taken back,
 * in the world and in a duplicate that each rank makes when it likes, whatever
 * their sizes, and whoever dies meanwhile; nothing stays behind.
 */
#include <stdlib.h>
#include "tests/sim/p2p_play.h"

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

static void finish_held(struct play *p)
{
	while (p->nheld) {
		struct held *h = &p->held[play_draw(p, p->nheld)];

		if (h->msg)
			play_start_taken(p, h);
		play_finish(p, h);
	}
}

/* Behind a long one that its sender does not live to send others may come. */
static bool is_there(struct play *p, int c, int r)
{
	bool found = false;

	ok(&p->s, weft_iprobe(p->comm[c], weft_from(r, WEFT_ANY_TAG), &found,
			      NULL), "iprobe");
	return found;
}

/* Of a rank, on a communicator: what is left of it. */
static void drain_from(struct play *p, int c, int r)
{
	while (p->got[c][r] < PLAY_EACH) {
		if (p->nheld == PLAY_HELD)
			finish_held(p);
		if (play_wait_from(p, c, r) || is_there(p, c, r))
			continue;
		if (!p->show->dies[r])
			wf_sim_fail(p->s.rank, "of rank %d %d come", r,
				    p->got[c][r]);
		break;
	}
}

/* Those under way, some of which nobody sends to; then what is left. */
static void drain(struct play *p)
{
	play_pause(p);
	for (int k = 0; k < p->nheld; k++)
		play_cancel(p, &p->held[k]);
	finish_held(p);
	for (int c = 0; c < PLAY_COMMS; c++)
		for (int r = 0; r < p->ranks; r++)
			drain_from(p, c, r);
	finish_held(p);
}

static void finish_sends(struct play *p)
{
	for (int k = 0; k < p->nsent; k++) {
		int status = weft_request_wait(p->sent[k]), to = p->to[k];
		const char *text = weft_request_error(p->sent[k]);

		if (status && (status != WEFT_ERR_PEER || !p->show->dies[to] ||
			       !play_names(text, to)))
			wf_sim_fail(p->s.rank, "to rank %d: %s: %s", to,
				    weft_status_name(status), text);
		ok(&p->s, weft_request_free(&p->sent[k]), "free");
	}
	/* and those that nobody asks for */
	while (wf_office_of(p->s.job)->active) {
		(void)!weft_job_progress(p->s.job);
		wf_sim_idle(p->s.rank, wf_sim_now(p->s.rank) + 1000000);
	}
}

/* Nothing waits, and the budgets of both ends fit. */
static void settle(struct play *p)
{
	struct ledger *mine = p->show->ledger[p->me];

	for (int c = 0; c < PLAY_COMMS; c++) {
		struct wf_match *match = &wf_p2p_of(p->comm[c])->match;
		char why[128];

		if (!order_check(&p->order[c], why, sizeof(why)))
			wf_sim_fail(p->s.rank, "not MPI's order: %s", why);
		if (wf_match_any_receive(match) ||
		    (wf_match_any_message(match) && !p->show->late))
			wf_sim_fail(p->s.rank, "something waits");
	}
	if (wf_office_of(p->s.job)->waited)
		wf_sim_fail(p->s.rank, "somebody waits for anybody");
	for (int r = 0; r < p->ranks; r++) {
		const struct wf_p2p_pair *pair = pair_of(&p->s, r);

		if (pair->waited)
			wf_sim_fail(p->s.rank, "somebody waits for rank %d", r);
		mine[r] = (struct ledger){
			true, pair->messages, pair->content,
			pair->messages_end, pair->content_end, pair->taken,
			pair->content_taken, pair->told, pair->content_told
		};
	}
}

static void play(struct play *p)
{
	play_steps(p, play_draw(p, 200));
	play_dup(p);
	while (p->unsent)
		play_send(p);
	play_steps(p, play_draw(p, 200));
	drain(p);
	finish_sends(p);
}

static void any_program(struct wf_sim_rank *rank, void *arg)
{
	struct show *show = arg;
	bool dies = show->dies[wf_sim_rank(rank)];
	struct play *p;

	if (dies)
		wf_sim_doom(rank);
	p = calloc(1, sizeof(*p));
	if (!start(&p->s, rank))
		return;
	play_init(p, show);
	play(p);
	if (dies && p->me != show->victim)
		wf_sim_die(rank);
	while (dies) {
		(void)!weft_job_progress(p->s.job);
		wf_sim_idle(rank, wf_sim_now(rank) + 1000000);
	}
	settle(p);
	ok(&p->s, weft_comm_free(&p->comm[1]), "free");
	(void)!weft_job_close(p->s.job);
	free(p);
}

/* What one has sent the other has taken, and no end knows of more budget. */
static bool check_ledgers(const struct show *show)
{
	for (int a = 0; a < show->ranks; a++)
		for (int b = 0; b < show->ranks; b++) {
			const struct ledger *out = &show->ledger[a][b];
			const struct ledger *in = &show->ledger[b][a];

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

static bool run_show(struct show *show, const struct wf_sim_options *options)
{
	struct wf_sim_result result;
	int living = show->ranks;

	for (int r = 0; r < show->ranks; r++)
		living -= show->dies[r];
	if (TAP_EQUAL(wf_sim_run(options, any_program, show, &result),
		      WEFT_OK) &&
	    TAP_EQUAL(result.violations, 0) &&
	    TAP_EQUAL(result.finished, living) && check_ledgers(show))
		return true;
	tap_diag("%d ranks, seed %llu: %s", show->ranks,
		 (unsigned long long)show->dice, result.text);
	return false;
}

/* Whoever dies does so at any event; one more, now and then, at any step. */
static void draw_deaths(struct show *show, struct wf_sim_options *options)
{
	struct wf_random random;

	wf_random_init(&random, show->dice * 4099);
	show->victim = (int)wf_random_below(&random, (uint64_t)show->ranks);
	show->dies[show->victim] = true;
	if (!wf_random_below(&random, 4))
		show->dies[wf_random_below(&random,
					   (uint64_t)show->ranks)] = true;
	options->kill_rank = show->victim;
	options->kill_event = 200 + wf_random_below(
		&random, 1u << wf_random_below(&random, 14));
}

static unsigned char *make_content(void)
{
	size_t n = PLAY_MOST + PLAY_SHIFTS;
	unsigned char *content = malloc(n);

	for (size_t i = 0; i < n; i++)
		content[i] = (unsigned char)(i * 7 + i / 251 + i / 65521);
	return content;
}

/* false: it has failed, and that was told. */
static bool run_seed(struct show *show, uint64_t seed, bool deaths)
{
	int ranks = deaths + 1 + (int)(seed % (uint64_t)(PLAY_RANKS - deaths));
	struct wf_sim_options options;

	play_draw_show(show, seed, ranks);
	wf_sim_options_init(&options, ranks, seed);
	wf_sim_options_vary(&options);
	if (deaths)
		draw_deaths(show, &options);
	/* then the news of a death may overtake what the dead has sent */
	show->late = deaths && seed % 4 == 1;
	if (seed % 4 == 1)
		wf_sim_options_harden(&options);
	if (seed % 4 == 2)
		wf_sim_options_unsignal(&options);
	return run_show(show, &options);
}

static void run_all(long usual, bool deaths)
{
	static struct show show;
	struct sights seen = { 0 };
	long seeds = tap_figure("SEEDS", usual);
	long first = tap_figure("FIRST_SEED", 1);
	bool good = true;

	show.seen = &seen;
	show.content = make_content();
	for (long seed = first; good && seed < first + seeds; seed++)
		good = run_seed(&show, (uint64_t)seed, deaths);
	free(show.content);
	tap_diag("early %lu, cancelled %lu, too late %lu, cut off %lu, failed "
		 "%lu, above 1 MB %lu, full %lu", seen.early, seen.cancelled,
		 seen.late, seen.cut, seen.failed, seen.large, seen.full);
	if (!good || seeds < 100)
		return;
	TAP_CHECK(seen.early && seen.cancelled && seen.late && seen.cut);
	TAP_CHECK(seen.large && seen.full);
	TAP_CHECK(seen.failed || !deaths);
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
