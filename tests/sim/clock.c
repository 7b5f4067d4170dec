/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The scheduler of the simulator: virtual time, deadlines, hangs, and that a
 * seed decides everything.
 */
#include "tests/sim/node.h"
#include "tests/tap.h"
#include "transport/line.h"

enum { SECOND = 1000000000 };

static struct wf_sim_result run(const struct wf_sim_options *options,
				void (*program)(struct wf_sim_rank *, void *),
				void *arg)
{
	struct wf_sim_result result = { .violations = 1 };

	TAP_EQUAL(wf_sim_run(options, program, arg, &result), WEFT_OK);
	return result;
}

static void expect_clean(const struct wf_sim_result *result, int finished)
{
	TAP_EQUAL(result->violations, 0);
	TAP_EQUAL(result->finished, finished);
	if (result->violations)
		tap_diag("%s", result->text);
}

static void sleep_long(struct wf_sim_rank *rank, void *arg)
{
	uint64_t *woken = arg;
	uint64_t deadline = (uint64_t)(wf_sim_rank(rank) + 1) * SECOND;

	while (wf_sim_now(rank) < deadline)
		wf_sim_idle(rank, deadline);
	woken[wf_sim_rank(rank)] = wf_sim_now(rank);
}

static void deadlines(void)
{
	struct wf_sim_options options;
	struct wf_sim_result result;
	uint64_t woken[5] = { 0 };

	wf_sim_options_init(&options, 5, 1);
	result = run(&options, sleep_long, woken);
	expect_clean(&result, 5);
	for (int i = 0; i < 5; i++)
		TAP_EQUAL(woken[i], (i + 1) * (long long)SECOND);
}

static void poll_often(struct wf_sim_rank *rank, void *arg)
{
	uint64_t *spent = arg;
	uint64_t start = wf_sim_now(rank);

	for (int i = 0; i < 1000; i++)
		wf_sim_idle(rank, 0);
	spent[wf_sim_rank(rank)] = wf_sim_now(rank) - start;
}

static void polls_cost_time(void)
{
	struct wf_sim_options options;
	struct wf_sim_result result;
	uint64_t spent[3] = { 0 };

	wf_sim_options_init(&options, 3, 1);
	result = run(&options, poll_often, spent);
	expect_clean(&result, 3);
	for (int i = 0; i < 3; i++)
		TAP_CHECK(spent[i] >= 100000 && spent[i] < 200000);
}

/* A loop of progress calls alone moves time, too. */
static void loop_of_tests(struct wf_sim_rank *rank, void *arg)
{
	struct node node;

	(void)arg;
	if (!node_open(&node, rank))
		return;
	while (wf_sim_now(rank) < 100000)
		wf_sim_tp.progress(node.dev);
	node_close(&node);
}

static void tests_move_time(void)
{
	struct wf_sim_options options;
	struct wf_sim_result result;

	wf_sim_options_init(&options, 3, 1);
	result = run(&options, loop_of_tests, NULL);
	expect_clean(&result, 3);
}

/*
 * What lands while a fruitless poll takes its time has come after the look at
 * memory before it: the next wait ends at once.
 */
static void poll_then_wait(struct wf_sim_rank *rank, void *arg)
{
	struct wf_rloc *line = arg;
	struct node node;
	uint64_t block;

	if (!node_open(&node, rank))
		return;
	if (wf_sim_rank(rank) == 0) {
		while (!node.mails)
			node_wait(&node);
		node_line(&node, 1, *line, "", 0, 7);
	} else {
		if (wf_segment_alloc(&node.segment, WF_LINE_BYTES,
				     WF_LINE_BYTES, &block) ||
		    wf_sim_tp.key(&node.dev->arena, block, line))
			wf_sim_fail(rank, "no line");
		node_mail(&node, 0, 1, 0);
		for (int i = 0; i < 200; i++)
			wf_sim_tp.progress(node.dev);
		wf_sim_idle(rank, wf_sim_now(rank) + SECOND);
		if (!wf_line_ready(wf_segment_at(&node.segment, block), 7))
			wf_sim_fail(rank, "no line has come");
	}
	node_close(&node);
}

static void polls_lose_nothing(void)
{
	struct wf_sim_options options;
	struct wf_sim_result result;
	struct wf_rloc line;

	for (uint64_t seed = 1; seed <= 10; seed++) {
		wf_sim_options_init(&options, 2, seed);
		result = run(&options, poll_then_wait, &line);
		expect_clean(&result, 2);
		TAP_CHECK(result.time_ps < UINT64_C(1000) * SECOND);
	}
}

struct computing {
	struct wf_rloc line;
	int lines, mails;	/* to the rank that computes */
	int woken;
};

/* As a wait of the library does: some tries, then idle. */
static void post(struct node *node, const struct wf_rloc *line)
{
	const struct wf_mail mail = { .kind = 1 };
	struct wf_ep *ep = node->ep[1];
	int status = WEFT_AGAIN;

	for (int i = 1; status == WEFT_AGAIN; i++) {
		status = line ? wf_ep_line(ep, *line, "", 0, 7) :
				ep->ops->mail(ep, &mail, NULL);
		if (status == WEFT_AGAIN && i % 16 == 0)
			node_wait(node);
	}
	if (status)
		wf_sim_fail(node->rank, "%s", weft_status_name(status));
}

/*
 * Rank 1 computes for ten seconds, without progress, while what was put waits
 * for it: each flight wakes it once, and no more.
 */
static void compute(struct wf_sim_rank *rank, void *arg)
{
	struct computing *shared = arg;
	struct node node;
	uint64_t block, until;

	if (!node_open(&node, rank))
		return;
	if (wf_sim_rank(rank) == 1) {
		if (wf_segment_alloc(&node.segment, WF_LINE_BYTES,
				     WF_LINE_BYTES, &block) ||
		    wf_sim_tp.key(&node.dev->arena, block, &shared->line))
			wf_sim_fail(rank, "no line");
		node_mail(&node, 0, 1, 0);
		until = wf_sim_now(rank) + UINT64_C(10) * SECOND;
		while (wf_sim_now(rank) < until) {
			wf_sim_idle(rank, until);
			shared->woken++;
		}
	} else {
		while (!node.mails)
			node_wait(&node);
		for (int i = 0; i < shared->lines; i++)
			post(&node, &shared->line);
		for (int i = 0; i < shared->mails; i++)
			post(&node, NULL);
	}
	node_close(&node);
}

static void computing_is_no_poll(void)
{
	struct computing shared = { .lines = 1 };
	struct wf_sim_options options;
	struct wf_sim_result result;

	wf_sim_options_init(&options, 2, 1);
	options.target_idle = false;
	result = run(&options, compute, &shared);
	expect_clean(&result, 2);
	/* the line, the end of the mail, the deadline */
	TAP_CHECK(shared.woken >= 2 && shared.woken < 10);
}

/* Who has no room for a post, or no credit, waits for what makes some. */
static void no_room_is_no_poll(void)
{
	const struct computing full[] = { { .lines = 2 }, { .mails = 10 } };

	for (int i = 0; i < TAP_COUNT(full); i++) {
		struct computing shared = full[i];
		struct wf_sim_options options;
		struct wf_sim_result result;

		wf_sim_options_init(&options, 2, 1);
		options.target_idle = false;
		options.tx_depth = 1;
		options.again_one_in = 2;
		result = run(&options, compute, &shared);
		expect_clean(&result, 2);
		TAP_CHECK(result.time_ps >= UINT64_C(10000) * SECOND);
		TAP_CHECK(result.agains && result.agains < 100);
	}
}

/* No mail gets through for 200 ms, and rank 0 never gives up. */
static void try_often(struct wf_sim_rank *rank, void *arg)
{
	const struct wf_mail mail = { .kind = 1 };
	int *tries = arg;
	uint64_t until = 0;
	struct node node;

	if (!node_open(&node, rank))
		return;
	if (wf_sim_rank(rank) == 0) {
		wf_sim_set_faults(rank, 0, 1);
		until = wf_sim_now(rank) + SECOND / 5;
	}
	for (; wf_sim_now(rank) < until; ++*tries) {
		if (node.ep[1]->ops->mail(node.ep[1], &mail, NULL) !=
		    WEFT_ERR_DEVICE)
			wf_sim_fail(rank, "a mail got through");
		node_wait(&node);
	}
	wf_sim_set_faults(rank, 0, 0);
	node_close(&node);
}

static void tries_grow_rare(void)
{
	struct wf_sim_options options;
	struct wf_sim_result result;
	int tries = 0;

	wf_sim_options_init(&options, 2, 1);
	result = run(&options, try_often, &tries);
	expect_clean(&result, 2);
	TAP_CHECK(result.time_ps >= UINT64_C(200) * SECOND);
	TAP_CHECK(tries > 1000 && tries < 3000);
}

static void wait_for_ever(struct wf_sim_rank *rank, void *arg)
{
	const bool *with_deadlines = arg;

	while (wf_sim_rank(rank) == 1)
		wf_sim_idle(rank, *with_deadlines ?
				  wf_sim_now(rank) + 10000000 : UINT64_MAX);
}

static void hangs(void)
{
	struct wf_sim_options options;
	struct wf_sim_result result;

	wf_sim_options_init(&options, 3, 1);
	for (int i = 0; i < 2; i++) {
		bool with_deadlines = i;

		result = run(&options, wait_for_ever, &with_deadlines);
		TAP_CHECK(result.hung);
		TAP_EQUAL(result.finished, 2);
		TAP_CHECK(strstr(result.text, "1 idle since") ||
			  strstr(result.text, "1 ready"));
	}
}

/* Everybody sends lines to everybody, in an order that the seed chooses. */
static void chatter(struct wf_sim_rank *rank, void *arg)
{
	int size = wf_sim_size(rank);
	int me = wf_sim_rank(rank);
	struct wf_rloc *table = arg;
	struct node node;
	uint64_t block;

	if (!node_open(&node, rank))
		return;
	if (wf_segment_alloc(&node.segment, (size_t)size * WF_LINE_BYTES,
			     WF_LINE_BYTES, &block) ||
	    wf_sim_tp.key(&node.dev->arena, block, &table[me]))
		wf_sim_fail(rank, "no lines");
	for (int i = 0; i < size; i++)
		node_mail(&node, i, 1, 0);
	while (node.mails < size)
		node_wait(&node);
	for (int k = 0; k < size; k++) {
		int to = (me + k) % size;
		struct wf_rloc dst = table[to];

		dst.addr += (uint64_t)me * WF_LINE_BYTES;
		node_line(&node, to, dst, &me, sizeof(me), 7);
	}
	for (int i = 0; i < size; i++) {
		const struct wf_line *line = wf_segment_at(&node.segment,
							   block);

		while (!wf_line_ready(&line[i], 7))
			node_wait(&node);
		if (memcmp(wf_line_content(&line[i], sizeof(i)), &i,
			   sizeof(i)))
			wf_sim_fail(rank, "a wrong line of rank %d", i);
	}
	node_close(&node);
}

static void one_seed_one_run(void)
{
	long seeds = tap_figure("SEEDS", 40);
	long first = tap_figure("FIRST_SEED", 1);
	uint64_t last = 0;

	for (long seed = first; seed < first + seeds; seed++) {
		struct wf_rloc table[NODE_RANKS];
		struct wf_sim_options options;
		struct wf_sim_result one, two;

		wf_sim_options_init(&options, 1 + (int)(seed % 9),
				    (uint64_t)seed);
		wf_sim_options_vary(&options);
		one = run(&options, chatter, table);
		two = run(&options, chatter, table);
		expect_clean(&one, options.ranks);
		if (!TAP_CHECK(one.trace == two.trace &&
			       one.time_ps == two.time_ps &&
			       one.events == two.events))
			tap_diag("seed %ld", seed);
		TAP_CHECK(one.trace != last);
		last = one.trace;
	}
}

static void bad_options(void)
{
	struct wf_sim_options options;
	struct wf_sim_result result;
	bool b = false;

	wf_sim_options_init(&options, 0, 1);
	TAP_EQUAL(wf_sim_run(&options, wait_for_ever, &b, &result),
		  WEFT_ERR_ARG);
	wf_sim_options_init(&options, 2, 1);
	options.tx_depth = 1000;
	TAP_EQUAL(wf_sim_run(&options, wait_for_ever, &b, &result),
		  WEFT_ERR_ARG);
	wf_sim_options_init(&options, 2, 1);
	options.size = 8;
	TAP_EQUAL(wf_sim_run(&options, wait_for_ever, &b, &result),
		  WEFT_ERR_ARG);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "the clock jumps to deadlines", deadlines },
		{ "fruitless polls cost time", polls_cost_time },
		{ "loops of progress move time", tests_move_time },
		{ "what lands during a poll ends the wait",
		  polls_lose_nothing },
		{ "who computes does not poll", computing_is_no_poll },
		{ "who has no room does not poll", no_room_is_no_poll },
		{ "who tries in vain does so ever less", tries_grow_rare },
		{ "a hang is found", hangs },
		{ "a seed is a run", one_seed_one_run },
		{ "bad options are refused", bad_options },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
