/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank dies: the others are told, what it had in flight lands or not, and
 * after the fence nothing of it is written any more.
 */
#include "tests/sim/node.h"
#include "tests/tap.h"

enum { RANKS = 4, VICTIM = 2, BYTES = 512 };

struct shared {
	struct wf_rloc block[RANKS];
	uint32_t sig[RANKS];
	int told;		/* living ranks that were told */
	int landed;		/* puts of the dead that arrived */
	int late;		/* after it was told */
	uint64_t died;
};

static uint64_t count(struct node *node, const struct shared *shared)
{
	uint32_t sig = shared->sig[wf_sim_rank(node->rank)];

	return wf_signal_count(wf_signal_word(&node->signals, sig), sig);
}

static void victim(struct node *node, struct shared *shared)
{
	static const char bytes[BYTES];

	for (int i = 0; i < RANKS; i++)
		for (int k = 0; k < 3; k++)
			if (i != VICTIM)
				node_put(node, i, bytes, shared->block[i],
					 BYTES, shared->sig[i]);
	shared->died = wf_sim_now(node->rank);
	wf_sim_die(node->rank);
}

/* Waits long; nothing may move after the fence. */
static void survivor(struct node *node, struct shared *shared, char *block)
{
	uint64_t until, before;

	while (node->told < 0)
		node_wait(node);
	if (node->told != VICTIM ||
	    wf_sim_now(node->rank) > shared->died + 1100000000)
		wf_sim_fail(node->rank, "told of %d, too late", node->told);
	shared->told++;
	before = count(node, shared);
	until = wf_sim_now(node->rank) +
		wf_random_below(&node->random, 500000000);
	while (wf_sim_now(node->rank) < until)
		wf_sim_idle(node->rank, until);
	while (wf_sim_tp.fence(node->ep[VICTIM]) == WEFT_INPROGRESS)
		node_wait(node);
	shared->landed += (int)count(node, shared);
	shared->late += count(node, shared) > before;

	before = count(node, shared);
	memset(block, 0x55, BYTES);
	until = wf_sim_now(node->rank) + 3000000000;
	while (wf_sim_now(node->rank) < until)
		wf_sim_idle(node->rank, until);
	for (int i = 0; i < BYTES; i++)
		if (block[i] != 0x55)
			wf_sim_fail(node->rank, "byte %d after the fence", i);
	if (count(node, shared) != before)
		wf_sim_fail(node->rank, "a signal after the fence");
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct shared *shared = arg;
	int me = wf_sim_rank(rank);
	struct node node;
	uint64_t offset;

	if (!node_open(&node, rank))
		return;
	if (wf_segment_alloc(&node.segment, BYTES, 64, &offset) ||
	    wf_signal_alloc(&node.signals, 0, &shared->sig[me]) ||
	    wf_sim_tp.key(&node.dev->arena, offset, &shared->block[me]))
		wf_sim_fail(rank, "no memory");
	for (int i = 0; i < RANKS; i++)
		node_mail(&node, i, 1, 0);
	while (node.mails < RANKS && node.told < 0)
		node_wait(&node);
	if (me == VICTIM) {
		victim(&node, shared);
		return;
	}
	survivor(&node, shared, wf_segment_at(&node.segment, offset));
	node_close(&node);
}

static void told_and_fenced(void)
{
	long seeds = tap_figure("SEEDS", 60);
	long first = tap_figure("FIRST_SEED", 1);
	int landed = 0, late = 0;

	/* so many that each of what is counted below occurs */
	if (seeds < 20)
		seeds = 20;
	for (long seed = first; seed < first + seeds; seed++) {
		struct shared shared = { .told = 0 };
		struct wf_sim_options options;
		struct wf_sim_result result;

		wf_sim_options_init(&options, RANKS, (uint64_t)seed);
		wf_sim_options_vary(&options);
		options.kill_rank = VICTIM;
		if (!TAP_EQUAL(wf_sim_run(&options, program, &shared, &result),
			       WEFT_OK))
			return;
		TAP_EQUAL(result.violations, 0);
		TAP_EQUAL(result.killed, VICTIM);
		TAP_EQUAL(result.finished, RANKS - 1);
		TAP_EQUAL(shared.told, RANKS - 1);
		if (result.violations)
			tap_diag("seed %ld: %s", seed, result.text);
		landed += shared.landed;
		late += shared.late;
	}
	/* of three puts each, some landed and some did not, some late */
	TAP_CHECK(landed > 0);
	TAP_CHECK(landed < seeds * 3 * (RANKS - 1));
	TAP_CHECK(late > 0);
}

/* Loops of mails around the ring, until somebody is dead. */
static void chatter(struct wf_sim_rank *rank, void *arg)
{
	int size = wf_sim_size(rank);
	int *told = arg;
	struct node node;

	if (!node_open(&node, rank))
		return;
	while (node.told < 0) {
		node_mail(&node, (wf_sim_rank(rank) + 1) % size, 1, 0);
		if (node.told < 0)
			node_wait(&node);
	}
	++*told;
	node_close(&node);
}

static void at_any_event(void)
{
	long seeds = tap_figure("SEEDS", 60);
	long first = tap_figure("FIRST_SEED", 1);

	for (long seed = first; seed < first + seeds; seed++) {
		struct wf_sim_options options;
		struct wf_sim_result result;
		int told = 0;

		wf_sim_options_init(&options, 5, (uint64_t)seed);
		wf_sim_options_vary(&options);
		options.kill_rank = (int)(seed % 5);
		options.kill_event = (uint64_t)seed;
		options.told_ns = 1000000;
		if (!TAP_EQUAL(wf_sim_run(&options, chatter, &told, &result),
			       WEFT_OK))
			return;
		TAP_EQUAL(result.violations, 0);
		TAP_EQUAL(result.killed, options.kill_rank);
		TAP_EQUAL(told, 4);
		if (result.violations)
			tap_diag("seed %ld: %s", seed, result.text);
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "told within a second, quiet after the fence",
		  told_and_fenced },
		{ "death at any event", at_any_event },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
