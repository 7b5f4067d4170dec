/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The news of a death spreads through the job by mail alone: each rank is a
 * node, and only the next ranks behind a dead one are told by the simulator.
 * All who live hear of all who died, within the time of about log2(P) mails
 * with their connections, and by at most log2(P) mails of each rank for each
 * death; also where several die, and where one dies that was to pass it on.
 */
#include "job/job.h"
#include "tests/sim/sim_job.h"
#include "tests/tap.h"

enum {
	DEATHS = 3,			/* most in a run, but for a crowd */
	MAIL_DEATHS = WF_MAIL_PAYLOAD / 4,	/* that one mail lists */
	LIVING = 8,			/* of a crowd */
	LOOK_NS = 1000,
	HOP_NS = 10000,			/* a contact, or a mail, and a look */
	REST_NS = 200000,		/* of what is still under way */
	NEVER_NS = 10000000		/* of who has not heard by then */
};

enum play {
	ONE_DIES,
	SOME_DIE,			/* at once */
	RELAYS_DIE,			/* as soon as they have heard */
	CROWD_DIES			/* all but a few, in a row */
};

struct shared {
	enum play play;
	int open, heard;		/* ranks */
	int dead;
	uint64_t crowd_at;		/* dies as one */
	uint64_t died_at, last_at;	/* of the last death, and word of it */
	uint64_t messages;		/* from there until all rest */
	uint64_t before;		/* at the first death */
	uint64_t most;			/* messages of one rank from there */
};

static int deaths_of(const struct shared *s, int ranks)
{
	int most = s->play == ONE_DIES ? 1 : DEATHS;

	if (s->play == CROWD_DIES)
		return ranks - LIVING;
	return most < ranks ? most : ranks - 1;
}

/* How far behind the first one that dies. */
static int place_of(int rank, int ranks)
{
	return (rank - ranks / 3 + ranks) % ranks;
}

/* Where in the ring they are: anywhere, or in a row behind the first. */
static bool dies(const struct shared *s, int rank, int ranks)
{
	int n = deaths_of(s, ranks), first = ranks / 3;

	if (s->play == RELAYS_DIE || s->play == CROWD_DIES)
		return place_of(rank, ranks) < n;
	for (int i = 0; i < n; i++)
		if (rank == (first + i * (ranks / n)) % ranks)
			return true;
	return false;
}

static bool is_relay(const struct shared *s, int rank, int ranks)
{
	return s->play == RELAYS_DIE && rank != ranks / 3;
}

static void look(struct wf_sim_rank *rank, struct weft_job *job)
{
	int status = weft_job_progress(job);

	if (status && status != WEFT_ERR_PEER)
		wf_sim_fail(rank, "%s", weft_status_name(status));
	wf_sim_idle(rank, wf_sim_now(rank) + LOOK_NS);
}

static int known(struct weft_job *job)
{
	const int *ranks;
	int n;

	return weft_job_failed(job, &ranks, &n) ? -1 : n;
}

static void die(struct wf_sim_rank *rank, struct shared *s)
{
	if (!s->dead++)
		s->before = wf_sim_messages(rank);
	s->died_at = wf_sim_now(rank);
	wf_sim_die(rank);
}

/*
 * The last of the row first, so that those are told who live behind it; all of
 * them before anybody looks.
 */
static void await_turn(struct wf_sim_rank *rank, struct shared *s)
{
	int place = place_of(wf_sim_rank(rank), wf_sim_size(rank));
	uint64_t at;

	if (!s->crowd_at)
		s->crowd_at = wf_sim_now(rank) + HOP_NS;
	at = s->crowd_at + (uint64_t)(deaths_of(s, wf_sim_size(rank)) - place);
	while (wf_sim_now(rank) < at)
		wf_sim_idle(rank, at);
}

static void await_news(struct wf_sim_rank *rank, struct weft_job *job,
		       const struct shared *s, int deaths)
{
	while (known(job) < deaths) {
		if (s->dead == deaths &&
		    wf_sim_now(rank) > s->died_at + NEVER_NS) {
			wf_sim_fail(rank, "it knows %d of %d deaths",
				    known(job), deaths);
			return;
		}
		look(rank, job);
	}
}

static void check_names(struct wf_sim_rank *rank, struct weft_job *job,
			const struct shared *s)
{
	int n = 0, ranks = wf_sim_size(rank);
	const int *dead;

	if (weft_job_failed(job, &dead, &n))
		n = 0;
	for (int i = 0; i < n; i++)
		if (!dies(s, dead[i], ranks))
			wf_sim_fail(rank, "rank %d lives", dead[i]);
}

static void count_own(struct shared *s, uint64_t messages)
{
	if (messages > s->most)
		s->most = messages;
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct shared *s = arg;
	int me = wf_sim_rank(rank), ranks = wf_sim_size(rank);
	int deaths = deaths_of(s, ranks), living = ranks - deaths;
	struct weft_job *job;
	uint64_t before;

	if (dies(s, me, ranks))
		wf_sim_doom(rank);	/* its memory stays */
	if (wf_sim_job_open(rank, &job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	s->open++;
	while (s->open < ranks)
		look(rank, job);
	before = wf_sim_own_messages(rank);
	if (dies(s, me, ranks)) {
		while (is_relay(s, me, ranks) && known(job) < 1)
			look(rank, job);
		if (s->play == CROWD_DIES)
			await_turn(rank, s);
		die(rank, s);
	}
	await_news(rank, job, s, deaths);
	check_names(rank, job, s);
	s->last_at = wf_sim_now(rank);
	s->heard++;
	while (s->heard < living ||
	       wf_sim_now(rank) < s->last_at + REST_NS)
		look(rank, job);
	if (!s->messages)
		s->messages = wf_sim_messages(rank) - s->before;
	count_own(s, wf_sim_own_messages(rank) - before);
	if (weft_job_close(job) != (deaths ? WEFT_ERR_PEER : WEFT_OK))
		wf_sim_fail(rank, "the close does not tell of the dead");
}

static uint64_t log2_up(int ranks)
{
	uint64_t log = 0;

	while (1 << log < ranks)
		log++;
	return log;
}

/* Most of a figure, in its unit, of those of all runs of a case. */
static struct {
	double hops, mails, own;	/* as fractions of their bounds */
} worst;

static void within(double *worst_p, uint64_t value, uint64_t bound)
{
	TAP_CHECK(value <= bound);
	if (bound && (double)value / (double)bound > *worst_p)
		*worst_p = (double)value / (double)bound;
}

static bool run(enum play play, int ranks, uint64_t seed)
{
	struct shared s = { .play = play };
	struct wf_sim_options options;
	struct wf_sim_result result;
	uint64_t log = log2_up(ranks), deaths = (uint64_t)deaths_of(&s, ranks);

	wf_sim_options_init(&options, ranks, seed);
	options.ranks_per_node = 1;
	options.told_ns = 1;
	options.told_ranks = play == ONE_DIES ? 1 : DEATHS;
	if (!TAP_EQUAL(wf_sim_run(&options, program, &s, &result), WEFT_OK))
		return false;
	if (!TAP_EQUAL(result.violations, 0) ||
	    !TAP_EQUAL(s.heard, ranks - (int)deaths)) {
		tap_diag("%d ranks, seed %llu: %s", ranks,
			 (unsigned long long)seed, result.text);
		return false;
	}
	if (deaths) {
		within(&worst.hops, s.last_at - s.died_at,
		       (log + 1) * HOP_NS);
		within(&worst.mails, s.messages,
		       (uint64_t)ranks * deaths * log);
		within(&worst.own, s.most, deaths * log);
	}
	return true;
}

static void all_hear(enum play play)
{
	static const int large[] = { 127, 128, 1000, 4096 };
	long seeds = (tap_figure("SEEDS", 100) + 49) / 50;
	int most = (int)tap_figure("MOST_RANKS", 1000);
	uint64_t first = (uint64_t)tap_figure("FIRST_SEED", 1);

	worst.hops = worst.mails = worst.own = 0;
	for (int ranks = 1; ranks <= 64; ranks++)
		for (long i = 0; i < seeds; i++)
			if (!run(play, ranks, first + (uint64_t)i))
				return;
	for (size_t i = 0; i < TAP_COUNT(large) && large[i] <= most; i++)
		if (!run(play, large[i], first))
			return;
	tap_diag("at most %.2f of the time, %.2f of all mails and %.2f of "
		 "those of a rank that are allowed", worst.hops, worst.mails,
		 worst.own);
}

static void one_dies(void)
{
	all_hear(ONE_DIES);
}

static void some_die(void)
{
	all_hear(SOME_DIE);
}

static void relays_die(void)
{
	all_hear(RELAYS_DIE);
}

/* One mail does not list them all, wherever the first has room. */
static void crowd_dies(void)
{
	static const int crowds[] = {
		MAIL_DEATHS, MAIL_DEATHS + 1, 2 * MAIL_DEATHS,
		2 * MAIL_DEATHS + 1
	};

	for (size_t i = 0; i < TAP_COUNT(crowds); i++)
		if (!run(CROWD_DIES, crowds[i] + LIVING, 1))
			return;
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "all hear of one death", one_dies },
		{ "of several at once", some_die },
		{ "though those who heard first die", relays_die },
		{ "more than one mail lists", crowd_dies },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
