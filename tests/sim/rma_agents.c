/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words of one part are changed by one agent: the first rank that asks decides
 * which, and the owner does it for those whose transport has another one.  The
 * simulator has one kind of device, so the owner's says what the other kind
 * would say while some ranks ask.
 */
#include <stdio.h>
#include <string.h>
#include <weft.h>
#include "rma/rma_link.h"
#include "rma/rma_wire.h"
#include "tests/sim/sim_job.h"
#include "tests/tap.h"

enum {
	RANKS = 6,
	FIRST = 2,		/* ranks 1 and 2 ask before the others */
	TIMES = 12,		/* a rank changes each word */
	REQUESTS = 3,		/* at once */
	SEEDS = 40,
	LEFT_ALONE = 77
};

/* Longer than an asking rank is patient, several times. */
static const uint64_t LONG = UINT64_C(8000000000);

struct shared {
	bool by_device;		/* those that come first */
	bool computes;		/* rank 0, for long */
	bool closes;		/* rank 0, while the others go on */
	bool dies;
	int victim, heard;
	bool seen[RANKS * TIMES];
};

struct player {
	struct wf_sim_rank *rank;
	struct weft_job *job;
	struct weft_target at;	/* at rank 0 */
	struct shared *shared;
	int me, status;		/* the first error, */
	char text[512];		/* and what it said */
};

static void expect(struct player *p, bool good, const char *what)
{
	if (!good)
		wf_sim_fail(p->rank, "%s: %s", what, weft_error_text(p->job));
}

static bool check(struct player *p, int status, const char *what)
{
	if (status && !p->status) {
		p->status = status;
		snprintf(p->text, sizeof(p->text), "%s",
			 weft_error_text(p->job));
	}
	expect(p, !status || p->shared->dies || p->shared->closes, what);
	return !status;
}

static void close_job(struct player *p)
{
	bool lost = p->shared->dies || p->shared->closes;

	if (weft_job_close(p->job) && !lost)
		wf_sim_fail(p->rank, "close");
}

static void found(struct player *p, uint64_t old)
{
	if (p->shared->dies || p->shared->closes)
		return;
	expect(p, old < RANKS * TIMES && !p->shared->seen[old],
	       "a value that was there before, or never");
	if (old < RANKS * TIMES)
		p->shared->seen[old] = true;
}

/* One by one, the flush brings what was there. */
static void add_flushing(struct player *p)
{
	uint64_t old = UINT64_MAX;

	if (check(p, weft_fetch_add(&p->at, 1, &old, NULL), "fetch_add") &&
	    check(p, weft_flush(p->at.region, 0, WEFT_FLUSH_LOCAL), "flush"))
		found(p, old);
}

static void add_by_requests(struct player *p)
{
	struct weft_request *req[REQUESTS];
	uint64_t old[REQUESTS];
	int n = 0;

	while (n < REQUESTS && check(p, weft_fetch_add(&p->at, 1, &old[n],
						       &req[n]), "fetch_add"))
		n++;
	for (int i = 0; i < n; i++) {
		if (check(p, weft_request_wait(req[i]), "wait"))
			found(p, old[i]);
		expect(p, !weft_request_free(&req[i]), "free");
	}
}

/* Until nobody was faster. */
static void add_by_cas(struct player *p)
{
	struct weft_target at = p->at;
	uint64_t had = 0, old = 1;

	at.offset = 8;
	while (old != had && !p->status) {
		had = old;
		if (check(p, weft_cas(&at, had, had + 1, &old, NULL), "cas"))
			check(p, weft_flush(at.region, 0, WEFT_FLUSH_REMOTE),
			      "flush");
	}
}

static void change_words(struct player *p)
{
	for (int i = 0; i < TIMES / REQUESTS && !p->status; i++) {
		if (i % 2)
			add_by_requests(p);
		for (int k = 0; k < REQUESTS && i % 2 == 0 && !p->status; k++)
			add_flushing(p);
		for (int k = 0; k < REQUESTS && !p->status; k++)
			add_by_cas(p);
	}
}

static void meet(struct player *p)
{
	if (!p->status)
		check(p, weft_barrier(weft_job_world(p->job)), "barrier");
}

static void flip(struct player *p)
{
	if (p->me == 0)
		p->job->dev[0]->caps ^= WF_CAP_OWN_AGENT;
	meet(p);
}

/* The key comes with the first op: each asks while it is to. */
static void ask_in_turn(struct player *p)
{
	bool first = p->me > 0 && p->me <= FIRST;

	if (p->shared->by_device)
		flip(p);
	if (first)
		check(p, weft_fetch_add(&p->at, 0, NULL, NULL), "first");
	meet(p);
	flip(p);
	if (!first)
		check(p, weft_fetch_add(&p->at, 0, NULL, NULL), "later");
	meet(p);
	if (!p->shared->by_device)
		flip(p);
}

/* Rank 0, and those that came later. */
static void expect_who_asked(struct player *p)
{
	struct wf_rma_link *link = wf_rma_link_get(p->at.region, 0);
	bool asks = p->me == 0 || p->me > FIRST;

	expect(p, !!link->asked_word.number == asks,
	       asks ? "it asked nobody" : "it had to ask");
}

static void expect_sums(struct player *p)
{
	const uint64_t *word = weft_region_base(p->at.region);

	expect(p, word[0] == RANKS * TIMES, "the sum");
	expect(p, word[1] == RANKS * TIMES, "the sum by cas");
}

/* Until rank 0 is gone. */
static bool goes_on(const struct player *p)
{
	const struct shared *s = p->shared;

	return !p->status && ((s->dies && !s->victim) ||
			      (s->closes && p->me != 0));
}

static void end_with_loss(struct player *p)
{
	char name[16];

	snprintf(name, sizeof(name), "rank %d ", p->shared->victim);
	expect(p, p->status == WEFT_ERR_PEER || p->status == WEFT_ERR_RANGE ||
	       (!p->status && (p->shared->victim || p->shared->closes)),
	       "a status of the loss");
	expect(p, p->status != WEFT_ERR_PEER ||
	       strstr(p->text, name), "its name");
	p->shared->heard++;
}

/* What was told lost is written no more, should its answer still come. */
static void expect_forgotten(struct player *p)
{
	struct wf_rma_link *link;
	struct wf_rma_note late;
	uint64_t old = LEFT_ALONE;

	if (!p->at.region || p->me == 0 || p->status != WEFT_ERR_PEER)
		return;
	expect(p, weft_flush(p->at.region, 0, WEFT_FLUSH_LOCAL) <= 0, "flush");
	link = wf_rma_link_get(p->at.region, 0);
	link->asked_word.old = &old;
	late = (struct wf_rma_note){
		.number = (uint32_t)link->asked_word.number
	};
	wf_rma_agent_old_comes(link, &late);
	expect(p, old == LEFT_ALONE, "a late answer");
}

/* Mails that come meanwhile wait. */
static void compute(struct wf_sim_rank *rank)
{
	uint64_t until = wf_sim_now(rank) + LONG;

	while (wf_sim_now(rank) < until)
		wf_sim_idle(rank, until);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct player p = { .rank = rank, .shared = arg,
			    .me = wf_sim_rank(rank) };
	struct shared *shared = arg;

	if (wf_sim_job_open(rank, &p.job)) {
		wf_sim_fail(rank, "no job");
		return;
	}
	check(&p, weft_region_create(weft_job_world(p.job), NULL, 16,
				     &p.at.region), "create");
	if (!p.status)
		ask_in_turn(&p);
	if (shared->computes && p.me == 0)
		compute(rank);
	do
		change_words(&p);
	while (goes_on(&p));
	if (shared->dies || shared->closes)
		end_with_loss(&p);
	else
		expect_who_asked(&p);
	expect_forgotten(&p);
	if (!shared->closes)
		meet(&p);
	if (p.me == 0 && !shared->dies && !shared->closes)
		expect_sums(&p);
	if (p.at.region && !(shared->closes && p.me == 0))
		check(&p, weft_region_free(&p.at.region), "destroy");
	close_job(&p);
}

static int deaths;		/* in all runs */

static bool run(uint64_t seed, const struct shared *how,
		void (*ranks)(struct wf_sim_rank *rank, void *arg))
{
	struct shared shared = *how;
	struct wf_sim_options options;
	struct wf_sim_result result;
	bool good;

	wf_sim_options_init(&options, RANKS, seed);
	wf_sim_options_vary(&options);
	wf_sim_options_unsignal(&options);
	if (shared.dies) {
		shared.victim = (int)(seed % RANKS);
		options.kill_rank = shared.victim;
		options.kill_event = 80 + seed * 7919 % 400;
	}
	good = TAP_EQUAL(wf_sim_run(&options, ranks, &shared, &result),
			 WEFT_OK) &&
	       TAP_EQUAL(result.violations, 0);
	if (good && shared.dies && result.killed >= 0)
		good = TAP_CHECK(shared.heard >= RANKS - 1);
	deaths += result.killed >= 0;
	if (!good)
		tap_diag("seed %d: %s", (int)seed, result.text);
	return good;
}

static void run_all(struct shared how)
{
	int n = (int)tap_figure("SEEDS", SEEDS);
	int first = (int)tap_figure("FIRST_SEED", 0);

	for (int seed = first; seed < first + n; seed++)
		if (!run((uint64_t)seed, &how, program))
			return;
}

static void cpus(void)
{
	run_all((struct shared){ .by_device = false });
}

static void a_device(void)
{
	run_all((struct shared){ .by_device = true });
}

static void computes(void)
{
	run_all((struct shared){ .by_device = true, .computes = true });
	run_all((struct shared){ .computes = true });
}

static void closes(void)
{
	run_all((struct shared){ .by_device = true, .closes = true });
	run_all((struct shared){ .closes = true });
}

static void a_death(void)
{
	run_all((struct shared){ .dies = true });
	run_all((struct shared){ .dies = true, .by_device = true });
	/* The others had their work done before. */
	TAP_CHECK(deaths >= (int)tap_figure("SEEDS", SEEDS));
}

/* ---- an exposed region, which its owner has attached, too ---- */

static struct weft_region_key key;

static void use_both_names(struct wf_sim_rank *rank, void *arg)
{
	struct player p = { .rank = rank, .shared = arg,
			    .me = wf_sim_rank(rank) };
	struct weft_region *region[2] = { NULL, NULL };
	struct weft_request *req[2 * REQUESTS];
	uint64_t old[2 * REQUESTS];

	if (wf_sim_job_open(rank, &p.job)) {
		wf_sim_fail(rank, "no job");
		return;
	}
	if (p.me == 0) {
		check(&p, weft_region_expose(weft_job_world(p.job), NULL, 16,
					     &region[1]), "expose");
		check(&p, weft_region_key(region[1], &key), "key");
	}
	meet(&p);
	check(&p, weft_region_attach(weft_job_world(p.job), &key, &region[0]),
	      "attach");
	p.at.region = region[0];
	ask_in_turn(&p);
	for (int i = 0; i < 2 * REQUESTS; i++) {
		p.at.region = region[p.me ? 0 : i % 2];
		check(&p, weft_fetch_add(&p.at, 1, &old[i], &req[i]), "add");
	}
	for (int i = 0; i < 2 * REQUESTS; i++) {
		check(&p, weft_request_wait(req[i]), "wait");
		found(&p, old[i]);
		check(&p, weft_request_free(&req[i]), "free");
	}
	check(&p, weft_flush(region[0], 0, WEFT_FLUSH_REMOTE), "flush");
	meet(&p);
	check(&p, weft_region_free(&region[0]), "detach");
	check(&p, weft_region_free(&region[1]), "destroy");
	close_job(&p);
}

static void both_names(void)
{
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct shared shared = { .by_device = seed % 2 };

		if (!run(seed, &shared, use_both_names))
			return;
	}
}

/* ---- an op that is the first of a rank twice ---- */

static void add_once(struct player *p)
{
	check(p, weft_region_attach(weft_job_world(p->job), &key,
				    &p->at.region), "attach");
	add_flushing(p);
	check(p, weft_region_free(&p->at.region), "detach");
}

/* Rank 0 decides by its own op that all others have to ask. */
static void attach_again(struct wf_sim_rank *rank, void *arg)
{
	struct player p = { .rank = rank, .shared = arg,
			    .me = wf_sim_rank(rank) };
	struct weft_region *region = NULL;
	const uint64_t *word;

	if (wf_sim_job_open(rank, &p.job)) {
		wf_sim_fail(rank, "no job");
		return;
	}
	if (p.me == 0) {
		check(&p, weft_region_expose(weft_job_world(p.job), NULL, 16,
					     &region), "expose");
		check(&p, weft_region_key(region, &key), "key");
		p.at.region = region;
		check(&p, weft_fetch_add(&p.at, 0, NULL, NULL), "first");
	}
	meet(&p);
	flip(&p);
	for (int i = 0; i < TIMES && p.me != 0; i++)
		add_once(&p);
	meet(&p);
	flip(&p);
	word = weft_region_base(region);
	if (p.me == 0)
		expect(&p, *word == (RANKS - 1) * TIMES, "the sum");
	check(&p, weft_region_free(&region), "destroy");
	close_job(&p);
}

static void again(void)
{
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct shared shared = { .by_device = false };

		if (!run(seed, &shared, attach_again))
			return;
	}
}

/* ---- a device that fails ---- */

static void expect_failure(struct player *p)
{
	struct weft_request *req;
	int status = weft_fetch_add(&p->at, 1, NULL, &req);

	expect(p, !status, "a request");
	if (status)
		return;
	expect(p, weft_request_wait(req) == WEFT_ERR_DEVICE &&
	       strstr(weft_request_error(req), "could not do an atomic op on "
		      "its part"), weft_request_error(req));
	expect(p, !weft_request_free(&req), "free");
}

/* The second one is not asked for. */
static void lose_device(struct wf_sim_rank *rank, void *arg)
{
	struct player p = { .rank = rank, .shared = arg,
			    .me = wf_sim_rank(rank) };
	struct wf_rma_link *link;

	if (wf_sim_job_open(rank, &p.job)) {
		wf_sim_fail(rank, "no job");
		return;
	}
	check(&p, weft_region_create(weft_job_world(p.job), NULL, 16,
				     &p.at.region), "create");
	ask_in_turn(&p);
	check(&p, weft_flush(p.at.region, 0, WEFT_FLUSH_REMOTE), "flush");
	meet(&p);
	if (p.me == 0)
		p.job->loop->ep->broken = true;
	meet(&p);
	if (p.me > FIRST) {
		link = wf_rma_link_get(p.at.region, 0);
		expect_failure(&p);
		expect(&p, link->asked_word.failed == link->asked_word.number,
		       "the op that failed");
		expect_failure(&p);
		expect(&p, link->asked_word.failed == link->asked_word.number,
		       "it was asked for once more");
	}
	meet(&p);
	if (p.me == 0)
		p.job->loop->ep->broken = false;
	check(&p, weft_region_free(&p.at.region), "destroy");
	close_job(&p);
}

static void failure(void)
{
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct shared shared = { .by_device = true };

		if (!run(seed, &shared, lose_device))
			return;
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "the owner's CPU for those of a device", cpus },
		{ "a device for those of the CPUs", a_device },
		{ "an owner that computes for long", computes },
		{ "an owner that closes its job", closes },
		{ "somebody dies meanwhile", a_death },
		{ "an exposed region, by both names", both_names },
		{ "a region that is attached again", again },
		{ "a device that fails", failure }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
