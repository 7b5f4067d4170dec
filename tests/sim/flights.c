/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the simulated wire does within the contract: flights overtake each
 * other, sources are read late, mails may or may not wait for puts, ops say
 * WEFT_AGAIN, credits run out, a closed rank refuses.
 */
#include "tests/sim/node.h"
#include "tests/tap.h"
#include "transport/line.h"

enum {
	BYTES = 3000,
	LINES = 16
};

/* What the two ranks of a program tell each other and the test. */
struct shared {
	struct wf_rloc block;	/* of rank 1 */
	uint32_t sig;
	int seen;		/* rank 1 is ready */
	int count[4];		/* of what the case counts */
};

static bool run(struct wf_sim_options *options,
		void (*program)(struct wf_sim_rank *, void *),
		struct shared *shared, struct wf_sim_result *result)
{
	memset(shared, 0, sizeof(*shared));
	if (!TAP_EQUAL(wf_sim_run(options, program, shared, result), WEFT_OK))
		return false;
	if (TAP_EQUAL(result->violations, 0))
		return true;
	tap_diag("seed %llu: %s", (unsigned long long)options->seed,
		 result->text);
	return false;
}

static void seeded(struct wf_sim_options *options, long seed)
{
	wf_sim_options_init(options, 2, (uint64_t)seed);
	wf_sim_options_vary(options);
}

/* Rank 1 makes a block and a signal, both ranks know them afterwards. */
static bool set_up(struct node *node, struct wf_sim_rank *rank,
		   struct shared *shared, void **block_p)
{
	uint64_t offset;

	if (!node_open(node, rank))
		return false;
	if (wf_sim_rank(rank) == 1) {
		if (wf_segment_alloc(&node->segment, BYTES + WF_HEAD_BYTES, 64,
				     &offset) ||
		    wf_signal_alloc(&node->signals, 0, &shared->sig) ||
		    wf_sim_tp.key(&node->dev->arena, offset, &shared->block)) {
			wf_sim_fail(rank, "no block");
			return false;
		}
		*block_p = wf_segment_at(&node->segment, offset);
		node_mail(node, 0, 1, 0);
	} else {
		while (!node->mails)
			node_wait(node);
	}
	return true;
}

static uint64_t arrivals(struct node *node, const struct shared *shared)
{
	return wf_signal_count(wf_signal_word(&node->signals, shared->sig),
			       shared->sig);
}

/* Many lines at once; how often does a later one arrive first? */
static void send_lines(struct wf_sim_rank *rank, void *arg)
{
	struct shared *shared = arg;
	struct wf_line *lines = NULL;
	struct node node;

	if (!set_up(&node, rank, shared, (void **)&lines))
		return;
	for (int i = 0; wf_sim_rank(rank) == 0 && i < LINES; i++) {
		struct wf_rloc dst = shared->block;

		dst.addr += (uint64_t)i * WF_LINE_BYTES;
		node_line(&node, 1, dst, &i, sizeof(i), 1);
	}
	while (wf_sim_rank(rank) == 1 && shared->count[0] < LINES) {
		bool gap = false;

		shared->count[0] = 0;
		for (int i = 0; i < LINES; i++) {
			bool there = wf_line_ready(&lines[i], 1);

			shared->count[0] += there;
			shared->count[1] += there && gap;
			gap = gap || !there;
			if (there && (wf_line_length(&lines[i]) != 4 ||
				      memcmp(wf_line_content(&lines[i], 4),
					     &i, 4)))
				wf_sim_fail(rank, "line %d is torn", i);
		}
		node_wait(&node);
	}
	node_close(&node);
}

static void reordered(void)
{
	long seeds = tap_figure("SEEDS", 50);
	long first = tap_figure("FIRST_SEED", 1);
	uint64_t passes = 0;
	int gaps = 0;

	for (long seed = first; seed < first + seeds; seed++) {
		struct wf_sim_options options;
		struct wf_sim_result result;
		struct shared shared;

		seeded(&options, seed);
		if (!run(&options, send_lines, &shared, &result))
			return;
		passes += result.passes;
		gaps += shared.count[1] > 0;
	}
	TAP_CHECK(passes > 0);
	TAP_CHECK(gaps > seeds / 4);
}

/* Bytes before their signal, with a head word in front. */
static void send_puts(struct wf_sim_rank *rank, void *arg)
{
	struct shared *shared = arg;
	char *block = NULL;
	struct node node;
	char bytes[BYTES];

	if (!set_up(&node, rank, shared, (void **)&block))
		return;
	for (uint64_t k = 1; k <= 8; k++) {
		size_t n = k == 3 ? 0 : (size_t)BYTES >> k;
		uint64_t head;

		if (wf_sim_rank(rank) == 0) {
			struct wf_ep *ep = node.ep[1];

			memset(bytes, (int)k, n);
			while (ep->ops->put_signal(ep, wf_loc_any(bytes),
						   shared->block, n,
						   shared->sig, &k))
				node_wait(&node);
			while (!wf_ep_done(ep, ep->posted))
				node_wait(&node);
			while (node.mails < 1 + (int)k)
				node_wait(&node);
			continue;
		}
		while (arrivals(&node, shared) < k) {
			shared->count[0] += block[WF_HEAD_BYTES] == (char)k;
			node_wait(&node);
		}
		memcpy(&head, block, sizeof(head));
		if (head != k)
			wf_sim_fail(rank, "head of put %d", (int)k);
		for (size_t i = 0; i < n; i++)
			if (block[WF_HEAD_BYTES + i] != (char)k)
				wf_sim_fail(rank, "put %d, byte %zu", (int)k,
					    i);
		node_mail(&node, 0, 2, 0);
	}
	node_close(&node);
}

static void bytes_before_signal(void)
{
	long seeds = tap_figure("SEEDS", 50);
	long first = tap_figure("FIRST_SEED", 1);
	int early = 0;

	for (long seed = first; seed < first + seeds; seed++) {
		struct wf_sim_options options;
		struct wf_sim_result result;
		struct shared shared;

		seeded(&options, seed);
		if (!run(&options, send_puts, &shared, &result))
			return;
		early += shared.count[0];
	}
	/* first bytes were seen without the signal, so the wait matters */
	TAP_CHECK(early > 0);
}

/* Rewrites the source before done: whoever does that sends the new bytes. */
static void reuse_early(struct wf_sim_rank *rank, void *arg)
{
	struct shared *shared = arg;
	char *block = NULL;
	struct node node;
	char bytes[64];

	if (!set_up(&node, rank, shared, (void **)&block))
		return;
	if (wf_sim_rank(rank) == 0) {
		struct wf_ep *ep = node.ep[1];

		memset(bytes, 1, sizeof(bytes));
		node_put(&node, 1, bytes, shared->block, sizeof(bytes),
			 shared->sig);
		shared->count[1] += wf_ep_done(ep, ep->posted);
		memset(bytes, 2, sizeof(bytes));
		while (!wf_ep_done(ep, ep->posted))
			node_wait(&node);
		shared->count[2] += !wf_ep_flushed(ep, ep->posted);
	} else {
		while (arrivals(&node, shared) < 1)
			node_wait(&node);
		shared->count[0] += block[0] == 2;
	}
	node_close(&node);
}

static void sources_read_late(void)
{
	struct wf_sim_options options;
	struct wf_sim_result result;
	struct shared shared;

	for (long seed = 1; seed <= 10; seed++) {
		wf_sim_options_init(&options, 2, (uint64_t)seed);
		if (!run(&options, reuse_early, &shared, &result))
			return;
		TAP_EQUAL(shared.count[0], 1);
		TAP_EQUAL(shared.count[1], 0);
		/* nobody had asked to flush */
		TAP_EQUAL(shared.count[2], 1);
	}
}

/* A put, then a mail: which is there first? */
static void put_and_mail(struct wf_sim_rank *rank, void *arg)
{
	struct shared *shared = arg;
	char *block = NULL;
	char bytes[BYTES];
	struct node node;

	if (!set_up(&node, rank, shared, (void **)&block))
		return;
	if (wf_sim_rank(rank) == 0) {
		memset(bytes, 1, sizeof(bytes));
		node_put(&node, 1, bytes, shared->block, sizeof(bytes),
			 shared->sig);
		node_mail(&node, 1, 2, 0);
		while (!wf_ep_done(node.ep[1], node.ep[1]->posted))
			node_wait(&node);
	} else {
		while (!node.mails)
			node_wait(&node);
		shared->count[0] += !(block[0] == 1 && block[BYTES - 1] == 1);
		while (arrivals(&node, shared) < 1)
			node_wait(&node);
	}
	node_close(&node);
}

static void mails_and_puts(void)
{
	for (int order = 0; order < 2; order++) {
		int early = 0;

		for (long seed = 1; seed <= 40; seed++) {
			struct wf_sim_options options;
			struct wf_sim_result result;
			struct shared shared;

			seeded(&options, seed);
			options.put_mail_order = order;
			if (!run(&options, put_and_mail, &shared, &result))
				return;
			early += shared.count[0];
		}
		TAP_CHECK(order ? early == 0 : early > 0);
	}
}

/* Credits: four mails, then one of the reserved kind, then nothing. */
static void spend_credits(struct wf_sim_rank *rank, void *arg)
{
	const struct wf_mail plain = { .kind = 3 };
	const struct wf_mail revoke = { .kind = 4,
					.flags = WF_MAIL_RESERVED };
	struct shared *shared = arg;
	struct node node;

	if (!node_open(&node, rank))
		return;
	if (wf_sim_rank(rank) == 0) {
		struct wf_ep *ep = node.ep[1];

		while (!ep->ops->mail(ep, &plain, NULL))
			shared->count[0]++;
		while (!ep->ops->mail(ep, &revoke, NULL))
			shared->count[1]++;
		shared->seen = 1;
		for (int i = 0; i < 40; i++)
			node_mail(&node, 1, 5, (uint32_t)i);
		node_mail(&node, 1, 6, 0);
	} else {
		while (!shared->seen)
			wf_sim_idle(rank, 0);
		while (node.mails < 46)
			node_wait(&node);
		for (int i = 0; i < 40; i++)
			if (node.mail[5 + i].word != (uint32_t)i ||
			    node.mail[5 + i].kind != 5)
				wf_sim_fail(rank, "mail %d out of order", i);
	}
	node_close(&node);
}

static void credits(void)
{
	for (long seed = 1; seed <= 20; seed++) {
		struct wf_sim_options options;
		struct wf_sim_result result;
		struct shared shared;

		seeded(&options, seed);
		options.again_one_in = 0;
		options.switch_one_in = 0;
		if (!run(&options, spend_credits, &shared, &result))
			return;
		TAP_EQUAL(shared.count[0], 4);
		TAP_EQUAL(shared.count[1], 1);
	}
}

static void by_chance(void)
{
	struct wf_sim_options options;
	struct wf_sim_result result;
	struct shared shared;

	wf_sim_options_init(&options, 2, 1);
	options.again_one_in = 2;
	if (run(&options, send_puts, &shared, &result))
		TAP_CHECK(result.agains > 5);
	options.again_one_in = 0;
	if (run(&options, send_puts, &shared, &result))
		TAP_EQUAL(result.agains, 0);
}

/* The queue of posts is short; every refused line is sent later. */
static void full_queue(void)
{
	for (long seed = 1; seed <= 20; seed++) {
		struct wf_sim_options options;
		struct wf_sim_result result;
		struct shared shared;

		seeded(&options, seed);
		options.tx_depth = 1;
		if (!run(&options, send_lines, &shared, &result))
			return;
		TAP_EQUAL(shared.count[0], LINES);
	}
}

static void one_is_gone(struct wf_sim_rank *rank, void *arg)
{
	const struct wf_tp_peer peer = { .rank = 1 };
	struct shared *shared = arg;
	struct wf_ep *ep = NULL;
	struct node node;

	if (!node_open_alone(&node, rank))
		return;
	if (wf_sim_rank(rank) == 0) {
		if (wf_sim_tp.connect(node.dev, &peer, &ep)) {
			wf_sim_fail(rank, "no endpoint");
			return;
		}
		while (ep->state == WF_EP_CONNECTING)
			node_wait(&node);
		shared->count[0] = ep->state == WF_EP_CLOSED;
		wf_sim_tp.disconnect(ep);
	}
	wf_sim_tp.close(node.dev);
	wf_signals_fini(&node.signals);
	wf_segment_close(&node.segment);
}

static void refused(void)
{
	for (long seed = 1; seed <= 20; seed++) {
		struct wf_sim_options options;
		struct wf_sim_result result;
		struct shared shared;

		seeded(&options, seed);
		if (!run(&options, one_is_gone, &shared, &result))
			return;
		TAP_EQUAL(shared.count[0], 1);
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "lines overtake each other, none is torn", reordered },
		{ "bytes come before their signal", bytes_before_signal },
		{ "a put reads its source late", sources_read_late },
		{ "mails wait for puts if that is granted", mails_and_puts },
		{ "mail credits", credits },
		{ "WEFT_AGAIN by chance", by_chance },
		{ "a queue of one", full_queue },
		{ "a rank that is gone has closed", refused },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
