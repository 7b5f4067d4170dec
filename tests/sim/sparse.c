/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sparse exchanges against a model that knows all messages: patterns, numbers
 * of ranks, radices and nodes; several at once; refused at one rank; how many
 * messages they take.
 */
#include <string.h>
#include "coll/schedule.h"
#include "tests/coll/sparse_play.h"
#include "tests/sim/scene.h"

enum {
	SEVERAL = 5,
	LONG = 100000			/* bytes of a message */
};

static const struct sparse_deed *deed_of(struct sparse_deed *d,
					 const struct scene *s,
					 uint64_t number)
{
	static const size_t most[] = { 16, 300, 5000, LONG };

	d->size = wf_sim_size(s->rank);
	d->number = number;
	d->pattern = (enum sparse_pattern)(number % SPARSE_PATTERNS);
	d->most = most[number / SPARSE_PATTERNS % 4];
	if (d->pattern == SPARSE_ONE_TO_ALL && d->most == LONG)
		d->most = 5000;
	return d;
}

static void check(const struct scene *s, const struct sparse_play *play,
		  const struct sparse_deed *d)
{
	if (!sparse_play_check(play, d, wf_sim_rank(s->rank)))
		wf_sim_fail(s->rank, "pattern %d, number %d: other messages",
			    (int)d->pattern, (int)d->number);
}

static void exchange(const struct scene *s, uint64_t number)
{
	struct sparse_play play;
	struct sparse_deed d;

	sparse_play_init(&play, deed_of(&d, s, number), wf_sim_rank(s->rank));
	ok(s, weft_sparse_exchange(s->world, &play.send, &play.got),
	   "exchange");
	check(s, &play, &d);
	sparse_play_fini(&play);
}

/* Under way at once, and waited for in another order. */
static void several(const struct scene *s, uint64_t number)
{
	struct weft_request *req[SEVERAL] = { NULL };
	struct sparse_play play[SEVERAL];
	struct sparse_deed d[SEVERAL];

	for (int i = 0; i < SEVERAL; i++) {
		sparse_play_init(&play[i],
				 deed_of(&d[i], s, number + (uint64_t)i),
				 wf_sim_rank(s->rank));
		ok(s, weft_isparse_exchange(s->world, &play[i].send,
					    &play[i].got, &req[i]), "begin");
	}
	for (int k = 0; k < SEVERAL; k++) {
		int i = (k * 3 + 1) % SEVERAL;

		ok(s, weft_request_wait(req[i]), "wait");
		ok(s, weft_request_free(&req[i]), "free");
		check(s, &play[i], &d[i]);
		sparse_play_fini(&play[i]);
	}
}

static void drawn(struct wf_sim_rank *rank, void *arg)
{
	uint64_t number = *(uint64_t *)arg;
	struct scene s;

	if (!start(&s, rank))
		return;
	for (uint64_t i = 0; i < 4; i++)
		exchange(&s, number * 31 + i * 7);
	several(&s, number * 17);
	use(&s, s.world);
	several(&s, number * 13 + 5);
	stop(&s);
}

static bool play_on(int ranks, uint64_t number, const char *radix)
{
	char *env[] = { (char *)radix, "WEFT_CHECK=2", NULL };
	struct wf_sim_options options;

	wf_sim_options_init(&options, ranks, number);
	wf_sim_options_vary(&options);
	if (number % 2)
		wf_sim_options_harden(&options);
	options.ranks_per_node = 1 + (int)(number % 5);
	options.environ = env;
	return sim_flow_run(&options, drawn, &number);
}

static void every_size(void)
{
	static const char *const radix[] = {
		"WEFT_COLL=radix:2", "WEFT_COLL=radix:4", "WEFT_COLL=radix:8",
		"WEFT_COLL=radix:16"
	};
	long seeds = tap_figure("SEEDS", 40);
	long first = tap_figure("FIRST_SEED", 1);

	for (long seed = first; seed < first + seeds; seed++)
		if (!play_on(1 + (int)(seed % 40), (uint64_t)seed,
			     radix[seed / 3 % 4]))
			return;
}

static void many_ranks(void)
{
	if (play_on(64, 3, "WEFT_COLL=radix:8"))
		play_on(100, 10, "WEFT_COLL=radix:4");
}

/* ---- refused for its arguments ---- */

enum {
	NEGATIVE, NO_RANKS, NO_BYTES, NO_BASE, BELOW, ABOVE, TOO_MUCH, NO_SEND,
	NO_GOT, NO_REQ, WRONG
};

struct wrong {
	const char *text;
	int status;
};

static const struct wrong wrongs[WRONG] = {
	[NEGATIVE] = { "send->n of rank 1 is -3", WEFT_ERR_ARG },
	[NO_RANKS] = { "send->ranks of rank 1 is NULL", WEFT_ERR_ARG },
	[NO_BYTES] = { "send->bytes of rank 1 is NULL", WEFT_ERR_ARG },
	[NO_BASE] = { "send->base of rank 1 is NULL", WEFT_ERR_ARG },
	[BELOW] = { "send->ranks[2] of rank 1 is -1", WEFT_ERR_RANGE },
	[ABOVE] = { "send->ranks[0] of rank 1 is 5", WEFT_ERR_RANGE },
	[TOO_MUCH] = { "send->bytes[1] of rank 1", WEFT_ERR_RANGE },
	[NO_SEND] = { "send of rank 1 is NULL", WEFT_ERR_ARG },
	[NO_GOT] = { "got of rank 1 is NULL", WEFT_ERR_ARG },
	[NO_REQ] = { "req_p of rank 1 is NULL", WEFT_ERR_ARG }
};

struct bad_call {
	int wrong;
	bool waits;
};

static int call_badly(const struct scene *s, const struct bad_call *bad)
{
	int ranks[3] = { 0, 0, 0 };
	size_t bytes[3] = { 1, 1, 1 };
	struct weft_sparse send = { 3, ranks, bytes, "abc" };
	struct weft_sparse_got got;
	struct weft_request *req = NULL;
	int wrong = bad->wrong;

	send.n = wrong == NEGATIVE ? -3 : 3;
	send.ranks = wrong == NO_RANKS ? NULL : ranks;
	send.bytes = wrong == NO_BYTES ? NULL : bytes;
	send.base = wrong == NO_BASE ? NULL : "abc";
	if (wrong == BELOW)
		ranks[2] = -1;
	if (wrong == ABOVE)
		ranks[0] = 5;
	if (wrong == TOO_MUCH)
		bytes[1] = SIZE_MAX / 2;
	if (bad->waits && wrong != NO_REQ)
		return weft_sparse_exchange(s->world,
					    wrong == NO_SEND ? NULL : &send,
					    wrong == NO_GOT ? NULL : &got);
	return weft_isparse_exchange(s->world, wrong == NO_SEND ? NULL : &send,
				     wrong == NO_GOT ? NULL : &got,
				     wrong == NO_REQ ? NULL : &req);
}

static void refused(struct wf_sim_rank *rank, void *arg)
{
	const struct bad_call *bad = arg;
	const struct wrong *wrong = &wrongs[bad->wrong];
	const char *text = wrong->text;
	struct weft_sparse none = { .n = 0 };
	struct weft_sparse_got got;
	struct scene s;
	int status;

	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 1) {
		status = call_badly(&s, bad);
	} else {
		status = weft_sparse_exchange(s.world, &none, &got);
		text = "rank 1 of the communicator failed";
		if (got.n || got.base)
			wf_sim_fail(rank, "something came");
	}
	if (status != wrong->status || !strstr(weft_error_text(s.job), text))
		wf_sim_fail(rank, "wrong %d: %s: %s", bad->wrong,
			    weft_status_name(status),
			    weft_error_text(s.job));
	exchange(&s, (uint64_t)bad->wrong);
	several(&s, (uint64_t)bad->wrong + 3);
	stop(&s);
}

static void bad_arguments(void)
{
	for (int i = 0; i < 2 * WRONG; i++) {
		struct bad_call bad = { i / 2, i % 2 };
		struct wf_sim_options options;

		wf_sim_options_init(&options, 5, (uint64_t)i);
		if (!sim_flow_run(&options, refused, &bad))
			return;
	}
}

/* What is refused without waiting goes on while the job is closed. */
static void leaves(struct wf_sim_rank *rank, void *arg)
{
	const struct bad_call bad = { BELOW, false };
	struct weft_sparse none = { .n = 0 };
	struct weft_sparse_got got;
	struct scene s;
	int status;

	(void)arg;
	if (!start(&s, rank))
		return;
	status = wf_sim_rank(rank) == 1 ? call_badly(&s, &bad) :
		 weft_sparse_exchange(s.world, &none, &got);
	if (status != WEFT_ERR_RANGE)
		wf_sim_fail(rank, "%s: %s", weft_status_name(status),
			    weft_error_text(s.job));
	stop(&s);
}

static void refused_and_closed(void)
{
	for (int ranks = 2; ranks < 20; ranks += 3)
		if (!run(ranks, (uint64_t)ranks, leaves))
			return;
}

/* With another call at one rank; and nonblocking with blocking is none. */
static void differ(struct wf_sim_rank *rank, void *arg)
{
	struct weft_sparse none = { .n = 0 };
	struct weft_request *req = NULL;
	struct weft_sparse_got got;
	int me = wf_sim_rank(rank);
	struct scene s;
	int status;

	(void)arg;
	if (!start(&s, rank))
		return;
	if (me == 2) {
		ok(&s, weft_isparse_exchange(s.world, &none, &got, &req),
		   "begin");
		ok(&s, weft_request_wait(req), "wait");
		ok(&s, weft_request_free(&req), "free");
	} else {
		ok(&s, weft_sparse_exchange(s.world, &none, &got), "exchange");
	}
	status = me == 2 ? weft_barrier(s.world) :
			   weft_sparse_exchange(s.world, &none, &got);
	if (status != WEFT_ERR_ARG ||
	    !strstr(weft_error_text(s.job), "weft_sparse_exchange"))
		wf_sim_fail(rank, "%s: %s", weft_status_name(status),
			    weft_error_text(s.job));
	/* nobody leaves before all have heard */
	linger(&s);
	stop(&s);
}

static void calls_differ(void)
{
	static char *env[] = { "WEFT_CHECK=2", NULL };
	struct wf_sim_options options;

	wf_sim_options_init(&options, 6, 1);
	options.environ = env;
	sim_flow_run(&options, differ, NULL);
}

/* ---- costs ---- */

enum {
	ROUNDS = 16,
	PER_CREDIT = WF_COLL_WINDOW	/* messages of an edge */
};

/* The edges of a rank, in all stages. */
static void count_edges(const struct scene *s, int *gives, int *gets)
{
	struct wf_ragged_cuts cuts = wf_ragged_cut(wf_sim_size(s->rank),
						   (int)s->job->config.coll);
	struct wf_ragged_stage stage;

	*gives = *gets = 0;
	for (int i = 0; i < cuts.stages; i++) {
		wf_ragged_stage(&cuts, wf_sim_rank(s->rank), i, &stage);
		*gives += stage.nblocks - 1;
		*gets += stage.ntargets;
	}
}

/* Of so many rounds, in each of which an edge has at most some messages. */
static void count_messages(const struct scene *s, uint64_t number, int each)
{
	int gives, gets, most;
	uint64_t before;

	count_edges(s, &gives, &gets);
	linger(s);
	before = wf_sim_own_messages(s->rank);
	for (int i = 0; i < ROUNDS; i++)
		exchange(s, number);
	linger(s);
	most = ROUNDS * each * gives + (ROUNDS * each / PER_CREDIT + 1) * gets;
	if (wf_sim_own_messages(s->rank) - before > (uint64_t)most)
		wf_sim_fail(s->rank, "%d messages, of at most %d",
			    (int)(wf_sim_own_messages(s->rank) - before),
			    most);
}

/* Along the connections of an allreduce, and no empty content. */
static void cheap(struct wf_sim_rank *rank, void *arg)
{
	uint32_t connected;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int i = 0; i < 10; i++)
		use(&s, s.world);
	connected = s.job->connected;
	for (int i = 0; i < 10; i++)
		exchange(&s, SPARSE_DRAWN);
	count_messages(&s, SPARSE_DRAWN, 2);
	count_messages(&s, SPARSE_NOBODY, 1);
	if (s.job->connected != connected)
		wf_sim_fail(rank, "%u ranks are connected, before it were %u",
			    s.job->connected, connected);
	stop(&s);
}

static void costs(void)
{
	static const int ranks[] = { 2, 7, 8, 13, 64, 70 };

	for (int i = 0; i < TAP_COUNT(ranks); i++)
		if (!run(ranks[i], (uint64_t)i + 1, cheap))
			return;
}

/* ---- a rank dies ---- */

static int heard;

/* Until it is told: then all later ones tell it, too. */
static void mourn(struct wf_sim_rank *rank, void *arg)
{
	int victim = *(int *)arg, status = WEFT_OK;
	struct sparse_play play;
	struct sparse_deed d;
	struct scene s;
	char name[16];

	snprintf(name, sizeof(name), "rank %d ", victim);
	if (!start(&s, rank))
		return;
	for (uint64_t i = 0; !status || i % 4; i++) {
		sparse_play_init(&play, deed_of(&d, &s, i * 5),
				 wf_sim_rank(rank));
		status = weft_sparse_exchange(s.world, &play.send, &play.got);
		if (!status)
			check(&s, &play, &d);
		else if (status != WEFT_ERR_PEER || play.got.n ||
			 !strstr(weft_error_text(s.job), name))
			wf_sim_fail(rank, "%s: %s", weft_status_name(status),
				    weft_error_text(s.job));
		sparse_play_fini(&play);
	}
	heard++;
	if (weft_job_close(s.job) != WEFT_ERR_PEER)
		wf_sim_fail(rank, "it closed with the dead one");
}

static void deaths(void)
{
	run_deaths(60, &heard, mourn);
}

/* ---- closed over some that are under way ---- */

static void left_open(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *req[SEVERAL] = { NULL };
	struct sparse_play play[SEVERAL];
	struct sparse_deed d;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int i = 0; i < SEVERAL; i++) {
		sparse_play_init(&play[i], deed_of(&d, &s, (uint64_t)i * 6),
				 wf_sim_rank(rank));
		ok(&s, weft_isparse_exchange(s.world, &play[i].send,
					     &play[i].got, &req[i]), "begin");
	}
	stop(&s);
	for (int i = 0; i < SEVERAL; i++)
		sparse_play_fini(&play[i]);
}

static void left_under_way(void)
{
	run(13, 1, left_open);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "every number of ranks", every_size },
		{ "many ranks", many_ranks },
		{ "bad arguments at one rank", bad_arguments },
		{ "refused, and closed behind it", refused_and_closed },
		{ "calls that differ", calls_differ },
		{ "a rank dies", deaths },
		{ "messages and connections", costs },
		{ "closed while under way", left_under_way }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
