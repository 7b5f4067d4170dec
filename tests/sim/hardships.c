/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the simulator makes harder on request: each switch does what it says,
 * and a seed chooses them without changing what else it means.
 */
#include "tests/sim/node.h"
#include "tests/tap.h"

enum {
	BYTES = 3000,
	LINE = 64,
	LINES = (BYTES + LINE - 1) / LINE,
	POLLS = 100,
	FROM_NS = 100000,
	UNTIL_NS = 5000000
};

struct shared {
	struct wf_rloc block;	/* of rank 1 */
	uint32_t sig;
	uint64_t time[8];	/* of ranks */
	int count[8];
};

static bool run(const struct wf_sim_options *options,
		void (*program)(struct wf_sim_rank *, void *),
		struct shared *shared)
{
	struct wf_sim_result result;
	bool good;

	memset(shared, 0, sizeof(*shared));
	if (!TAP_EQUAL(wf_sim_run(options, program, shared, &result), WEFT_OK))
		return false;
	good = TAP_EQUAL(result.violations, 0);
	if (!good)
		tap_diag("seed %llu: %s", (unsigned long long)options->seed,
			 result.text);
	return good;
}

static void wait_until(struct node *node, uint64_t time)
{
	while (wf_sim_now(node->rank) < time) {
		wf_sim_tp.progress(node->dev);
		wf_sim_idle(node->rank, time);
	}
}

/* ---- a slow rank ---- */

static void poll_often(struct wf_sim_rank *rank, void *arg)
{
	struct shared *shared = arg;
	int me = wf_sim_rank(rank);
	uint64_t start = wf_sim_now(rank);
	struct node node;

	for (int i = 0; i < POLLS; i++)
		wf_sim_idle(rank, 0);
	shared->time[me] = wf_sim_now(rank) - start;
	if (!node_open(&node, rank))
		return;
	start = wf_sim_now(rank);
	node_mail(&node, !me, 1, 0);
	shared->time[2 + me] = wf_sim_now(rank) - start;
	node_close(&node);
}

static void slow_rank(void)
{
	struct wf_sim_options options;
	struct shared shared;

	wf_sim_options_init(&options, 2, 1);
	options.slow_rank = 1;
	if (!run(&options, poll_often, &shared))
		return;
	TAP_CHECK(shared.time[0] < 2 * POLLS * options.poll_ns + POLLS);
	TAP_CHECK(shared.time[1] >= 100 * POLLS * options.poll_ns);
	TAP_EQUAL(shared.time[2], 0);
	TAP_CHECK(shared.time[3] >= 100 * options.poll_ns);
}

/* With a network what its CPU does costs a hundred times as much. */
static void slow_post(void)
{
	struct wf_sim_options options;
	struct shared shared;

	wf_sim_options_init(&options, 2, 1);
	options.ranks_per_node = 1;
	options.net = wf_sim_net_find("hdr200");
	options.slow_rank = 1;
	if (!run(&options, poll_often, &shared))
		return;
	TAP_CHECK(shared.time[2] > 0);
	TAP_CHECK(shared.time[3] >= 50 * shared.time[2]);
}

/* ---- torn puts ---- */

/* How many lines are there, and does one come before an earlier one? */
static int lines_there(const char *block, bool *disorder_p)
{
	bool gap = false;
	int n = 0;

	*disorder_p = false;
	for (int i = 0; i < LINES; i++) {
		bool there = block[i * LINE];

		*disorder_p |= there && gap;
		gap |= !there;
		n += there;
	}
	return n;
}

/* count: stages, those in disorder */
static void watch(struct node *node, struct shared *shared, const char *block)
{
	const _Atomic uint64_t *word = wf_signal_word(&node->signals,
						      shared->sig);
	bool disorder;
	int seen = 0;

	while (!wf_signal_count(word, shared->sig)) {
		int n = lines_there(block, &disorder);

		shared->count[0] += n > seen;
		shared->count[1] += n > seen && disorder;
		seen = n;
		node_wait(node);
	}
	for (int i = 0; i < BYTES; i++)
		if (block[i] != 1)
			wf_sim_fail(node->rank, "byte %d comes after the "
				    "signal", i);
}

static void put_one(struct wf_sim_rank *rank, void *arg)
{
	struct shared *shared = arg;
	char bytes[BYTES];
	struct node node;
	uint64_t offset;

	memset(bytes, 1, sizeof(bytes));
	if (!node_open(&node, rank))
		return;
	if (wf_sim_rank(rank) == 0) {
		while (!node.mails)
			node_wait(&node);
		node_put(&node, 1, bytes, shared->block, BYTES, shared->sig);
	} else if (wf_segment_alloc(&node.segment, BYTES, 64, &offset) ||
		   wf_signal_alloc(&node.signals, 0, &shared->sig) ||
		   wf_sim_tp.key(&node.dev->arena, offset, &shared->block)) {
		wf_sim_fail(rank, "no block");
	} else {
		node_mail(&node, 0, 1, 0);
		watch(&node, shared, wf_segment_at(&node.segment, offset));
	}
	node_close(&node);
}

static void torn_puts(void)
{
	long seeds = tap_figure("SEEDS", 50);
	long first = tap_figure("FIRST_SEED", 1);
	int disorder = 0, stages = 0;

	for (long seed = first; seed < first + seeds; seed++) {
		struct wf_sim_options options;
		struct shared shared;

		wf_sim_options_init(&options, 2, (uint64_t)seed);
		options.tear_one_in = 1;
		options.target_idle = seed % 2;
		if (!run(&options, put_one, &shared))
			return;
		stages += shared.count[0] > 2;
		disorder += shared.count[1] > 0;
	}
	TAP_CHECK(stages > seeds / 4);
	TAP_CHECK(disorder > seeds / 2);
}

/* ---- slow contacts ---- */

static void connect(struct wf_sim_rank *rank, void *arg)
{
	struct shared *shared = arg;
	struct node node;

	if (!node_open(&node, rank))
		return;
	shared->time[wf_sim_rank(rank)] = wf_sim_now(rank);
	node_close(&node);
}

static void slow_contacts(void)
{
	int late = 0;

	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct wf_sim_options options;
		struct shared shared;

		wf_sim_options_init(&options, 3, seed);
		options.contact_ns = 1000000;
		if (!run(&options, connect, &shared))
			return;
		TAP_CHECK(shared.time[0] < 1100000);
		late += shared.time[0] > 100000;
	}
	TAP_CHECK(late > 15);
}

/* ---- a link that is down ---- */

/* Mails before and while the link is down; when they come. */
static void mail_in_time(struct wf_sim_rank *rank, void *arg)
{
	struct shared *shared = arg;
	struct node node;

	if (!node_open(&node, rank))
		return;
	for (int i = 0; i < 2; i++) {
		wait_until(&node, FROM_NS / 2 + (uint64_t)i * FROM_NS);
		if (wf_sim_rank(rank) == 0)
			node_mail(&node, 1, 1, 0);
		while (wf_sim_rank(rank) == 1 && node.mails <= i)
			node_wait(&node);
		shared->time[2 * wf_sim_rank(rank) + i] = wf_sim_now(rank);
	}
	node_close(&node);
}

static void down_for_a_time(void)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct wf_sim_options options;
		struct shared shared;

		wf_sim_options_init(&options, 2, seed);
		TAP_CHECK(!wf_sim_options_cut(&options, FROM_NS, UNTIL_NS));
		options.ranks_per_node = 1;
		TAP_CHECK(wf_sim_options_cut(&options, FROM_NS, UNTIL_NS));
		if (!run(&options, mail_in_time, &shared))
			return;
		TAP_CHECK(shared.time[2] < FROM_NS);
		TAP_CHECK(shared.time[1] < UNTIL_NS);
		TAP_CHECK(shared.time[3] >= UNTIL_NS);
	}
}

/* Each posts a mail and a put, which become done and are lost. */
static void post_in_vain(struct wf_sim_rank *rank, void *arg)
{
	struct shared *shared = arg;
	struct node node;
	struct wf_ep *ep;

	if (!node_open(&node, rank))
		return;
	node.may_suspect = true;
	ep = node.ep[!wf_sim_rank(rank)];
	wait_until(&node, FROM_NS);
	node_mail(&node, ep->rank, 1, 0);
	while (!wf_ep_done(ep, ep->posted) || !node.suspected)
		node_wait(&node);
	if (!ep->broken || node.suspected != 1 || node.mails)
		wf_sim_fail(rank, "%d suspicions, %d mails", node.suspected,
			    node.mails);
	while (wf_sim_tp.fence(ep) == WEFT_INPROGRESS)
		node_wait(&node);
	wf_sim_tp.disconnect(ep);
	wf_sim_tp.disconnect(node.ep[wf_sim_rank(rank)]);
	wf_sim_tp.close(node.dev);
	wf_signals_fini(&node.signals);
	wf_segment_close(&node.segment);
	shared->count[0]++;
}

static void down_for_good(void)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct wf_sim_options options;
		struct shared shared;

		wf_sim_options_init(&options, 2, seed);
		options.ranks_per_node = 1;
		wf_sim_options_cut(&options, FROM_NS, UINT64_MAX);
		if (!run(&options, post_in_vain, &shared))
			return;
		TAP_EQUAL(shared.count[0], 2);
	}
}

/* ---- deaths of which few are told ---- */

static void hear(struct wf_sim_rank *rank, void *arg)
{
	struct shared *shared = arg;
	struct node node;

	if (!node_open_alone(&node, rank))
		return;
	if (wf_sim_rank(rank) == 1)
		wf_sim_die(rank);
	wait_until(&node, UNTIL_NS);
	shared->count[wf_sim_rank(rank)] = node.told == 1;
	wf_sim_tp.close(node.dev);
	wf_signals_fini(&node.signals);
	wf_segment_close(&node.segment);
}

static void few_are_told(void)
{
	struct wf_sim_options options;
	struct shared shared;

	wf_sim_options_init(&options, 5, 1);
	options.kill_rank = 1;
	options.told_ns = 1000;
	options.told_ranks = 2;
	if (!run(&options, hear, &shared))
		return;
	for (int i = 0; i < 5; i++)
		TAP_EQUAL(shared.count[i], i == 2 || i == 3);
}

/* ---- what a seed chooses ---- */

static void by_seed(void)
{
	int slow = 0, torn = 0, late = 0, nodes = 0, free = 0, down = 0;
	enum { SEEDS = 200 };

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct wf_sim_options mild, hard;

		wf_sim_options_init(&mild, 9, seed);
		wf_sim_options_vary(&mild);
		hard = mild;
		wf_sim_options_harden(&hard);
		TAP_EQUAL(hard.again_one_in, mild.again_one_in);
		TAP_EQUAL(hard.max_delay_ns, mild.max_delay_ns);
		slow += hard.slow_rank >= 0;
		torn += hard.tear_one_in > 0;
		late += hard.contact_ns > 0;
		nodes += hard.ranks_per_node > 0;
		free += hard.no_fence;
		down += hard.down.node[0] != hard.down.node[1];
		TAP_CHECK(hard.down.until_ns < UINT64_MAX);
	}
	TAP_CHECK(slow > SEEDS / 8 && slow < SEEDS / 2);
	TAP_CHECK(torn > SEEDS / 2 && torn < SEEDS);
	TAP_CHECK(late > SEEDS / 4 && late < SEEDS);
	TAP_CHECK(nodes > SEEDS / 4 && nodes < SEEDS);
	TAP_CHECK(free > SEEDS / 8 && free < SEEDS / 2);
	TAP_CHECK(down > SEEDS / 16 && down < SEEDS / 2);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "one rank is slow", slow_rank },
		{ "and its posts", slow_post },
		{ "puts that are torn", torn_puts },
		{ "slow contacts", slow_contacts },
		{ "a link is down for a time", down_for_a_time },
		{ "a link is down for good", down_for_good },
		{ "few are told of a death", few_are_told },
		{ "a seed chooses", by_seed },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
